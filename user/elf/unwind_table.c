// SPDX-License-Identifier: GPL-2.0-only
/* Unwind rules made from the rows of frame descriptions. */
#include "elf/unwind_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scaler/unwind_step.h>

#include "elf/cfi_expression.h"
#include "elf/debug_link.h"
#include "elf/elf_file.h"
#include "elf/elf_segments.h"
#include "elf/frame_table.h"
#include "elf/function_ranges.h"

#define WORD 8 /* bytes */

/* glibc's dynamic linker has 61 bytes at its entry point that its table does not cover. */
#define ENTRY_SIZE 64

#define SYSTEM_CALL_SIZE 2 /* bytes of the instruction: 0f 05 */

/* The places of frame descriptions: the first is mapped with the code, the other may be in a debug file. */
enum {
	EH_FRAME,
	DEBUG_FRAME,
	TABLES,
};

struct unwind_table {
	struct elf_file files[TABLES]; /* of each place */
	struct frame_table frames[TABLES];
	bool has_debug_file;
	bool sought_debug_frame;
	bool reads_debug_file; /* .debug_frame is there, and not in the file itself */
	uint64_t debug_bias;   /* the debug file's addresses are this much above the file's own */
	struct elf_segments segments;
	bool sought_functions;
	struct function_ranges functions;
};

/* A debug file of another build would tell of other code. */
static bool open_debug_file(struct unwind_table *table, int debug_fd)
{
	struct debug_link link;

	debug_link_read(&link, &table->files[EH_FRAME]);
	return debug_link_matches(&link, debug_fd) && !elf_file_open(&table->files[DEBUG_FRAME], debug_fd);
}

static struct scaler_unwind_rule cannot(enum scaler_unwind_problem problem)
{
	return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_CANNOT, .cfa_offset = (__s32)problem };
}

int unwind_table_open(struct unwind_table **out, int fd, int debug_fd)
{
	struct unwind_table *table = calloc(1, sizeof(*table));
	struct elf_file *file;
	int err;

	*out = NULL;
	if (!table)
		return -ENOMEM;
	file = &table->files[EH_FRAME];
	err = elf_file_open(file, fd);
	if (err) {
		free(table);
		return err == -ENOMEM ? err : -ENOEXEC;
	}
	if (!file->is_64_bit || file->machine != EM_X86_64)
		err = -ENOEXEC;
	if (!err)
		err = elf_segments_read(&table->segments, file) ?:
			      frame_table_open(&table->frames[EH_FRAME], file, true);
	if (err) {
		unwind_table_close(table);
		return err;
	}
	table->has_debug_file = debug_fd >= 0 && open_debug_file(table, debug_fd);
	*out = table;
	return 0;
}

void unwind_table_close(struct unwind_table *table)
{
	if (!table)
		return;
	for (int i = 0; i < TABLES; i++)
		frame_table_close(&table->frames[i]);
	elf_segments_clear(&table->segments);
	function_ranges_clear(&table->functions);
	elf_file_close(&table->files[EH_FRAME]);
	if (table->has_debug_file)
		elf_file_close(&table->files[DEBUG_FRAME]);
	free(table);
}

/* A register's value in the caller, as the frame tells it. */
enum place_kind {
	PLACE_KEPT,
	PLACE_UNDEFINED,
	PLACE_MEMORY, /* at value */
	PLACE_OTHER,
};
struct place {
	enum place_kind kind;
	struct cfi_value value;
};

static struct place find_place(const struct frame_row *row, enum frame_register reg, uint64_t address)
{
	const struct frame_place *found = &row->registers[reg];
	struct place place = { .kind = PLACE_OTHER };

	switch (found->kind) {
	case FRAME_KEPT:
		place.kind = PLACE_KEPT;
		break;
	case FRAME_UNDEFINED:
		place.kind = PLACE_UNDEFINED;
		break;
	case FRAME_AT_CFA:
		place.kind = PLACE_MEMORY;
		place.value = (struct cfi_value){ .base = CFI_CFA, .offset = found->offset };
		break;
	case FRAME_AT_EXPRESSION:
		if (cfi_expression_evaluate(found->expression, true, address, &place.value) &&
		    !place.value.loaded)
			place.kind = PLACE_MEMORY;
		break;
	case FRAME_IN_REGISTER:
	case FRAME_ELSEWHERE:
		break;
	}
	return place;
}

static bool is_at(const struct place *place, int base, int64_t offset)
{
	return place->kind == PLACE_MEMORY && place->value.base == base && place->value.offset == offset;
}

/* As struct scaler_unwind_rule has it. */
static __u8 encode_place(const struct place *place)
{
	int64_t below = place->kind == PLACE_MEMORY ? -place->value.offset : 0;

	if (place->kind == PLACE_KEPT)
		return SCALER_UNWIND_KEPT;
	if (place->kind != PLACE_MEMORY || place->value.base != CFI_CFA || below % WORD || below <= 0 ||
	    below / WORD > SCALER_UNWIND_WORDS)
		return SCALER_UNWIND_LOST;
	return (__u8)(below / WORD);
}

static __u8 encode_rbp(const struct place *place)
{
	return is_at(place, CFI_RBP, 0) ? SCALER_UNWIND_AT_RBP : encode_place(place);
}

static enum scaler_unwind_kind cfa_kind(const struct cfi_value *cfa)
{
	switch (cfa->base) {
	case CFI_RSP:
		return cfa->loaded ? SCALER_UNWIND_RSP_LOAD : SCALER_UNWIND_RSP;
	case CFI_RBP:
		return cfa->loaded ? SCALER_UNWIND_RBP_LOAD : SCALER_UNWIND_RBP;
	case CFI_RBX:
		return cfa->loaded ? SCALER_UNWIND_CANNOT : SCALER_UNWIND_RBX;
	}
	return SCALER_UNWIND_CANNOT;
}

static struct scaler_unwind_rule encode_cfa(const struct cfi_value *cfa)
{
	enum scaler_unwind_kind kind = cfa_kind(cfa);

	if (kind == SCALER_UNWIND_CANNOT)
		return cannot(SCALER_UNWIND_REGISTER);
	if (cfa->offset != (__s32)cfa->offset || cfa->added % WORD || cfa->added < 0 ||
	    cfa->added / WORD > SCALER_UNWIND_WORDS)
		return cannot(SCALER_UNWIND_EXPRESSION);
	return (struct scaler_unwind_rule){
		.kind = (__u8)kind,
		.added_words = (__u8)(cfa->added / WORD),
		.cfa_offset = (__s32)cfa->offset,
	};
}

/* The kernel's signal frame, told as glibc and the vdso tell it. */
static bool is_signal_frame(const struct cfi_value *cfa, const struct place *return_address)
{
	return cfa->base == CFI_RSP && cfa->loaded && cfa->offset == SCALER_SIGNAL_RSP && !cfa->added &&
	       is_at(return_address, CFI_RSP, SCALER_SIGNAL_RIP);
}

#define DWARF_RDI 5 /* System V ABI for AMD64, figure 3.36 */

/* Only where rdi is known, and rsp leads to the caller. */
static bool returns_to_rdi(const struct frame_row *row, const struct cfi_value *cfa)
{
	const struct frame_place *place = &row->registers[FRAME_RIP];

	return place->kind == FRAME_IN_REGISTER && place->offset == DWARF_RDI && cfa->base == CFI_RSP &&
	       !cfa->loaded;
}

static struct scaler_unwind_rule make_rule(const struct frame_row *row, bool is_signal, uint64_t address)
{
	struct place return_address = find_place(row, FRAME_RIP, address), rbp, rbx;
	struct scaler_unwind_rule rule;
	struct cfi_value cfa = { .base = CFI_CONSTANT };

	if (return_address.kind == PLACE_UNDEFINED)
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_OUTERMOST };
	if (row->cfa == FRAME_CFA_UNKNOWN)
		return cannot(SCALER_UNWIND_BAD_TABLE);
	if (row->cfa == FRAME_CFA_EXPRESSION &&
	    !cfi_expression_evaluate(row->cfa_expression, false, address, &cfa))
		return cannot(SCALER_UNWIND_EXPRESSION);
	if (row->cfa == FRAME_CFA_REGISTER && row->cfa_register < CFI_RIP)
		cfa = (struct cfi_value){ .base = (int)row->cfa_register, .offset = row->cfa_offset };
	if (is_signal && is_signal_frame(&cfa, &return_address))
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_SIGNAL };
	if (!is_at(&return_address, CFI_CFA, -WORD) && !returns_to_rdi(row, &cfa))
		return cannot(SCALER_UNWIND_EXPRESSION);
	rule = encode_cfa(&cfa);
	if (rule.kind == SCALER_UNWIND_CANNOT)
		return rule;
	if (returns_to_rdi(row, &cfa))
		rule.kind = SCALER_UNWIND_RETURN_IN_RDI;
	rbp = find_place(row, FRAME_RBP, address);
	rbx = find_place(row, FRAME_RBX, address);
	rule.rbp = encode_rbp(&rbp);
	rule.rbx = encode_place(&rbx);
	return rule;
}

/* The file that has a .debug_frame: the file itself, or its debug file. */
static struct elf_file *debug_frame_file(struct unwind_table *table)
{
	return &table->files[table->reads_debug_file ? DEBUG_FRAME : EH_FRAME];
}

/* Only where it is asked for: most files have no function that needs it. */
static void seek_debug_frame(struct unwind_table *table)
{
	struct frame_table *frames = &table->frames[DEBUG_FRAME];

	if (table->sought_debug_frame)
		return;
	table->sought_debug_frame = true;
	if (frame_table_open(frames, &table->files[EH_FRAME], false) || frames->count ||
	    !table->has_debug_file)
		return;
	frame_table_close(frames);
	table->reads_debug_file = true;
	table->debug_bias = debug_link_bias(&table->files[EH_FRAME], &table->files[DEBUG_FRAME]);
	frame_table_open(frames, &table->files[DEBUG_FRAME], false);
}

/* False: those frames do not cover the address. */
static bool find_covered(struct unwind_table *table, int kind, uint64_t address,
			 struct scaler_unwind_rule *rule)
{
	struct elf_file *file = &table->files[EH_FRAME];
	struct frame_description description;
	uint64_t own_address = address;
	struct frame_row row;

	if (kind == DEBUG_FRAME) {
		seek_debug_frame(table);
		own_address += table->debug_bias;
		file = debug_frame_file(table);
	}
	if (!frame_table_find(&table->frames[kind], file, own_address, &description))
		return false;
	if (description.return_register != CFI_RIP ||
	    !frame_program_run(&description.program, own_address, &row))
		*rule = cannot(SCALER_UNWIND_BAD_TABLE);
	else
		*rule = make_rule(&row, description.is_signal, address);
	return true;
}

static bool read_file(struct unwind_table *table, uint64_t file_offset, void *bytes, size_t count)
{
	return elf_file_copy(&table->files[EH_FRAME], file_offset, bytes, count);
}

bool unwind_table_read(struct unwind_table *table, uint64_t file_offset, uint64_t *word)
{
	return read_file(table, file_offset, word, sizeof(*word));
}

/* Whether the byte is the last of a system call's instruction. */
static bool ends_in_system_call(struct unwind_table *table, uint64_t file_offset)
{
	static const char instruction[SYSTEM_CALL_SIZE] = { 0x0f, 0x05 };
	char bytes[SYSTEM_CALL_SIZE];

	return file_offset && read_file(table, file_offset - 1, bytes, sizeof(bytes)) &&
	       !memcmp(bytes, instruction, sizeof(instruction));
}

/* Where the kernel begins a program nobody has called, whether a table says so or not. */
static bool is_entry(struct unwind_table *table, uint64_t address)
{
	uint64_t entry = table->files[EH_FRAME].entry;
	struct scaler_unwind_rule rule;

	return address >= entry && address - entry < ENTRY_SIZE &&
	       !find_covered(table, EH_FRAME, entry, &rule);
}

struct scaler_unwind_rule unwind_table_find(struct unwind_table *table, uint64_t address)
{
	struct scaler_unwind_rule rule;

	if (find_covered(table, EH_FRAME, address, &rule))
		return rule;
	if (is_entry(table, address))
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_OUTERMOST };
	if (find_covered(table, DEBUG_FRAME, address, &rule))
		return rule;
	return cannot(table->frames[EH_FRAME].count || table->frames[DEBUG_FRAME].count ?
			      SCALER_UNWIND_NOT_COVERED :
			      SCALER_UNWIND_NO_TABLE);
}

/*
 * Whether a call that returns behind that byte is none: a function begins there, and no call ends with the byte. Who makes a
 * stack by hand, as glibc's makecontext(), puts the function there that is to follow its first one.
 */
static bool is_made_by_hand(struct unwind_table *table, uint64_t address, uint64_t file_offset)
{
	struct frame_description description;
	uint64_t bytes;

	return frame_table_find(&table->frames[EH_FRAME], &table->files[EH_FRAME], address + 1,
				&description) &&
	       description.program.start == address + 1 && file_offset >= WORD - 1 &&
	       read_file(table, file_offset - (WORD - 1), &bytes, sizeof(bytes)) &&
	       !scaler_ends_in_direct_call(bytes) && !scaler_ends_in_indirect_call(bytes);
}

static struct scaler_unwind_rule find_call(struct unwind_table *table, uint64_t address, uint64_t file_offset)
{
	struct scaler_unwind_rule rule;
	bool covered = find_covered(table, EH_FRAME, address, &rule);

	if (ends_in_system_call(table, file_offset)) {
		/*
		 * glibc's clone and clone3 describe their frame up to the system call: from there on there are two
		 * threads, and it holds in the one that makes the call.
		 */
		address -= covered ? 0 : SYSTEM_CALL_SIZE;
	} else if (!(covered && rule.kind == SCALER_UNWIND_SIGNAL) &&
		   is_made_by_hand(table, address, file_offset)) {
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_OUTERMOST };
	}
	return unwind_table_find(table, address);
}

struct scaler_unwind_rule unwind_table_find_offset(struct unwind_table *table, uint64_t file_offset,
						   bool in_call)
{
	uint64_t address;

	if (!elf_segments_address(&table->segments, file_offset, &address))
		return cannot(SCALER_UNWIND_NOT_COVERED);
	return in_call ? find_call(table, address, file_offset) : unwind_table_find(table, address);
}

/* How compilers make rbp the frame pointer: "push %rbp" and "mov %rsp,%rbp", in both encodings. */
static bool has_set_up(const uint8_t *code, size_t size)
{
	static const uint8_t moves[][4] = { { 0x55, 0x48, 0x89, 0xe5 }, { 0x55, 0x48, 0x8b, 0xec } };

	return memmem(code, size, moves[0], sizeof(moves[0])) ||
	       memmem(code, size, moves[1], sizeof(moves[1]));
}

#define SET_UP_LIMIT (1 << 16) /* bytes from a function's start in which it is looked for */

/* Whether there is a set-up in the function before that offset. */
static bool is_set_up(struct unwind_table *table, uint64_t start, uint64_t size)
{
	struct elf_file *file = &table->files[EH_FRAME];
	struct elf_bytes code;
	bool found;

	found = !elf_file_load(file, start, size < SET_UP_LIMIT ? size : SET_UP_LIMIT, &code) &&
		has_set_up(code.bytes, code.size);
	elf_file_unload(file, &code);
	return found;
}

struct scaler_unwind_rule unwind_table_frame_pointer(struct unwind_table *table, uint64_t file_offset)
{
	struct scaler_unwind_rule rule = { .kind = SCALER_UNWIND_FRAME_POINTER };
	const struct function_range *function;
	uint64_t address, behind;

	if (!table->sought_functions)
		function_ranges_read(&table->functions, &table->files[EH_FRAME]);
	table->sought_functions = true;
	if (!elf_segments_address(&table->segments, file_offset, &address))
		return rule;
	function = function_ranges_find(&table->functions, &table->files[EH_FRAME], address);
	if (!function)
		return rule;
	behind = address - function->start;
	if (behind > file_offset || behind >= INT32_MAX)
		return rule;
	rule.cfa_offset = (__s32)behind + 1;
	if (is_set_up(table, file_offset - behind, behind))
		rule.rbp = SCALER_UNWIND_SET_UP;
	return rule;
}
