/* SPDX-License-Identifier: GPL-2.0-only */
/* Leaves a process nothing but its memory, the files that it is given, and one socket. */
#ifndef SCALER_PARSER_CONFINE_H
#define SCALER_PARSER_CONFINE_H

/* What it may take. */
#define CONFINE_MEMORY_BYTES (1UL << 30)
#define CONFINE_FILES        512

/*
 * For good: another user, no capabilities, namespaces of its own where that is allowed, limits, and of the system calls
 * those that read, take memory, speak over sockets that are open and end the process; any other kills it. Returns 0, or a
 * negative errno, and then the process is to end, as it has a part of that only.
 */
int confine(void);

#endif
