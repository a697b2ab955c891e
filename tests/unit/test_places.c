// SPDX-License-Identifier: GPL-2.0-only
/* Places: which sites are one, also when they come with one reading after the other. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/places.h"
#include "symbolize/symbolize.h"
#include "target/component.h"

static void add_component(struct profile *profile, uint32_t number, const char *path)
{
	struct scaler_component component = { .key = { number, 1, 0 } };

	kernel_path_set(&component.path, path);
	cr_assert_eq(profile_add_component(profile, number, &component), 0);
}

static void add_call(struct profile *profile, uint64_t site)
{
	const struct scaler_call_key key = { site, 1, { 0 }, 0, 0 };
	const struct scaler_call_stats stats = { .count = 1 };

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static const struct place *find(const struct places *places, uint64_t site)
{
	size_t index = places_find(places, site);

	cr_assert_lt(index, places->count, "no place of %#lx", site);
	return &places->items[index];
}

static const char *component_of(const struct places *places, uint64_t site)
{
	return places->components[find(places, site)->component].name;
}

/* Containers have copies of a file: with one build-id they are one component. */
Test(places, same_build_id_is_one_component)
{
	struct profile profile = { 0 };
	struct scaler_component component = { .key = { 1, 1, 0 }, .build_id = { 1, 2, 3 } };
	const struct scaler_call_stats stats = { .count = 1 };
	struct places places = { 0 };

	for (uint32_t number = 1; number <= 4; number++) {
		const struct scaler_call_key key = { scaler_site(number, 0x50), 1, { 0 }, 0, 0 };
		char path[32];

		snprintf(path, sizeof(path), "/no/%u/libx.so", number);
		component.key.inode = number;
		component.build_id[3] = number > 3;
		kernel_path_set(&component.path, path);
		cr_assert_eq(profile_add_component(&profile, number, &component), 0);
		cr_assert_eq(profile_add_call(&profile, &key, &stats), 0);
	}
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_expect_eq(places.component_count, 2);
	cr_expect_eq(places.count, 2);
	cr_expect_eq(places_find(&places, scaler_site(1, 0x50)), places_find(&places, scaler_site(3, 0x50)));
	places_clear(&places);
	profile_clear(&profile);
}

/* Those of before stay what they are, beside those that are new and on both sides of them. */
Test(places, of_later_readings)
{
	struct profile profile = { 0 };
	struct places places = { 0 };

	add_component(&profile, 5, "/no/b.so");
	add_call(&profile, scaler_site(5, 0x50));
	add_call(&profile, scaler_site(5, 0x70));
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_expect_eq(places.count, 2);
	/* The same file by another number, too. */
	add_component(&profile, 7, "/no/b.so");
	add_component(&profile, 2, "/no/a.so");
	add_call(&profile, scaler_site(2, 0x50));
	add_call(&profile, scaler_site(5, 0x60));
	add_call(&profile, scaler_site(7, 0x70));
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_expect_eq(places.count, 4);
	cr_expect_eq(places.site_count, 5);
	cr_expect_eq(places.component_count, 2);
	cr_expect_str_eq(component_of(&places, scaler_site(2, 0x50)), "a.so");
	cr_expect_str_eq(component_of(&places, scaler_site(5, 0x50)), "b.so");
	for (unsigned int offset = 0x50; offset <= 0x70; offset += 0x10)
		cr_expect_eq(find(&places, scaler_site(5, offset))->offset, offset + 1);
	cr_expect_eq(find(&places, scaler_site(7, 0x70)), find(&places, scaler_site(5, 0x70)));
	places_clear(&places);
	profile_clear(&profile);
}

static void write_perf_map(const char *lines)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	if (!lines) {
		unlink(path);
		return;
	}
	file = fopen(path, "we");
	cr_assert(file);
	fputs(lines, file);
	fclose(file);
}

/* A program writes its names down as it generates code. */
Test(places, generated_code_is_named_later)
{
	const uint64_t first = scaler_site(1, 0x1000), second = scaler_site(1, 0x2000);
	struct scaler_component generated = { .key = { .inode = SCALER_COMPONENT_ANONYMOUS },
					      .tgid = (uint32_t)getpid(),
					      .uid = getuid() };
	struct profile profile = { 0 };
	struct places places = { 0 };

	cr_assert_eq(profile_add_component(&profile, 1, &generated), 0);
	add_call(&profile, first);
	add_call(&profile, second);
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_expect_eq(places.count, 1);
	cr_expect(places.components[0].problem);
	write_perf_map("1000 100 one\n");
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	cr_expect_eq(places.count, 2);
	cr_expect_str_eq(find(&places, first)->function, "one");
	cr_expect_eq(find(&places, second)->function, NULL);
	write_perf_map("2000 100 two\n");
	cr_assert_eq(symbolize(&(struct symbolizer){ 0 }, &places, &profile, NULL), 0);
	write_perf_map(NULL);
	cr_expect_str_eq(find(&places, first)->function, "one");
	cr_expect_str_eq(find(&places, second)->function, "two");
	cr_expect_eq(places.components[0].problem, NULL);
	places_clear(&places);
	profile_clear(&profile);
}
