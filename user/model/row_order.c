// SPDX-License-Identifier: GPL-2.0-only
/* The order of a profile's rows. */
#include "model/row_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int compare_keys(const struct scaler_call_key *a, const struct scaler_call_key *b)
{
	int order;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	order = memcmp(&a->id, &b->id, sizeof(a->id));
	if (order || a->site != b->site)
		return order ?: a->site < b->site ? -1 : 1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->context > b->context) - (a->context < b->context);
}

int row_order_calls(const struct profile_call *a, const struct profile_call *b)
{
	return compare_keys(&a->key, &b->key);
}

int row_order_errors(const struct profile_error *a, const struct profile_error *b)
{
	int order = compare_keys(&a->key.call, &b->key.call);

	return order ?: (a->key.code > b->key.code) - (a->key.code < b->key.code);
}

int row_order_error_to_call(const struct profile_error *error, const struct profile_call *call)
{
	return compare_keys(&error->key.call, &call->key);
}

static int compare_calls(const void *left, const void *right)
{
	return row_order_calls(left, right);
}

static int compare_errors(const void *left, const void *right)
{
	return row_order_errors(left, right);
}

static void sort_calls(struct profile_call *calls, size_t count)
{
	if (count)
		qsort(calls, count, sizeof(*calls), compare_calls);
}

void row_order_sort(struct profile *profile)
{
	sort_calls(profile->calls, profile->call_count);
	sort_calls(profile->library_calls, profile->library_call_count);
	if (profile->error_count)
		qsort(profile->errors, profile->error_count, sizeof(*profile->errors), compare_errors);
}

static int compare_threads(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return array_order(a->serial, b->serial);
}

static int compare_open_calls(const void *left, const void *right)
{
	const struct profile_open_call *a = left, *b = right;

	return array_order(a->key.task, b->key.task);
}

void row_order_sort_threads(struct profile *profile)
{
	if (profile->thread_count)
		qsort(profile->threads, profile->thread_count, sizeof(*profile->threads), compare_threads);
	if (profile->open_call_count)
		qsort(profile->open_calls, profile->open_call_count, sizeof(*profile->open_calls),
		      compare_open_calls);
}

size_t row_order_first_of_thread(const struct profile_call *calls, size_t count, uint32_t task)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (calls[middle].key.task < task)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
