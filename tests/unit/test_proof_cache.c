// SPDX-License-Identifier: GPL-2.0-only
/* Proofs that are kept: they hold for the file that they were made of, and for nobody who comes in its place. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/proof_cache.h"

static const __u8 build_id[SCALER_BUILD_ID_SIZE] = { 0xab, 0xcd };
static struct function_proof items[] = { { 0x1000, 1, 0 }, { 0x2000, 3, 0 } };
static const struct function_proofs proofs = { items, 2 };

static char folder[] = "/tmp/proofs.XXXXXX";
static int subject;

static void begin(void)
{
	char path[100];

	cr_assert(mkdtemp(folder));
	setenv("XDG_CACHE_HOME", folder, 1);
	snprintf(path, sizeof(path), "%s/subject", folder);
	subject = open(path, O_RDWR | O_CREAT, 0600);
	cr_assert_eq(write(subject, "code", 4), 4);
}

static void end(void)
{
	char command[100];

	close(subject);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(proof_cache, .init = begin, .fini = end);

/* Where they are kept. */
static void kept_path(char path[100])
{
	snprintf(path, 100, "%s/scaler-bpf/returns-abcd%036d", folder, 0);
}

static int load(void)
{
	struct function_proofs found;
	int err = proof_cache_load(&found, subject, build_id);

	cr_expect_eq(found.count, err ? 0 : proofs.count);
	cr_expect(err || !memcmp(found.items, proofs.items, sizeof(items)));
	free(found.items);
	return err;
}

Test(proof_cache, finds_what_it_has_stored)
{
	const __u8 other[SCALER_BUILD_ID_SIZE] = { 0xab };
	struct function_proofs found;

	cr_expect_eq(load(), -ENOENT);
	proof_cache_store(&proofs, subject, build_id);
	cr_expect_eq(load(), 0);
	cr_expect_eq(proof_cache_load(&found, subject, other), -ENOENT);
}

Test(proof_cache, does_not_hold_for_another_file)
{
	char path[100];

	proof_cache_store(&proofs, subject, build_id);
	close(subject);
	snprintf(path, sizeof(path), "%s/other", folder);
	subject = open(path, O_RDWR | O_CREAT, 0600);
	cr_expect_eq(load(), -ENOENT);
}

Test(proof_cache, does_not_hold_for_a_file_that_has_changed)
{
	struct stat before, after;

	proof_cache_store(&proofs, subject, build_id);
	fstat(subject, &before);
	do {
		cr_assert_eq(pwrite(subject, "C", 1, 0), 1);
		fstat(subject, &after);
	} while (before.st_ctim.tv_sec == after.st_ctim.tv_sec &&
		 before.st_ctim.tv_nsec == after.st_ctim.tv_nsec);
	cr_expect_eq(load(), -ENOENT);
}

Test(proof_cache, does_not_believe_what_others_may_have_written)
{
	char path[100];

	proof_cache_store(&proofs, subject, build_id);
	kept_path(path);
	cr_assert_eq(chmod(path, 0620), 0);
	cr_expect_eq(load(), -ENOENT);
	cr_assert_eq(chmod(path, 0600), 0);
	cr_expect_eq(load(), 0);
}

Test(proof_cache, does_not_take_a_part)
{
	char path[100];
	struct stat status;

	proof_cache_store(&proofs, subject, build_id);
	kept_path(path);
	cr_assert_eq(stat(path, &status), 0);
	for (off_t size = status.st_size - 1; size >= 0; size--) {
		cr_assert_eq(truncate(path, size), 0);
		cr_expect_eq(load(), -ENOENT, "%ld bytes", (long)size);
	}
}

Test(proof_cache, keeps_nothing_where_there_is_no_place)
{
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("HOME");
	proof_cache_store(&proofs, subject, build_id);
	cr_expect_eq(load(), -ENOENT);
	setenv("HOME", folder, 1);
	proof_cache_store(&proofs, subject, build_id);
	cr_expect_eq(load(), 0);
}
