// SPDX-License-Identifier: GPL-2.0-only
/* Probes follow the target: what a process that has changed may call is added to the plan, and attached to there. */
#include "probe/library_follower.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <scaler/process_event.h>

#include "base/array.h"
#include "base/clock.h"

/* Where there are probes, and each moment that they are there more may do harm. */
static int look_at_once(struct library_follower *follower, const struct scaler_process_event *event)
{
	pid_t pid = (pid_t)event->pid;

	if (!probed_places_have(&follower->probes->places, pid))
		return 0;
	switch (event->kind) {
	case SCALER_PROCESS_EXECUTES:
		return library_probes_refuse(follower->probes, pid, PROBE_LOOK_AT_PROGRAM);
	case SCALER_PROCESS_READS:
		return library_probes_refuse(follower->probes, pid, PROBE_LOOK_AT_ONCE);
	default:
		return 0;
	}
}

/* Once for each process and file. */
static int note_mapped(struct library_follower *follower, const struct scaler_process_event *event)
{
	struct mapped_code *mapped;

	for (size_t i = 0; i < follower->mapped_count; i++) {
		if (follower->mapped[i].pid == (pid_t)event->pid &&
		    follower->mapped[i].component == event->component)
			return 0;
	}
	mapped = array_reserve(follower->mapped, follower->mapped_count, &follower->mapped_capacity,
			       sizeof(*mapped));
	if (!mapped)
		return -ENOMEM;
	follower->mapped = mapped;
	mapped[follower->mapped_count++] = (struct mapped_code){ (pid_t)event->pid, event->component };
	return 0;
}

static int take_event(void *context, void *data, size_t size)
{
	struct library_follower *follower = context;
	struct scaler_process_event event;
	int err;

	if (size < sizeof(event))
		return 0;
	memcpy(&event, data, sizeof(event));
	err = look_at_once(follower, &event);
	if (!err && event.component)
		err = note_mapped(follower, &event);
	return err   ?:
		       follow_queue_add(&follower->queue, (pid_t)event.pid,
					event.kind == SCALER_PROCESS_BEGAN, event.when_ns);
}

int library_follower_open(struct library_follower *follower)
{
	follower->events =
		ring_buffer__new(follower->probes->kernel->process_event_fd, take_event, follower, NULL);
	return follower->events ? 0 : -errno;
}

int library_follower_fd(const struct library_follower *follower)
{
	return follower->events ? ring_buffer__epoll_fd(follower->events) : -1;
}

static void forget(struct library_follower *follower, pid_t pid)
{
	linked_files_forget_process(follower->files, pid);
	library_probes_forget(follower->probes, pid);
}

static int attach(struct library_follower *follower, const struct follow_entry *entry)
{
	struct follower_counts *counts = &follower->counts;
	size_t first = follower->probes->described;
	uint64_t late_ns, now_ns;
	int err = library_probes_attach_process(follower->probes, entry->pid);

	if (err == -E2BIG) {
		counts->refused += entry->began;
		return 0;
	}
	now_ns = clock_now_ns();
	for (size_t i = first; i < follower->plan->function_count; i++)
		follower->plan->functions[i].since_ns = now_ns;
	late_ns = now_ns - entry->first_ns;
	counts->followed += entry->began;
	if (counts->latest_ns < late_ns)
		counts->latest_ns = late_ns;
	return err;
}

static bool find_component(const struct library_follower *follower, const struct mapped_code *code,
			   struct scaler_component *component)
{
	return !bpf_map_lookup_elem(follower->probes->kernel->components_fd, &code->component, component);
}

/* Of a file that has a place in the plan, and no probes in the process. */
static bool is_missed(const struct library_follower *follower, const struct mapped_code *code)
{
	struct scaler_component component;
	const struct linked_file *file;

	if (!find_component(follower, code, &component) || !plan_includes_file(follower->options, &component))
		return false;
	file = linked_files_find(follower->files, &component.key);
	return !file || !linked_file_has_process(file, code->pid);
}

/* What the process had mapped since it was last looked at is its, too. Returns 0 or -ENOMEM. */
static int add_mapped(struct library_follower *follower, pid_t pid, bool has_ended)
{
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < follower->mapped_count; i++) {
		const struct mapped_code code = follower->mapped[i];
		struct scaler_component component;

		if (code.pid != pid)
			follower->mapped[kept++] = code;
		else if (has_ended)
			follower->counts.missed += is_missed(follower, &code);
		else if (!err && find_component(follower, &code, &component))
			err = linked_files_add_component(follower->files, &component, pid);
	}
	follower->mapped_count = kept;
	return err;
}

static int look_at(struct library_follower *follower, const struct follow_entry *entry)
{
	const struct probed_places *places = &follower->probes->places;
	size_t first_file = follower->files->count;
	int err;

	if (entry->began)
		forget(follower, entry->pid);
	err = linked_files_add_process(follower->files, entry->pid);
	if (err == -ENOMEM)
		return err;
	/* It has ended, or nobody may look at it. */
	if (err) {
		add_mapped(follower, entry->pid, !entry->began);
		forget(follower, entry->pid);
		follower->counts.ended += entry->began;
		return 0;
	}
	err = add_mapped(follower, entry->pid, false);
	if (err)
		return err;
	linked_files_resolve(follower->files, first_file);
	err = library_probes_refuse(follower->probes, entry->pid, PROBE_LOOK_AGAIN);
	if (!err && follower->files->count > first_file)
		err = plan_extend(follower->plan, follower->files, follower->options,
				  follower->probes->kernel->function_count);
	if (err)
		return err;
	if (probe_refusals_have(&follower->probes->refusals, entry->pid, PROBE_REFUSAL_ALL_FILES))
		return 0;
	if (!probed_places_have(places, entry->pid) &&
	    probed_places_count_processes(places) >= FOLLOWED_PROCESSES_MAX) {
		follower->counts.refused += entry->began;
		return 0;
	}
	return attach(follower, entry);
}

int library_follower_run(struct library_follower *follower, uint64_t *next_ns)
{
	int err = ring_buffer__consume(follower->events);
	struct follow_entry entry;
	uint64_t now_ns;

	if (err > 0)
		err = 0;
	while (!err && follow_queue_take(&follower->queue, now_ns = clock_now_ns(), &entry)) {
		err = look_at(follower, &entry);
		follow_queue_spend(&follower->queue, clock_now_ns() - now_ns);
	}
	*next_ns = follow_queue_next_ns(&follower->queue, clock_now_ns());
	return err;
}

void library_follower_reap(struct library_follower *follower)
{
	const struct library_probes *probes = follower->probes;
	size_t i = 0;

	while (i < probes->places.count) {
		pid_t pid = probes->places.items[i].pid;

		/* Forgetting takes all of its places out. */
		if (kill(pid, 0) && errno == ESRCH)
			forget(follower, pid);
		else
			i++;
	}
}

size_t library_follower_count_missed(struct library_follower *follower)
{
	size_t count = follower->counts.missed;

	if (follower->events)
		ring_buffer__consume(follower->events);

	for (size_t i = 0; i < follower->mapped_count; i++)
		count += is_missed(follower, &follower->mapped[i]);
	return count;
}

void library_follower_close(struct library_follower *follower)
{
	ring_buffer__free(follower->events);
	follower->events = NULL;
	follow_queue_clear(&follower->queue);
	free(follower->mapped);
	follower->mapped = NULL;
	follower->mapped_count = follower->mapped_capacity = 0;
}
