/* SPDX-License-Identifier: GPL-2.0-only */
/* Machine instructions, as far as they say where the code goes on; decoded by Capstone. */
#ifndef SCALER_CODE_INSTRUCTION_H
#define SCALER_CODE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_PLAIN,     /* behind it */
	INSTRUCTION_BRANCH,    /* behind it or at the target */
	INSTRUCTION_JUMP,      /* at the target */
	INSTRUCTION_CALL,      /* at the target, and then behind it */
	INSTRUCTION_JUMP_SLOT, /* where the word at the target says; so does the next */
	INSTRUCTION_CALL_SLOT,
	INSTRUCTION_JUMP_COMPUTED, /* who knows where; so does the next */
	INSTRUCTION_CALL_COMPUTED,
	INSTRUCTION_SYSTEM_CALL,
	INSTRUCTION_RETURN, /* in the caller */
	INSTRUCTION_TRAP,   /* nowhere */
};

/* What compilers make the jump of a switch of. Registers are Capstone's numbers. */
enum instruction_part {
	INSTRUCTION_NO_PART,
	INSTRUCTION_TABLE,  /* to = value, an address that is relative to the instruction's */
	INSTRUCTION_LOAD,   /* to = the word of 32 bits, with its sign, at from + 4 * a register */
	INSTRUCTION_ADD,    /* to += from */
	INSTRUCTION_LIMIT,  /* something is compared with value */
	INSTRUCTION_ABOVE,  /* a branch if that is greater, without signs */
	INSTRUCTION_DEPART, /* a jump to what a register, from, says */
	/* And what is before it where a function calls another as the last that it does: it takes its frame down. */
	INSTRUCTION_UNSTACK,
};

struct instruction {
	uint64_t address;
	uint64_t target;
	uint64_t value;
	enum instruction_kind kind;
	enum instruction_part part;
	uint16_t to;
	uint16_t from;
	uint8_t size;
};

struct instruction_decoder;

/* For the machine that we run on. Returns 0, -ENOTSUP if its instructions are not known here, or -ENOMEM. */
int instruction_decoder_open(struct instruction_decoder **decoder);

/* The one that is at an address and begins those bytes. Returns 0, or -EILSEQ if it is none that is known. */
int instruction_decode(struct instruction_decoder *decoder, struct instruction *instruction,
		       const uint8_t *code, size_t size, uint64_t address);

/*
 * Whether the instruction that was decoded last leaves the stack pointer as it is, and all registers that arguments are
 * passed in.
 */
bool instruction_keeps_arguments(const struct instruction_decoder *decoder);

/* A stub, by which linkers reach other files, has no more. */
#define INSTRUCTION_STUB_BYTES 16

/* Where the stub at an address has the word that says where it jumps to. False: what begins there is no stub. */
bool instruction_read_stub(struct instruction_decoder *decoder, const uint8_t *code, size_t size,
			   uint64_t address, uint64_t *slot);

void instruction_decoder_close(struct instruction_decoder *decoder);

#endif
