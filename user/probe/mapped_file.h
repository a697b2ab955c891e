/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks the kernel which files it maps where processes map others, as of an overlay file system. */
#ifndef SCALER_PROBE_MAPPED_FILE_H
#define SCALER_PROBE_MAPPED_FILE_H

#include "target/linked_files.h"

/*
 * From now on it is asked for the files that are added; mapped_file_close() ends that, whatever this returned. 0 or a
 * negative errno, with which each file has only the key that it comes with.
 */
int mapped_file_open(struct linked_files *files);
void mapped_file_close(struct linked_files *files);

#endif
