// SPDX-License-Identifier: GPL-2.0-only
/* Unpacks into memory that is as large as what comes out, never as large as the file says. */
#include "elf/elf_unpack.h"

#include <endian.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
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

static int open_xz(struct elf_file *unpacked, const struct elf_bytes *packed)
{
	/* Of this only what is written to takes memory. */
	unsigned char *bytes = malloc(ELF_UNPACKED_MAX);
	uint64_t memory = ELF_UNPACKED_MAX;
	size_t from = 0, size = 0;

	if (!bytes)
		return -ENOMEM;
	if (lzma_stream_buffer_decode(&memory, 0, NULL, packed->bytes, &from, packed->size, bytes, &size,
				      ELF_UNPACKED_MAX) == LZMA_OK)
		return elf_file_open_bytes(unpacked, &(struct elf_bytes){ bytes, size });
	free(bytes);
	return -ENOENT;
}

int elf_unpack_file(struct elf_file *file, struct elf_file *unpacked)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gnu_debugdata");
	struct elf_bytes packed;
	int err;

	if (!section)
		return -ENOENT;
	err = elf_file_load(file, section->sh_offset, section->sh_size, &packed);
	if (!err)
		err = open_xz(unpacked, &packed);
	elf_file_unload(file, &packed);
	return err;
}
