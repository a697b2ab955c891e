/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A library whose one function, NAME, calls the next of a list, as chain_library.c's do. Built twice with the same
 * layout, and frames of other sizes: whoever takes one's size for the other's finds decoy to have called.
 */
	.text
	.type decoy, @function
decoy:
	.cfi_startproc
	call *%rax
	ret
	.cfi_endproc
	.size decoy, . - decoy

	.globl NAME
	.type NAME, @function
NAME:
	.cfi_startproc
	subq $FRAME, %rsp
	.cfi_adjust_cfa_offset FRAME
	leaq decoy + 2(%rip), %rax
	movq %rax, DECOY_AT(%rsp)
	movq (%rdi), %rax
	addq $8, %rdi
	call *%rax
	addq $FRAME, %rsp
	.cfi_adjust_cfa_offset -FRAME
	ret
	.cfi_endproc
	.size NAME, . - NAME
	.section .note.GNU-stack, "", @progbits
