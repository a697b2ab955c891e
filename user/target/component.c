// SPDX-License-Identifier: GPL-2.0-only
/* A component's name, path and file. A file is taken only if it is the one that was mapped. */
#include "target/component.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "elf/elf_file.h"
#include "target/foreign_file.h"

const char *component_name(const struct scaler_component *component)
{
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_VDSO)
		return "[vdso]";
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_COMPAT_VDSO)
		return "[vdso32]";
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_ANONYMOUS)
		return "[anonymous code]";
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_UPROBES)
		return "[uprobes]";
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_KERNEL_CODE)
		return "[kernel]";
	if (!component->key.device && component->key.inode == SCALER_COMPONENT_TRACER_CODE)
		return "[tracer]";
	return component->path.size ? component->path.names : "[unknown]";
}

const char *component_path(const struct scaler_component *component, char buffer[KERNEL_PATH_TEXT_SIZE])
{
	const struct scaler_path *path = &component->path;

	return path->size && !path->is_cut && !path->is_apart ? kernel_path_format(path, buffer) : NULL;
}

bool component_is_runtime(const struct scaler_component *description)
{
	/* glibc's, also as they were called before 2.34, and musl's. */
	static const char *const names[] = { "libc.so.",  "libc-2.", "libpthread.so.", "libpthread-2.",
					     "ld-linux-", "ld-2.",   "ld-musl-",       "libc.musl-" };
	const char *name = component_name(description);

	if (!description->key.device)
		return description->key.inode == SCALER_COMPONENT_VDSO ||
		       description->key.inode == SCALER_COMPONENT_COMPAT_VDSO;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

bool component_has_build_id(const struct scaler_component *component)
{
	static const __u8 none[SCALER_BUILD_ID_SIZE];

	return memcmp(component->build_id, none, sizeof(none)) != 0;
}

void component_format_build_id(const __u8 build_id[SCALER_BUILD_ID_SIZE],
			       char text[COMPONENT_BUILD_ID_TEXT_SIZE])
{
	for (size_t i = 0; i < SCALER_BUILD_ID_SIZE; i++)
		sprintf(text + 2 * i, "%02x", build_id[i]);
}

bool component_read_build_id(int fd, __u8 build_id[SCALER_BUILD_ID_SIZE])
{
	uint8_t found[ELF_BUILD_ID_MAX];
	struct elf_file file;
	size_t size;

	memset(build_id, 0, SCALER_BUILD_ID_SIZE);
	if (elf_file_open(&file, fd))
		return false;
	size = elf_file_build_id(&file, found);
	elf_file_close(&file);
	if (!size || size > SCALER_BUILD_ID_SIZE)
		return false;
	memcpy(build_id, found, size);
	return true;
}

/* Overlay file systems and subvolumes show other device and inode numbers: the build-id comes first. */
static bool is_same_file(int fd, const struct scaler_component *component)
{
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	struct stat status;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return false;
	if (component_has_build_id(component))
		return component_read_build_id(fd, build_id) &&
		       !memcmp(build_id, component->build_id, sizeof(build_id));
	return status.st_ino == component->key.inode;
}

static int open_path(const struct scaler_component *component, int folder, const char *path,
		     enum foreign_reach reach)
{
	int fd = foreign_file_open(folder, path, reach);

	if (fd < 0 || is_same_file(fd, component))
		return fd;
	close(fd);
	return -ESTALE;
}

/* The kernel's own library is the same in all 64-bit programs, and ours is one. */
static int open_vdso(void)
{
	const Elf64_Ehdr *header =
		(const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR); /* NOLINT(performance-no-int-to-ptr) */
	size_t size;
	int fd;

	if (!header)
		return -ENOENT;
	/* Its sections are described at its end. */
	size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, header, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -EIO;
}

/* In its process's root, or in our own, where the path may be of another one. */
static int open_by_path(const struct scaler_component *component)
{
	int fd = -ENOENT, root = foreign_root_open((pid_t)component->tgid);
	char path[KERNEL_PATH_TEXT_SIZE];

	if (component_path(component, path)) {
		if (root >= 0)
			fd = open_path(component, root, path, FOREIGN_IN_ROOT);
		if (fd < 0)
			fd = open_path(component, AT_FDCWD, path, FOREIGN_NO_LINKS);
	}
	if (root >= 0)
		close(root);
	return fd;
}

int component_open(const struct scaler_component *component)
{
	char mapped[64];
	int fd;

	if (!component->key.device)
		return component->key.inode == SCALER_COMPONENT_VDSO ? open_vdso() : -ENOENT;
	snprintf(mapped, sizeof(mapped), "/proc/%u/map_files/%llx-%llx", component->tgid, component->start,
		 component->end);
	fd = open_path(component, AT_FDCWD, mapped, FOREIGN_KERNEL_LINK);
	return fd >= 0 ? fd : open_by_path(component);
}
