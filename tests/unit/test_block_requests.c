// SPDX-License-Identifier: GPL-2.0-only
/* Requests to block devices stay with the intervals that waited for them; what is not known of them is not made up. */
#include <criterion/criterion.h>

#include "analysis/awaited_request.h"
#include "model/blocking_intervals.h"

static void add(struct blocking_intervals *intervals, uint32_t number, uint64_t sector)
{
	const struct scaler_blocking_interval interval = { .number = number, .request = 1 };
	const struct scaler_block_request request = { .sector = sector };

	cr_assert_eq(blocking_intervals_add(intervals, &interval, sector ? &request : NULL), 0);
}

Test(block_requests, move_with_intervals)
{
	const uint64_t sectors[] = { 10, 0, 20, 30, 0, 40 };
	struct blocking_intervals first = { 0 }, second = { 0 };

	for (uint32_t i = 0; i < 6; i++)
		add(i < 3 ? &first : &second, i, sectors[i]);
	cr_assert_eq(blocking_intervals_move(&first, &second), 0);
	cr_assert_eq(first.count, 6);
	for (size_t i = 0; i < first.count; i++) {
		const struct scaler_block_request *request =
			blocking_intervals_request(&first, &first.items[i]);

		cr_expect_eq(first.items[i].number, i);
		cr_expect_eq(request ? request->sector : 0, sectors[i]);
	}
	blocking_intervals_clear(&first);
	blocking_intervals_clear(&second);
}

Test(block_requests, figures)
{
	const struct scaler_block_request whole = { .queued_ns = 100,
						    .issued_ns = 130,
						    .completed_ns = 200,
						    .operation = SCALER_BLOCK_READ },
					  unseen = { .queued_ns = 100,
						     .completed_ns = 200,
						     .operation = SCALER_BLOCK_WRITE },
					  other = { .issued_ns = 100, .completed_ns = 200, .operation = 34 };
	struct number_names names = { 0 };
	struct awaited_request request = awaited_request_make(&names, &whole);

	cr_expect_eq(request.queued_ns, 30);
	cr_expect_eq(request.served_ns, 70);
	cr_expect_str_eq(request.operation, "read");
	cr_expect_null(request.device);
	request = awaited_request_make(&names, &unseen);
	cr_expect_eq(request.queued_ns, 0);
	cr_expect_eq(request.served_ns, 0);
	cr_expect_str_eq(request.operation, "flush", "a write of nothing");
	request = awaited_request_make(&names, &other);
	cr_expect_eq(request.queued_ns, 0);
	cr_expect_eq(request.served_ns, 100);
	cr_expect_null(request.operation);
	cr_expect_null(awaited_request_make(&names, NULL).recorded);
	number_names_clear(&names);
}
