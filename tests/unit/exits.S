/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions each of which may come to call what its name says; none is ever called. */
	.text

#define BEGIN(name)            \
	.globl name;           \
	.type name, @function; \
	name:                  \
	.cfi_startproc
/* To the case of a switch that %rdi says, as compilers do it. */
#define JUMP(cases)              \
	lea cases(%rip), %rdx;   \
	movslq (%rdx,%rdi,4), %rax; \
	add %rdx, %rax;          \
	jmp *%rax
#define END(name)     \
	.cfi_endproc; \
	.size name, . - name

BEGIN(nothing_leaf)
	xor %eax, %eax
	ret
END(nothing_leaf)

BEGIN(nothing_loop)
1:	dec %edi
	jne 1b
	jrcxz 1b
	ret
END(nothing_loop)

BEGIN(nothing_recursion)
	test %edi, %edi
	je 1f
	dec %edi
	call local_recursion
1:	ret
END(nothing_recursion)

local_recursion:
	jmp .Lrecursion
.Lrecursion:
	call local_leaf
	call local_recursion
	ret

local_leaf:
	ret

BEGIN(nothing_strlen)
	call strlen@plt
	ret
END(nothing_strlen)

BEGIN(nothing_strlen_slot)
	call *strlen@GOTPCREL(%rip)
	ret
END(nothing_strlen_slot)

BEGIN(nothing_strlen_tail)
	jmp *strlen@GOTPCREL(%rip)
END(nothing_strlen_tail)

/* What is behind a call that does not return is another function. */
BEGIN(nothing_abort)
	call abort@plt
END(nothing_abort)

BEGIN(anything_pointer)
	call *%rdi
	ret
END(anything_pointer)

BEGIN(nothing_trap)
	ud2
END(nothing_trap)

BEGIN(anything_tail_pointer)
	jmp *8(%rdi)
END(anything_tail_pointer)

BEGIN(anything_far_away)
	test %edi, %edi
	jne 1f
	ret
1:	call local_far
	ret
END(anything_far_away)

local_far:
	call local_farther
	ret

local_farther:
	call *(%rax)
	ret

BEGIN(anything_qsort)
	call qsort@plt
	ret
END(anything_qsort)

BEGIN(cancels_read)
	call read@plt
	ret
END(cancels_read)

BEGIN(cancels_through_local)
	call cancels_local
	ret
END(cancels_through_local)

cancels_local:
	call strlen@plt
	call read@plt
	ret

BEGIN(anything_own_slot)
	call nothing_leaf@plt
	ret
END(anything_own_slot)

BEGIN(anything_writable_pointer)
	call *pointer(%rip)
	ret
END(anything_writable_pointer)

BEGIN(anything_system_call)
	mov $39, %eax
	syscall
	ret
END(anything_system_call)

BEGIN(nothing_jumps_on)
	test %edi, %edi
	je nothing_loop
	jmp nothing_recursion
END(nothing_jumps_on)

BEGIN(nothing_jumps_out)
	nop
	jmp strlen@plt
END(nothing_jumps_out)

BEGIN(nothing_branches_out)
	test %rdi, %rdi
	jne strlen@plt
	ret
END(nothing_branches_out)

BEGIN(anything_takes_its_frame_down)
	push %rbx
	call *%rsi
	pop %rbx
	jmp *%rax
END(anything_takes_its_frame_down)

BEGIN(anything_unknown_instruction)
	.byte 0x06
	ret
END(anything_unknown_instruction)

BEGIN(anything_falls_through)
	nop
END(anything_falls_through)
local_behind:
	call *%rsi
	ret

/* As gcc has a switch. */
BEGIN(nothing_switch)
	cmp $2, %edi
	ja 2f
	lea nothing_cases(%rip), %rdx
	mov %edi, %eax
	movslq (%rdx,%rax,4), %rax
	add %rdx, %rax
	jmp *%rax
.Lcase0:
	ret
.Lcase1:
	call strlen@plt
.Lcase2:
2:	ret
END(nothing_switch)

/* As clang has one. */
BEGIN(cancels_switch)
	cmp $1, %rdi
	ja 2f
	lea cancels_cases(%rip), %rcx
	movslq (%rcx,%rdi,4), %rax
	add %rcx, %rax
	notrack jmp *%rax
.Lcase3:
	ret
.Lcase4:
	call read@plt
2:	ret
END(cancels_switch)

/* The last case is part of it, and what is behind it is not. */
BEGIN(anything_switch)
	cmp $2, %edi
	ja 2f
	JUMP(anything_cases)
.Lcase5:
	ret
.Lcase6:
	call *%rsi
2:	ret
END(anything_switch)

BEGIN(anything_switch_without_limit)
	JUMP(nothing_cases)
END(anything_switch_without_limit)

BEGIN(anything_switch_that_lies)
	cmp $0x7fff, %edi
	ja 1f
	JUMP(anything_cases)
1:	ret
END(anything_switch_that_lies)

	.section .rodata
	.balign 4
nothing_cases:
	.long .Lcase0 - nothing_cases
	.long .Lcase1 - nothing_cases
	.long .Lcase2 - nothing_cases
cancels_cases:
	.long .Lcase3 - cancels_cases
	.long .Lcase4 - cancels_cases
anything_cases:
	.long .Lcase5 - anything_cases
	.long .Lcase5 - anything_cases
	.long .Lcase6 - anything_cases

	.data
pointer:
	.quad nothing_leaf

	.section .note.GNU-stack, "", @progbits
