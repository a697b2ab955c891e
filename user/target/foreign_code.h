/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that run the code of files in other ways than where it is mapped: translators, which read it and run what they
 * make of it. A breakpoint in what they read is run by nobody that knows of it, and ends the program.
 */
#ifndef SCALER_TARGET_FOREIGN_CODE_H
#define SCALER_TARGET_FOREIGN_CODE_H

#include <stdbool.h>
#include <sys/types.h>

enum foreign_code {
	FOREIGN_CODE_NONE, /* as far as can be known */
	FOREIGN_CODE_LOADED, /* no dynamic linker loads it, so that it loads by itself what it has of libraries: valgrind's tools */
	FOREIGN_CODE_TRANSLATED, /* it is known to translate: user-mode emulators */
};

/* By the name of a program's file, and by that of one that makes a translator of any process that has mapped it. */
bool foreign_code_has_translator(const char *program);
bool foreign_code_has_agent(const char *library);

/* Of an open program with that name. */
enum foreign_code foreign_code_of_program(const char *name, int fd);

/*
 * Of the program that a living process runs, by itself: not by what it has mapped. Copies its name, cut to fit; "": not
 * known. One that cannot be read is FOREIGN_CODE_NONE.
 */
enum foreign_code foreign_code_of_process(pid_t pid, char *name, size_t size);

#endif
