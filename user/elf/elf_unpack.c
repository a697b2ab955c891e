// SPDX-License-Identifier: GPL-2.0-only
/* Unpacks into memory that is as large as what comes out, never as large as the file says. */
#include "elf/elf_unpack.h"

#include <endian.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

/* How a .zdebug_* section begins: and then the size of what is packed, of 8 bytes, big-endian. */
static const char old_magic[] = { 'Z', 'L', 'I', 'B' };

bool elf_is_packed(const struct elf_file *file, const Elf64_Shdr *section)
{
	static const char old_name[] = ".zdebug_";

	return section->sh_flags & SHF_COMPRESSED ||
	       (section->sh_name < file->names_size &&
		!strncmp(file->names + section->sh_name, old_name, sizeof(old_name) - 1));
}

/* What precedes the packed bytes. Returns its size; 0: it is nothing that can be unpacked. */
static size_t read_header(const struct elf_bytes *packed, bool has_flag, uint64_t *size)
{
	Elf64_Chdr header;

	if (has_flag) {
		if (packed->size < sizeof(header))
			return 0;
		memcpy(&header, packed->bytes, sizeof(header));
		*size = header.ch_size;
		return header.ch_type == ELFCOMPRESS_ZLIB ? sizeof(header) : 0;
	}
	if (packed->size < sizeof(old_magic) + sizeof(*size) ||
	    memcmp(packed->bytes, old_magic, sizeof(old_magic)) != 0)
		return 0;
	memcpy(size, packed->bytes + sizeof(old_magic), sizeof(*size));
	*size = be64toh(*size);
	return sizeof(old_magic) + sizeof(*size);
}

int elf_unpack_section(struct elf_file *file, const Elf64_Shdr *section, struct elf_bytes *unpacked)
{
	struct elf_bytes packed;
	int err = elf_file_load(file, section->sh_offset, section->sh_size, &packed);
	uint64_t size = 0;
	size_t header = err ? 0 : read_header(&packed, section->sh_flags & SHF_COMPRESSED, &size);
	uLongf length;

	*unpacked = (struct elf_bytes){ 0 };
	if (header && size && size <= ELF_UNPACKED_MAX) {
		unpacked->bytes = malloc(size);
		err = unpacked->bytes ? 0 : -ENOMEM;
		length = size;
		if (!err &&
		    uncompress(unpacked->bytes, &length, packed.bytes + header, packed.size - header) == Z_OK)
			unpacked->size = length;
	}
	elf_file_unload(file, &packed);
	return err;
}

/* Writes what is unpacked to a file of our own. Returns its descriptor, or a negative errno. */
static int unpack_xz(const struct elf_bytes *packed)
{
	size_t from = 0, size = 0;
	uint64_t memory = ELF_UNPACKED_MAX;
	uint8_t *bytes = malloc(ELF_UNPACKED_MAX);
	int fd = bytes ? memfd_create("unpacked", MFD_CLOEXEC) : -1, err = bytes && fd < 0 ? -errno : 0;

	if (!bytes)
		return -ENOMEM;
	if (!err && lzma_stream_buffer_decode(&memory, 0, NULL, packed->bytes, &from, packed->size, bytes,
					      &size, ELF_UNPACKED_MAX) != LZMA_OK)
		err = -ENOENT;
	if (!err && write(fd, bytes, size) != (ssize_t)size)
		err = -EIO;
	free(bytes);
	if (err && fd >= 0)
		close(fd);
	return err ?: fd;
}

int elf_unpack_file(struct elf_file *file, struct elf_file *unpacked)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gnu_debugdata");
	struct elf_bytes packed;
	int err, fd;

	if (!section)
		return -ENOENT;
	err = elf_file_load(file, section->sh_offset, section->sh_size, &packed);
	fd = err ?: unpack_xz(&packed);
	elf_file_unload(file, &packed);
	if (fd < 0)
		return fd;
	err = elf_file_open(unpacked, fd);
	close(fd);
	return err;
}
