/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The summary's words: what a thread waited for, as people call it, what happened meanwhile, and a sentence of both. Each
 * text is safe to print, and in memory of its own that the caller frees; NULL: there is no memory.
 */
#ifndef SCALER_RENDER_SUMMARY_WORDS_H
#define SCALER_RENDER_SUMMARY_WORDS_H

#include "analysis/report.h"

/* "get-0..7". */
char *summary_names(const struct summary_group *group);

/* "pthread_mutex_lock", or "libz.so.1+0x1234" where it has no name; "" of PLACE_NONE. */
char *summary_function_name(const struct places *places, size_t function);

/* How a library was called: "pthread_mutex_lock <- find"; "" if that is not known. */
char *summary_way(const struct places *places, const struct call_path *path);

/* Who waited, and where: "get-0..7 in pthread_mutex_lock <- find". */
char *summary_waiter(const struct report *report, const struct summary_wait *wait);

/* What was waited for: "lock app:index", "disk vda", "a CPU". */
char *summary_thing(const struct report *report, const struct summary_wait *wait);

/* "saver waits for disk vda in fdatasync <- save_page", "saver runs compress2". */
char *summary_part(const struct report *report, const struct summary_part *part);

/* "saver holds app:index through fdatasync; get-0..7 queue behind it". */
char *summary_sentence(const struct report *report, const struct summary_wait *wait);

#endif
