/* SPDX-License-Identifier: GPL-2.0-only */
/* An ELF file opened with libdw, which also finds its debug file, by build-id or debug link. */
#ifndef SCALER_TARGET_ELF_MODULE_H
#define SCALER_TARGET_ELF_MODULE_H

#include <elfutils/libdwfl.h>

struct elf_module {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwfl_Callbacks callbacks; /* the next refer to it, so the module stays where it was opened */
	char *debug_path;
	Elf *elf;       /* the module's, as are the next */
	GElf_Addr bias; /* libdw's addresses are this much above the file's own */
};

/*
 * Opens the file behind a descriptor, which stays the caller's; name is for the search of its debug file, and
 * debug_path, which outlives the module, says where as libdwfl's debuginfo_path does, and beyond that the servers
 * of DEBUGINFOD_URLS are asked; NULL: it is sought by build-id among those installed, at once. Returns 0, or -ENOEXEC
 * if it is no ELF file that can be read. The caller closes the module in both cases.
 */
int elf_module_open(struct elf_module *module, int fd, const char *name, char *debug_path);
void elf_module_close(struct elf_module *module);

#endif
