// SPDX-License-Identifier: GPL-2.0-only
/* What functions may come to call: of crafted code, each function of which says so in its name, and of cut files. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/code_reach.h"

enum { CANCELS = 1, ANYTHING = 3 };

static uint32_t outside(const char *name, const char *version)
{
	cr_expect_eq(strncmp(version, "GLIBC_2.", 8) == 0, strcmp(name, "nothing_leaf") != 0, "%s: %s", name,
		     version);
	return !strcmp(name, "strlen") || !strcmp(name, "abort") ? 0 :
	       !strcmp(name, "read")                             ? CANCELS :
								   ANYTHING;
}

/* The bits of all functions of an open file, by the code of another; the caller frees them. */
static uint32_t *find_all(struct linkage *linkage, int fd, int code_fd, size_t most_instructions)
{
	const struct code_reach_rules rules = { outside, ANYTHING, most_instructions };
	uint64_t *addresses;
	uint32_t *bits;

	cr_assert_eq(linkage_read(linkage, fd), 0);
	addresses = calloc(linkage->export_count + 1, sizeof(*addresses));
	bits = calloc(linkage->export_count + 1, sizeof(*bits));
	for (size_t i = 0; i < linkage->export_count; i++)
		addresses[i] = linkage->exports[i].address;
	cr_assert_eq(code_reach_find(&rules, linkage, code_fd, addresses, linkage->export_count, bits), 0);
	free(addresses);
	return bits;
}

static uint32_t bits_by_name(const char *name)
{
	if (!strncmp(name, "nothing", strlen("nothing")))
		return 0;
	return strncmp(name, "cancels", strlen("cancels")) ? ANYTHING : CANCELS;
}

Test(code_reach, follows_calls_branches_and_switches)
{
	int fd = open(REACH, O_RDONLY | O_CLOEXEC);
	struct linkage linkage;
	uint32_t *bits = find_all(&linkage, fd, fd, 10000);

	cr_expect_gt(linkage.export_count, 20);
	for (size_t i = 0; i < linkage.export_count; i++)
		cr_expect_eq(bits[i], bits_by_name(linkage.exports[i].name), "%s: %u",
			     linkage.exports[i].name, bits[i]);
	free(bits);
	linkage_clear(&linkage);
	close(fd);
}

Test(code_reach, knows_nothing_that_it_has_not_followed)
{
	int fd = open(REACH, O_RDONLY | O_CLOEXEC);
	size_t known = 0;

	for (size_t most = 0; most < 200; most++) {
		struct linkage linkage;
		uint32_t *bits = find_all(&linkage, fd, fd, most);
		size_t count = 0;

		for (size_t i = 0; i < linkage.export_count; i++) {
			uint32_t expected = bits_by_name(linkage.exports[i].name);

			cr_expect(bits[i] == expected || bits[i] == ANYTHING, "%s of %zu",
				  linkage.exports[i].name, most);
			count += bits[i] != ANYTHING;
		}
		cr_expect_geq(count, known);
		cr_expect(most || !count);
		known = count;
		free(bits);
		linkage_clear(&linkage);
	}
	cr_expect_gt(known, 10);
	close(fd);
}

Test(code_reach, takes_code_that_the_file_lacks_for_anything)
{
	int whole = open(REACH, O_RDONLY | O_CLOEXEC), cut = memfd_create("empty", MFD_CLOEXEC);
	struct linkage linkage;
	uint32_t *bits = find_all(&linkage, whole, cut, 10000);

	cr_expect_gt(linkage.export_count, 20);
	for (size_t i = 0; i < linkage.export_count; i++)
		cr_expect_eq(bits[i], ANYTHING, "%s", linkage.exports[i].name);
	free(bits);
	linkage_clear(&linkage);
	close(whole);
	close(cut);
}
