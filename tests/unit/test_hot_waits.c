// SPDX-License-Identifier: GPL-2.0-only
/* Which calls threads were blocked in for the longest so far. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "analysis/hot_waits.h"

static void add(struct hot_waits *waits, const char *comm, long call, uint64_t blocked_ns)
{
	struct scaler_blocking_interval interval = {
		.start_ns = 1000,
		.end_ns = 1000 + blocked_ns,
		.flags = SCALER_BLOCKING_IN_CALL,
		.state = 1,
		.call = { .abi = SCALER_ABI_NATIVE, .number = (uint16_t)call },
	};

	memcpy(interval.names.comm, comm, strnlen(comm, SCALER_COMM_SIZE));
	hot_waits_add(waits, &interval);
}

/* Of threads whose names differ in a number alone, by call; the longest first. */
Test(hot_waits, groups)
{
	struct hot_waits waits = { 0 };
	char text[NAME_GROUP_SIZE];

	add(&waits, "get-0", SYS_futex, 5);
	add(&waits, "saver", SYS_fdatasync, 8);
	add(&waits, "get-7", SYS_futex, 5);
	add(&waits, "get-7", SYS_read, 7);
	cr_assert_eq(hot_waits_sort(&waits, 2), 2);
	cr_expect_str_eq(name_group_format(&waits.rows[0].names, text), "get-0..7");
	cr_expect(waits.rows[0].total_ns == 10 && waits.rows[0].count == 2);
	cr_expect_str_eq(name_group_format(&waits.rows[1].names, text), "saver");
	cr_expect_eq(hot_waits_sort(&waits, 9), 3);
	cr_expect_eq(waits.intervals, 4);
}

/* What is nobody's delay, is no wait, or is not over. */
Test(hot_waits, what_does_not_count)
{
	struct hot_waits waits = { 0 };
	struct scaler_blocking_interval put_off = { .end_ns = 9,
						    .flags = SCALER_BLOCKING_PUT_OFF,
						    .state = 2 };
	struct scaler_blocking_interval idle = { .end_ns = 9, .state = 0x402 },
					fault = { .end_ns = 9, .state = 2 };

	add(&waits, "a", SYS_clock_nanosleep, 100);
	add(&waits, "a", SYS_epoll_wait, 100);
	add(&waits, "a", SYS_accept4, 100);
	hot_waits_add(&waits, &put_off);
	hot_waits_add(&waits, &idle);
	cr_expect_eq(hot_waits_sort(&waits, 9), 0);
	cr_expect_eq(waits.intervals, 4);
	hot_waits_add(&waits, &fault);
	cr_assert_eq(hot_waits_sort(&waits, 9), 1);
	cr_expect_not(waits.rows[0].is_in_call);
}

/* Names are not trusted, and there may be any number of them. */
Test(hot_waits, many_names)
{
	struct hot_waits waits = { 0 };
	char comm[SCALER_COMM_SIZE + 1];

	add(&waits, "longest", SYS_futex, 1000000);
	for (int i = 0; i < 10000; i++) {
		snprintf(comm, sizeof(comm), "%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
		add(&waits, comm, SYS_futex, 1 + (uint64_t)i % 7);
	}
	cr_assert_eq(hot_waits_sort(&waits, 1000), HOT_WAITS_KEPT);
	cr_expect_eq(waits.rows[0].total_ns, 1000000);
	for (size_t i = 1; i < HOT_WAITS_KEPT; i++)
		cr_expect_geq(waits.rows[i - 1].total_ns, waits.rows[i].total_ns);
}
