/* SPDX-License-Identifier: GPL-2.0-only */
/* The numbers of the paths of files that threads wait on. */
#ifndef SCALER_FILE_PATH_BPF_H
#define SCALER_FILE_PATH_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

/* Set by user space before loading. */
const volatile bool records_paths __weak;

/*
 * Of a struct file, a new number if its path was not known; 0: it has none, or there is no room. A function of its own
 * to the verifier, which takes pointers as numbers.
 */
u32 file_path_number(u64 file);

#endif
