// SPDX-License-Identifier: GPL-2.0-only
/* The tracer's side: starts the process, asks it, and ends it. */
#include "parser/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "parser/question.h"

/* One that died of what it was asked may have died of its age. */
#define ATTEMPTS 2

#define REAP_STEP_NS 1000000
#define REAP_STEPS   100

struct parser {
	pthread_mutex_t lock;
	struct answers *inside; /* of READS_INSIDE; NULL: none was asked yet */
	int stop_fd;
	pid_t pid;  /* 0: none runs */
	int socket; /* -1: none */
	uint32_t generation;
	clockid_t clock;     /* the process's CPU time */
	int cpu;             /* on which the process runs */
	bool has_said;       /* why there is none */
	struct parser *next; /* of all that are open */
};

static struct parser shared = { .lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1, .stop_fd = -1 };

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows, and of who runs */
static struct parser *all = &shared;
static uint64_t ended_cpu_ns;

static uint64_t read_cpu_ns(const struct parser *parser)
{
	struct timespec time;

	return parser->pid && !clock_gettime(parser->clock, &time) ? clock_ns(&time) : 0;
}

uint64_t parser_cpu_ns(void)
{
	uint64_t sum_ns;

	pthread_mutex_lock(&all_lock);
	sum_ns = ended_cpu_ns;
	for (const struct parser *parser = all; parser; parser = parser->next)
		sum_ns += read_cpu_ns(parser);
	pthread_mutex_unlock(&all_lock);
	return sum_ns;
}

static void list(struct parser *parser)
{
	pthread_mutex_lock(&all_lock);
	parser->next = all;
	all = parser;
	pthread_mutex_unlock(&all_lock);
}

static void unlist(struct parser *parser)
{
	struct parser **at = &all;

	pthread_mutex_lock(&all_lock);
	while (*at != parser)
		at = &(*at)->next;
	*at = parser->next;
	pthread_mutex_unlock(&all_lock);
}

static void note_process(struct parser *parser, pid_t pid)
{
	pthread_mutex_lock(&all_lock);
	ended_cpu_ns += read_cpu_ns(parser);
	parser->pid = pid;
	/* It has not been waited for. */
	if (pid)
		clock_getcpuclockid(pid, &parser->clock);
	pthread_mutex_unlock(&all_lock);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(SANITIZED)
#define READS_INSIDE true
#else
#define READS_INSIDE false
#endif

struct parser *parser_shared(void)
{
	return &shared;
}

void parser_shared_stop_by(int stop_fd)
{
	shared.stop_fd = stop_fd;
}

int parser_open(struct parser **out, int stop_fd)
{
	struct parser *parser = calloc(1, sizeof(*parser));

	if (!parser)
		return -ENOMEM;
	pthread_mutex_init(&parser->lock, NULL);
	parser->stop_fd = stop_fd;
	parser->socket = -1;
	list(parser);
	*out = parser;
	return 0;
}

static int spawn(struct parser *parser, int theirs)
{
	char name[] = PARSER_NAME, *arguments[] = { name, NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t every;
	pid_t pid;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	posix_spawnattr_init(&attributes);
	sigfillset(&every);
	posix_spawnattr_setsigmask(&attributes, &every);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	/* First, as it may be one of the numbers below. */
	posix_spawn_file_actions_adddup2(&actions, theirs, PARSER_SOCKET);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&actions, PARSER_SOCKET + 1);
	err = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	if (!err)
		note_process(parser, pid);
	return -err;
}

/* One that waits for a file that does not come ends when it comes, and is left. */
static void reap(pid_t pid)
{
	const struct timespec step = { .tv_nsec = REAP_STEP_NS };

	for (int i = 0; i < REAP_STEPS && !waitpid(pid, NULL, WNOHANG); i++)
		nanosleep(&step, NULL);
}

static void end(struct parser *parser)
{
	pid_t pid = parser->pid;

	if (parser->socket >= 0)
		close(parser->socket);
	parser->socket = -1;
	if (!pid)
		return;
	note_process(parser, 0);
	kill(pid, SIGKILL);
	reap(pid);
}

/* The process says first whether it is confined. */
static int hear(struct parser *parser, const struct channel_wait *wait)
{
	int files[CHANNEL_FILES];
	struct message message;
	int err = channel_receive(parser->socket, &message, files, wait);

	if (!err)
		err = (int)message_get_number(&message);
	message_clear(&message);
	return err;
}

static int start(struct parser *parser, const struct channel_wait *wait)
{
	int ends[2], err;

	if (parser->pid)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	parser->socket = ends[0];
	err = spawn(parser, ends[1]);
	close(ends[1]);
	if (!err)
		err = hear(parser, wait);
	if (!err) {
		parser->generation++;
		return 0;
	}
	end(parser);
	if (!parser->has_said && err != -ECANCELED)
		log_note("symbols, unwind tables and code are not read, as the process for it could not be "
			 "started: %s",
			 strerror(-err));
	parser->has_said = true;
	return err == -ECANCELED ? err : -ENOSYS;
}

void parser_begin(struct parser *parser)
{
	const struct channel_wait wait = { clock_now_ns() + PARSER_LIMIT_NS, parser->stop_fd };

	pthread_mutex_lock(&parser->lock);
	if (!READS_INSIDE)
		start(parser, &wait);
	pthread_mutex_unlock(&parser->lock);
}

/* Woken on another CPU, which may sleep, it would answer later than it takes to find the answer. */
static void bring_near(struct parser *parser)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	if (cpu < 0 || cpu == parser->cpu)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(parser->pid, sizeof(set), &set);
	parser->cpu = cpu;
}

static int exchange(struct parser *parser, const struct message *question, const int files[CHANNEL_FILES],
		    struct message *answer, const struct channel_wait *wait)
{
	int theirs[CHANNEL_FILES], err;

	bring_near(parser);
	err = channel_send(parser->socket, question, files, wait);

	if (err)
		return err;
	err = channel_receive(parser->socket, answer, theirs, wait);
	/* It has none to give. */
	for (size_t i = 0; !err && i < CHANNEL_FILES; i++) {
		if (theirs[i] >= 0)
			close(theirs[i]);
	}
	return err;
}

static int ask_process(struct parser *parser, const struct message *question, const int files[CHANNEL_FILES],
		       struct message *answer)
{
	const struct channel_wait wait = { clock_now_ns() + PARSER_LIMIT_NS, parser->stop_fd };
	int err = -EPIPE;

	for (int i = 0; i < ATTEMPTS && err == -EPIPE; i++) {
		message_clear(answer);
		err = start(parser, &wait);
		if (err)
			return err;
		err = exchange(parser, question, files, answer, &wait);
		/* What it still says would be the answer to the next one. */
		if (err)
			end(parser);
	}
	return err;
}

static int ask_inside(struct parser *parser, struct message *question, const int files[CHANNEL_FILES],
		      struct message *answer)
{
	int err = parser->inside ? 0 : answers_open(&parser->inside);

	if (!err)
		answers_give(parser->inside, question, files, answer);
	return err;
}

/* The errno that an answer begins with. The process's own memory ends sooner than ours: that is the file's fault. */
static int take_status(struct message *answer)
{
	int64_t status = (int64_t)message_get_number(answer);

	if (answer->failed || status > 0 || status < -4095)
		return -EPROTO;
	return status == -ENOMEM ? -EFBIG : (int)status;
}

int parser_ask(struct parser *parser, struct message *question, const int files[CHANNEL_FILES],
	       struct message *answer)
{
	int err;

	*answer = (struct message){ 0 };
	if (question->failed)
		return -ENOMEM;
	pthread_mutex_lock(&parser->lock);
	err = READS_INSIDE ? ask_inside(parser, question, files, answer) :
			     ask_process(parser, question, files, answer);
	pthread_mutex_unlock(&parser->lock);
	return err ?: take_status(answer);
}

uint32_t parser_generation(const struct parser *parser)
{
	return parser->generation;
}

/* What is asked later begins anew. */
static void drop(struct parser *parser)
{
	end(parser);
	answers_close(parser->inside);
	parser->inside = NULL;
}

void parser_shared_end(void)
{
	drop(&shared);
}

void parser_close(struct parser *parser)
{
	if (!parser)
		return;
	drop(parser);
	unlist(parser);
	pthread_mutex_destroy(&parser->lock);
	free(parser);
}
