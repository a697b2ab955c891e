/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door for files that others name: nothing is opened before it is known to be a regular file, since to open a device can
 * be an action, and a FIFO's other end may never come.
 */
#ifndef SCALER_TARGET_FOREIGN_FILE_H
#define SCALER_TARGET_FOREIGN_FILE_H

#include <sys/types.h>

/* Where links and mounts may lead. Links of the kernel's, as those in /proc/PID, lead nowhere, unless they are all of the path. */
enum foreign_reach {
	FOREIGN_ANYWHERE,    /* who names the file is trusted: the user, or a folder of root's */
	FOREIGN_IN_ROOT,     /* the folder is a root that no link leads out of */
	FOREIGN_NO_LINKS,    /* there are no links in the path */
	FOREIGN_ONE_MOUNT,   /* nor is anything mounted below the folder */
	FOREIGN_KERNEL_LINK, /* the path is a link of the kernel's, as /proc/PID/exe */
};

/*
 * Opens a regular file for reading, by its path from the folder behind a descriptor, or AT_FDCWD. Returns a descriptor that
 * the caller closes; -ENXIO: it is no regular file; or another negative errno.
 */
int foreign_file_open(int folder, const char *path, enum foreign_reach reach);

/* Opens a file that is open, with a position of its own. Returns as the above. */
int foreign_file_reopen(int fd);

/* A folder in a root. Returns a descriptor that the caller closes, or a negative errno. */
int foreign_folder_open(int root, const char *path);

/* The root of a process, as a folder; a descriptor that the caller closes, or a negative errno. */
int foreign_root_open(pid_t pid);

#endif
