// SPDX-License-Identifier: GPL-2.0-only
/* Reads debug links, and checks where they lead. */
#include "elf/debug_link.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/file_bytes.h"

#define SUMMED_MAX (1LL << 30) /* bytes of a file whose sum is made */

/* The name, and the sum in the next whole word. */
static void read_section(struct debug_link *link, struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file_section(file, ".gnu_debuglink");
	struct elf_bytes loaded;
	size_t sum_at;

	if (!section ||
	    elf_file_load(file, section->sh_offset,
			  section->sh_size < DEBUG_LINK_NAME_MAX ? section->sh_size : DEBUG_LINK_NAME_MAX,
			  &loaded))
		return;
	sum_at = (strlen((char *)loaded.bytes) + sizeof(link->sum)) & ~(sizeof(link->sum) - 1);
	if (sum_at + sizeof(link->sum) <= loaded.size && !strchr((char *)loaded.bytes, '/')) {
		snprintf(link->name, sizeof(link->name), "%s", (char *)loaded.bytes);
		memcpy(&link->sum, loaded.bytes + sum_at, sizeof(link->sum));
	}
	elf_file_unload(file, &loaded);
}

void debug_link_read(struct debug_link *link, struct elf_file *file)
{
	*link = (struct debug_link){ 0 };
	link->build_id_size = elf_file_build_id(file, link->build_id);
	read_section(link, file);
}

static bool has_sum(int fd, uint32_t wanted)
{
	uint64_t offset = 0;
	char bytes[1 << 16];
	uLong sum = crc32(0, NULL, 0);
	struct stat status;
	ssize_t got;

	if (fstat(fd, &status) || status.st_size > SUMMED_MAX)
		return false;
	while ((got = file_bytes_read(fd, offset, bytes, sizeof(bytes))) > 0) {
		sum = crc32(sum, (const Bytef *)bytes, (uInt)got);
		offset += (uint64_t)got;
	}
	return !got && sum == wanted;
}

bool debug_link_matches(const struct debug_link *link, int fd)
{
	uint8_t build_id[ELF_BUILD_ID_MAX];
	struct elf_file debug;
	size_t size;

	if (elf_file_open(&debug, fd))
		return false;
	size = elf_file_build_id(&debug, build_id);
	elf_file_close(&debug);
	if (link->build_id_size && size)
		return size == link->build_id_size && !memcmp(build_id, link->build_id, size);
	return *link->name && has_sum(fd, link->sum);
}

static uint64_t first_address(const struct elf_file *file)
{
	const Elf64_Phdr *segment = elf_file_segment_of(file, PT_LOAD);

	return segment ? segment->p_vaddr : 0;
}

uint64_t debug_link_bias(const struct elf_file *file, const struct elf_file *debug)
{
	return elf_file_segment_of(debug, PT_LOAD) ? first_address(debug) - first_address(file) : 0;
}
