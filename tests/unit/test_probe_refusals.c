// SPDX-License-Identifier: GPL-2.0-only
/* Where probes would be read or translated: of this process, with the file that it runs mapped a second time. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plan/probe_refusals.h"
#include "target/component.h"
#include "target/foreign_code.h"

#define OTHER 1 /* a process that there is not */

static struct linked_files files;
static struct plan_function function;
static const struct plan plan = { .functions = &function, .function_count = 1 };
static struct probe_refusals refusals;
static uint32_t own;            /* the number of this program's file */
static size_t page, first_page; /* its size, and which one the code of that file begins in */
static int fd = -1;

static uint64_t code_of(const struct linked_file *file)
{
	const struct elf_segments *segments = &file->linkage.segments;

	for (size_t i = 0; i < segments->count; i++) {
		if (segments->items[i].executable)
			return segments->items[i].offset;
	}
	return 0;
}

/* One function, in the second page of the code. */
static void set_up(void)
{
	page = (size_t)getpagesize();
	cr_assert_eq(linked_files_add_process(&files, getpid()), 0);
	while (strcmp(component_name(&files.items[own].component), "unit-tests"))
		cr_assert_lt(++own, files.count);
	first_page = code_of(&files.items[own]) / page;
	function = (struct plan_function){ .file = own, .offset = (first_page + 1) * page };
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	cr_assert_geq(fd, 0);
}

static void tear_down(void)
{
	close(fd);
	probe_refusals_clear(&refusals);
	linked_files_clear(&files);
}

TestSuite(probe_refusals, .init = set_up, .fini = tear_down);

static bool look(enum probe_look how)
{
	cr_assert_eq(probe_refusals_look(&refusals, &plan, &files, getpid(), how), 0);
	return probe_refusals_have(&refusals, getpid(), own);
}

static void *map(size_t pages, size_t first, int protection, int flags)
{
	void *mapped = mmap(NULL, pages * page, protection, flags, fd, (off_t)((first_page + first) * page));

	cr_assert_neq(mapped, MAP_FAILED);
	return mapped;
}

Test(probe_refusals, what_is_read)
{
	void *mapped;

	cr_assert(!look(PROBE_LOOK_AT_ONCE));
	mapped = map(3, 0, PROT_READ, MAP_PRIVATE);
	cr_assert(!look(PROBE_LOOK_AT_PROGRAM));
	cr_assert(look(PROBE_LOOK_AT_ONCE));
	cr_assert(look(PROBE_LOOK_AGAIN));
	cr_assert(!probe_refusals_have(&refusals, OTHER, own));
	cr_assert(!probe_refusals_have(&refusals, getpid(), own + 1));
	cr_assert(!probe_refusals_have(&refusals, getpid(), PROBE_REFUSAL_ALL_FILES));
	munmap(mapped, 3 * page);
	cr_assert(!look(PROBE_LOOK_AGAIN));
	/* It is said once, and still said. */
	cr_assert_eq(refusals.told_count, 1);
	cr_assert_eq(refusals.told[0].reason, PROBE_REFUSED_READ);
	cr_assert_eq(refusals.told[0].file, own);
	cr_assert_eq(refusals.told[0].processes, 1);
	cr_assert_str_eq(refusals.told[0].program, "unit-tests");
}

/* The kernel puts no breakpoint there, or none that matters. */
Test(probe_refusals, what_is_not)
{
	map(1, 0, PROT_READ, MAP_PRIVATE);              /* no function */
	map(2, 2, PROT_READ, MAP_PRIVATE);              /* behind it */
	map(3, 0, PROT_READ, MAP_SHARED);               /* the file itself */
	map(3, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE); /* it may be changed */
	map(3, 0, PROT_READ | PROT_EXEC, MAP_PRIVATE);  /* it is run */
	cr_assert(!look(PROBE_LOOK_AGAIN));
	/* Not probed. */
	map(3, 0, PROT_READ, MAP_PRIVATE);
	function.omission = PLAN_REFUSED;
	cr_assert(!look(PROBE_LOOK_AGAIN));
	cr_assert_eq(refusals.told_count, 0);
}

Test(probe_refusals, ended)
{
	map(3, 0, PROT_READ, MAP_PRIVATE);
	cr_assert(look(PROBE_LOOK_AT_ONCE));
	probe_refusals_forget(&refusals, getpid());
	cr_assert(!probe_refusals_have(&refusals, getpid(), own));
	cr_assert_eq(probe_refusals_look(&refusals, &plan, &files, INT_MAX, PROBE_LOOK_AGAIN), 0);
	cr_assert_eq(refusals.count, 0);
}

Test(probe_refusals, ahead)
{
	struct linked_files program = { 0 };

	cr_assert_eq(linked_files_add_path(&program, STATIC_PROGRAM), 0);
	cr_assert_eq(probe_refusals_look_ahead(&refusals, &program, OTHER), 0);
	cr_assert(probe_refusals_have(&refusals, OTHER, own));
	cr_assert_eq(refusals.told_count, 0);
	linked_files_clear(&program);
	cr_assert_eq(linked_files_add_path(&program, "/proc/self/exe"), 0);
	probe_refusals_forget(&refusals, OTHER);
	cr_assert_eq(probe_refusals_look_ahead(&refusals, &program, OTHER), 0);
	cr_assert(!probe_refusals_have(&refusals, OTHER, own));
	linked_files_clear(&program);
}

Test(foreign_code, names)
{
	static const char *const translators[] = { "qemu-x86_64", "qemu-aarch64-static", "box64",
						   "FEXInterpreter" };
	static const char *const others[] = {
		"qemu-system-x86_64", "qemu-img", "qemu-ga", "sqlite3", "boxes", "qemu"
	};

	for (size_t i = 0; i < sizeof(translators) / sizeof(*translators); i++)
		cr_assert(foreign_code_has_translator(translators[i]), "%s", translators[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		cr_assert(!foreign_code_has_translator(others[i]), "%s", others[i]);
	cr_assert(foreign_code_has_agent("libdynamorio.so.9.0"));
	cr_assert(foreign_code_has_agent("vgpreload_core-amd64-linux.so"));
	cr_assert(!foreign_code_has_agent("libc.so.6"));
}

Test(foreign_code, linkers)
{
	static const char linker[] = "/lib64/ld-linux-x86-64.so.2";
	int program = open(linker, O_RDONLY | O_CLOEXEC);

	/* Whatever it is called. */
	cr_assert_eq(foreign_code_of_program("any", program), FOREIGN_CODE_NONE);
	cr_assert_eq(foreign_code_of_program("qemu-arm", program), FOREIGN_CODE_TRANSLATED);
	close(program);
}
