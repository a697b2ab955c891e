// SPDX-License-Identifier: GPL-2.0-only
/* The ways of waiting for an io_uring's requests. */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "waits.h"

#define DEFERRED                                                                                             \
	(IORING_SETUP_SINGLE_ISSUER | 1U << 13) /* IORING_SETUP_DEFER_TASKRUN, newer than the headers */
#define REGISTERED (1U << 4)                    /* IORING_ENTER_REGISTERED_RING */

#define CONTENT (4 << 20)

static bool is_registered;
static char *content;

/* Maps the queues only to hand over this one, which wait_ring() submits. */
static void open_ring(unsigned int flags, const struct io_uring_sqe *request)
{
	struct io_uring_params params = { .flags = flags };
	struct io_uring_sqe *entry;
	unsigned int *tail;
	char *queue;

	set = (int)syscall(__NR_io_uring_setup, 1, &params);
	queue = mmap(NULL, params.sq_off.array + sizeof(*tail), PROT_READ | PROT_WRITE, MAP_SHARED, set,
		     IORING_OFF_SQ_RING);
	entry = mmap(NULL, sizeof(*entry), PROT_READ | PROT_WRITE, MAP_SHARED, set, IORING_OFF_SQES);
	if (set < 0 || queue == MAP_FAILED || entry == MAP_FAILED)
		exit(1);
	*entry = *request;
	tail = (unsigned int *)(queue + params.sq_off.tail);
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static void wait_ring(void)
{
	unsigned int flags = IORING_ENTER_GETEVENTS | (is_registered ? REGISTERED : 0);

	if (syscall(__NR_io_uring_enter, is_registered ? 0 : set, 1, 1, flags, NULL, 0) != 1)
		exit(1);
}

static void poll_pipe(void)
{
	open_pipe();
	open_ring(0, &(struct io_uring_sqe){
			     .opcode = IORING_OP_POLL_ADD, .fd = fds[0], .poll32_events = POLLIN });
}

/* By its number among those that the thread has registered; a ring that reports when the thread asks for it. */
static void poll_pipe_registered(void)
{
	struct io_uring_rsrc_update slot = { .offset = 0 };

	open_pipe();
	open_ring(DEFERRED, &(struct io_uring_sqe){
				    .opcode = IORING_OP_POLL_ADD, .fd = fds[0], .poll32_events = POLLIN });
	slot.data = (unsigned int)set;
	if (syscall(__NR_io_uring_register, set, IORING_REGISTER_RING_FDS, &slot, 1) != 1)
		exit(1);
	is_registered = true;
}

static void receive_tcp(void)
{
	static uint64_t got;

	open_tcp();
	open_ring(0, &(struct io_uring_sqe){ .opcode = IORING_OP_RECV,
					     .fd = fds[0],
					     .addr = (uintptr_t)&got,
					     .len = sizeof(got) });
}

/* All of it is on the disk, and has to be read from there. */
static void open_direct(void)
{
	char path[] = "/var/tmp/scaler-ring-XXXXXX";

	fds[1] = mkstemp(path);
	content = mmap(NULL, CONTENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fds[1] < 0 || content == MAP_FAILED || write(fds[1], content, CONTENT) != CONTENT ||
	    fsync(fds[1]))
		exit(1);
	fds[0] = open(path, O_RDONLY | O_DIRECT);
	unlink(path);
	if (fds[0] < 0)
		exit(1);
}

static void read_direct(void)
{
	open_direct();
	open_ring(0, &(struct io_uring_sqe){ .opcode = IORING_OP_READ,
					     .fd = fds[0],
					     .addr = (uintptr_t)content,
					     .len = CONTENT });
}

/* Which no request does without waiting, so that one of the kernel's threads does it. */
static void sync_content(void)
{
	open_direct();
	if (write(fds[1], content, CONTENT) != CONTENT)
		exit(1);
	open_ring(0, &(struct io_uring_sqe){ .opcode = IORING_OP_FSYNC, .fd = fds[1] });
}

const struct way ring_ways[] = {
	{ "ring", poll_pipe, wait_ring, nothing, write_some },
	{ "ring-registered", poll_pipe_registered, wait_ring, nothing, write_some },
	{ "ring-tcp", receive_tcp, wait_ring, nothing, write_some },
	{ "ring-read", read_direct, wait_ring, NULL, NULL },
	{ "ring-sync", sync_content, wait_ring, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};
