// SPDX-License-Identifier: GPL-2.0-only
/* Components and mappings. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scaler/code_range.h>

#include "model/places.h"
#include "symbolize/symbolize.h"
#include "code/probe_site.h"
#include "elf/symbols.h"
#include "stream/placement.h"
#include "target/component.h"
#include "target/generated_code.h"
#include "target/process_maps.h"

/* In this program, with a symbol of its own. */
__attribute__((noinline)) int target_test_function(int value)
{
	return value * 3 + 1;
}

static const char *path_of(const char *path)
{
	static char buffer[KERNEL_PATH_TEXT_SIZE];
	struct scaler_component component = { .key = { 1, 1, 0 } };

	kernel_path_set(&component.path, path);
	return component_path(&component, buffer) ?: component_name(&component);
}

Test(component, path_there_and_back)
{
	char deep[2000] = "", longest[300] = "/";

	cr_expect_str_eq(path_of("/usr/lib/libc.so.6"), "/usr/lib/libc.so.6");
	cr_expect_str_eq(path_of("/a"), "/a");
	cr_expect_str_eq(path_of("//a///b"), "/a/b");
	cr_expect_str_eq(path_of("/"), "[unknown]");
	cr_expect_str_eq(path_of(""), "[unknown]");
	memset(longest + 1, 'x', 255);
	cr_expect_str_eq(path_of(longest), longest);
	/* Too long: the name is left. */
	while (strlen(deep) < 1200)
		strcat(deep, "/folder");
	strcat(deep, "/lib.so");
	cr_expect_str_eq(path_of(deep), "lib.so");
}

Test(component, names_without_a_file)
{
	struct scaler_component component = { .key = { SCALER_COMPONENT_VDSO, 0, 0 } };

	cr_expect_str_eq(component_name(&component), "[vdso]");
	component.key.inode = SCALER_COMPONENT_ANONYMOUS;
	cr_expect_str_eq(component_name(&component), "[anonymous code]");
	component.key.inode = SCALER_COMPONENT_UPROBES;
	cr_expect_str_eq(component_name(&component), "[uprobes]");
	cr_expect_eq(component_open(&component), -ENOENT);
}

static int parse(struct process_mapping *mapping, const char *text)
{
	char line[256];

	snprintf(line, sizeof(line), "%s", text);
	return process_mapping_parse(mapping, line, 0);
}

Test(process_maps, lines)
{
	struct process_mapping mapping;

	cr_assert_eq(parse(&mapping, "7f00-7f20 r-xp 00001000 fe:01 4711      /usr/lib/a b.so\n"), 0);
	cr_expect_eq(mapping.component.start, 0x7f00);
	cr_expect_eq(mapping.component.end, 0x7f20);
	cr_expect_eq(mapping.offset, 0x1000);
	cr_expect_eq(mapping.component.key.device, 0xfe00001);
	cr_expect_eq(mapping.component.key.inode, 4711);
	cr_expect_str_eq(component_name(&mapping.component), "a b.so");
	cr_assert_eq(
		parse(&mapping, "7f00-7f20 r-xp 00001000 fe:01 4711      /a\\012b/c\\012d.so (deleted)\n"),
		0);
	cr_expect_str_eq(component_name(&mapping.component), "c\nd.so");
	cr_assert_eq(parse(&mapping, "7f00-7f20 r-xp 00000000 00:00 0          [vdso]\n"), 0);
	cr_expect_str_eq(component_name(&mapping.component), "[vdso]");
	cr_assert_eq(parse(&mapping, "7f00-7f20 rwxp 00000000 00:00 0 \n"), 0);
	cr_expect_str_eq(component_name(&mapping.component), "[anonymous code]");
	cr_expect_eq(parse(&mapping, ""), -EINVAL);
	cr_expect_eq(parse(&mapping, "7f00-7f20 r-xp\n"), -EINVAL);
	cr_expect_eq(parse(&mapping, "7f20-7f00 r-xp 00000000 00:00 0 x\n"), -EINVAL);
}

/* A call by this program whose site the kernel side could not place: found, and by its name. */
Test(placement, own_address)
{
	struct profile profile = { .window = { .start_ns = 0, .end_ns = 1000 } };
	const struct scaler_thread thread = { .serial = 5, .tgid = (uint32_t)getpid(), .end_ns = 9 };
	const struct scaler_thread gone = { .serial = 6, .tgid = 0x7fffffff, .end_ns = 9 };
	const uint64_t address = (uint64_t)target_test_function + 1;
	const struct scaler_call_stats stats = { .count = 1 };
	struct places places = { 0 };
	const struct place *place;

	cr_assert_eq(profile_add_thread(&profile, &gone), 0);
	cr_assert_eq(profile_add_thread(&profile, &thread), 0);
	cr_assert_eq(profile_add_call(&profile, &(struct scaler_call_key){ address, 5, { 0 }, 0, 0 }, &stats),
		     0);
	cr_assert_eq(profile_add_call(&profile, &(struct scaler_call_key){ address, 6, { 0 }, 0, 0 }, &stats),
		     0);
	cr_assert_eq(placement_complete(&profile), 0);
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_assert_eq(places.count, 2);
	place = &places.items[places_find(&places, profile.calls[0].key.site)];
	cr_expect_str_eq(places.components[place->component].name, "unit-tests");
	cr_assert(place->function);
	cr_expect_str_eq(place->function, "target_test_function");
	place = &places.items[places_find(&places, profile.calls[1].key.site)];
	cr_expect_str_eq(places.components[place->component].name, "[unknown]");
	cr_expect_eq(places_find(&places, 12345), PLACE_NONE);
	places_clear(&places);
	profile_clear(&profile);
}

/* What was read of a process is known when it is gone, in the address space that it was read in. */
Test(target, generated_code_is_kept)
{
	static struct generated_code code;
	const uint64_t there = 0x1122334455667788;
	uint64_t word = 0, at = (uint64_t)(uintptr_t)&there;

	cr_expect_not(generated_code_read(&code, -1, 7, at, &word));
	cr_assert(generated_code_read(&code, getpid(), 7, at, &word));
	cr_expect_eq(word, there);
	word = 0;
	cr_assert(generated_code_read(&code, -1, 7, at, &word));
	cr_expect_eq(word, there);
	cr_expect_not(generated_code_read(&code, -1, 8, at, &word));
	cr_expect_not(generated_code_read(&code, -1, 7, at + 8, &word));
}

Test(target, faults_of_probe_sites)
{
	static const struct {
		const char *code;
		size_t size;
		enum probe_site_fault fault;
	} sites[] = {
		{ "\x55", 1, PROBE_SITE_SOUND },                       /* push %rbp */
		{ "\xf3\x0f\x1e\xfa", 4, PROBE_SITE_SOUND },           /* endbr64 */
		{ "\x64\x48\x8b\x04\x25", 5, PROBE_SITE_SOUND },       /* mov %fs:..., %rax */
		{ "\xf0\xff\x0f", 3, PROBE_SITE_REFUSED },             /* lock decl (%rdi) */
		{ "\x66\xf0\x0f\xc1\x07", 5, PROBE_SITE_REFUSED },     /* lock xadd %ax, (%rdi) */
		{ "\x2e\x90", 2, PROBE_SITE_REFUSED },                 /* cs nop */
		{ "\xc5\xf9\xef\xc0", 4, PROBE_SITE_REFUSED },         /* vpxor %xmm0, %xmm0, %xmm0: as out */
		{ "\xc4\x41\x01\xef\xff", 5, PROBE_SITE_REFUSED },     /* vpxor %xmm15, %xmm15, %xmm15 */
		{ "\x62\xe1\xfd\x28\xef\xc0", 6, PROBE_SITE_REFUSED }, /* vpxorq %ymm0, %ymm0, %ymm16 */
		{ "\xc5\xf8\x57\xc0", 4, PROBE_SITE_SOUND },           /* vxorps %xmm0, %xmm0, %xmm0 */
		{ "\xc5\xfe\x7f\x07", 4, PROBE_SITE_MISTAKEN },        /* vmovdqu %ymm0, (%rdi): as jg */
		{ "\xc5\xfd\xeb\xc1", 4, PROBE_SITE_MISTAKEN },        /* vpor %ymm1, %ymm0, %ymm0: as jmp */
		{ "\xc5\xf8\x77", 3, PROBE_SITE_MISTAKEN },            /* vzeroupper: as ja */
		{ "\xc4\xe2\x69\x9d\xc1", 5, PROBE_SITE_MISTAKEN },    /* vfnmadd132ss: as popf */
		{ "\xc5\xfc\xc2\xc1\x01", 5, PROBE_SITE_MISTAKEN },    /* vcmpltps: as ret */
		{ "\x62\xe2\x7d\x28\x7a\xce", 6, PROBE_SITE_MISTAKEN }, /* vpbroadcastb %esi, %ymm17: as jp */
		{ "\x41\x90", 2, PROBE_SITE_MISTAKEN },                 /* xchg %eax, %r8d: as nop */
		{ "\x48\x90", 2, PROBE_SITE_SOUND },                    /* nop, with a prefix */
		{ "\x8f\xe9\x78\xe1\xc0", 5, PROBE_SITE_MISTAKEN },     /* vphaddwd: as pop */
		{ "\xd5\x00\x90", 3, PROBE_SITE_REFUSED },              /* rex2 nop */
		{ "\xc5\xf9", 2, PROBE_SITE_REFUSED },                  /* no instruction */
		{ "\xcc", 1, PROBE_SITE_REFUSED },                      /* int3 */
		{ "\x66\x66", 2, PROBE_SITE_REFUSED },                  /* no instruction */
		{ "", 0, PROBE_SITE_REFUSED },
	};

	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++)
		cr_expect_eq(probe_site_fault((const uint8_t *)sites[i].code, sites[i].size), sites[i].fault,
			     "%zu", i);
}

Test(target, kinds_of_probe_sites)
{
	static const struct {
		const char *code;
		size_t size;
		enum probe_site_kind kind;
	} sites[] = {
		{ "\x55\x48\x89\xe5", 4, PROBE_SITE_EMULATED },         /* push %rbp; mov %rsp, %rbp */
		{ "\x41\x57", 2, PROBE_SITE_EMULATED },                 /* push %r15 */
		{ "\x41", 1, PROBE_SITE_STEPPED },                      /* no instruction */
		{ "\x41\x89\xf8", 3, PROBE_SITE_STEPPED },              /* mov %edi, %r8d */
		{ "\x90", 1, PROBE_SITE_EMULATED },                     /* nop */
		{ "\x0f\x1f\x44\x00\x00", 5, PROBE_SITE_NOP5 },         /* nopl 0(%rax, %rax) */
		{ "\x0f\x1f\x40\x00", 4, PROBE_SITE_STEPPED },          /* nopl 0(%rax) */
		{ "\xe9\x00\x00\x00\x00", 5, PROBE_SITE_EMULATED },     /* jmp */
		{ "\x0f\x84\x00\x00\x00\x00", 6, PROBE_SITE_EMULATED }, /* je */
		{ "\xf3\x0f\x1e\xfa", 4, PROBE_SITE_STEPPED },          /* endbr64 */
		{ "\x48\x83\xec\x08", 4, PROBE_SITE_STEPPED },          /* sub $8, %rsp */
		{ "", 0, PROBE_SITE_STEPPED },
	};

	for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++)
		cr_expect_eq(probe_site_kind((const uint8_t *)sites[i].code, sites[i].size), sites[i].kind,
			     "%zu", i);
}

Test(target, code_ranges)
{
	static struct scaler_code_ranges ranges;
	size_t count = 5;

	cr_expect(!scaler_code_ranges_have(&ranges, 0));
	cr_expect(!scaler_code_ranges_have(&ranges, ~0ULL - 1));
	for (size_t i = 0; i < SCALER_CODE_RANGES; i++)
		ranges.items[i] = i < count ? (struct scaler_code_range){ 100 * i + 100, 100 * i + 150 } :
					      (struct scaler_code_range){ .start = ~0ULL };
	for (size_t i = 0; i < count; i++) {
		cr_expect(!scaler_code_ranges_have(&ranges, 100 * i + 99));
		cr_expect(scaler_code_ranges_have(&ranges, 100 * i + 100));
		cr_expect(scaler_code_ranges_have(&ranges, 100 * i + 149));
		cr_expect(!scaler_code_ranges_have(&ranges, 100 * i + 150));
	}
	for (size_t i = 0; i < SCALER_CODE_RANGES; i++)
		ranges.items[i] = (struct scaler_code_range){ 100 * i + 100, 100 * i + 150 };
	cr_expect(scaler_code_ranges_have(&ranges, 100 * SCALER_CODE_RANGES + 49));
	cr_expect(!scaler_code_ranges_have(&ranges, 100 * SCALER_CODE_RANGES + 50));
}
