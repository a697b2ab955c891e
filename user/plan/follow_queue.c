// SPDX-License-Identifier: GPL-2.0-only
/* When to look at the files of processes that have changed. */
#include "plan/follow_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int append(struct follow_queue *queue, const struct follow_entry *entry)
{
	struct follow_entry *entries =
		array_reserve(queue->entries, queue->count, &queue->capacity, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	queue->entries = entries;
	entries[queue->count++] = *entry;
	return 0;
}

int follow_queue_add(struct follow_queue *queue, pid_t pid, bool began, uint64_t now_ns)
{
	const struct follow_entry fresh = {
		.pid = pid, .first_ns = now_ns, .last_ns = now_ns, .began = began
	};

	for (size_t i = 0; i < queue->count; i++) {
		struct follow_entry *entry = &queue->entries[i];

		if (entry->pid != pid)
			continue;
		entry->last_ns = now_ns;
		entry->began |= began;
		return 0;
	}
	return append(queue, &fresh);
}

static uint64_t due_ns(const struct follow_entry *entry)
{
	uint64_t quiet_ns = entry->last_ns + FOLLOW_QUIET_NS,
		 patient_ns = entry->first_ns + FOLLOW_PATIENT_NS;

	return quiet_ns < patient_ns ? quiet_ns : patient_ns;
}

static uint64_t credit_ns(const struct follow_queue *queue, uint64_t now_ns)
{
	uint64_t earned_ns = (now_ns - queue->credited_at_ns) / FOLLOW_SHARE;

	if (!queue->credited_at_ns || queue->credit_ns + earned_ns > FOLLOW_SAVED_NS)
		return FOLLOW_SAVED_NS;
	return queue->credit_ns + earned_ns;
}

bool follow_queue_take(struct follow_queue *queue, uint64_t now_ns, struct follow_entry *entry)
{
	uint64_t next_ns = follow_queue_next_ns(queue, now_ns);

	if (!next_ns || next_ns > now_ns)
		return false;
	queue->credit_ns = credit_ns(queue, now_ns);
	queue->credited_at_ns = now_ns;
	for (size_t i = 0; i < queue->count; i++) {
		if (due_ns(&queue->entries[i]) > now_ns)
			continue;
		*entry = queue->entries[i];
		queue->count--;
		memmove(&queue->entries[i], &queue->entries[i + 1],
			(queue->count - i) * sizeof(*queue->entries));
		return true;
	}
	return false;
}

/* What is spent beyond the credit has to be earned before the next is taken. */
void follow_queue_spend(struct follow_queue *queue, uint64_t spent_ns)
{
	if (spent_ns > queue->credit_ns) {
		queue->credited_at_ns += (spent_ns - queue->credit_ns) * FOLLOW_SHARE;
		queue->credit_ns = 0;
	} else {
		queue->credit_ns -= spent_ns;
	}
}

uint64_t follow_queue_next_ns(const struct follow_queue *queue, uint64_t now_ns)
{
	uint64_t next_ns = 0;

	for (size_t i = 0; i < queue->count; i++) {
		uint64_t due = due_ns(&queue->entries[i]);

		if (!next_ns || due < next_ns)
			next_ns = due;
	}
	/* In debt: credited_at_ns is when it is paid. */
	return next_ns && queue->credited_at_ns > now_ns && next_ns < queue->credited_at_ns ?
		       queue->credited_at_ns :
		       next_ns;
}

size_t follow_queue_count_begun(const struct follow_queue *queue)
{
	size_t count = 0;

	for (size_t i = 0; i < queue->count; i++)
		count += queue->entries[i].began;
	return count;
}

void follow_queue_clear(struct follow_queue *queue)
{
	free(queue->entries);
	*queue = (struct follow_queue){ 0 };
}
