// SPDX-License-Identifier: GPL-2.0-only
/* Where functions' beginnings can be probed. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "code/probe_entry.h"

#define BROADCAST  "\x62\xe2\x7d\x28\x7a\xce" /* vpbroadcastb %esi, %ymm17: mistaken */
#define TO_GENERAL "\xc5\xf9\x7e\xc2"         /* vmovd %xmm0, %edx: mistaken */
#define LOCKED     "\xf0\xff\x0f"             /* lock decl (%rdi): refused */
#define COPY       "\x89\xf8"                 /* mov %edi, %eax */
#define RETURN     "\xc3"

static struct probe_entry find(const char *code, size_t size, size_t function)
{
	int fd = memfd_create("code", MFD_CLOEXEC);
	struct probe_entries *entries;
	struct probe_entry entry;

	cr_assert_eq(write(fd, code, size), (ssize_t)size);
	entries = probe_entries_open(fd);
	entry = probe_entries_find(entries, function);
	probe_entries_close(entries);
	close(fd);
	return entry;
}

#define FIND(code, function) find(code, sizeof(code) - 1, function)

static void expect(struct probe_entry entry, enum probe_site_fault fault, size_t skipped)
{
	cr_expect_eq(entry.fault, fault);
	cr_expect_eq(entry.skipped, skipped);
}

Test(probe_entry, first_instruction_where_it_is_sound)
{
	struct probe_entry entry = FIND("\x55" BROADCAST, 0);

	expect(entry, PROBE_SITE_SOUND, 0);
	cr_expect_eq(entry.kind, PROBE_SITE_EMULATED);
}

#ifdef __x86_64__
Test(probe_entry, behind_vector_and_locked_instructions)
{
	expect(FIND(BROADCAST COPY RETURN, 0), PROBE_SITE_SOUND, 6);
	expect(FIND(RETURN BROADCAST COPY RETURN, 1), PROBE_SITE_SOUND, 6);
	expect(FIND(LOCKED COPY RETURN, 0), PROBE_SITE_SOUND, 3);
	expect(FIND(TO_GENERAL TO_GENERAL COPY RETURN, 0), PROBE_SITE_SOUND, 8);
	cr_expect_eq(FIND(LOCKED "\x55" RETURN, 0).kind, PROBE_SITE_EMULATED);
	cr_expect_eq(FIND(LOCKED COPY RETURN, 0).kind, PROBE_SITE_STEPPED);
}
#endif

/* Nor at what may be an exit. */
Test(probe_entry, not_behind_others)
{
	expect(FIND("\x41\x90" COPY RETURN, 0), PROBE_SITE_MISTAKEN, 0); /* xchg %eax, %r8d */
	expect(FIND(BROADCAST RETURN, 0), PROBE_SITE_MISTAKEN, 0);
	expect(FIND(BROADCAST "\xf4", 0), PROBE_SITE_MISTAKEN, 0);
	expect(FIND(BROADCAST, 0), PROBE_SITE_MISTAKEN, 0);
	expect(FIND("\xf0", 0), PROBE_SITE_REFUSED, 0);
	expect(FIND("", 0), PROBE_SITE_REFUSED, 0);
}

Test(probe_entry, not_behind_too_many)
{
	expect(FIND(LOCKED LOCKED LOCKED LOCKED LOCKED COPY RETURN, 0), PROBE_SITE_REFUSED, 0);
}

/* Each pass would count; and so would what another function shares of it. */
Test(probe_entry, not_where_jumps_lead)
{
	expect(FIND(LOCKED COPY "\x75\xf9" RETURN, 0), PROBE_SITE_REFUSED, 0); /* jne, to the first */
	expect(FIND(LOCKED COPY "\x75\xfc" RETURN, 0), PROBE_SITE_REFUSED, 0); /* to the probe */
	expect(FIND(LOCKED COPY "\xe2\xfc" RETURN, 0), PROBE_SITE_REFUSED, 0); /* loop */
	expect(FIND("\xeb\x03" LOCKED COPY RETURN, 2), PROBE_SITE_REFUSED, 0); /* jmp */
	expect(FIND("\xe9\x03\x00\x00\x00" LOCKED COPY RETURN, 5), PROBE_SITE_REFUSED, 0);     /* jmp, far */
	expect(FIND(LOCKED COPY "\x0f\x85\xf8\xff\xff\xff" RETURN, 0), PROBE_SITE_REFUSED, 0); /* jne, far */
	expect(FIND(LOCKED LOCKED COPY "\x75\xf9" RETURN, 0), PROBE_SITE_REFUSED, 0); /* to the second */
}

#ifdef __x86_64__
Test(probe_entry, jumps_elsewhere_do_no_harm)
{
	expect(FIND(LOCKED COPY "\x75\xfd" RETURN, 0), PROBE_SITE_SOUND, 5); /* into the second instruction */
	expect(FIND(LOCKED COPY "\x75\xfa" RETURN, 0), PROBE_SITE_SOUND, 5); /* into the first */
	expect(FIND(LOCKED COPY "\xe8\xf6\xff\xff\xff" RETURN, 0), PROBE_SITE_SOUND,
	       5); /* a call of itself */
	expect(FIND(LOCKED COPY "\x75", 0), PROBE_SITE_SOUND, 3);
	expect(FIND(LOCKED COPY "\xe9\x00", 0), PROBE_SITE_SOUND, 3);
}
#endif

#ifdef __x86_64__
#define COMPARE     "\x83\x3d\x00\x00\x00\x00\x00" /* cmpl $0, 0(%rip) */
#define TO_RESULT   "\xb8\x01\x00\x00\x00"         /* mov $1, %eax */
#define TO_ARGUMENT "\xba\x01\x00\x00\x00"         /* mov $1, %edx */
#define RESERVE     "\x48\x83\xec\x08"             /* sub $8, %rsp */
#define PUSH        "\x53"
#define BRANCH      "\x74\x08" /* je */
#define CALL        "\xe8\x40\x00\x00\x00"
#define LANDING     "\xf3\x0f\x1e\xfa" /* endbr64 */
#define LONG_NOP    "\x0f\x1f\x44\x00\x00"

static void expect_cheaper(struct probe_entry entry, size_t skipped)
{
	expect(entry, PROBE_SITE_SOUND, skipped);
	cr_expect_eq(entry.kind, PROBE_SITE_EMULATED);
}

Test(probe_entry, emulated_behind_what_does_no_harm)
{
	expect_cheaper(FIND(TO_RESULT PUSH RETURN, 0), 5);
	expect_cheaper(FIND(COMPARE BRANCH RETURN, 0), 7);
	expect_cheaper(FIND(LANDING TO_RESULT PUSH RETURN, 0), 9);
	expect_cheaper(FIND(TO_RESULT CALL RETURN, 0), 5);
	expect_cheaper(FIND(LOCKED BRANCH RETURN, 0), 3);
}

Test(probe_entry, emulated_not_behind_what_changes_arguments_or_the_stack)
{
	cr_expect_eq(FIND(TO_ARGUMENT PUSH RETURN, 0).skipped, 0);
	cr_expect_eq(FIND(RESERVE CALL RETURN, 0).skipped, 0);
	cr_expect_eq(FIND("\x0f\x57\xc0" PUSH RETURN, 0).skipped, 0); /* xorps %xmm0, %xmm0 */
	cr_expect_eq(FIND("\xf3\xa4" PUSH RETURN, 0).skipped, 0);     /* rep movsb */
	cr_expect_eq(FIND("\xc9" PUSH RETURN, 0).skipped, 0);         /* leave */
	cr_expect_eq(FIND("\x0f\xa2" PUSH RETURN, 0).skipped, 0);     /* cpuid */
	cr_expect_eq(FIND("\x0f\x05" PUSH RETURN, 0).skipped, 0);     /* syscall */
	cr_expect_eq(FIND(TO_RESULT RETURN PUSH, 0).skipped, 0);
}

Test(probe_entry, emulated_not_where_jumps_lead)
{
	cr_expect_eq(FIND(TO_RESULT PUSH "\x75\xfd" RETURN, 0).skipped, 0);
	cr_expect_eq(FIND("\xeb\x05" TO_RESULT PUSH RETURN, 2).skipped, 0);
	cr_expect_eq(FIND("\xe8\x05\x00\x00\x00" TO_RESULT PUSH RETURN, 5).skipped, 0); /* a call into it */
	/* Which is none in the code itself: the middle of another. */
	expect_cheaper(FIND(TO_RESULT PUSH "\xb8\x00\xeb\xfb\x00" RETURN, 0), 5);
}

Test(probe_entry, long_nop_only_where_it_is_first)
{
	cr_expect_eq(FIND(LONG_NOP PUSH RETURN, 0).kind, PROBE_SITE_NOP5);
	expect(FIND(LOCKED LONG_NOP RETURN, 0), PROBE_SITE_REFUSED, 0);
	expect_cheaper(FIND(TO_RESULT LONG_NOP PUSH RETURN, 0), 10);
	cr_expect_eq(FIND(TO_RESULT LONG_NOP RETURN, 0).skipped, 0);
}
#endif
