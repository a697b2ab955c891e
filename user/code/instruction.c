// SPDX-License-Identifier: GPL-2.0-only
/* x86-64's instructions that decide where the code goes on. */
#include "code/instruction.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include <capstone/capstone.h>

#include "base/array.h"

struct instruction_decoder {
	csh handle;
	cs_insn *decoded; /* owned */
};

int instruction_decoder_open(struct instruction_decoder **result)
{
	struct instruction_decoder *decoder;

	*result = NULL;
#ifndef __x86_64__
	return -ENOTSUP;
#endif
	decoder = calloc(1, sizeof(*decoder));
	if (!decoder)
		return -ENOMEM;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle)) {
		free(decoder);
		return -ENOTSUP;
	}
	*result = decoder;
	if (!cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON))
		decoder->decoded = cs_malloc(decoder->handle);
	if (decoder->decoded)
		return 0;
	instruction_decoder_close(decoder);
	*result = NULL;
	return -ENOMEM;
}

void instruction_decoder_close(struct instruction_decoder *decoder)
{
	if (!decoder)
		return;
	if (decoder->decoded)
		cs_free(decoder->decoded, 1);
	cs_close(&decoder->handle);
	free(decoder);
}

static bool is_relative(const cs_x86_op *operand)
{
	return operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP &&
	       operand->mem.index == X86_REG_INVALID && operand->mem.segment == X86_REG_INVALID;
}

/* Jumps and calls alike; kinds are by how the target is given. */
static void set_target(struct instruction *instruction, const cs_x86_op *operand,
		       enum instruction_kind direct, enum instruction_kind slot,
		       enum instruction_kind computed)
{
	if (operand->type == X86_OP_IMM) {
		instruction->kind = direct;
		instruction->target = (uint64_t)operand->imm;
	} else if (is_relative(operand)) {
		instruction->kind = slot;
		instruction->target = instruction->address + instruction->size + (uint64_t)operand->mem.disp;
	} else {
		instruction->kind = computed;
		if (operand->type == X86_OP_REG && direct == INSTRUCTION_JUMP) {
			instruction->part = INSTRUCTION_DEPART;
			instruction->from = (uint16_t)operand->reg;
		}
	}
}

static void set_part(struct instruction *instruction, unsigned int id, const cs_x86_op *operands,
		     size_t count)
{
	const cs_x86_op *to = &operands[0], *from = &operands[1];

	if (id == X86_INS_POP || id == X86_INS_LEAVE ||
	    (id == X86_INS_ADD && count == 2 && to->type == X86_OP_REG && to->reg == X86_REG_RSP))
		instruction->part = INSTRUCTION_UNSTACK;
	if (count < 2 || instruction->part)
		return;
	if (id == X86_INS_CMP && from->type == X86_OP_IMM) {
		instruction->part = INSTRUCTION_LIMIT;
		instruction->value = (uint64_t)from->imm;
		return;
	}
	if (to->type != X86_OP_REG)
		return;
	instruction->to = (uint16_t)to->reg;
	if (id == X86_INS_LEA && is_relative(from)) {
		instruction->part = INSTRUCTION_TABLE;
		instruction->value = instruction->address + instruction->size + (uint64_t)from->mem.disp;
	} else if (id == X86_INS_MOVSXD && from->type == X86_OP_MEM && from->mem.scale == 4 &&
		   !from->mem.disp && from->mem.index != X86_REG_INVALID) {
		instruction->part = INSTRUCTION_LOAD;
		instruction->from = (uint16_t)from->mem.base;
	} else if (id == X86_INS_ADD && from->type == X86_OP_REG) {
		instruction->part = INSTRUCTION_ADD;
		instruction->from = (uint16_t)from->reg;
	}
}

static bool is_in_group(const cs_detail *detail, uint8_t group)
{
	for (size_t i = 0; i < detail->groups_count; i++) {
		if (detail->groups[i] == group)
			return true;
	}
	return false;
}

static void classify(struct instruction *instruction, const cs_insn *decoded)
{
	const cs_detail *detail = decoded->detail;
	const cs_x86 *x86 = &detail->x86;

	switch (decoded->id) {
	case X86_INS_JMP:
		set_target(instruction, x86->operands, INSTRUCTION_JUMP, INSTRUCTION_JUMP_SLOT,
			   INSTRUCTION_JUMP_COMPUTED);
		return;
	case X86_INS_CALL:
		set_target(instruction, x86->operands, INSTRUCTION_CALL, INSTRUCTION_CALL_SLOT,
			   INSTRUCTION_CALL_COMPUTED);
		return;
	case X86_INS_LJMP:
		instruction->kind = INSTRUCTION_JUMP_COMPUTED;
		return;
	case X86_INS_LCALL:
		instruction->kind = INSTRUCTION_CALL_COMPUTED;
		return;
	case X86_INS_RET:
		instruction->kind = INSTRUCTION_RETURN;
		return;
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_INT:
		instruction->kind = INSTRUCTION_SYSTEM_CALL;
		return;
	case X86_INS_HLT:
	case X86_INS_INT3:
	case X86_INS_UD2:
		instruction->kind = INSTRUCTION_TRAP;
		return;
	default:
		break;
	}
	/* Conditional jumps, loops, and what a transaction goes to that is given up. */
	if ((is_in_group(detail, X86_GRP_JUMP) || is_in_group(detail, X86_GRP_BRANCH_RELATIVE) ||
	     decoded->id == X86_INS_XBEGIN) &&
	    x86->op_count && x86->operands[0].type == X86_OP_IMM) {
		instruction->kind = INSTRUCTION_BRANCH;
		instruction->target = (uint64_t)x86->operands[0].imm;
		instruction->part = decoded->id == X86_INS_JA ? INSTRUCTION_ABOVE : INSTRUCTION_NO_PART;
		return;
	}
	/* Returns to another privilege level or code segment. */
	if (is_in_group(detail, X86_GRP_RET) || is_in_group(detail, X86_GRP_IRET))
		instruction->kind = INSTRUCTION_JUMP_COMPUTED;
	else
		set_part(instruction, decoded->id, x86->operands, x86->op_count);
}

int instruction_decode(struct instruction_decoder *decoder, struct instruction *instruction,
		       const uint8_t *code, size_t size, uint64_t address)
{
	if (!cs_disasm_iter(decoder->handle, &code, &size, &address, decoder->decoded))
		return -EILSEQ;
	*instruction = (struct instruction){
		.address = decoder->decoded->address,
		.size = (uint8_t)decoder->decoded->size,
	};
	classify(instruction, decoder->decoded);
	return 0;
}

/* Of any size; vectors' by their numbers. */
static bool passes_arguments(unsigned int reg)
{
	static const uint16_t general[] = {
		X86_REG_RSP, X86_REG_ESP, X86_REG_SP,  X86_REG_SPL, X86_REG_RDI, X86_REG_EDI,
		X86_REG_DI,  X86_REG_DIL, X86_REG_RSI, X86_REG_ESI, X86_REG_SI,  X86_REG_SIL,
		X86_REG_RDX, X86_REG_EDX, X86_REG_DX,  X86_REG_DL,  X86_REG_DH,  X86_REG_RCX,
		X86_REG_ECX, X86_REG_CX,  X86_REG_CL,  X86_REG_CH,  X86_REG_R8,  X86_REG_R8D,
		X86_REG_R8W, X86_REG_R8B, X86_REG_R9,  X86_REG_R9D, X86_REG_R9W, X86_REG_R9B,
	};

	for (size_t i = 0; i < ARRAY_SIZE(general); i++) {
		if (reg == general[i])
			return true;
	}
	return (reg >= X86_REG_XMM0 && reg <= X86_REG_XMM7) || (reg >= X86_REG_YMM0 && reg <= X86_REG_YMM7) ||
	       (reg >= X86_REG_ZMM0 && reg <= X86_REG_ZMM7);
}

bool instruction_keeps_arguments(const struct instruction_decoder *decoder)
{
	const cs_x86 *x86 = &decoder->decoded->detail->x86;
	uint8_t read_count, written_count;
	cs_regs read, written;

	if (cs_regs_access(decoder->handle, decoder->decoded, read, &read_count, written, &written_count))
		return false;
	for (int i = 0; i < written_count; i++) {
		if (passes_arguments(written[i]))
			return false;
	}
	/* Of some it is not known what they do with an operand. */
	for (int i = 0; i < x86->op_count; i++) {
		const cs_x86_op *operand = &x86->operands[i];

		if (operand->type == X86_OP_REG && operand->access != CS_AC_READ &&
		    passes_arguments(operand->reg))
			return false;
	}
	return true;
}

/* A stub may begin with a mark, of four bytes, that it is called through pointers. */
#define STUB_INSTRUCTIONS 2

bool instruction_read_stub(struct instruction_decoder *decoder, const uint8_t *code, size_t size,
			   uint64_t address, uint64_t *slot)
{
	struct instruction instruction;
	size_t at = 0;

	for (int i = 0; i < STUB_INSTRUCTIONS; i++) {
		if (instruction_decode(decoder, &instruction, code + at, size - at, address + at))
			return false;
		if (instruction.kind != INSTRUCTION_PLAIN) {
			*slot = instruction.target;
			return instruction.kind == INSTRUCTION_JUMP_SLOT;
		}
		at += instruction.size;
	}
	return false;
}
