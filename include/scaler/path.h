/* SPDX-License-Identifier: GPL-2.0-only */
/* The path of a file, as the kernel's folders have it. */
#ifndef SCALER_PATH_H
#define SCALER_PATH_H

#include <linux/types.h>

#define SCALER_PATH_SIZE 1024

struct scaler_path {
	__u32 size;      /* bytes of names; 0: no path known */
	__u8 is_cut;     /* the outermost names are missing */
	__u8 is_apart;   /* it is in no folder: a memory file, which has a name and no path */
	__u8 is_deleted; /* that name is in the folder no more */
	__u8 zero;
	char names[SCALER_PATH_SIZE]; /* the path's parts, innermost first, each with its NUL */
};
_Static_assert(sizeof(struct scaler_path) == 8 + SCALER_PATH_SIZE, "shared layout");

#endif
