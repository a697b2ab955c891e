// SPDX-License-Identifier: GPL-2.0-only
/* An ELF file, opened for reading what it says of its code. */
#include "target/elf_module.h"

#include <errno.h>
#include <unistd.h>

int elf_module_open(struct elf_module *module, int fd, const char *name, char *debug_path)
{
	int own_fd = dup(fd);

	*module = (struct elf_module){
		.callbacks = {
			.find_elf = dwfl_build_id_find_elf,
			.find_debuginfo = debug_path ? dwfl_standard_find_debuginfo : dwfl_build_id_find_debuginfo,
			.section_address = dwfl_offline_section_address,
			.debuginfo_path = debug_path ? &module->debug_path : NULL,
		},
		.debug_path = debug_path,
	};
	module->dwfl = dwfl_begin(&module->callbacks);
	if (module->dwfl && own_fd >= 0) {
		dwfl_report_begin(module->dwfl);
		/* Takes the descriptor over if it succeeds. */
		module->module = dwfl_report_offline(module->dwfl, name, name, own_fd);
		dwfl_report_end(module->dwfl, NULL, NULL);
	}
	if (!module->module && own_fd >= 0)
		close(own_fd);
	if (module->module)
		module->elf = dwfl_module_getelf(module->module, &module->bias);
	return module->elf ? 0 : -ENOEXEC;
}

void elf_module_close(struct elf_module *module)
{
	dwfl_end(module->dwfl);
	*module = (struct elf_module){ 0 };
}
