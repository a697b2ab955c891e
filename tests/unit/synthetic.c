// SPDX-License-Identifier: GPL-2.0-only
/* A recording made up for the tests: three threads of two processes, some calls, some losses. */
#include "synthetic.h"

#include <criterion/criterion.h>

static void add_call(struct profile *profile, uint32_t task, uint16_t number, uint8_t abi,
		     uint64_t count)
{
	const struct scaler_call_key key = { .task = task, .number = number, .abi = abi };
	const struct scaler_call_stats stats = { .count = count };

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static void add_thread(struct profile *profile, struct scaler_thread thread)
{
	cr_assert_eq(profile_add_thread(profile, &thread), 0);
}

void synthetic_profile(struct profile *profile)
{
	profile->window = (struct scaler_window){ 1000000000, 3000000000 };
	/* Running when the recording ended. */
	add_thread(profile, (struct scaler_thread){
				    .serial = 1, .tgid = 100, .tid = 100, .comm = "server",
				    .state = SCALER_RUNNING, .start_ns = 900000000,
				    .since_ns = 2900000000,
				    .time_ns = { 400000000, 100000000, 1400000000 },
				    .voluntary = 40, .involuntary = 2 });
	/* Woken and not yet on a CPU; a name that a terminal would act on. */
	add_thread(profile, (struct scaler_thread){
				    .serial = 2, .tgid = 100, .tid = 101, .comm = "\033[31mred\377",
				    .state = SCALER_BLOCKED, .start_ns = 1500000000,
				    .since_ns = 1600000000, .woken_ns = 2999998766,
				    .time_ns = { 100000000, 0, 0 }, .voluntary = 1,
				    .unseen_wakeups = 3 });
	add_thread(profile, (struct scaler_thread){
				    .serial = 3, .tgid = 200, .tid = 200,
				    .comm = "fifteen letters", .state = SCALER_RUNNING,
				    .start_ns = 2000000000, .since_ns = 2000000512,
				    .end_ns = 2000000512, .time_ns = { 512, 0, 0 }, .repaired = 1 });
	add_call(profile, 1, 0, SCALER_ABI_NATIVE, 20);
	add_call(profile, 2, 3, SCALER_ABI_NATIVE, 25);
	add_call(profile, 2, 0, SCALER_ABI_NATIVE, 10);
	add_call(profile, 1, 9999, SCALER_ABI_NATIVE, 44);
	add_call(profile, 3, 20, SCALER_ABI_COMPAT, 1);
	profile->losses[SCALER_LOSS_CALL_MAP] = 7;
}
