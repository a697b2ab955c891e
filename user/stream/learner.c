// SPDX-License-Identifier: GPL-2.0-only
/* Follows the kernel side's events while it records, in a thread of its own. */
#include "stream/learner.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <scaler/blocking.h>
#include <scaler/event.h>
#include <scaler/known_code.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/priority.h"
#include "model/address_spaces.h"
#include "stream/waiting_stacks.h"
#include "target/code_rules.h"
#include "target/generated_code.h"
#include "target/held_files.h"
#include "target/stack_walk.h"

/* What waits longer than the others beyond that is finished without its address space: its process is long gone, as a rule. */
#define WAITING_BYTES ((size_t)32 << 20)

struct learner {
	const struct recorder *recorder;
	struct scaler_stack_depth depth;
	struct learner_watch watch;
	pthread_t thread;
	int stop_fd;          /* an eventfd; written to, it ends the thread */
	pthread_mutex_t lock; /* of all that follows */
	struct ring_buffer *ring;
	struct address_spaces spaces;
	struct code_rules rules;
	struct held_files files;
	bool held[SCALER_COMPONENT_LIMIT]; /* by component: no longer to be added to them */
	struct generated_code generated;
	struct stacks stacks;
	struct samples samples;
	struct blocking_intervals blocking; /* those that have not been read */
	struct waiting_stacks waiting;      /* for their address space to be told */
	int err;                            /* the first; what comes after it is not kept */
};

/* What the walk up a copy asks about code, as stack_walk.h has it. */
struct copied_code {
	struct learner *learner;
	const struct address_space *space;
	pid_t tgid;
	bool interrupted; /* what is asked for next is where the thread was interrupted */
	/* What was asked for so far, by address, as the kernel side keeps it. */
	uint64_t keys[SCALER_STACK_FRAMES + 1];
	struct scaler_known_code known[SCALER_STACK_FRAMES + 1];
	size_t count;
};

/* An interrupted instruction is no call, and no walk of a call finds it: its rule is kept by its address alone. */
static struct scaler_unwind_rule find_rule(struct copied_code *code, uint64_t site)
{
	struct code_rules *rules = &code->learner->rules;

	return code->interrupted ? code_rules_find_interrupted(rules, site) : code_rules_find(rules, site);
}

static void keep_code(struct copied_code *code, uint64_t address, uint64_t site,
		      struct scaler_unwind_rule rule)
{
	struct scaler_known_code *known = &code->known[code->count];

	if (code->count == ARRAY_SIZE(code->keys))
		return;
	*known = (struct scaler_known_code){ .site = site, .rule = rule };
	known->check = scaler_known_code_check(code->space->number, address, known);
	code->keys[code->count++] = scaler_code_key(code->space->number, address);
}

static uint64_t find_code(void *context, uint64_t address, struct scaler_unwind_rule *rule)
{
	struct copied_code *code = context;
	const struct scaler_mapping *mapping = address_space_mapping(code->space, address);
	uint64_t site = address_space_site(code->space, address);

	if (!site) {
		keep_code(code, address, scaler_site(0, address),
			  (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_NO_CODE });
		return 0;
	}
	if (mapping && mapping->application && code->learner->depth.to_application)
		*rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_AS_ASKED };
	else if (mapping && mapping->generated)
		*rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_FRAME_POINTER };
	else
		*rule = find_rule(code, site);
	code->interrupted = false;
	keep_code(code, address, site, *rule);
	return site;
}

/* What finds no room is learned anew. */
static void teach_known(const struct copied_code *code)
{
	uint32_t count = (uint32_t)code->count;

	bpf_map_update_batch(recorder_known_code_fd(code->learner->recorder), code->keys, code->known, &count,
			     NULL);
}

static bool read_code(void *context, uint64_t address, uint64_t *word)
{
	const struct copied_code *code = context;
	const struct scaler_mapping *mapping = address_space_mapping(code->space, address);

	if (!mapping)
		return false;
	if (mapping->generated)
		return generated_code_read(&code->learner->generated, code->tgid, code->space->number,
					   address, word);
	return code_rules_read(&code->learner->rules, address_space_site(code->space, address), word);
}

static bool describe(void *context, uint32_t number, struct scaler_component *description)
{
	const struct learner *learner = context;

	return !bpf_map_lookup_elem(recorder_component_fd(learner->recorder), &number, description);
}

/* Also of a process that has ended meanwhile. */
static int open_file(void *context, const struct scaler_component *description)
{
	struct learner *learner = context;

	return held_files_open(&learner->files, description);
}

/* A rule that finds no room is learned by nobody, and the walks that need it stay cut there. */
static void teach(void *context, uint64_t site, struct scaler_unwind_rule rule)
{
	const struct learner *learner = context;

	/* One that is there stays, because the kernel would replace it while it is read. */
	bpf_map_update_elem(recorder_rule_fd(learner->recorder), &site, &rule, BPF_NOEXIST);
}

static int take_stack(struct learner *learner, const struct scaler_stack_event *event)
{
	return stacks_add(&learner->stacks, event->stack, event->end, event->sites, event->count,
			  event->unsure);
}

/* Goes on where the kernel side got stuck. */
static int finish_stuck(void *context, const struct scaler_stuck_event *event)
{
	struct learner *learner = context;
	const struct scaler_stack_event *stack = &event->stack;
	const struct stack_copy copy = {
		.start = event->copy_start,
		.bytes = event->copy,
		.size = (size_t)event->copy_pages * SCALER_COPY_PAGE,
		.missing = event->missing,
		.interrupted = event->interrupted,
	};
	struct copied_code copied = {
		.learner = learner,
		.space = address_spaces_find(&learner->spaces, event->address_space),
		.tgid = (pid_t)event->tgid,
		.interrupted = event->interrupted,
	};
	const struct stack_code code = { &copied, find_code, read_code };
	bool has_site = stack->end == SCALER_STACK_NO_RULE;
	struct stack_frames frames = { .count = stack->count,
				       .unsure = stack->unsure,
				       .end = has_site ? SCALER_STACK_NOT_COPIED : stack->end };

	for (size_t i = 0; i < frames.count; i++)
		frames.sites[i] = stack->sites[i];
	if (copied.space) {
		/* The walk begins with the frame that is stuck, and finds its site itself. */
		frames.count -= has_site;
		stack_walk(event->frame, &copy, &code, learner->depth.frames, &frames);
		teach_known(&copied);
	} else if (has_site) {
		code_rules_find(&learner->rules, stack->sites[frames.count - 1]);
	}
	return stacks_add(&learner->stacks, stack->stack, frames.end, frames.sites, frames.count,
			  frames.unsure);
}

static int take_stuck(struct learner *learner, const struct scaler_stuck_event *event)
{
	int err;

	if (address_spaces_find(&learner->spaces, event->address_space))
		return finish_stuck(learner, event);
	err = waiting_stacks_add(&learner->waiting, event);
	return err ?: waiting_stacks_shrink(&learner->waiting, WAITING_BYTES, finish_stuck, learner);
}

static void hold_file(struct learner *learner, uint32_t component)
{
	struct scaler_component description;

	if (!learner->held[component] && describe(learner, component, &description))
		held_files_add(&learner->files, &description);
	learner->held[component] = true;
}

static int take_address_space(struct learner *learner, const struct scaler_address_space_event *event)
{
	int err;

	for (uint32_t i = 0; i < event->count; i++)
		hold_file(learner, scaler_site_component(event->mappings[i].site));
	/* Not all of it would tell of some code that there is none. */
	if (event->truncated)
		return 0;
	err = address_spaces_add(&learner->spaces, event->address_space, event->mappings, event->count);
	return err ?: waiting_stacks_finish(&learner->waiting, event->address_space, finish_stuck, learner);
}

static int take_blocking(struct learner *learner, const struct scaler_blocking_event *event)
{
	if (learner->watch.take)
		learner->watch.take(learner->watch.context, &event->interval);
	return blocking_intervals_add(&learner->blocking, &event->interval,
				      event->interval.request ? &event->request : NULL);
}

static int take_event(void *context, void *data, size_t size)
{
	struct learner *learner = context;
	const __u32 *kind = data;
	int err = 0;

	(void)size; /* the kernel side is ours */
	switch (*kind) {
	case SCALER_EVENT_STACK:
		err = take_stack(learner, data);
		break;
	case SCALER_EVENT_STUCK:
		err = take_stuck(learner, data);
		break;
	case SCALER_EVENT_ADDRESS_SPACE:
		err = take_address_space(learner, data);
		break;
	case SCALER_EVENT_SAMPLE:
		err = samples_add(&learner->samples, &((const struct scaler_sample_event *)data)->sample, 1);
		break;
	case SCALER_EVENT_BLOCKING:
		err = take_blocking(learner, data);
		break;
	}
	learner->err = learner->err ?: err;
	return 0;
}

static void consume(struct learner *learner)
{
	pid_t tgid;

	ring_buffer__consume(learner->ring);
	/* What the kernel side could not tell of an address space, it may be able to tell now. */
	for (size_t left = learner->waiting.count;
	     left && waiting_stacks_next_to_ask(&learner->waiting, &tgid); left--) {
		recorder_describe_process(learner->recorder, tgid);
		ring_buffer__consume(learner->ring);
	}
}

/* What the thread took, for those who ask for it. */
static void tell_cost(const struct learner *learner)
{
	log_debug("%zu unwind rules and %zu stacks were learned in %.1f ms of CPU time",
		  learner->rules.rule_count, learner->stacks.count, (double)clock_thread_cpu_ns() / 1e6);
}

static void *follow(void *context)
{
	struct learner *learner = context;
	struct pollfd fds[] = {
		{ .fd = learner->stop_fd, .events = POLLIN },
		{ .fd = ring_buffer__epoll_fd(learner->ring), .events = POLLIN },
	};

	/* Stacks cannot wait: what is not learned is sent again and again, until the ring buffer is full. */
	priority_raise();
	while (!fds[0].revents) {
		if (poll(fds, 2, -1) < 0)
			continue;
		pthread_mutex_lock(&learner->lock);
		consume(learner);
		pthread_mutex_unlock(&learner->lock);
	}
	tell_cost(learner);
	return NULL;
}

static void free_learner(struct learner *learner)
{
	waiting_stacks_clear(&learner->waiting);
	ring_buffer__free(learner->ring);
	address_spaces_clear(&learner->spaces);
	parser_close(learner->rules.parser);
	code_rules_clear(&learner->rules);
	held_files_clear(&learner->files);
	stacks_clear(&learner->stacks);
	samples_clear(&learner->samples);
	blocking_intervals_clear(&learner->blocking);
	if (learner->stop_fd >= 0)
		close(learner->stop_fd);
	pthread_mutex_destroy(&learner->lock);
	free(learner);
}

int learner_start(struct learner **result, const struct recorder *recorder, struct scaler_stack_depth depth,
		  const struct learner_watch *watch, int signal_fd)
{
	struct learner *learner = calloc(1, sizeof(*learner));
	int err;

	if (!learner)
		return -ENOMEM;
	err = parser_open(&learner->rules.parser, signal_fd);
	if (!err)
		parser_begin(learner->rules.parser);
	learner->recorder = recorder;
	learner->depth = depth;
	learner->watch = *watch;
	learner->rules.context = learner;
	learner->rules.describe = describe;
	learner->rules.open_file = open_file;
	learner->rules.learned = teach;
	held_files_init(&learner->files);
	pthread_mutex_init(&learner->lock, NULL);
	learner->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (!err && learner->stop_fd < 0)
		err = -errno;
	learner->ring = ring_buffer__new(recorder_event_fd(recorder), take_event, learner, NULL);
	if (!err && !learner->ring)
		err = -errno;
	if (!err)
		err = -pthread_create(&learner->thread, NULL, follow, learner);
	if (err)
		free_learner(learner);
	else
		*result = learner;
	return err;
}

void learner_meet_process(struct learner *learner, pid_t pid)
{
	recorder_describe_process(learner->recorder, pid);
	pthread_mutex_lock(&learner->lock);
	consume(learner);
	pthread_mutex_unlock(&learner->lock);
}

int learner_read(struct learner *learner, struct stacks *stacks, struct samples *samples,
		 struct blocking_intervals *blocking)
{
	const struct samples none = { 0 };
	int err;

	pthread_mutex_lock(&learner->lock);
	consume(learner);
	err = learner->err ?: waiting_stacks_shrink(&learner->waiting, 0, finish_stuck, learner);
	err = err ?: stacks_copy(stacks, &learner->stacks);
	err = err ?: samples_since(samples, &none, &learner->samples);
	err = err ?: blocking_intervals_move(blocking, &learner->blocking);
	/* As losses are counted: since the recording began. */
	learner->blocking.dropped = blocking->dropped;
	pthread_mutex_unlock(&learner->lock);
	return err;
}

int learner_take_intervals(struct learner *learner, size_t least, struct blocking_intervals *blocking)
{
	int err;

	pthread_mutex_lock(&learner->lock);
	consume(learner);
	err = learner->err;
	if (!err && learner->blocking.count >= least) {
		*blocking = learner->blocking;
		learner->blocking = (struct blocking_intervals){ .dropped = blocking->dropped };
	}
	pthread_mutex_unlock(&learner->lock);
	return err;
}

struct held_files *learner_files(struct learner *learner)
{
	return learner ? &learner->files : NULL;
}

void learner_stop(struct learner *learner)
{
	if (!learner)
		return;
	eventfd_write(learner->stop_fd, 1);
	pthread_join(learner->thread, NULL);
	free_learner(learner);
}
