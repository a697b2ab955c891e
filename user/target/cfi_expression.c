// SPDX-License-Identifier: GPL-2.0-only
/*
 * DWARF expressions reckoned with registers left as symbols: what remains is a register, an offset, and
 * at most one load. Source: DWARF 5, section 2.5.
 */
#include "target/cfi_expression.h"

#include <dwarf.h>

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

static bool is_constant(uint8_t atom)
{
	return (atom >= DW_OP_const1u && atom <= DW_OP_consts) || atom == DW_OP_addr;
}

static bool step(struct expression *expression, const Dwarf_Op *op)
{
	struct cfi_value *top = expression->depth ? &expression->stack[expression->depth - 1] : NULL;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push(expression, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(expression, CFI_CONSTANT, op->atom - DW_OP_lit0);
	if (is_constant(op->atom))
		return push(expression, CFI_CONSTANT, (int64_t)op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return op->number <= CFI_RIP && push(expression, (int)op->number, (int64_t)op->number2);
	case DW_OP_call_frame_cfa:
		return push(expression, CFI_CFA, 0);
	case DW_OP_deref:
		return top && load(top);
	case DW_OP_plus_uconst:
		if (top)
			value_add(top, (int64_t)op->number);
		return top != NULL;
	}
	return reckon(expression, op->atom);
}

bool cfi_expression_evaluate(const Dwarf_Op *ops, size_t count, uint64_t address, struct cfi_value *value)
{
	struct expression expression = { .address = address };

	for (size_t i = 0; i < count; i++) {
		if (!step(&expression, &ops[i]))
			return false;
	}
	if (!expression.depth)
		return false;
	*value = expression.stack[expression.depth - 1];
	return true;
}
