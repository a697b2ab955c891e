// SPDX-License-Identifier: GPL-2.0-only
/* Files that the tracer writes, where others have put something before. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own_file.h"

#define NOBODY 65534

static char folder[] = "/tmp/own_file.XXXXXX", path[64], other[64];

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/report", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
}

static void tear_down(void)
{
	unlink(path);
	unlink(other);
	rmdir(folder);
}

TestSuite(own_file, .init = set_up, .fini = tear_down);

/* Makes the file, writes a word, and returns what there is then. */
static struct stat create(void)
{
	int fd = own_file_create(path, -1);
	struct stat status, named;

	cr_assert_geq(fd, 0, "%s", own_file_problem(fd));
	cr_assert_eq(write(fd, "word", 4), 4);
	cr_assert_eq(fstat(fd, &status), 0);
	cr_assert_eq(lstat(path, &named), 0);
	cr_assert_eq(named.st_ino, status.st_ino);
	close(fd);
	return status;
}

static struct stat make(const char *name, mode_t mode, uid_t owner)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	struct stat status;

	cr_assert_eq(write(fd, "something", 9), 9);
	cr_assert_eq(fchown(fd, owner, (gid_t)-1), 0);
	cr_assert_eq(fstat(fd, &status), 0);
	close(fd);
	return status;
}

Test(own_file, is_for_nobody_else)
{
	struct stat status;

	umask(0);
	status = create();
	cr_expect_eq(status.st_mode & 07777, 0600);
}

Test(own_file, of_ours_is_used_again)
{
	struct stat before = make(path, 0640, getuid()), after = create();

	cr_expect_eq(after.st_ino, before.st_ino);
	cr_expect_eq(after.st_mode & 07777, 0640);
	cr_expect_eq(after.st_size, 4);
}

Test(own_file, of_others_is_replaced)
{
	struct stat before = make(path, 0666, NOBODY), after = create();

	cr_expect_neq(after.st_ino, before.st_ino);
	cr_expect_eq(after.st_uid, geteuid());
	cr_expect_eq(after.st_mode & 07777, 0600);
}

/* What it is linked to stays as it is. */
Test(own_file, with_another_name_is_replaced)
{
	struct stat status;

	make(other, 0644, getuid());
	cr_assert_eq(link(other, path), 0);
	create();
	cr_assert_eq(lstat(other, &status), 0);
	cr_expect_eq(status.st_size, 9);
}

Test(own_file, links)
{
	struct stat status;

	make(other, 0600, getuid());
	cr_assert_eq(symlink(other, path), 0);
	cr_assert_eq(chmod(folder, 01777), 0);
	cr_expect_eq(own_file_create(path, -1), -ELOOP);
	cr_assert_eq(chown(folder, NOBODY, (gid_t)-1) || chmod(folder, 0755), 0);
	cr_expect_eq(own_file_create(path, -1), -ELOOP);
	cr_assert_eq(stat(other, &status), 0);
	cr_expect_eq(status.st_size, 9);
	/* Where only we can have made it, it is what we wanted. */
	cr_assert_eq(chown(folder, getuid(), (gid_t)-1), 0);
	close(own_file_create(path, -1));
	cr_assert_eq(stat(other, &status), 0);
	cr_expect_eq(status.st_size, 0);
}

Test(own_file, fifo_that_nobody_reads)
{
	int ends[2], reader;

	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "", 1), 1);
	cr_expect_eq(own_file_create(path, ends[0]), -ECANCELED);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	cr_expect_geq(own_file_create(path, ends[0]), 0);
	close(reader);
}

Test(own_file, places_that_take_none)
{
	snprintf(path, sizeof(path), "%s/none/report", folder);
	cr_expect_eq(own_file_create(path, -1), -ENOENT);
	cr_expect_eq(own_file_create(folder, -1), -EISDIR);
}
