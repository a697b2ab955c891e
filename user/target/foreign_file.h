/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The door for files that others name: nothing is opened before it is known to be a regular file, since to open a device can
 * be an action, and a FIFO's other end may never come.
 */
#ifndef SCALER_TARGET_FOREIGN_FILE_H
#define SCALER_TARGET_FOREIGN_FILE_H

/* How far links may lead. The kernel's own links, as in /proc/PID/root, never do. */
enum foreign_links {
	FOREIGN_LINKS_ANYWHERE, /* what names the file is trusted, as a folder of root's */
	FOREIGN_LINKS_WITHIN,   /* the folder is a root that no link leads out of */
	FOREIGN_LINKS_NONE,     /* the path itself is no link */
};

/*
 * Opens a regular file for reading, by its path from the folder behind a descriptor, or AT_FDCWD. Returns a descriptor that
 * the caller closes; -ENXIO: it is no regular file; or another negative errno.
 */
int foreign_file_open(int folder, const char *path, enum foreign_links links);

#endif
