// SPDX-License-Identifier: GPL-2.0-only
/* Where functions' beginnings can be probed. */
#include <string.h>

#include <criterion/criterion.h>

#include "target/probe_entry.h"

#define BROADCAST  "\x62\xe2\x7d\x28\x7a\xce" /* vpbroadcastb %esi, %ymm17: mistaken */
#define TO_GENERAL "\xc5\xf9\x7e\xc2"         /* vmovd %xmm0, %edx: mistaken */
#define LOCKED     "\xf0\xff\x0f"             /* lock decl (%rdi): refused */
#define COPY       "\x89\xf8"                 /* mov %edi, %eax */
#define RETURN     "\xc3"

static struct probe_entry find(const char *code, size_t size, size_t function)
{
	struct probe_entry entry;

	probe_entry_find(&entry, (const uint8_t *)code, size, function);
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
	expect(FIND(LOCKED "\x74\x00" RETURN, 0), PROBE_SITE_REFUSED, 0);             /* je */
	expect(FIND(LOCKED "\xe8\x00\x00\x00\x00" RETURN, 0), PROBE_SITE_REFUSED, 0); /* call */
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
	expect(FIND(LOCKED COPY "\x75\xfd" RETURN, 0), PROBE_SITE_SOUND, 3); /* into the probed instruction */
	expect(FIND(LOCKED COPY "\x75\xfa" RETURN, 0), PROBE_SITE_SOUND, 3); /* into the first */
	expect(FIND(LOCKED COPY "\xe8\xf6\xff\xff\xff" RETURN, 0), PROBE_SITE_SOUND,
	       3); /* a call of itself */
	expect(FIND(LOCKED COPY "\x75", 0), PROBE_SITE_SOUND, 3);
	expect(FIND(LOCKED COPY "\xe9\x00", 0), PROBE_SITE_SOUND, 3);
}
#endif
