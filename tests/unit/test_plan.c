// SPDX-License-Identifier: GPL-2.0-only
/* Which functions a plan has, of files by construction. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/globs.h"
#include "plan/plan.h"
#include "target/component.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Of every file here: 0x1000 to 0x2000, from 0x400 on. */
static struct elf_segment code = { .offset = 0x400, .size = 0x1000, .address = 0x1000, .executable = true };

static struct linkage_import application_imports[] = {
	{ "work", "V2", 0 }, { "twin", "", 0 },   { "missing", "", 0 },
	{ "chosen", "", 0 }, { "absent", "", 0 },
};
static struct linkage_export application_exports[] = {
	{ .name = "callback", .version = "", .address = 0x1000, .is_default = true },
};
static struct linkage_export first_exports[] = {
	{ .name = "work", .version = "V1", .address = 0x1100 },
	{ .name = "work", .version = "V2", .address = 0x1200, .is_default = true },
	{ .name = "__twin", .version = "V2", .address = 0x1300, .is_default = true },
	{ .name = "twin", .version = "V2", .address = 0x1300, .is_default = true },
	{ .name = "chosen", .version = "V2", .resolver = 0x1400, .is_default = true },
	{ .name = "absent", .version = "V2", .resolver = 0x1500, .is_elsewhere = true, .is_default = true },
	{ .name = "unused", .version = "V2", .address = 0x1600, .is_default = true },
};
static struct linkage_import first_imports[] = { { "work", "V2", 0x3000 }, { "callback", "", 0 } };
static struct linkage_export second_exports[] = {
	{ .name = "work", .version = "", .address = 0x1000, .is_default = true },
	{ .name = "_ZN3foo3barEv", .version = "", .address = 0x1010, .is_default = true },
};
static struct linkage_import second_imports[] = { { "twin", "V2", 0 }, { "__twin", "", 0 } };
static struct linkage_import third_imports[] = { { "_ZN3foo3barEv", "", 0 } };

#define LINKAGE(name) .exports = name##_exports, .export_count = COUNT(name##_exports)
#define IMPORTS(name) .imports = name##_imports, .import_count = COUNT(name##_imports)

static struct linked_file file_items[] = {
	{ .linkage = { LINKAGE(application), IMPORTS(application) } },
	{ .linkage = { LINKAGE(first), IMPORTS(first) } },
	{ .linkage = { LINKAGE(second), IMPORTS(second) } },
	{ .linkage = { IMPORTS(third) } },
};
static const struct linked_files files = { .items = file_items, .count = COUNT(file_items) };

static void set_up(void)
{
	static const char *const paths[] = { "/bin/application", "/lib/libfirst.so.1", "/lib/libsecond.so",
					     "/lib/third" };

	for (size_t i = 0; i < files.count; i++) {
		kernel_path_set(&file_items[i].component.path, paths[i]);
		file_items[i].linkage.segments = (struct elf_segments){ &code, 1 };
	}
}

TestSuite(plan, .init = set_up);

static const struct plan_function *find(const struct plan *plan, uint32_t file, const char *name)
{
	for (size_t i = 0; i < plan->function_count; i++) {
		if (plan->functions[i].file == file &&
		    !strcmp(plan->names[plan->functions[i].first_name].name, name))
			return &plan->functions[i];
	}
	return NULL;
}

static void expect_importers(const struct plan *plan, const struct plan_function *function,
			     const uint32_t *importers, uint32_t count)
{
	cr_assert(function);
	cr_assert_eq(function->importer_count, count);
	for (uint32_t i = 0; i < count; i++)
		cr_expect_eq(plan->importers[function->first_importer + i], importers[i]);
}

#define IMPORTERS(...) (uint32_t[]){ __VA_ARGS__ }, COUNT(((uint32_t[]){ __VA_ARGS__ }))

Test(plan, edges)
{
	const struct plan_options options = { 0 };
	const struct plan_function *work, *twin;
	struct plan plan;

	cr_assert_eq(plan_make(&plan, &files, &options), 0);
	/* Not the old version of work, not what nobody imports. */
	cr_expect_eq(plan.function_count, 7);
	work = find(&plan, 1, "work");
	expect_importers(&plan, work, IMPORTERS(0));
	cr_expect_eq(work->offset, 0x600);
	cr_expect_str_eq(plan.names[work->first_name].version, "V2");
	/* Who has no versions may stand for any; and the first file may be served by the second. */
	expect_importers(&plan, find(&plan, 2, "work"), IMPORTERS(0, 1));
	expect_importers(&plan, find(&plan, 0, "callback"), IMPORTERS(1));
	expect_importers(&plan, find(&plan, 2, "_ZN3foo3barEv"), IMPORTERS(3));
	twin = find(&plan, 1, "twin");
	expect_importers(&plan, twin, IMPORTERS(0, 2));
	cr_expect_eq(twin->name_count, 2);
	cr_expect_str_eq(plan.names[twin->first_name + 1].name, "__twin");
	cr_expect_null(find(&plan, 1, "__twin"));
	cr_expect_eq(find(&plan, 1, "chosen")->omission, PLAN_UNRESOLVED);
	cr_expect_eq(find(&plan, 1, "absent")->omission, PLAN_ELSEWHERE);
	plan_clear(&plan);
}

Test(plan, indirect_functions_are_one_with_what_they_stand_for)
{
	const struct plan_options options = { 0 };
	const struct plan_function *work;
	struct plan plan;

	first_exports[4].address = 0x1200;
	cr_assert_eq(plan_make(&plan, &files, &options), 0);
	cr_expect_eq(plan.function_count, 6);
	work = find(&plan, 1, "work");
	cr_expect_eq(work->name_count, 2);
	cr_expect_str_eq(plan.names[work->first_name + 1].name, "chosen");
	cr_expect_eq(work->omission, PLAN_NOT_OMITTED);
	plan_clear(&plan);
}

Test(plan, exports)
{
	const struct plan_options options = { .calls = PLAN_EXPORTS };
	struct plan plan;

	cr_assert_eq(plan_make(&plan, &files, &options), 0);
	cr_expect_eq(plan.function_count, 9);
	expect_importers(&plan, find(&plan, 1, "unused"), NULL, 0);
	for (size_t i = 1; i < plan.function_count; i++)
		cr_expect_leq(plan.functions[i - 1].file, plan.functions[i].file);
	plan_clear(&plan);
}

static size_t count(const char *libraries, const char *functions, const char *excluded)
{
	struct plan_options options = { 0 };
	struct plan plan;
	size_t found;

	cr_assert(!libraries || !globs_add(&options.libraries, libraries));
	cr_assert(!functions || !globs_add(&options.functions, functions));
	cr_assert(!excluded || !globs_add(&options.excluded, excluded));
	cr_assert_eq(plan_make(&plan, &files, &options), 0);
	found = plan.function_count;
	plan_clear(&plan);
	plan_options_clear(&options);
	return found;
}

Test(plan, filters)
{
	cr_expect_eq(count(NULL, NULL, NULL), 7);
	cr_expect_eq(count("libfirst", NULL, NULL), 4);
	cr_expect_eq(count("libfirst.so.1,libsecond*", NULL, NULL), 6);
	cr_expect_eq(count("libfirs", NULL, NULL), 0);
	cr_expect_eq(count("application", NULL, NULL), 1);
	cr_expect_eq(count(NULL, "work", NULL), 2);
	/* By another name than the one that is shown, and by the one that a programmer gave. */
	cr_expect_eq(count(NULL, "__twin", NULL), 1);
	cr_expect_eq(count(NULL, "foo::*", NULL), 1);
	cr_expect_eq(count(NULL, "_ZN3foo*", NULL), 1);
	cr_expect_eq(count(NULL, NULL, "work,__twin"), 4);
	cr_expect_eq(count(NULL, NULL, "libfirst"), 3);
	cr_expect_eq(count("libfirst", "work", "libfirst*"), 0);
	cr_expect_eq(count(NULL, "unused", NULL), 0);
}

Test(plan, nothing)
{
	const struct linked_files none = { 0 };
	const struct plan_options options = { .calls = PLAN_EXPORTS };
	struct plan plan;

	cr_assert_eq(plan_make(&plan, &none, &options), 0);
	cr_expect_eq(plan.function_count, 0);
	plan_clear(&plan);
}

/* Files that come one after the other: what is there keeps its number. */
Test(plan, extended)
{
	const struct plan_options options = { 0 };
	struct linked_files some = { .items = file_items, .count = 2 };
	struct plan_function first;
	struct plan plan;

	cr_assert_eq(plan_make(&plan, &some, &options), 0);
	cr_expect_eq(plan.function_count, 5);
	first = *find(&plan, 1, "work");
	some.count = files.count;
	cr_assert_eq(plan_extend(&plan, &some, &options, 100), 0);
	cr_expect_eq(plan.function_count, 7);
	cr_expect_eq(find(&plan, 1, "work")->offset, first.offset);
	for (size_t i = 0; i < plan.function_count; i++)
		cr_expect_eq(plan.functions[i].file == 2, i >= 5);
	expect_importers(&plan, find(&plan, 2, "work"), IMPORTERS(0, 1));
	expect_importers(&plan, find(&plan, 2, "_ZN3foo3barEv"), IMPORTERS(3));
	cr_assert_eq(plan_extend(&plan, &some, &options, 100), 0);
	cr_expect_eq(plan.function_count, 7);
	cr_expect_eq(plan.no_room, 0);
	plan_clear(&plan);
}

Test(plan, extended_from_nothing_to_the_limit)
{
	const struct plan_options options = { 0 };
	struct plan plan = { 0 };

	cr_assert_eq(plan_extend(&plan, &files, &options, 3), 0);
	cr_expect_eq(plan.function_count, 3);
	cr_expect_eq(plan.no_room, 4);
	cr_assert_eq(plan_extend(&plan, &files, &options, 3), 0);
	cr_expect_eq(plan.function_count, 3);
	plan_clear(&plan);
}
