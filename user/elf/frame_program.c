// SPDX-License-Identifier: GPL-2.0-only
/* Call frame instructions, executed up to an address. */
#include "elf/frame_program.h"

#include <dwarf.h>
#include <stddef.h>

/* Compilers remember one row at a time. */
#define REMEMBERED_LIMIT 16

/* An instruction's two upper bits, if any is set, are all of its code, and the others its operand. */
#define CODE_BITS    0xc0
#define OPERAND_BITS 0x3f

struct machine {
	const struct frame_program *program;
	struct dwarf_bytes instructions;
	uint64_t location; /* up to where the row is, not included */
	struct frame_row row;
	struct frame_row initial;
	struct frame_row remembered[REMEMBERED_LIMIT];
	unsigned int depth;
};

/* NULL: the register is not followed. */
static struct frame_place *find_place(struct frame_row *row, uint64_t number)
{
	static const struct {
		uint64_t number; /* DWARF's */
		enum frame_register index;
	} followed[] = { { 3, FRAME_RBX }, { 6, FRAME_RBP }, { 16, FRAME_RIP } };

	for (size_t i = 0; i < sizeof(followed) / sizeof(*followed); i++) {
		if (followed[i].number == number)
			return &row->registers[followed[i].index];
	}
	return NULL;
}

static void put(struct machine *machine, uint64_t number, struct frame_place place)
{
	struct frame_place *known = find_place(&machine->row, number);

	if (known)
		*known = place;
}

static void put_kind(struct machine *machine, uint64_t number, enum frame_place_kind kind)
{
	put(machine, number, (struct frame_place){ .kind = kind });
}

static void restore(struct machine *machine, uint64_t number)
{
	const struct frame_place *initial = find_place(&machine->initial, number);

	if (initial)
		put(machine, number, *initial);
}

/* As two's complement: a file may ask for any product. */
static int64_t scale(const struct machine *machine, uint64_t factored)
{
	return (int64_t)(factored * (uint64_t)machine->program->data_alignment);
}

static void put_at_cfa(struct machine *machine, uint64_t number, uint64_t factored)
{
	put(machine, number,
	    (struct frame_place){ .kind = FRAME_AT_CFA, .offset = scale(machine, factored) });
}

static uint64_t read_unsigned(struct machine *machine)
{
	return dwarf_bytes_uleb128(&machine->instructions);
}

static int64_t read_signed(struct machine *machine)
{
	return dwarf_bytes_sleb128(&machine->instructions);
}

static struct dwarf_bytes read_expression(struct machine *machine)
{
	return dwarf_bytes_take(&machine->instructions, read_unsigned(machine));
}

static bool remember(struct machine *machine)
{
	if (machine->depth == REMEMBERED_LIMIT)
		return false;
	machine->remembered[machine->depth++] = machine->row;
	return true;
}

static bool recall(struct machine *machine)
{
	if (!machine->depth)
		return false;
	machine->row = machine->remembered[--machine->depth];
	return true;
}

static void define_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
	machine->row.cfa = FRAME_CFA_REGISTER;
	machine->row.cfa_register = number;
	machine->row.cfa_offset = offset;
}

/* Only an offset or only a register is changed where there are both. */
static bool change_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
	if (machine->row.cfa != FRAME_CFA_REGISTER)
		return false;
	define_cfa(machine, number, offset);
	return true;
}

static bool execute_cfa(struct machine *machine, unsigned int code)
{
	struct frame_row *row = &machine->row;
	uint64_t number;

	switch (code) {
	case DW_CFA_def_cfa:
		number = read_unsigned(machine);
		define_cfa(machine, number, (int64_t)read_unsigned(machine));
		return true;
	case DW_CFA_def_cfa_sf:
		number = read_unsigned(machine);
		define_cfa(machine, number, scale(machine, (uint64_t)read_signed(machine)));
		return true;
	case DW_CFA_def_cfa_register:
		return change_cfa(machine, read_unsigned(machine), row->cfa_offset);
	case DW_CFA_def_cfa_offset:
		return change_cfa(machine, row->cfa_register, (int64_t)read_unsigned(machine));
	case DW_CFA_def_cfa_offset_sf:
		return change_cfa(machine, row->cfa_register, scale(machine, (uint64_t)read_signed(machine)));
	case DW_CFA_def_cfa_expression:
		row->cfa = FRAME_CFA_EXPRESSION;
		row->cfa_expression = read_expression(machine);
		return true;
	}
	return false;
}

/* Instructions whose first operand is a register. */
static bool execute_register(struct machine *machine, unsigned int code)
{
	uint64_t number = read_unsigned(machine);

	switch (code) {
	case DW_CFA_offset_extended:
		put_at_cfa(machine, number, read_unsigned(machine));
		return true;
	case DW_CFA_offset_extended_sf:
		put_at_cfa(machine, number, (uint64_t)read_signed(machine));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		put_at_cfa(machine, number, -read_unsigned(machine));
		return true;
	case DW_CFA_restore_extended:
		restore(machine, number);
		return true;
	case DW_CFA_undefined:
		put_kind(machine, number, FRAME_UNDEFINED);
		return true;
	case DW_CFA_same_value:
		put_kind(machine, number, FRAME_KEPT);
		return true;
	case DW_CFA_register:
		put(machine, number,
		    (struct frame_place){ .kind = FRAME_IN_REGISTER,
					  .offset = (int64_t)read_unsigned(machine) });
		return true;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		/* One more number, of which only the length matters. */
		read_unsigned(machine);
		put_kind(machine, number, FRAME_ELSEWHERE);
		return true;
	case DW_CFA_expression:
		put(machine, number,
		    (struct frame_place){ .kind = FRAME_AT_EXPRESSION,
					  .expression = read_expression(machine) });
		return true;
	case DW_CFA_val_expression:
		read_expression(machine);
		put_kind(machine, number, FRAME_ELSEWHERE);
		return true;
	}
	return false;
}

static bool execute(struct machine *machine, unsigned int code)
{
	switch (code) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_GNU_args_size:
		read_unsigned(machine);
		return true;
	case DW_CFA_remember_state:
		return remember(machine);
	case DW_CFA_restore_state:
		return recall(machine);
	}
	return execute_cfa(machine, code) || execute_register(machine, code);
}

/* How far an instruction advances the location, in units of code; false: it is another instruction. */
static bool read_advance(struct machine *machine, unsigned int code, uint64_t *units)
{
	switch (code) {
	case DW_CFA_advance_loc1:
		*units = dwarf_bytes_unsigned(&machine->instructions, 1);
		return true;
	case DW_CFA_advance_loc2:
		*units = dwarf_bytes_unsigned(&machine->instructions, 2);
		return true;
	case DW_CFA_advance_loc4:
		*units = dwarf_bytes_unsigned(&machine->instructions, 4);
		return true;
	}
	*units = code & OPERAND_BITS;
	return (code & CODE_BITS) == DW_CFA_advance_loc;
}

static bool run(struct machine *machine, struct dwarf_bytes instructions, uint64_t address)
{
	unsigned int code;
	uint64_t units;

	machine->instructions = instructions;
	while (machine->instructions.at < machine->instructions.end) {
		code = (unsigned int)dwarf_bytes_unsigned(&machine->instructions, 1);
		if (read_advance(machine, code, &units)) {
			machine->location += units * machine->program->code_alignment;
			if (machine->location > address)
				break;
		} else if ((code & CODE_BITS) == DW_CFA_offset) {
			put_at_cfa(machine, code & OPERAND_BITS, read_unsigned(machine));
		} else if ((code & CODE_BITS) == DW_CFA_restore) {
			restore(machine, code & OPERAND_BITS);
		} else if (!execute(machine, code)) {
			return false;
		}
	}
	return !machine->instructions.failed;
}

bool frame_program_run(const struct frame_program *program, uint64_t address, struct frame_row *row)
{
	struct machine machine = { .program = program, .location = program->start };

	if (!run(&machine, program->common, UINT64_MAX))
		return false;
	machine.initial = machine.row;
	machine.location = program->start;
	if (!run(&machine, program->own, address))
		return false;
	*row = machine.row;
	return true;
}
