// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF expressions reckoned with registers left as symbols: what remains is a register, an offset, and
 * at most one load. Source: DWARF 5, section 2.5.
 */
#include "elf/cfi_expression.h"

#include <dwarf.h>
#include <stddef.h>

#define STACK_LIMIT 8

struct expression {
	struct cfi_value stack[STACK_LIMIT];
	size_t depth;
	uint64_t address;
};

static bool push(struct expression *expression, int base, int64_t offset)
{
	if (expression->depth == STACK_LIMIT)
		return false;
	if (base == CFI_RIP) {
		base = CFI_CONSTANT;
		offset = (int64_t)(expression->address + (uint64_t)offset);
	}
	expression->stack[expression->depth++] = (struct cfi_value){ .base = base, .offset = offset };
	return true;
}

/* As two's complement: a file may ask for any sum. */
static int64_t add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void value_add(struct cfi_value *value, int64_t constant)
{
	int64_t *sum = value->loaded ? &value->added : &value->offset;

	*sum = add(*sum, constant);
}

static bool load(struct cfi_value *value)
{
	if (value->loaded || value->base == CFI_CONSTANT)
		return false;
	value->loaded = true;
	return true;
}

static bool reckon_constants(uint8_t atom, int64_t *a, int64_t b)
{
	uint64_t left = (uint64_t)*a, right = (uint64_t)b;

	switch (atom) {
	case DW_OP_plus:
		*a = add(*a, b);
		return true;
	case DW_OP_minus:
		*a = (int64_t)(left - right);
		return true;
	case DW_OP_and:
		*a = (int64_t)(left & right);
		return true;
	case DW_OP_shl:
		*a = right < 64 ? (int64_t)(left << right) : 0;
		return true;
	case DW_OP_ge:
		*a = *a >= b;
		return true;
	}
	return false;
}

/* Of the two topmost values. */
static bool reckon(struct expression *expression, uint8_t atom)
{
	struct cfi_value *a, *b;

	if (expression->depth < 2)
		return false;
	b = &expression->stack[--expression->depth];
	a = b - 1;
	if (a->base == CFI_CONSTANT && b->base == CFI_CONSTANT)
		return reckon_constants(atom, &a->offset, b->offset);
	if (atom == DW_OP_plus && a->base == CFI_CONSTANT) {
		int64_t constant = a->offset;

		*a = *b;
		value_add(a, constant);
		return true;
	}
	if (atom != DW_OP_plus || b->base != CFI_CONSTANT)
		return false;
	value_add(a, b->offset);
	return true;
}

/* False: the operation is not one that pushes a constant. */
static bool read_constant(uint8_t atom, struct dwarf_bytes *bytes, int64_t *constant)
{
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
		*constant = atom - DW_OP_lit0;
		return true;
	}
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
		*constant = (int64_t)dwarf_bytes_unsigned(bytes, 1U << (atom - DW_OP_const1u) / 2);
		return true;
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
		*constant = dwarf_bytes_signed(bytes, 1U << (atom - DW_OP_const1s) / 2);
		return true;
	case DW_OP_addr:
		*constant = (int64_t)dwarf_bytes_unsigned(bytes, 8);
		return true;
	case DW_OP_constu:
		*constant = (int64_t)dwarf_bytes_uleb128(bytes);
		return true;
	case DW_OP_consts:
		*constant = dwarf_bytes_sleb128(bytes);
		return true;
	}
	return false;
}

static bool push_register(struct expression *expression, uint64_t number, struct dwarf_bytes *bytes)
{
	int64_t offset = dwarf_bytes_sleb128(bytes);

	return number <= CFI_RIP && push(expression, (int)number, offset);
}

static bool step(struct expression *expression, uint8_t atom, struct dwarf_bytes *bytes)
{
	struct cfi_value *top = expression->depth ? &expression->stack[expression->depth - 1] : NULL;
	int64_t constant;

	if (read_constant(atom, bytes, &constant))
		return push(expression, CFI_CONSTANT, constant);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(expression, atom - DW_OP_breg0, bytes);
	switch (atom) {
	case DW_OP_bregx:
		return push_register(expression, dwarf_bytes_uleb128(bytes), bytes);
	case DW_OP_call_frame_cfa:
		return push(expression, CFI_CFA, 0);
	case DW_OP_deref:
		return top && load(top);
	case DW_OP_plus_uconst:
		constant = (int64_t)dwarf_bytes_uleb128(bytes);
		if (top)
			value_add(top, constant);
		return top != NULL;
	}
	return reckon(expression, atom);
}

bool cfi_expression_evaluate(struct dwarf_bytes bytes, bool begins_with_cfa, uint64_t address,
			     struct cfi_value *value)
{
	struct expression expression = { .address = address };

	if (begins_with_cfa)
		push(&expression, CFI_CFA, 0);
	while (bytes.at < bytes.end) {
		if (!step(&expression, (uint8_t)dwarf_bytes_unsigned(&bytes, 1), &bytes))
			return false;
	}
	if (bytes.failed || !expression.depth)
		return false;
	*value = expression.stack[expression.depth - 1];
	return true;
}
