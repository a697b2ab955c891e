// SPDX-License-Identifier: GPL-2.0-only
/* What threads waited on: whose locks, how long at most, which sockets; and in words. */
#include <criterion/criterion.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "analysis/resources.h"
#include "base/array.h"
#include "base/kernel_path.h"
#include "render/text.h"

#define WALL_CLOCK_NS 1000000000000

static void add_thread(struct profile *profile, uint32_t serial, uint32_t tgid, uint32_t own_tid,
		       uint64_t start_ns, uint64_t end_ns)
{
	const struct scaler_thread thread = { .serial = serial,
					      .tgid = tgid,
					      .tid = 1000 + serial,
					      .own_tid = own_tid,
					      .comm = "owner",
					      .start_ns = start_ns,
					      .end_ns = end_ns };

	cr_assert_eq(profile_add_thread(profile, &thread), 0);
}

static void add_socket(struct profile *profile, uint64_t inode, const struct scaler_socket *socket)
{
	const struct socket_ends ends = { inode, *socket };

	cr_assert_eq(sockets_add(&profile->sockets, &ends), 0);
}

static void add_path(struct profile *profile, uint32_t number, const char *text, bool is_deleted)
{
	struct scaler_path path = { 0 };

	kernel_path_set(&path, text);
	path.is_deleted = is_deleted;
	cr_assert_eq(file_paths_add(&profile->paths, number, &path), 0);
}

/* Numbers as the threads themselves see them are each process's own, and are used again. */
static void make_profile(struct profile *profile)
{
	*profile = (struct profile){ .wall_clock_ns = WALL_CLOCK_NS };
	add_thread(profile, 1, 10, 2, 100, 0);
	add_thread(profile, 2, 10, 3, 100, 400);
	add_thread(profile, 3, 10, 3, 450, 0);
	add_thread(profile, 4, 11, 2, 100, 0);
	add_path(profile, 7, "/tmp/\033[2J\\", true);
	add_path(profile, 3, "/dev/null", false);
	add_socket(profile, 900,
		   &(struct scaler_socket){ .family = AF_INET6,
					    .protocol = IPPROTO_UDP,
					    .local_port = 53,
					    .local = { [15] = 1 } });
	add_socket(profile, 800, &(struct scaler_socket){ .family = AF_UNIX, .peer = 801 });
	add_socket(profile, 700,
		   &(struct scaler_socket){ .family = AF_INET,
					    .protocol = IPPROTO_TCP,
					    .local_port = 80,
					    .remote_port = 4000,
					    .local = { 127, 0, 0, 1 },
					    .remote = { 192, 0, 2, 1 } });
}

static struct scaler_blocking_interval make_interval(uint64_t start_ns,
						     const struct scaler_resource *resource)
{
	return (struct scaler_blocking_interval){
		.where = { .task = 1 }, .start_ns = start_ns, .names = { .tgid = 10 }, .resource = *resource
	};
}

Test(resources, owner)
{
	static const struct {
		uint64_t start_ns;
		uint32_t owner, serial;
	} cases[] = {
		{ 300, 3, 2 }, { 400, 3, 2 }, { 420, 3, 0 },
		{ 500, 3, 3 }, { 50, 3, 0 },  { 300, 2, 0 }, /* itself */
		{ 300, 4, 0 },                               /* no such thread */
		{ 300, 0, 0 },
	};
	struct places places = { 0 };
	struct resource_finder finder;
	struct profile profile;

	make_profile(&profile);
	cr_assert_eq(resource_finder_make(&finder, &profile, &places), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct scaler_resource futex = { .kind = SCALER_RESOURCE_FUTEX,
						       .owner = cases[i].owner };
		const struct scaler_blocking_interval interval = make_interval(cases[i].start_ns, &futex);
		const struct scaler_thread *owner = resource_find(&finder, &interval).owner;

		cr_expect_eq(owner ? owner->serial : 0, cases[i].serial, "case %zu", i);
	}
	resource_finder_clear(&finder);
	profile_clear(&profile);
}

Test(resources, timeout)
{
	static const struct {
		enum scaler_timeout timeout;
		uint64_t timeout_ns, expected_ns;
	} cases[] = {
		{ SCALER_TIMEOUT_NONE, 5, 0 },
		{ SCALER_TIMEOUT_RELATIVE, 5, 5 },
		{ SCALER_TIMEOUT_MONOTONIC, 1250, 250 },
		{ SCALER_TIMEOUT_MONOTONIC, 900, 0 },
		{ SCALER_TIMEOUT_REALTIME, WALL_CLOCK_NS + 1250, 250 },
		{ SCALER_TIMEOUT_OTHER, 1250, 0 },
	};
	struct profile profile = { .wall_clock_ns = WALL_CLOCK_NS };
	struct places places = { 0 };
	struct resource_finder finder;

	cr_assert_eq(resource_finder_make(&finder, &profile, &places), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct scaler_resource sleep = { .timeout = cases[i].timeout,
						       .timeout_ns = cases[i].timeout_ns };
		const struct scaler_blocking_interval interval = make_interval(1000, &sleep);

		cr_expect_eq(resource_find(&finder, &interval).timeout_ns, cases[i].expected_ns, "case %zu",
			     i);
	}
	resource_finder_clear(&finder);
}

static const struct {
	struct scaler_resource resource;
	const char *text;
} words[] = {
	{ { 0 }, "" },
	{ { .timeout = SCALER_TIMEOUT_RELATIVE, .timeout_ns = 50000000 }, "50.00 ms" },
	{ { .kind = SCALER_RESOURCE_FUTEX, .id = 0x7f0012 }, "0x7f0012" },
	{ { .kind = SCALER_RESOURCE_FUTEX, .id = 0x7f0012, .owner = 3 }, "0x7f0012 of owner [1002]" },
	{ { .kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_PIPE, .number = 3, .id = 77 },
	  "fd 3 pipe:[77]" },
	{ { .kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_SOCKET, .number = 4, .id = 700 },
	  "fd 4 tcp 127.0.0.1:80 - 192.0.2.1:4000" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_SOCKET,
	    .flags = SCALER_RESOURCE_SET,
	    .set = 9,
	    .number = 4,
	    .id = 900 },
	  "fd 4 udp [::1]:53 of epoll 9" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_PIPE,
	    .flags = SCALER_RESOURCE_RING,
	    .set = 9,
	    .number = SCALER_NO_DESCRIPTOR,
	    .id = 77 },
	  "pipe:[77] of io_uring 9" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_IO_URING,
	    .number = SCALER_NO_DESCRIPTOR },
	  "io_uring" },
	{ { .kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_UNIX, .number = 5, .id = 800 },
	  "fd 5 unix:[800] - [801]" },
	{ { .kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_SOCKET, .number = 6, .id = 1 },
	  "fd 6 socket:[1]" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_REGULAR,
	    .number = 7,
	    .id = 12,
	    .device = 8 << 20 | 1 },
	  "fd 7 regular 8:1 inode 12" },
	{ { .kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_REGULAR, .number = 7, .path = 7 },
	  "fd 7 /tmp/\\x1b[2J\\x5c (deleted)" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_CHARACTER,
	    .flags = SCALER_RESOURCE_SET,
	    .set = 9,
	    .number = 1,
	    .path = 3 },
	  "fd 1 /dev/null of epoll 9" },
	{ { .kind = SCALER_RESOURCE_FILE,
	    .descriptor = SCALER_DESCRIPTOR_CHARACTER,
	    .number = 1,
	    .path = 4,
	    .device = 1 << 20 | 3 },
	  "fd 1 character 1:3" },
	{ { .kind = SCALER_RESOURCE_FILES,
	    .number = 2,
	    .timeout = SCALER_TIMEOUT_RELATIVE,
	    .timeout_ns = 1000 },
	  "2 descriptors, at most 1.000 us" },
	{ { .kind = SCALER_RESOURCE_CHILD, .number = -1 }, "child" },
	{ { .kind = SCALER_RESOURCE_CHILD, .number = 42 }, "child 42" },
	{ { .kind = SCALER_RESOURCE_SYSV, .number = 3 }, "id 3" },
	{ { .kind = SCALER_RESOURCE_FUTEXES, .id = 0x1230, .number = 2 }, "0x1230 or 1 other" },
	{ { .kind = SCALER_RESOURCE_FUTEXES, .id = 0x1230, .number = 5 }, "0x1230 or 4 others" },
	{ { .kind = SCALER_RESOURCE_AIO, .id = 0x7f00 }, "aio 0x7f00" },
};

Test(resources, text)
{
	const struct places places = { 0 };
	struct report report = { .places = &places };
	struct resource_finder finder;
	struct profile profile;

	make_profile(&profile);
	cr_assert_eq(resource_finder_make(&finder, &profile, &places), 0);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct scaler_blocking_interval interval = make_interval(300, &words[i].resource);
		const struct resource resource = resource_find(&finder, &interval);
		char *text = text_format_resource(&report, &resource);

		cr_expect_str_eq(text, words[i].text);
		free(text);
	}
	resource_finder_clear(&finder);
	profile_clear(&profile);
}

#define FILE_OF(type, ...)                                                                                   \
	(struct scaler_resource)                                                                             \
	{                                                                                                    \
		.kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_##type, __VA_ARGS__            \
	}

static bool is_one_kind(struct scaler_resource first, struct scaler_resource second)
{
	struct socket_ends server = {
		.inode = 1000,
		.socket = { .family = AF_INET, .type = SOCK_STREAM, .local_port = 80, .remote_port = 40001 }
	};
	struct sockets sockets = { 0 };
	struct resource left = { .recorded = &first, .variable = PLACE_NONE },
			right = { .recorded = &second, .variable = PLACE_NONE };
	int order;

	cr_assert_eq(sockets_add(&sockets, &server), 0);
	server.inode++;
	server.socket.remote_port = 40002;
	cr_assert_eq(sockets_add(&sockets, &server), 0);
	server.inode++;
	server.socket.local_port = 81;
	cr_assert_eq(sockets_add(&sockets, &server), 0);
	left.socket = resource_find_socket(&sockets, &first);
	right.socket = resource_find_socket(&sockets, &second);
	order = resource_compare_kinds(&left, &right);
	cr_expect_eq(order<0, resource_compare_kinds(&right, &left)> 0);
	sockets_clear(&sockets);
	return !order;
}

/* As many as a program happens to have; or what its user has a name for. */
Test(resources, kinds)
{
	struct scaler_resource child = { .kind = SCALER_RESOURCE_CHILD, .number = 50 }, other = child,
			       futex = { .kind = SCALER_RESOURCE_FUTEX, .id = 0x1000 }, next = futex;

	other.number = 51;
	next.id = 0x2000;
	cr_expect(is_one_kind(child, other));
	cr_expect(is_one_kind(futex, next));
	next.flags = SCALER_RESOURCE_SHARED;
	cr_expect_not(is_one_kind(futex, next));
	cr_expect_not(is_one_kind(child, futex));
	cr_expect(is_one_kind(FILE_OF(PIPE, .number = 3, .id = 700), FILE_OF(PIPE, .number = 4, .id = 701)));
	cr_expect(is_one_kind(FILE_OF(NONE, .number = 3), FILE_OF(NONE, .number = 4)));
	cr_expect_not(is_one_kind(FILE_OF(PIPE, .id = 700), FILE_OF(EVENTFD, .id = 700)));
	cr_expect_not(is_one_kind(FILE_OF(REGULAR, .id = 700), FILE_OF(REGULAR, .id = 701)));
	cr_expect(is_one_kind(FILE_OF(TTY, .id = 700, .device = 8), FILE_OF(TTY, .id = 701, .device = 8)));
	cr_expect_not(is_one_kind(FILE_OF(TTY, .device = 8), FILE_OF(TTY, .device = 9)));
	cr_expect(is_one_kind(FILE_OF(SOCKET, .id = 1000), FILE_OF(SOCKET, .id = 1001)));
	cr_expect_not(is_one_kind(FILE_OF(SOCKET, .id = 1000), FILE_OF(SOCKET, .id = 1002)));
}
