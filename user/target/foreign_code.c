// SPDX-License-Identifier: GPL-2.0-only
/* Translators, by their names and by what their files lack. */
#include "target/foreign_code.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "elf/elf_file.h"
#include "parser/code.h"
#include "target/foreign_file.h"

static bool matches(const char *name, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!fnmatch(patterns[i], name, 0))
			return true;
	}
	return false;
}

bool foreign_code_has_translator(const char *program)
{
	/* Whole machines' emulators map their guests' memory, but no file's code; tools translate nothing. */
	static const char *const others[] = { "qemu-system-*", "qemu-img",
					      "qemu-io",       "qemu-nbd",
					      "qemu-ga",       "qemu-edid",
					      "qemu-keymap",   "qemu-storage-daemon",
					      "qemu-*-helper", "qemu-trace-*" };
	static const char *const translators[] = { "qemu-*", "box64*", "box86*", "FEX*", "pinbin", "drrun" };

	return matches(program, translators, ARRAY_SIZE(translators)) &&
	       !matches(program, others, ARRAY_SIZE(others));
}

bool foreign_code_has_agent(const char *library)
{
	static const char *const agents[] = { "libdynamorio.so*", "pinbin", "frida-agent*", "frida-gadget*",
					      "vgpreload_*.so" };

	return matches(library, agents, ARRAY_SIZE(agents));
}

/* Whether it is an ELF file, for any machine, that names no dynamic linker. */
static bool lacks_linker(int fd)
{
	struct elf_file file;
	bool lacks = true;

	if (elf_file_open(&file, fd))
		return false;
	for (size_t i = 0; i < file.segment_count && lacks; i++)
		lacks = file.segments[i].p_type != PT_INTERP;
	elf_file_close(&file);
	return lacks;
}

/* One that is called by its own name runs the program that it is given. */
static bool is_linker(int fd)
{
	struct linkage linkage = { 0 };
	bool gives = false;

	if (!parser_read_linkage(parser_shared(), fd, &linkage)) {
		for (size_t i = 0; i < linkage.export_count && !gives; i++)
			gives = !strcmp(linkage.exports[i].name, "__tls_get_addr");
	}
	linkage_clear(&linkage);
	return gives;
}

enum foreign_code foreign_code_of_program(const char *name, int fd)
{
	if (foreign_code_has_translator(name))
		return FOREIGN_CODE_TRANSLATED;
	return lacks_linker(fd) && !is_linker(fd) ? FOREIGN_CODE_LOADED : FOREIGN_CODE_NONE;
}

enum foreign_code foreign_code_of_process(pid_t pid, char *name, size_t size)
{
	static const char deleted[] = " (deleted)";
	char link[32], path[PATH_MAX], *end;
	enum foreign_code found;
	ssize_t length;
	int fd;

	*name = '\0';
	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return FOREIGN_CODE_NONE;
	path[length] = '\0';
	end = path + length - (length > (ssize_t)strlen(deleted) ? strlen(deleted) : 0);
	if (!strcmp(end, deleted))
		*end = '\0';
	snprintf(name, size, "%s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	fd = foreign_file_open(AT_FDCWD, link, FOREIGN_KERNEL_LINK);
	if (fd < 0)
		return FOREIGN_CODE_NONE;
	found = foreign_code_of_program(name, fd);
	close(fd);
	return found;
}
