/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that the tracer writes. They are for its user's eyes only, and are where the user has said: not where a link leads
 * that somebody else has put there.
 */
#ifndef SCALER_BASE_OWN_FILE_H
#define SCALER_BASE_OWN_FILE_H

/*
 * Empties a file that is ours, or makes one of mode 0600, in the place of one that is somebody else's or has other names. Or
 * opens what else is there: a FIFO, a device, or what a link leads to in a folder that nobody else may write to; a FIFO's
 * reader is waited for until signal_fd (-1: none) can be read. Returns a descriptor that the caller closes; -ELOOP: it is a
 * link that somebody else may have made; -ECANCELED: nobody reads the FIFO, and a signal has come; or another negative errno.
 */
int own_file_create(const char *path, int signal_fd);

/* What that negative errno means, and the remedy, if there is one. */
const char *own_file_problem(int err);

#endif
