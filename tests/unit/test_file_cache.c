// SPDX-License-Identifier: GPL-2.0-only
/* What is kept of files: it holds for the file that it was made of, and for nobody who comes in its place. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan/costly_cache.h"
#include "plan/exit_cache.h"
#include "plan/file_cache.h"

static const __u8 build_id[SCALER_BUILD_ID_SIZE] = { 0xab, 0xcd };
static const char text[] = "what was found";

static char folder[] = "/tmp/cache.XXXXXX";
static struct file_cache_key subject = { .kind = "facts", .rules = 1, .build_id = build_id };

static void begin(void)
{
	char path[100];

	cr_assert(mkdtemp(folder));
	setenv("XDG_CACHE_HOME", folder, 1);
	snprintf(path, sizeof(path), "%s/subject", folder);
	subject.fd = open(path, O_RDWR | O_CREAT, 0600);
	cr_assert_eq(write(subject.fd, "code", 4), 4);
}

static void end(void)
{
	char command[100];

	close(subject.fd);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(file_cache, .init = begin, .fini = end);
TestSuite(exit_cache, .init = begin, .fini = end);
TestSuite(costly_cache, .init = begin, .fini = end);

static void store(void)
{
	file_cache_store(&subject, text, sizeof(text));
}

/* Where it is kept. */
static void kept_path(char path[100])
{
	snprintf(path, 100, "%s/scaler-bpf/facts-abcd%036d", folder, 0);
}

static int load_of(const struct file_cache_key *key)
{
	void *found;
	size_t size;
	int err = file_cache_load(key, &found, &size);

	if (err)
		return err;
	cr_expect_eq(size, sizeof(text));
	cr_expect_arr_eq(found, text, sizeof(text));
	free(found);
	return 0;
}

static int load(void)
{
	return load_of(&subject);
}

Test(file_cache, finds_what_it_has_stored)
{
	const __u8 other[SCALER_BUILD_ID_SIZE] = { 0xab };
	struct file_cache_key of_other = subject, by_other_rules = subject, other_kind = subject;

	of_other.build_id = other;
	by_other_rules.rules++;
	other_kind.kind = "others";
	cr_expect_eq(load(), -ENOENT);
	store();
	cr_expect_eq(load(), 0);
	cr_expect_eq(load_of(&of_other), -ENOENT);
	cr_expect_eq(load_of(&by_other_rules), -ENOENT);
	cr_expect_eq(load_of(&other_kind), -ENOENT);
}

Test(file_cache, keeps_nothing_of_a_file_without_build_id)
{
	subject.build_id = NULL;
	store();
	cr_expect_eq(load(), -ENOENT);
}

Test(file_cache, does_not_hold_for_another_file)
{
	char path[100];

	store();
	close(subject.fd);
	snprintf(path, sizeof(path), "%s/other", folder);
	subject.fd = open(path, O_RDWR | O_CREAT, 0600);
	cr_expect_eq(load(), -ENOENT);
}

Test(file_cache, does_not_hold_for_a_file_that_has_changed)
{
	struct stat before, after;

	store();
	fstat(subject.fd, &before);
	do {
		cr_assert_eq(pwrite(subject.fd, "C", 1, 0), 1);
		fstat(subject.fd, &after);
	} while (before.st_ctim.tv_sec == after.st_ctim.tv_sec &&
		 before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
	cr_expect_eq(load(), -ENOENT);
}

Test(file_cache, does_not_believe_what_others_may_have_written)
{
	char path[100];

	store();
	kept_path(path);
	cr_assert_eq(chmod(path, 0620), 0);
	cr_expect_eq(load(), -ENOENT);
	cr_assert_eq(chmod(path, 0600), 0);
	cr_expect_eq(load(), 0);
}

Test(file_cache, does_not_take_a_part)
{
	char path[100];
	struct stat status;

	store();
	kept_path(path);
	cr_assert_eq(stat(path, &status), 0);
	for (off_t size = status.st_size - 1; size >= 0; size--) {
		cr_assert_eq(truncate(path, size), 0);
		cr_expect_eq(load(), -ENOENT, "%ld bytes", (long)size);
	}
}

/* As after a power failure, when a file may have its name and not yet its bytes. */
Test(file_cache, does_not_take_other_bytes)
{
	char path[100], byte;
	struct stat status;
	int kept;

	store();
	kept_path(path);
	kept = open(path, O_RDWR);
	cr_assert_eq(fstat(kept, &status), 0);
	for (off_t at = 0; at < status.st_size; at++) {
		cr_assert_eq(pread(kept, &byte, 1, at), 1);
		byte ^= 1;
		cr_assert_eq(pwrite(kept, &byte, 1, at), 1);
		cr_expect_eq(load(), -ENOENT, "byte %ld", (long)at);
		byte ^= 1;
		cr_assert_eq(pwrite(kept, &byte, 1, at), 1);
	}
	cr_expect_eq(load(), 0);
	close(kept);
}

Test(file_cache, keeps_nothing_where_there_is_no_place)
{
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("HOME");
	store();
	cr_expect_eq(load(), -ENOENT);
	setenv("HOME", folder, 1);
	store();
	cr_expect_eq(load(), 0);
}

static struct linked_file file = { .component.build_id = { 0xab, 0xcd } };

static void expect_exits(const struct exit_cache *cache, uint64_t address, const struct code_exits *expected)
{
	struct code_exits found;

	cr_assert(exit_cache_find(cache, address, &found), "0x%lx", address);
	cr_expect_eq(found.count, expected->count);
	cr_expect_arr_eq(found.items, expected->items, sizeof(found.items));
	cr_expect_eq(found.jumps_on, expected->jumps_on);
}

Test(exit_cache, finds_what_earlier_runs_have_added)
{
	const struct code_exits two = { .items = { 0x2010, 0x2020 }, .count = 2 };
	const struct code_exits one = { .items = { 0x1010 }, .count = 1, .jumps_on = true };
	const struct code_exits none = { .count = 0 };
	struct exit_cache cache;
	struct code_exits exits;

	cr_assert_eq(exit_cache_open(&cache, &file, subject.fd), 0);
	cr_expect(!exit_cache_find(&cache, 0x2000, &exits));
	cr_assert_eq(exit_cache_add(&cache, 0x2000, &two), 0);
	exit_cache_close(&cache);

	cr_assert_eq(exit_cache_open(&cache, &file, subject.fd), 0);
	expect_exits(&cache, 0x2000, &two);
	cr_assert_eq(exit_cache_add(&cache, 0x3000, &none), 0);
	cr_assert_eq(exit_cache_add(&cache, 0x1000, &one), 0);
	exit_cache_close(&cache);

	cr_assert_eq(exit_cache_open(&cache, &file, subject.fd), 0);
	expect_exits(&cache, 0x1000, &one);
	expect_exits(&cache, 0x2000, &two);
	expect_exits(&cache, 0x3000, &none);
	cr_expect(!exit_cache_find(&cache, 0x1001, &exits));
	cr_expect(!exit_cache_find(&cache, 0x4000, &exits));
	exit_cache_close(&cache);
}

static void expect_nothing_of(const uint32_t *words, size_t size)
{
	const struct file_cache_key key = {
		.kind = "exits", .rules = 1, .fd = subject.fd, .build_id = build_id
	};
	struct exit_cache cache;

	file_cache_store(&key, words, size);
	cr_assert_eq(exit_cache_open(&cache, &file, subject.fd), 0);
	cr_expect_eq(cache.function_count, 0);
	cr_expect_eq(cache.exit_count, 0);
	exit_cache_close(&cache);
}

Test(exit_cache, takes_nothing_that_makes_no_sense)
{
	const uint32_t more_than_there_are[] = { 1, 1, 0x1000, 0, 0, 2, 0x1010, 0 };
	const uint32_t behind_all[] = { 1, 1, 0x1000, 0, 2, 0, 0x1010, 0 };
	const uint32_t shorter_than_it_says[] = { UINT32_MAX, UINT32_MAX };

	expect_nothing_of(more_than_there_are, sizeof(more_than_there_are));
	expect_nothing_of(behind_all, sizeof(behind_all));
	expect_nothing_of(shorter_than_it_says, sizeof(shorter_than_it_says));
	expect_nothing_of(shorter_than_it_says, 3);
}

/* A run of a program that calls functions at those offsets; costly: a bit for each that costs too much. */
static uint32_t run(const uint64_t *offsets, size_t count, uint32_t costly)
{
	const struct costly_file costly_file = { &file, 3, subject.fd };
	struct plan_function functions[4] = { 0 };
	struct plan plan = { .functions = functions, .function_count = count };
	uint32_t was_costly = 0;

	for (size_t i = 0; i < count; i++)
		functions[i] = (struct plan_function){ .file = 3, .offset = offsets[i] };
	cr_assert_eq(costly_cache_load(&costly_file, &plan), 0);
	for (size_t i = 0; i < count; i++) {
		was_costly |= (uint32_t)functions[i].was_costly << i;
		functions[i].unhooked_ns = costly >> i & 1;
	}
	costly_cache_store(&costly_file, &plan);
	return was_costly;
}

Test(costly_cache, functions_are_known_in_the_next_run)
{
	const uint64_t offsets[] = { 0x3000, 0x1000, 0x2000 }, fewer[] = { 0x2000, 0x1000 };

	cr_expect_eq(run(offsets, 3, 1), 0);
	cr_expect_eq(run(offsets, 3, 4), 1);
	cr_expect_eq(run(fewer, 2, 0), 1);
	/* Of what is not called, nothing is forgotten. */
	for (int i = 0; i < 20; i++)
		run(&fewer[1], 1, 0);
	cr_expect_eq(run(offsets, 3, 0), 1 | 4);
}

Test(costly_cache, functions_that_are_cheap_for_some_runs_are_like_all_others)
{
	const uint64_t offsets[] = { 0x1000, 0x2000 };
	int runs = 0;

	run(offsets, 2, 3);
	while (run(offsets, 2, 1) == 3)
		runs++;
	cr_expect_eq(runs, 8);
	cr_expect_eq(run(offsets, 2, 0), 1);
}

Test(costly_cache, of_other_files_and_of_omitted_functions_nothing_is_kept)
{
	const struct costly_file costly_file = { &file, 3, subject.fd };
	struct plan_function functions[] = {
		{ .file = 2, .offset = 0x1000, .unhooked_ns = 1 },
		{ .file = 3, .offset = 0x2000, .unhooked_ns = 1, .omission = PLAN_REFUSED },
	};
	const struct plan plan = { .functions = functions, .function_count = 2 };
	const uint64_t offsets[] = { 0x1000, 0x2000 };

	costly_cache_store(&costly_file, &plan);
	cr_expect_eq(run(offsets, 2, 0), 0);
}
