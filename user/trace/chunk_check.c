// SPDX-License-Identifier: GPL-2.0-only
/* Makes what a chunk tells as what was recorded is. */
#include "trace/chunk_check.h"

#include <scaler/block_request.h>
#include <scaler/library.h>

#include "model/sites.h"
#include "trace/chunk_places.h"

/* Without a place it is the one that is not known, 0. */
static void check_site(const struct chunk_reader *reader, __u64 *site)
{
	if (!chunk_has_site(reader, *site))
		*site = 0;
}

static void check_call(struct scaler_call_id *id)
{
	if (id->abi >= SCALER_ABI_COUNT)
		id->abi = SCALER_ABI_NATIVE;
	if (id->descriptor >= SCALER_DESCRIPTOR_COUNT)
		id->descriptor = SCALER_DESCRIPTOR_NONE;
}

static void check_call_key(const struct chunk_reader *reader, struct scaler_call_key *key)
{
	check_call(&key->id);
	check_site(reader, &key->site);
}

static void check_later(__u64 *time_ns, __u64 earlier_ns)
{
	if (*time_ns && *time_ns < earlier_ns)
		*time_ns = earlier_ns;
}

static void check_thread(struct scaler_thread *thread)
{
	if (thread->state >= SCALER_STATE_COUNT)
		thread->state = SCALER_RUNNABLE;
	check_later(&thread->since_ns, thread->start_ns);
	check_later(&thread->end_ns, thread->start_ns);
	check_call(&thread->call.id);
}

static void check_waker(struct scaler_waker *waker)
{
	if (waker->context >= SCALER_WAKER_CONTEXTS)
		waker->context = SCALER_WAKER_UNKNOWN;
	if (waker->queued_in >= SCALER_WAKER_CONTEXTS)
		waker->queued_in = SCALER_WAKER_UNKNOWN;
	check_call(&waker->call);
}

static void check_resource(struct scaler_resource *resource)
{
	if (resource->kind >= SCALER_RESOURCE_KINDS)
		resource->kind = SCALER_RESOURCE_NONE;
	if (resource->descriptor >= SCALER_DESCRIPTOR_COUNT)
		resource->descriptor = SCALER_DESCRIPTOR_NONE;
	if (resource->timeout > SCALER_TIMEOUT_OTHER)
		resource->timeout = SCALER_TIMEOUT_NONE;
}

static void check_interval(const struct chunk_reader *reader, struct scaler_blocking_interval *interval,
			   size_t requests)
{
	__u64 *sites[SITES_OF_INTERVAL];
	size_t count = sites_of_interval(interval, sites);

	for (size_t i = 0; i < count; i++)
		check_site(reader, sites[i]);
	check_waker(&interval->waker);
	check_resource(&interval->resource);
	check_call(&interval->call);
	check_later(&interval->woken_ns, interval->start_ns);
	check_later(&interval->end_ns, interval->woken_ns ?: interval->start_ns);
	if (interval->request > requests)
		interval->request = 0;
}

void chunk_check_sample(const struct chunk_reader *reader, struct scaler_sample *sample)
{
	__u64 *sites[SITES_OF_SAMPLE];
	size_t count = sites_of_sample(sample, sites);

	for (size_t i = 0; i < count; i++)
		check_site(reader, sites[i]);
	if (sample->kind > SCALER_SAMPLE_IN_CALL)
		sample->kind = SCALER_SAMPLE_OUTSIDE;
}

void chunk_check_stacks(const struct chunk_reader *reader, struct stacks *stacks, size_t known)
{
	for (size_t i = known; i < stacks->site_count; i++)
		check_site(reader, &stacks->sites[i]);
}

void chunk_check_figures(const struct chunk_reader *reader, struct profile *difference)
{
	for (size_t i = 0; i < difference->thread_count; i++)
		check_thread(&difference->threads[i]);
	for (size_t i = 0; i < difference->call_count; i++)
		check_call_key(reader, &difference->calls[i].key);
	for (size_t i = 0; i < difference->open_call_count; i++)
		check_call_key(reader, &difference->open_calls[i].key);
	for (size_t i = 0; i < difference->error_count; i++)
		check_call_key(reader, &difference->errors[i].key.call);
	for (size_t i = 0; i < difference->library_call_count; i++)
		difference->library_calls[i].key = (struct scaler_call_key){
			.task = difference->library_calls[i].key.task,
			.id.abi = SCALER_ABI_LIBRARY,
			.context = difference->library_calls[i].key.context,
		};
	for (size_t i = 0; i < difference->blocking.count; i++)
		check_interval(reader, &difference->blocking.items[i], difference->blocking.request_count);
}
