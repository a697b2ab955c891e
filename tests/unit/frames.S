/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call frame information of every kind, each on one function, whose name says what is expected of it. None is
 * ever called. Built a second time with -DDEBUG_FRAME, which puts it into .debug_frame.
 */
#ifdef DEBUG_FRAME
	.cfi_sections .debug_frame
#endif
	.text

#define BEGIN(name)            \
	.globl name;           \
	.type name, @function; \
	name:                  \
	.cfi_startproc
#define END(name)      \
	nop;           \
	nop;           \
	.cfi_endproc;  \
	.size name, . - name

/* Where the kernel would begin the program. */
	.globl entry
	.type entry, @function
entry:
	nop
	nop
	.size entry, . - entry
	.skip 62, 0x90

BEGIN(rsp_8)
END(rsp_8)

BEGIN(rsp_far)
	.cfi_def_cfa_offset 0x100000
END(rsp_far)

BEGIN(saved)
	.cfi_def_cfa_offset 32
	.cfi_offset rbp, -16
	.cfi_offset rbx, -24
END(saved)

BEGIN(saved_far)
	.cfi_offset rbp, -8 * 253
	.cfi_offset rbx, -8 * 254
END(saved_far)

BEGIN(saved_above)
	.cfi_offset rbp, 16
	.cfi_register rbx, r11
END(saved_above)

BEGIN(rbp_16)
	.cfi_def_cfa rbp, 16
	.cfi_offset rbp, -16
END(rbp_16)

BEGIN(rbx_32)
	.cfi_def_cfa rbx, 32
END(rbx_32)

BEGIN(rsp_below)
	.cfi_def_cfa rsp, -8
END(rsp_below)

BEGIN(register_r10)
	.cfi_def_cfa r10, 0
END(register_r10)

/* Registers' numbers that are those of rsp and rbp but for bits above the 32nd. */
BEGIN(register_far)
	.cfi_escape 0x0c, 0x87, 0x80, 0x80, 0x80, 0x10, 8
END(register_far)

BEGIN(saved_register_far)
	.cfi_escape 0x05, 0x86, 0x80, 0x80, 0x80, 0x10, 2
END(saved_register_far)

/* By DW_CFA_offset_extended_sf, DW_CFA_offset_extended, DW_CFA_GNU_negative_offset_extended, DW_CFA_val_offset. */
BEGIN(saved_extended)
	.cfi_escape 0x11, 6, 2
	.cfi_escape 0x05, 3, 3
END(saved_extended)

BEGIN(saved_negative)
	.cfi_escape 0x2f, 6, 2
	.cfi_escape 0x14, 3, 2
END(saved_negative)

BEGIN(restored)
	.cfi_offset rbp, -16
	.cfi_offset rbx, -24
	.cfi_restore rbp
	.cfi_escape 0x06, 3
END(restored)

BEGIN(recalled)
	.cfi_remember_state
	.cfi_def_cfa_offset 64
	.cfi_offset rbp, -16
	.cfi_restore_state
END(recalled)

BEGIN(recalled_nothing)
	.cfi_escape 0x0b
END(recalled_nothing)

/* The stack realigned by gcc: *(rbp - 8), rbp itself at rbp + 0, rbx at rbp - 40. */
BEGIN(realigned)
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	.cfi_escape 0x10, 6, 2, 0x76, 0
	.cfi_escape 0x10, 3, 2, 0x76, 0x58
END(realigned)

/* Hand-written assembly that keeps the stack pointer in a frame of its own: *(rsp + 0x58) + 8. */
BEGIN(loaded_8)
	.cfi_escape 0x0f, 6, 0x77, 0xd8, 0, 0x06, 0x23, 8
END(loaded_8)

BEGIN(loaded_4)
	.cfi_escape 0x0f, 6, 0x77, 0xd8, 0, 0x06, 0x23, 4
END(loaded_4)

BEGIN(loaded_twice)
	.cfi_escape 0x0f, 5, 0x77, 0xd8, 0, 0x06, 0x06
END(loaded_twice)

/* A linkage table's entry: rsp + 8 + ((rip & 15) >= 11) * 8. */
	.balign 16
BEGIN(linkage)
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22
	.skip 14, 0x90
END(linkage)

/* The expression takes from an empty stack; names an operation that is none; says nothing. */
BEGIN(expression_underflow)
	.cfi_escape 0x0f, 1, 0x22
END(expression_underflow)

BEGIN(expression_unknown)
	.cfi_escape 0x0f, 3, 0x77, 8, 0x18
END(expression_unknown)

BEGIN(return_address_elsewhere)
	.cfi_offset rip, -16
END(return_address_elsewhere)

/* As glibc's vfork() describes itself. */
BEGIN(return_in_rdi)
	.cfi_adjust_cfa_offset -8
	.cfi_register rip, rdi
END(return_in_rdi)

BEGIN(return_in_rsi)
	.cfi_register rip, rsi
END(return_in_rsi)

BEGIN(outermost)
	.cfi_undefined rip
END(outermost)

/* As glibc describes the kernel's signal frame: from one byte before the function on. */
	.globl signal_frame
	.type signal_frame, @function
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 0x06
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0
	.cfi_escape 0x10, 3, 3, 0x77, 0x80, 1
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 1
	nop
signal_frame:
	nop
	nop
	.cfi_endproc
	.size signal_frame, . - signal_frame

	.globl uncovered
	.type uncovered, @function
uncovered:
	nop
	nop
	.size uncovered, . - uncovered

	.section .note.GNU-stack, "", @progbits
