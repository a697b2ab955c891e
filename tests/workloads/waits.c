// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits HOW [MS]: the main thread, named "waiter", blocks once and for known reasons, for MS or 50 ms, after which a
 * thread named "waker", or what else HOW says, ends it. Prints when it began to wait and when it went on, in ns of
 * CLOCK_MONOTONIC, and as NAME=VALUE what it waited on. Waits for a byte of input first.
 * mutex, robust, dead, pi, heap, pool, condition, join, pipe, socketpair, eventfd, tcp, udp, select, select-two, poll-one,
 * poll-two, epoll, semaphore, queue, fault, signalfd, inotify, terminal, ring, ring-registered, ring-tcp: by the thread.
 * child, waitpid, vfork: by a process of that name that exits. sleep, poll, poll-timed, timed, timerfd: by a timer.
 * sync, ring-read: by a disk. ring-sync: by a thread of the kernel's in this process.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "waits.h"

long pause_ns = 50000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	char first[24];
	pthread_mutex_t lock;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t *used = &lock;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t ready;
static bool is_done;
int fds[2];
int set;
static int others[2], id;
static pid_t child;

void open_pipe(void)
{
	if (pipe(fds))
		exit(1);
}

static void open_socketpair(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		exit(1);
}

static void open_eventfd(void)
{
	fds[0] = fds[1] = eventfd(0, 0);
}

static int bound_socket(int type, struct sockaddr_in *address)
{
	socklen_t length = sizeof(*address);
	int fd = socket(AF_INET, type, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd < 0 || bind(fd, (struct sockaddr *)address, length) ||
	    getsockname(fd, (struct sockaddr *)address, &length))
		exit(1);
	return fd;
}

void open_tcp(void)
{
	struct sockaddr_in address;
	int listener = bound_socket(SOCK_STREAM, &address);

	fds[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (listen(listener, 1) || connect(fds[1], (struct sockaddr *)&address, sizeof(address)))
		exit(1);
	fds[0] = accept(listener, NULL, NULL);
}

static void open_udp(void)
{
	struct sockaddr_in address;

	fds[0] = bound_socket(SOCK_DGRAM, &address);
	fds[1] = socket(AF_INET, SOCK_DGRAM, 0);
	if (connect(fds[1], (struct sockaddr *)&address, sizeof(address)))
		exit(1);
}

void write_some(void)
{
	uint64_t one = 1;

	if (write(fds[1], &one, sizeof(one)) != sizeof(one))
		exit(1);
}

void read_some(void)
{
	uint64_t got;

	if (read(fds[0], &got, sizeof(got)) != sizeof(got))
		exit(1);
}

static void make_lock(void)
{
	used = malloc(sizeof(*used));
	if (!used)
		exit(1);
}

static void make_heap_lock(void)
{
	make_lock();
	pthread_mutex_init(used, NULL);
}

static void make_robust_lock(void)
{
	pthread_mutexattr_t attributes;

	make_lock();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(used, &attributes);
}

static void make_pi_lock(void)
{
	pthread_mutexattr_t attributes;

	make_lock();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(used, &attributes);
}

static void use_pool(void)
{
	used = &pool.lock;
}

static void take_lock(void)
{
	pthread_mutex_lock(used);
}

/* The kernel gives up in its place what it holds. */
static void end_thread(void)
{
	pthread_exit(NULL);
}

static void release_lock(void)
{
	pthread_mutex_unlock(used);
}

static void wait_timed(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += pause_ns;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&lock);
	pthread_cond_timedwait(&condition, &lock, &end);
	pthread_mutex_unlock(&lock);
}

static void wait_select(void)
{
	struct timeval timeout = { 5, 0 };
	fd_set wanted;

	FD_ZERO(&wanted);
	FD_SET(fds[0], &wanted);
	if (others[0])
		FD_SET(others[0], &wanted);
	select(fds[0] + 1, &wanted, NULL, NULL, &timeout);
}

static void wait_polls(nfds_t count, int timeout_ms)
{
	struct pollfd wanted[] = { { .fd = fds[0], .events = POLLIN },
				   { .fd = others[0], .events = POLLIN } };

	poll(wanted, count, timeout_ms);
}

static void wait_poll_one(void)
{
	wait_polls(1, 5000);
}

static void open_two(void)
{
	if (pipe(others) || pipe(fds))
		exit(1);
}

static void wait_poll_two(void)
{
	wait_polls(2, 5000);
}

static void wait_poll_timed(void)
{
	wait_polls(2, (int)(pause_ns / 1000000));
}

static void open_set(void)
{
	struct epoll_event event = { .events = EPOLLIN };

	open_two();
	set = epoll_create1(0);
	if (epoll_ctl(set, EPOLL_CTL_ADD, others[0], &event) || epoll_ctl(set, EPOLL_CTL_ADD, fds[0], &event))
		exit(1);
}

static void wait_set(void)
{
	struct epoll_event event;

	epoll_wait(set, &event, 1, -1);
}

/* A page that the thread provides. */
static char *page;

static void map_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int faults = (int)syscall(__NR_userfaultfd, O_CLOEXEC);

	page = mmap(NULL, (size_t)getpagesize(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range = (struct uffdio_range){ (uintptr_t)page, (uint64_t)getpagesize() };
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &range))
		exit(1);
	set = faults;
}

static void touch_page(void)
{
	*(volatile char *)page;
}

static void provide_page(void)
{
	struct uffdio_zeropage zeros = { .range = { (uintptr_t)page, (uint64_t)getpagesize() } };

	if (ioctl(set, UFFDIO_ZEROPAGE, &zeros))
		exit(1);
}

static void make_semaphore(void)
{
	id = semget(IPC_PRIVATE, 1, 0600);
	if (id < 0)
		exit(1);
}

static void change_semaphore(short by)
{
	struct sembuf change = { .sem_op = by };

	if (semop(id, &change, 1))
		exit(1);
}

static void wait_semaphore(void)
{
	change_semaphore(-1);
	semctl(id, 0, IPC_RMID);
}

static void post_semaphore(void)
{
	change_semaphore(1);
}

static void wait_condition(void)
{
	pthread_mutex_lock(&lock);
	while (!is_done)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
}

static void signal_condition(void)
{
	pthread_mutex_lock(&lock);
	is_done = true;
	pthread_mutex_unlock(&lock);
	pthread_cond_signal(&condition);
}

void nothing(void)
{
}

static pthread_t waker;

static void join(void)
{
	pthread_join(waker, NULL);
}

static void sleep_alone(void)
{
	pause_for(pause_ns);
}

static void poll_nothing(void)
{
	poll(NULL, 0, (int)(pause_ns / 1000000));
}

static void wait_child(void)
{
	if (waitpid(-1, NULL, 0) < 0)
		exit(1);
}

static void wait_pid(void)
{
	if (waitpid(child, NULL, 0) < 0)
		exit(1);
}

/* In the child's hands its memory is the parent's. */
static void wait_vfork(void)
{
	if (vfork())
		return;
	prctl(PR_SET_NAME, "waker");
	pause_for_waiter(getppid());
	_exit(0);
}

static void fork_child(void)
{
	child = fork();
	if (child)
		return;
	prctl(PR_SET_NAME, "waker");
	pause_for_waiter(getppid());
	_exit(0);
}

static const struct way ways[] = {
	{ "mutex", nothing, take_lock, take_lock, release_lock },
	{ "robust", make_robust_lock, take_lock, take_lock, release_lock },
	{ "dead", make_robust_lock, take_lock, take_lock, end_thread },
	{ "pi", make_pi_lock, take_lock, take_lock, release_lock },
	{ "heap", make_heap_lock, take_lock, take_lock, release_lock },
	{ "pool", use_pool, take_lock, take_lock, release_lock },
	{ "timed", nothing, wait_timed, NULL, NULL },
	{ "select", open_pipe, wait_select, nothing, write_some },
	{ "poll-one", open_pipe, wait_poll_one, nothing, write_some },
	{ "poll-two", open_two, wait_poll_two, nothing, write_some },
	{ "poll-timed", open_two, wait_poll_timed, NULL, NULL },
	{ "select-two", open_two, wait_select, nothing, write_some },
	{ "epoll", open_set, wait_set, nothing, write_some },
	{ "semaphore", make_semaphore, wait_semaphore, nothing, post_semaphore },
	{ "fault", map_page, touch_page, nothing, provide_page },
	{ "waitpid", fork_child, wait_pid, NULL, NULL },
	{ "vfork", nothing, wait_vfork, NULL, NULL },
	{ "condition", nothing, wait_condition, nothing, signal_condition },
	{ "join", nothing, join, nothing, nothing },
	{ "pipe", open_pipe, read_some, nothing, write_some },
	{ "socketpair", open_socketpair, read_some, nothing, write_some },
	{ "eventfd", open_eventfd, read_some, nothing, write_some },
	{ "tcp", open_tcp, read_some, nothing, write_some },
	{ "udp", open_udp, read_some, nothing, write_some },
	{ "child", fork_child, wait_child, NULL, NULL },
	{ "sleep", nothing, sleep_alone, NULL, NULL },
	{ "poll", nothing, poll_nothing, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static void *run_waker(void *context)
{
	const struct way *way = context;

	prctl(PR_SET_NAME, "waker");
	way->before();
	pthread_barrier_wait(&ready);
	pause_for_waiter(getpid());
	way->wake();
	return NULL;
}

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void print_address(const char *name, int (*get)(int, struct sockaddr *, socklen_t *))
{
	struct sockaddr_in address;
	socklen_t length = sizeof(address);
	char text[INET_ADDRSTRLEN];

	if (!get(fds[0], (struct sockaddr *)&address, &length) && address.sin_family == AF_INET)
		printf(" %s=%s:%u", name, inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text)),
		       ntohs(address.sin_port));
}

static void print_facts(void)
{
	struct stat here, there;

	printf(" address=%" PRIuPTR, (uintptr_t)used);
	if (fds[0] && !fstat(fds[0], &here) && !fstat(fds[1], &there))
		printf(" fd=%d inode=%ju peer=%ju", fds[0], (uintmax_t)here.st_ino, (uintmax_t)there.st_ino);
	printf(" set=%d id=%d child=%d", set, id, child);
	print_address("local", getsockname);
	print_address("remote", getpeername);
	putchar('\n');
}

static void run(const struct way *way)
{
	uint64_t began_ns;

	way->prepare();
	if (way->before) {
		pthread_barrier_init(&ready, NULL, 2);
		if (pthread_create(&waker, NULL, run_waker, (void *)way))
			exit(1);
		pthread_barrier_wait(&ready);
	}
	began_ns = clock_ns();
	way->wait();
	printf("%" PRIu64 " %" PRIu64, began_ns, clock_ns());
	print_facts();
}

static const struct way *find_way(const struct way *way, const char *name)
{
	while (way->name && strcmp(way->name, name))
		way++;
	return way->name ? way : NULL;
}

int main(int argc, char **argv)
{
	const struct way *way = argc >= 2 ? find_way(ways, argv[1]) : NULL;
	char byte;

	if (!way && argc >= 2)
		way = find_way(object_ways, argv[1]) ?: find_way(ring_ways, argv[1]);
	if (!way)
		return 2;
	prctl(PR_SET_NAME, "waiter");
	if (argc == 3)
		pause_ns = atol(argv[2]) * 1000000;
	/* None of its threads is to wait for a page of the program or of a library. */
	if (mlockall(MCL_CURRENT) || read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	run(way);
	return 0;
}
