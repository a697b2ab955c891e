/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unwind rules of an ELF file: from its .eh_frame, else the .debug_frame of the file or its debug
 * file. The file is not trusted: whatever is wrong in it costs rules, no more.
 */
#ifndef SCALER_ELF_UNWIND_TABLE_H
#define SCALER_ELF_UNWIND_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/unwind.h>

struct unwind_table;

/*
 * Opens the table of the file behind a descriptor, and of what may be its debug file, or -1; both stay the caller's. Returns 0,
 * also for a file without any, -ENOEXEC if it is no ELF file of this machine that can be read, or -ENOMEM; *table is then NULL.
 */
int unwind_table_open(struct unwind_table **table, int fd, int debug_fd);
void unwind_table_close(struct unwind_table *table);

/*
 * The rule at an address, as the file numbers its own addresses: of an instruction, or of any byte in it.
 * For a return address that is the byte before it, in the call itself, which may be a function's last.
 */
struct scaler_unwind_rule unwind_table_find(struct unwind_table *table, uint64_t address);

/*
 * The same of what is at that offset in the file. in_call: it is the last byte of a call, or of a system call, that is under
 * way, and not what was interrupted.
 */
struct scaler_unwind_rule unwind_table_find_offset(struct unwind_table *table, uint64_t file_offset,
						   bool in_call);

/* The rule of a frame pointer at that offset, with what is known of the function there. */
struct scaler_unwind_rule unwind_table_frame_pointer(struct unwind_table *table, uint64_t file_offset);

/* The eight bytes of the file at that offset; false: it has none there. */
bool unwind_table_read(struct unwind_table *table, uint64_t file_offset, uint64_t *word);

#endif
