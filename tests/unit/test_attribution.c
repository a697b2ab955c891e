// SPDX-License-Identifier: GPL-2.0-only
/* What system calls are attributed to. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/attribution.h"
#include "symbolize/symbolize.h"
#include "target/component.h"

#define SIZE(array) (sizeof(array) / sizeof(*(array)))

/* By number: 1 and 2 are what others make system calls through, 3 to 5 libraries, 6 the application. */
static const char *const paths[] = { "/no/libc.so.6", "/no/ld-linux-x86-64.so.2", "/no/libone.so",
				     "/no/libtwo.so", "/no/libc++.so.1",          "/no/program" };
enum { LIBC = 1, LOADER, ONE, TWO, CXX, PROGRAM };

#define NONE (-1)

static const struct {
	int frames[5]; /* from the innermost on */
	enum scaler_stack_end end;
	const char *calling; /* NULL: not known, because of the end */
	const char *issuing;
	int entered, innermost, caller; /* frames */
} cases[] = {
	{ { LIBC, PROGRAM }, SCALER_STACK_AS_ASKED, "program", "libc.so.6", 0, 0, 1 },
	{ { LIBC, ONE, TWO, PROGRAM }, SCALER_STACK_AS_ASKED, "libone.so", "libc.so.6", 2, 0, 3 },
	{ { LIBC, LOADER, LIBC, TWO }, SCALER_STACK_COMPLETE, "libtwo.so", "libc.so.6", 2, 0, 3 },
	{ { LIBC, CXX, PROGRAM }, SCALER_STACK_AS_ASKED, "libc++.so.1", "libc.so.6", 1, 0, 2 },
	{ { ONE, PROGRAM }, SCALER_STACK_AS_ASKED, "libone.so", "libone.so", 0, 0, 1 },
	{ { PROGRAM }, SCALER_STACK_AS_ASKED, "program", "program", 0, 0, NONE },
	/* What a library does by itself in between is no call of it. */
	{ { LIBC, LIBC, ONE, ONE, PROGRAM }, SCALER_STACK_COMPLETE, "libone.so", "libc.so.6", 3, 1, 4 },
	{ { ONE, ONE, PROGRAM, PROGRAM }, SCALER_STACK_COMPLETE, "libone.so", "libone.so", 1, 1, 2 },
	/* A library calls back. */
	{ { LIBC, PROGRAM, ONE, PROGRAM }, SCALER_STACK_COMPLETE, "program", "libc.so.6", 0, 0, 1 },
	{ { PROGRAM, ONE, PROGRAM }, SCALER_STACK_COMPLETE, "program", "program", 0, 0, NONE },
	/* A library's own thread. */
	{ { LIBC, TWO, TWO, LIBC, LIBC }, SCALER_STACK_COMPLETE, "libtwo.so", "libc.so.6", 2, 0, 3 },
	/* What the C library and the loader do by themselves. */
	{ { LIBC, LIBC }, SCALER_STACK_COMPLETE, "libc.so.6", "libc.so.6", 0, 0, NONE },
	{ { LOADER, LOADER },
	  SCALER_STACK_COMPLETE,
	  "ld-linux-x86-64.so.2",
	  "ld-linux-x86-64.so.2",
	  0,
	  0,
	  NONE },
	/* What is cut further out says enough, or nothing. */
	{ { LIBC, ONE, PROGRAM }, SCALER_STACK_LIMIT, "libone.so", "libc.so.6", 1, 0, 2 },
	{ { LIBC, ONE }, SCALER_STACK_NO_RULE, "libone.so", "libc.so.6", NONE, NONE, NONE },
	{ { LIBC, LIBC }, SCALER_STACK_NO_RULE, NULL, "libc.so.6", NONE, NONE, NONE },
	{ { LIBC }, SCALER_STACK_LIMIT, NULL, "libc.so.6", NONE, NONE, NONE },
	{ { 0 }, SCALER_STACK_GOES_ON, NULL, "libc.so.6", NONE, NONE, NONE },
};

/* Each frame has a place of its own. */
static __u64 site_of(size_t i, size_t frame)
{
	return scaler_site((__u32)cases[i].frames[frame], 0x10 * (__u32)(frame + 1));
}

static void make_profile(struct profile *profile)
{
	for (uint32_t i = 0; i < SIZE(paths); i++) {
		struct scaler_component component = { .key = { 70 + i, 0x800001, 0 },
						      .application = i + 1 == PROGRAM };

		kernel_path_set(&component.path, paths[i]);
		cr_assert_eq(profile_add_component(profile, i + 1, &component), 0);
	}
	for (uint32_t i = 0; i < SIZE(cases); i++) {
		const struct scaler_call_key key = { .site = cases[i].frames[0] ? site_of(i, 0) :
										  scaler_site(LIBC, 1),
						     .stack = i + 1 };
		const struct scaler_call_stats stats = { .count = 1 };
		__u64 sites[SIZE(cases[i].frames)];
		size_t count = 0;

		for (; count < SIZE(sites) && cases[i].frames[count]; count++)
			sites[count] = site_of(i, count);
		/* The stack without frames is not known at all. */
		if (count)
			cr_assert_eq(stacks_add(&profile->stacks, i + 1, cases[i].end, sites, count, false),
				     0);
		cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
	}
}

static void expect_component(const struct places *places, struct attribution to, const char *name, size_t i)
{
	if (name) {
		cr_assert_neq(to.component, PLACE_NONE, "case %zu", i);
		cr_expect_str_eq(places->components[to.component].name, name, "case %zu", i);
	} else {
		cr_expect_eq(to.component, PLACE_NONE, "case %zu", i);
		cr_expect_eq(to.cut, cases[i].end, "case %zu", i);
	}
}

Test(attribution, components)
{
	struct profile profile = { 0 };
	struct places places = { 0 };

	make_profile(&profile);
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	for (size_t i = 0; i < SIZE(cases); i++) {
		struct frames frames = frames_of_call(&profile, &places, &profile.calls[i].key);

		expect_component(&places, attribution_find(&frames, COMPONENT_OF_CALLING), cases[i].calling,
				 i);
		expect_component(&places, attribution_find(&frames, COMPONENT_OF_ISSUING), cases[i].issuing,
				 i);
	}
	places_clear(&places);
	profile_clear(&profile);
}

static void expect_place(const struct places *places, size_t place, size_t i, int frame)
{
	size_t expected = frame == NONE ? PLACE_NONE : places_find(places, site_of(i, (size_t)frame));

	cr_expect_eq(place, expected, "case %zu: %zu is not frame %d", i, place, frame);
}

Test(attribution, paths)
{
	struct profile profile = { 0 };
	struct places places = { 0 };

	make_profile(&profile);
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	for (size_t i = 0; i < SIZE(cases); i++) {
		struct frames frames = frames_of_call(&profile, &places, &profile.calls[i].key);
		struct call_path path = attribution_path(&frames);

		expect_place(&places, path.entered, i, cases[i].entered);
		expect_place(&places, path.innermost, i, cases[i].innermost);
		expect_place(&places, path.caller, i, cases[i].caller);
		if (path.entered == PLACE_NONE)
			cr_expect_eq(path.cut, cases[i].end, "case %zu", i);
	}
	places_clear(&places);
	profile_clear(&profile);
}
