// SPDX-License-Identifier: GPL-2.0-only
/* Reads headers, ranges and notes of ELF files that are not trusted. */
#include "elf/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_bytes.h"

struct elf_block {
	uint64_t number; /* and 1; 0: empty */
	size_t size;
	unsigned char bytes[ELF_BLOCK_SIZE];
};

/* That part of the file, cut at its end. */
static uint64_t size_within(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	uint64_t left = offset < file->size ? file->size - offset : 0;

	return size < left ? size : left;
}

static ssize_t read_bytes(const struct elf_file *file, uint64_t offset, void *bytes, size_t size)
{
	size_t within;

	if (!file->memory.bytes)
		return file_bytes_read(file->fd, offset, bytes, size);
	within = (size_t)size_within(file, offset, size);
	memcpy(bytes, file->memory.bytes + (within ? offset : 0), within);
	return (ssize_t)within;
}

static const struct elf_block *get_block(struct elf_file *file, uint64_t number)
{
	struct elf_block *block, **place;
	ssize_t got;

	if (!file->blocks)
		file->blocks = calloc(ELF_BLOCK_COUNT, sizeof(struct elf_block *));
	if (!file->blocks)
		return NULL;
	place = &file->blocks[number % ELF_BLOCK_COUNT];
	if (!*place)
		*place = calloc(1, sizeof(**place));
	block = *place;
	if (!block || block->number == number + 1)
		return block;
	got = read_bytes(file, number * ELF_BLOCK_SIZE, block->bytes, sizeof(block->bytes));
	block->number = got < 0 ? 0 : number + 1;
	block->size = got < 0 ? 0 : (size_t)got;
	return block;
}

bool elf_file_copy(struct elf_file *file, uint64_t offset, void *bytes, size_t size)
{
	if (size_within(file, offset, size) != size)
		return false;
	if (size > ELF_BLOCK_SIZE)
		return read_bytes(file, offset, bytes, size) == (ssize_t)size;
	while (size) {
		const struct elf_block *block = get_block(file, offset / ELF_BLOCK_SIZE);
		size_t at = offset % ELF_BLOCK_SIZE, part;

		if (!block || block->size <= at)
			return false;
		part = block->size - at < size ? block->size - at : size;
		memcpy(bytes, block->bytes + at, part);
		bytes = (char *)bytes + part;
		offset += part;
		size -= part;
	}
	return true;
}

int elf_file_load(struct elf_file *file, uint64_t offset, uint64_t size, struct elf_bytes *loaded)
{
	ssize_t got;

	*loaded = (struct elf_bytes){ 0 };
	size = size_within(file, offset, size);
	if (size > ELF_LOAD_MAX - file->loaded)
		size = 0;
	loaded->bytes = malloc(size + 1);
	if (!loaded->bytes)
		return -ENOMEM;
	got = read_bytes(file, offset, loaded->bytes, size);
	loaded->size = got < 0 ? 0 : (size_t)got;
	loaded->bytes[loaded->size] = '\0';
	file->loaded += loaded->size;
	return 0;
}

void elf_file_unload(struct elf_file *file, struct elf_bytes *loaded)
{
	file->loaded -= loaded->size;
	free(loaded->bytes);
	*loaded = (struct elf_bytes){ 0 };
}

static Elf64_Phdr widen_segment(const Elf32_Phdr *narrow)
{
	return (Elf64_Phdr){ narrow->p_type,  narrow->p_flags,  narrow->p_offset, narrow->p_vaddr,
			     narrow->p_paddr, narrow->p_filesz, narrow->p_memsz,  narrow->p_align };
}

static Elf64_Shdr widen_section(const Elf32_Shdr *narrow)
{
	return (Elf64_Shdr){ narrow->sh_name,      narrow->sh_type,   narrow->sh_flags, narrow->sh_addr,
			     narrow->sh_offset,    narrow->sh_size,   narrow->sh_link,  narrow->sh_info,
			     narrow->sh_addralign, narrow->sh_entsize };
}

/* Where headers of one kind are, and how many. */
struct header_table {
	uint64_t offset;
	size_t count;
	size_t entry_size;
};

static bool read_identity(struct elf_file *file, struct header_table *segments, struct header_table *sections,
			  size_t *names)
{
	union {
		unsigned char identity[EI_NIDENT];
		Elf64_Ehdr wide;
		Elf32_Ehdr narrow;
	} header = { 0 };
	ssize_t got = read_bytes(file, 0, &header, sizeof(header));

	if (got < (ssize_t)sizeof(header.narrow) || memcmp(header.identity, ELFMAG, SELFMAG) ||
	    header.identity[EI_DATA] != ELFDATA2LSB)
		return false;
	file->is_64_bit = header.identity[EI_CLASS] == ELFCLASS64;
	if (file->is_64_bit && got == (ssize_t)sizeof(header.wide)) {
		file->type = header.wide.e_type;
		file->machine = header.wide.e_machine;
		file->entry = header.wide.e_entry;
		*segments =
			(struct header_table){ header.wide.e_phoff, header.wide.e_phnum, sizeof(Elf64_Phdr) };
		*sections =
			(struct header_table){ header.wide.e_shoff, header.wide.e_shnum, sizeof(Elf64_Shdr) };
		*names = header.wide.e_shstrndx;
		return true;
	}
	file->type = header.narrow.e_type;
	file->machine = header.narrow.e_machine;
	file->entry = header.narrow.e_entry;
	*segments = (struct header_table){ header.narrow.e_phoff, header.narrow.e_phnum, sizeof(Elf32_Phdr) };
	*sections = (struct header_table){ header.narrow.e_shoff, header.narrow.e_shnum, sizeof(Elf32_Shdr) };
	*names = header.narrow.e_shstrndx;
	return header.identity[EI_CLASS] == ELFCLASS32;
}

/* Those that the file has. */
static int load_table(struct elf_file *file, const struct header_table *table, struct elf_bytes *loaded)
{
	return elf_file_load(file, table->offset, table->offset ? table->count * table->entry_size : 0,
			     loaded);
}

static int read_segments(struct elf_file *file, struct header_table *table)
{
	struct elf_bytes loaded;
	int err;

	if (table->count > ELF_SEGMENTS_MAX)
		table->count = ELF_SEGMENTS_MAX;
	err = load_table(file, table, &loaded);
	file->segments = calloc(table->count + 1, sizeof(*file->segments));
	if (!err && !file->segments)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < loaded.size / table->entry_size; i++) {
		const void *header = loaded.bytes + i * table->entry_size;

		if (file->is_64_bit)
			memcpy(&file->segments[i], header, sizeof(file->segments[i]));
		else
			file->segments[i] = widen_segment(header);
		file->segment_count++;
	}
	elf_file_unload(file, &loaded);
	return err;
}

static int read_sections(struct elf_file *file, const struct header_table *table)
{
	struct elf_bytes loaded;
	int err = load_table(file, table, &loaded);

	file->sections = calloc(loaded.size / table->entry_size + 1, sizeof(*file->sections));
	if (!err && !file->sections)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < loaded.size / table->entry_size; i++) {
		const void *header = loaded.bytes + i * table->entry_size;

		if (file->is_64_bit)
			memcpy(&file->sections[i], header, sizeof(file->sections[i]));
		else
			file->sections[i] = widen_section(header);
		file->section_count++;
	}
	elf_file_unload(file, &loaded);
	return err;
}

static int read_names(struct elf_file *file, size_t index)
{
	const Elf64_Shdr *section = index < file->section_count ? &file->sections[index] : NULL;
	struct elf_bytes loaded;
	int err;

	if (!section || section->sh_type != SHT_STRTAB || section->sh_size > ELF_NAMES_MAX)
		return 0;
	err = elf_file_load(file, section->sh_offset, section->sh_size, &loaded);
	file->names = (char *)loaded.bytes;
	file->names_size = loaded.size;
	return err;
}

static int read_headers(struct elf_file *file)
{
	struct header_table segments, sections;
	size_t names;
	int err;

	if (!read_identity(file, &segments, &sections, &names))
		return -ENOEXEC;
	err = read_segments(file, &segments);
	if (!err)
		err = read_sections(file, &sections);
	if (!err)
		err = read_names(file, names);
	return err;
}

int elf_file_open(struct elf_file *file, int fd)
{
	struct stat status;
	int err;

	*file = (struct elf_file){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0) };
	if (file->fd < 0)
		return -errno;
	err = file_bytes_stat(file->fd, &status);
	if (!err && !S_ISREG(status.st_mode))
		err = -ENOEXEC;
	file->size = err ? 0 : (uint64_t)status.st_size;
	if (!err)
		err = read_headers(file);
	if (err)
		elf_file_close(file);
	return err;
}

int elf_file_open_bytes(struct elf_file *file, struct elf_bytes *bytes)
{
	int err;

	*file = (struct elf_file){ .fd = -1, .memory = *bytes, .size = bytes->size };
	*bytes = (struct elf_bytes){ 0 };
	err = read_headers(file);
	if (err)
		elf_file_close(file);
	return err;
}

void elf_file_close(struct elf_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->memory.bytes);
	free(file->segments);
	free(file->sections);
	free(file->names);
	for (size_t i = 0; file->blocks && i < ELF_BLOCK_COUNT; i++)
		free(file->blocks[i]);
	free(file->blocks);
	*file = (struct elf_file){ .fd = -1 };
}

const Elf64_Shdr *elf_file_section(const struct elf_file *file, const char *name)
{
	for (size_t i = 0; i < file->section_count; i++) {
		const Elf64_Shdr *section = &file->sections[i];

		if (section->sh_type != SHT_NOBITS && section->sh_name < file->names_size &&
		    !strcmp(file->names + section->sh_name, name))
			return section;
	}
	return NULL;
}

const Elf64_Shdr *elf_file_section_of(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->section_count; i++) {
		if (file->sections[i].sh_type == type)
			return &file->sections[i];
	}
	return NULL;
}

const Elf64_Phdr *elf_file_segment_of(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		if (file->segments[i].p_type == type)
			return &file->segments[i];
	}
	return NULL;
}

const Elf64_Phdr *elf_file_segment(const struct elf_file *file, uint64_t address)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment;
	}
	return NULL;
}

bool elf_file_offset(const struct elf_file *file, uint64_t address, uint64_t *offset)
{
	const Elf64_Phdr *segment = elf_file_segment(file, address);

	if (segment)
		*offset = segment->p_offset + (address - segment->p_vaddr);
	return segment != NULL;
}

int elf_file_load_at(struct elf_file *file, uint64_t address, uint64_t size, struct elf_bytes *loaded)
{
	const Elf64_Phdr *segment = address ? elf_file_segment(file, address) : NULL;
	uint64_t into = segment ? address - segment->p_vaddr : 0,
		 left = segment ? segment->p_filesz - into : 0;

	return elf_file_load(file, segment ? segment->p_offset + into : 0, size < left ? size : left, loaded);
}

/* Notes are aligned to 4 bytes, or to 8 where their segment is. */
static size_t align(size_t size, size_t alignment)
{
	return (size + alignment - 1) / alignment * alignment;
}

static size_t find_build_id(const struct elf_bytes *notes, size_t alignment,
			    uint8_t build_id[ELF_BUILD_ID_MAX])
{
	static const char owner[] = "GNU";
	Elf64_Nhdr note;

	for (size_t at = 0; at < notes->size && notes->size - at >= sizeof(note);) {
		size_t left, name, description;

		memcpy(&note, notes->bytes + at, sizeof(note));
		at += sizeof(note);
		left = notes->size - at;
		name = align(note.n_namesz, alignment);
		if (name > left || note.n_descsz > left - name)
			return 0;
		description = at + name;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
		    !memcmp(notes->bytes + at, owner, sizeof(owner)) && note.n_descsz &&
		    note.n_descsz <= ELF_BUILD_ID_MAX) {
			memcpy(build_id, notes->bytes + description, note.n_descsz);
			return note.n_descsz;
		}
		at = description + align(note.n_descsz, alignment);
	}
	return 0;
}

/* *left: how many bytes of notes are still looked at. */
static size_t read_notes(struct elf_file *file, const Elf64_Shdr *place, uint64_t *left,
			 uint8_t build_id[ELF_BUILD_ID_MAX])
{
	struct elf_bytes notes;
	size_t found = 0;

	if (!elf_file_load(file, place->sh_offset, place->sh_size < *left ? place->sh_size : *left, &notes))
		found = find_build_id(&notes, place->sh_addralign == 8 ? 8 : 4, build_id);
	*left -= notes.size;
	elf_file_unload(file, &notes);
	return found;
}

/* In segments, or, where none is of notes, as in debug files, in sections. */
size_t elf_file_build_id(struct elf_file *file, uint8_t build_id[ELF_BUILD_ID_MAX])
{
	uint64_t left = ELF_NOTES_MAX;
	size_t found = 0;

	for (size_t i = 0; i < file->segment_count && !found && left; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		const Elf64_Shdr place = {
			.sh_offset = segment->p_offset,
			.sh_size = segment->p_filesz,
			.sh_addralign = segment->p_align,
		};

		if (segment->p_type == PT_NOTE)
			found = read_notes(file, &place, &left, build_id);
	}
	for (size_t i = 0; i < file->section_count && !found && left; i++) {
		if (file->sections[i].sh_type == SHT_NOTE)
			found = read_notes(file, &file->sections[i], &left, build_id);
	}
	return found;
}
