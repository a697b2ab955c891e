// SPDX-License-Identifier: GPL-2.0-only
/* A recording made up for the tests: three threads of two processes, some calls, some losses. */
#include "base/array.h"
#include "synthetic.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <string.h>

#include <scaler/thread_state.h>

#include "base/kernel_path.h"
#include "model/interval.h"
#include "target/component.h"

#define SITE_READ      scaler_site(1, 0x1234)
#define SITE_OPEN      scaler_site(2, 0x99)
#define SITE_GENERATED scaler_site(3, 0)
#define SITE_SERVER    scaler_site(4, 0x70)

/* Files that are not there, one with a name that a terminal would act on, and code without a file. */
static void add_components(struct profile *profile)
{
	struct scaler_component component = { .key = { 77, 0x800001, 0 }, .build_id = { 0xab, 0xcd } };

	kernel_path_set(&component.path, "/no/such/libc.so.6");
	cr_assert_eq(profile_add_component(profile, 1, &component), 0);
	component = (struct scaler_component){ .key = { 78, 0x800001, 0 } };
	kernel_path_set(&component.path, "/no/such/\033[2Jlib.so");
	cr_assert_eq(profile_add_component(profile, 2, &component), 0);
	component =
		(struct scaler_component){ .key = { SCALER_COMPONENT_ANONYMOUS, 0, 0 }, .application = 1 };
	cr_assert_eq(profile_add_component(profile, 3, &component), 0);
	component = (struct scaler_component){ .key = { 79, 0x800001, 0 }, .application = 1 };
	kernel_path_set(&component.path, "/no/such/server");
	cr_assert_eq(profile_add_component(profile, 4, &component), 0);
}

/* Functions, one without calls, one with a name that a terminal would act on, one that could not be probed. */
static struct library_function functions[] = {
	{ .library = "libc.so.6", .symbol = "read", .name = "read", .unhooked_ns = 1500000000 },
	{ .library = "libc.so.6",
	  .symbol = "time",
	  .name = "time",
	  .omitted = "indirect, say",
	  .untimed = "never seen" },
	{ .library = "\033[2Jlib.so",
	  .symbol = "_ZN3Net4sendEPKci",
	  .name = "Net::send",
	  .version = "NET_1.0\r",
	  .since_ns = 1200000000 },
	{ .library = "libc.so.6", .symbol = "write", .name = "write", .untimed = "returns elsewhere, say" },
};
static struct library_refused refused[] = {
	{ "memcheck\n", NULL, "it translates code, with the probes in it", 2 },
	{ "objcopy", "libc.so.6", "it has mapped its code to read it, and would read the probes", 1 },
};
static const struct library_functions library_functions = {
	functions, 4, { 3, 1, 2, 42000000, 1, 17 }, refused, ARRAY_SIZE(refused),
};

/* In the order in which they are found: read from two components, and in two contexts from one of them. */
static void add_contexts(struct profile *profile)
{
	static const struct profile_context
		contexts
			[] = {
				{ { 0, 1, 4 }, { 1, 1 } }, { { 0, 1, 2 }, { 2, 1 } },
				{ { 0, 3, 4 }, { 3, 2 } }, { { 3, 1, 2 }, { 4, 1 } },
				{ { 0, 3, 0 }, { 5, 0 } }, /* where it returns to could not be looked up */
				{ { 3, 3, 4 }, { 6, 2 } }, /* within itself */
				{ { 0, 4, 4 }, { 7, 1 } },
			};

	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++)
		cr_assert_eq(profile_add_context(profile, &contexts[i]), 0);
}

/* All of them take as long: half of it blocked, a quarter waiting for a CPU. */
static void add_library_calls(struct profile *profile, uint32_t task, uint32_t context, uint64_t count,
			      uint64_t call_ns, uint64_t inner_ns)
{
	const struct scaler_call_key key = { .task = task,
					     .id = { .abi = SCALER_ABI_LIBRARY },
					     .context = context };
	struct scaler_call_stats stats = {
		.count = count,
		.total_ns = count * call_ns,
		.runnable_ns = count * call_ns / 4,
		.blocked_ns = count * call_ns / 2,
		.inner = { inner_ns, inner_ns / 4, inner_ns / 2 },
		.max_ns = call_ns,
		.max_start_ns = 1000000 + context,
	};

	stats.buckets[scaler_bucket(call_ns)] = (uint32_t)count;
	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static void add_other_library_calls(struct profile *profile, uint32_t task, uint32_t context,
				    uint64_t untimed, uint64_t partial)
{
	const struct scaler_call_key key = { .task = task,
					     .id = { .abi = SCALER_ABI_LIBRARY },
					     .context = context };
	const struct scaler_call_stats stats = {
		.untimed = untimed, .partial = { partial, partial * 3000000, 0, partial * 2000000 }
	};

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static void add_library(struct profile *profile)
{
	const struct profile_group group = { .comm = "ended\033",
					     .serial = PROFILE_FIRST_GROUP,
					     .threads = 3 };

	cr_assert_eq(profile_add_group(profile, &group), 0);
	profile->functions = &library_functions;
	add_contexts(profile);
	add_library_calls(profile, 1, 1, 100, 1000, 0);
	add_library_calls(profile, 2, 1, 20, 2000, 0);
	add_library_calls(profile, 2, 2, 7, 400000, 0);
	add_library_calls(profile, 1, 4, 5, 10000, 0);
	add_library_calls(profile, 1, 3, 900, 4000, 90000);
	add_library_calls(profile, 1, 6, 10, 4000, 0);
	add_other_library_calls(profile, 1, 7, 30, 0);
	add_other_library_calls(profile, 9, 5, 1, 1); /* of a thread whose figures are lost */
	add_library_calls(profile, PROFILE_FIRST_GROUP, 1, 3, 1000, 0);
}

#define STACK_SERVER 1
#define STACK_CUT    2
#define STACK_EMPTY  3 /* of the application's own code, which has no callers up to the application */

static void add_stacks(struct profile *profile)
{
	const __u64 sites[] = { SITE_READ, SITE_SERVER };

	cr_assert_eq(stacks_add(&profile->stacks, STACK_SERVER, SCALER_STACK_AS_ASKED, sites, 2, false), 0);
	cr_assert_eq(stacks_add(&profile->stacks, STACK_EMPTY, SCALER_STACK_AS_ASKED, sites, 0, false), 0);
	cr_assert_eq(stacks_add(&profile->stacks, STACK_CUT, SCALER_STACK_NOT_COPIED, sites, 1, false), 0);
}

/* Calls of one row that all took the same time and were blocked for half of it. */
static void add_calls(struct profile *profile, struct scaler_call_key key, uint64_t count, uint64_t time_ns)
{
	struct scaler_call_stats stats = {
		.count = count,
		.total_ns = count * time_ns,
		.blocked_ns = count * time_ns / 2,
		.max_ns = time_ns,
		.max_start_ns = 1000000000 + time_ns,
	};

	stats.buckets[scaler_bucket(time_ns)] = (uint32_t)count;
	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

/* A call that was entered before the recording and returned within. */
static void add_partial(struct profile *profile, struct scaler_call_key key, uint64_t time_ns)
{
	const struct scaler_call_stats stats = {
		.partial = { .count = 1, .total_ns = time_ns, .blocked_ns = time_ns },
	};

	cr_assert_eq(profile_add_call(profile, &key, &stats), 0);
}

static void add_error(struct profile *profile, struct scaler_call_key call, uint32_t code, uint64_t count)
{
	const struct scaler_error_key key = { .call = call, .code = code };

	for (size_t i = 0; i < profile->call_count; i++) {
		if (!memcmp(&profile->calls[i].key, &call, sizeof(call)))
			profile->calls[i].stats.errors += count;
	}
	cr_assert_eq(profile_add_error(profile, &key, count), 0);
}

static void add_thread(struct profile *profile, struct scaler_thread thread)
{
	scaler_thread_finish(&thread, &profile->window,
			     thread.end_ns ? thread.end_ns : profile->window.end_ns);
	cr_assert_eq(profile_add_thread(profile, &thread), 0);
}

static void add_rows(struct profile *profile)
{
	/* read: two threads on a socket, one on a pipe. */
	add_calls(
		profile,
		(struct scaler_call_key){ SITE_READ, 1, { 0, 0, SCALER_DESCRIPTOR_SOCKET }, STACK_SERVER, 4 },
		99, 1000000);
	add_calls(
		profile,
		(struct scaler_call_key){ SITE_READ, 2, { 0, 0, SCALER_DESCRIPTOR_SOCKET }, STACK_SERVER, 1 },
		1, 5000000);
	add_calls(profile,
		  (struct scaler_call_key){ SITE_READ, 2, { 0, 0, SCALER_DESCRIPTOR_PIPE }, STACK_CUT, 1 },
		  10, 2000);
	add_calls(profile, (struct scaler_call_key){ SITE_OPEN, 1, { 257, 0, 0 }, 0, 6 }, 40, 3000);
	add_calls(profile, (struct scaler_call_key){ SITE_OPEN, 2, { 9999, 0, 0 }, 0, 0 }, 2, 100);
	add_calls(profile, (struct scaler_call_key){ SITE_GENERATED, 3, { 20, SCALER_ABI_COMPAT, 0 }, 0, 0 },
		  1, 90);
	add_partial(profile, (struct scaler_call_key){ 0, 1, { 232, 0, 0 }, 0, 0 }, 700000000);
	add_error(profile, (struct scaler_call_key){ SITE_OPEN, 1, { 257, 0, 0 }, 0, 6 }, 2, 12);
	add_error(profile, (struct scaler_call_key){ SITE_OPEN, 1, { 257, 0, 0 }, 0, 6 }, 13, 1);
	add_error(profile, (struct scaler_call_key){ SITE_OPEN, 1, { 257, 0, 0 }, 0, 6 }, 20, 5);
	add_error(
		profile,
		(struct scaler_call_key){ SITE_READ, 1, { 0, 0, SCALER_DESCRIPTOR_SOCKET }, STACK_SERVER, 4 },
		512, 1);
	add_error(
		profile,
		(struct scaler_call_key){ SITE_READ, 2, { 0, 0, SCALER_DESCRIPTOR_SOCKET }, STACK_SERVER, 1 },
		512, 1);
}

static void add_samples(struct profile *profile)
{
	const __u64 kernel = scaler_site(SCALER_COMPONENT_KERNEL, 0);
	const struct scaler_sample outside = { .site = SITE_SERVER, .task = 1, .stack = STACK_EMPTY };
	const struct scaler_sample library = { .site = SITE_OPEN, .task = 2, .stack = STACK_SERVER };
	const struct scaler_sample whole = { .task = 1, .stack = STACK_SERVER, .kind = SCALER_SAMPLE_WHOLE };
	const struct scaler_sample in_call = { .site = SITE_READ,
					       .kernel = kernel,
					       .task = 1,
					       .stack = STACK_SERVER,
					       .kind = SCALER_SAMPLE_IN_CALL };
	const struct scaler_sample of_kernel = { .kernel = kernel, .task = 3 };
	const struct scaler_sample of_tracer = { .site = scaler_site(SCALER_COMPONENT_TRACER, 0), .task = 1 };

	cr_assert_eq(samples_add(&profile->samples, &outside, 60), 0);
	cr_assert_eq(samples_add(&profile->samples, &library, 20), 0);
	cr_assert_eq(samples_add(&profile->samples, &whole, 9), 0);
	cr_assert_eq(samples_add(&profile->samples, &in_call, 10), 0);
	cr_assert_eq(samples_add(&profile->samples, &of_kernel, 1), 0);
	cr_assert_eq(samples_add(&profile->samples, &of_tracer, 5), 0);
}

#define SOCKET_INODE  4242
#define WALL_CLOCK_NS 1000000000000000000

static void add_socket(struct profile *profile)
{
	const struct socket_ends socket = {
		.inode = SOCKET_INODE,
		.socket = { .family = AF_INET,
			    .protocol = IPPROTO_TCP,
			    .local_port = 6379,
			    .remote_port = 40000,
			    .local = { 127, 0, 0, 1 },
			    .remote = { 10, 0, 0, 2 } },
	};

	cr_assert_eq(sockets_add(&profile->sockets, &socket), 0);
}

static void add_path(struct profile *profile)
{
	struct scaler_path path = { 0 };

	kernel_path_set(&path, "/no/such/\033[2J");
	path.is_deleted = true;
	cr_assert_eq(file_paths_add(&profile->paths, 1, &path), 0);
}

static void add_interval(struct profile *profile, struct scaler_blocking_interval interval)
{
	cr_assert_eq(blocking_intervals_add(&profile->blocking, &interval, NULL), 0);
}

#define SERVER                                                                                               \
	{                                                                                                    \
		100, 100, "server"                                                                           \
	}
#define RED                                                                                                  \
	{                                                                                                    \
		100, 101, "\033[31mred\377"                                                                  \
	}

/* Woken by a task, and from the other end of a connection. */
static void add_from_socket(struct profile *profile)
{
	add_interval(profile,
		     (struct scaler_blocking_interval){ .where = { .site = SITE_READ,
								   .task = 1,
								   .stack = STACK_SERVER,
								   .kind = SCALER_SAMPLE_IN_CALL },
							.start_ns = 1500000000,
							.woken_ns = 1700000000,
							.end_ns = 1700025000,
							.state = 0x2001,
							.flags = SCALER_BLOCKING_IN_CALL,
							.call = { 0, 0, SCALER_DESCRIPTOR_SOCKET },
							.names = SERVER,
							.waker = { .context = SCALER_WAKER_TASK,
								   .vector = SCALER_VECTOR_NONE,
								   .signal = 15,
								   .is_in_call = 1,
								   .call = { 1, 0, 0 },
								   .where = { .site = SITE_READ,
									      .task = 2,
									      .stack = STACK_SERVER,
									      .kind = SCALER_SAMPLE_IN_CALL },
								   .names = RED },
							.resource = { .kind = SCALER_RESOURCE_FILE,
								      .descriptor = SCALER_DESCRIPTOR_SOCKET,
								      .number = 7,
								      .id = SOCKET_INODE } });
	add_interval(profile, (struct scaler_blocking_interval){
				      .where = { .site = SITE_READ,
						 .task = 1,
						 .stack = STACK_SERVER,
						 .kind = SCALER_SAMPLE_IN_CALL },
				      .start_ns = 1800000000,
				      .woken_ns = 1800200000,
				      .end_ns = 1800225000,
				      .state = 1,
				      .flags = SCALER_BLOCKING_IN_CALL,
				      .call = { 0, 0, SCALER_DESCRIPTOR_SOCKET },
				      .names = SERVER,
				      .waker = { .context = SCALER_WAKER_SOFTIRQ, .vector = 3 },
				      .resource = { .kind = SCALER_RESOURCE_FILE,
						    .descriptor = SCALER_DESCRIPTOR_SOCKET,
						    .number = 7,
						    .id = SOCKET_INODE } });
}

/* Woken by work that an interrupt had queued, and by a timer. */
static void add_from_interrupts(struct profile *profile)
{
	const struct scaler_blocking_interval from_disk = {
		.where = { .site = SITE_OPEN, .task = 1, .stack = STACK_CUT },
		.start_ns = 2000000000,
		.woken_ns = 2000400000,
		.end_ns = 2000500000,
		.state = 0x102,
		.flags = SCALER_BLOCKING_IN_CALL,
		.call = { 257, 0, 0 },
		.cpu = 1,
		.names = SERVER,
		.waker = { .context = SCALER_WAKER_WORKQUEUE,
			   .queued_in = SCALER_WAKER_SOFTIRQ,
			   .vector = 4,
			   .where = { .kernel = scaler_site(SCALER_COMPONENT_KERNEL, 0) } },
		.resource = { .kind = SCALER_RESOURCE_FILE,
			      .descriptor = SCALER_DESCRIPTOR_REGULAR,
			      .number = 5,
			      .id = 12,
			      .device = 240 << 20 | 1048575,
			      .path = 1 },
	};
	/* Majors from 240 on are for experiments: no machine has a device of that number. */
	const struct scaler_block_request request = { .sector = 2048,
						      .queued_ns = 1999990000,
						      .issued_ns = 2000010000,
						      .completed_ns = 2000399000,
						      .device = 240 << 20 | 1048575,
						      .bytes = 4096 };

	cr_assert_eq(blocking_intervals_add(&profile->blocking, &from_disk, &request), 0);
	add_interval(profile,
		     (struct scaler_blocking_interval){ .where = { .task = 1, .kind = SCALER_SAMPLE_WHOLE },
							.start_ns = 2500000000,
							.woken_ns = 2600000000,
							.end_ns = 2600000001,
							.state = 0x402,
							.cpu = 1,
							.names = SERVER,
							.waker = { .context = SCALER_WAKER_HARDIRQ,
								   .is_timer = 1,
								   .vector = SCALER_VECTOR_NONE,
								   .signal = 64 } });
}

/* Not woken yet; found asleep. */
static void add_open(struct profile *profile)
{
	add_interval(profile, (struct scaler_blocking_interval){
				      .where = { .site = SITE_READ, .task = 2, .kind = SCALER_SAMPLE_WHOLE },
				      .start_ns = 1600000000,
				      .state = 1,
				      .flags = SCALER_BLOCKING_IN_CALL,
				      .call = { 202, 0, 0 },
				      .names = RED,
				      .resource = { .kind = SCALER_RESOURCE_FUTEX,
						    .timeout = SCALER_TIMEOUT_REALTIME,
						    .id = 0x7fff12345678,
						    .owner = 5,
						    .timeout_ns = WALL_CLOCK_NS + 1850000000 } });
	add_interval(profile,
		     (struct scaler_blocking_interval){ .where = { .task = 3, .kind = SCALER_SAMPLE_WHOLE },
							.start_ns = 900000000,
							.state = 0x402,
							.flags = SCALER_BLOCKING_FOUND,
							.names = { 200, 200, "fifteen letters" } });
}

static void add_cost(struct profile *profile)
{
	profile->cost = (struct tracer_cost){
		.cpu_ns = 8000000,
		.resident_bytes = 30 << 20,
		.kernel_bytes = 8 << 20,
		.has_probes = true,
		.spending = { .running_ns = 120000000, .spent_ns = { 3000000, 1500000, 500000 } },
	};
}

void synthetic_reading(struct profile *profile)
{
	profile->window = (struct scaler_window){ .start_ns = 1000000000, .end_ns = 3000000000 };
	/* Running when the recording ended. */
	add_thread(profile, (struct scaler_thread){ .serial = 1,
						    .tgid = 100,
						    .tid = 100,
						    .own_tid = 5,
						    .comm = "server",
						    .state = SCALER_RUNNING,
						    .start_ns = 900000000,
						    .since_ns = 2900000000,
						    .time_ns = { 400000000, 100000000, 1400000000 },
						    .voluntary = 40,
						    .involuntary = 2,
						    .delays = 41,
						    .longest_delay = { 1700000000, 8000000 } });
	/* Woken and not yet on a CPU; a name that a terminal would act on. */
	add_thread(profile, (struct scaler_thread){ .serial = 2,
						    .tgid = 100,
						    .tid = 101,
						    .comm = "\033[31mred\377",
						    .state = SCALER_BLOCKED,
						    .start_ns = 1500000000,
						    .since_ns = 1600000000,
						    .woken_ns = 2999998766,
						    .time_ns = { 100000000, 0, 0 },
						    .voluntary = 1,
						    .unseen_wakeups = 3,
						    .call = { .enter_ns = 1599999000,
							      .id = { .number = 202 },
							      .site = SITE_READ + 16 } });
	add_thread(profile, (struct scaler_thread){ .serial = 3,
						    .tgid = 200,
						    .tid = 200,
						    .comm = "fifteen letters",
						    .state = SCALER_RUNNING,
						    .start_ns = 2000000000,
						    .since_ns = 2000000512,
						    .end_ns = 2000000512,
						    .time_ns = { 512, 0, 0 },
						    .repaired = 1 });
	add_rows(profile);
	add_components(profile);
	add_stacks(profile);
	add_samples(profile);
	profile->wall_clock_ns = WALL_CLOCK_NS;
	add_socket(profile);
	add_path(profile);
	add_from_socket(profile);
	add_from_interrupts(profile);
	add_open(profile);
	add_library(profile);
	profile->losses[SCALER_LOSS_CALL_MAP] = 7;
	add_cost(profile);
}

void synthetic_profile(struct profile *profile)
{
	struct profile reading = { 0 }, none = { 0 };

	synthetic_reading(&reading);
	cr_assert_eq(interval_between(&none, &reading, profile), 0);
	profile_clear(&reading);
}
