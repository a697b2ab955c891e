// SPDX-License-Identifier: GPL-2.0-only
/* The recording's system calls summed over all threads: sort by call, merge, sort by time. */
#include "analysis/call_summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/histogram.h"
#include "base/array.h"

/* The order in which rows that belong together stand side by side. */
static int compare_keys(const struct scaler_call_key *a, const struct scaler_call_key *b)
{
	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->descriptor > b->descriptor) - (a->descriptor < b->descriptor);
}

/* Rows are large, so pointers to them are sorted. */
static int compare_calls(const void *left, const void *right)
{
	const struct profile_call *const *a = left, *const *b = right;

	return compare_keys(&(*a)->key, &(*b)->key);
}

static int compare_errors(const void *left, const void *right)
{
	const struct profile_error *a = left, *b = right;
	int order = compare_keys(&a->key.call, &b->key.call);

	return order ?: (a->key.code > b->key.code) - (a->key.code < b->key.code);
}

static int compare_error_counts(const void *left, const void *right)
{
	const struct call_error *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->code > b->code) - (a->code < b->code);
}

static int compare_rows(const void *left, const void *right)
{
	const struct call_summary_row *a = left, *b = right;
	uint64_t time_a = a->figures.total_ns + a->figures.partial.total_ns;
	uint64_t time_b = b->figures.total_ns + b->figures.partial.total_ns;

	if (time_a != time_b)
		return time_a > time_b ? -1 : 1;
	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->descriptor > b->descriptor) - (a->descriptor < b->descriptor);
}

static void partial_add(struct partial_figures *sum, const struct scaler_partial_calls *more)
{
	sum->count += more->count;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
}

static void figures_add(struct call_figures *sum, const struct scaler_call_stats *more)
{
	sum->count += more->count;
	sum->errors += more->errors;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
	partial_add(&sum->partial, &more->partial);
}

/* Merges the calls from *at on that have one key. */
static void merge_row(struct call_summary_row *row, const struct profile_call *const *calls,
		      size_t count, size_t *at)
{
	const struct scaler_call_key *key = &calls[*at]->key;
	struct histogram histogram = { 0 };

	*row = (struct call_summary_row){
		.abi = key->abi,
		.number = key->number,
		.descriptor = key->descriptor,
		.category = syscall_category(key->abi, key->number, key->descriptor),
	};
	for (; *at < count && compare_keys(&calls[*at]->key, key) == 0; (*at)++) {
		const struct scaler_call_stats *stats = &calls[*at]->stats;

		figures_add(&row->figures, stats);
		histogram_add(&histogram, stats->buckets);
		if (stats->max_ns > row->max_ns) {
			row->max_ns = stats->max_ns;
			row->max_start_ns = stats->max_start_ns;
		}
	}
	row->p50_ns = histogram_percentile_ns(&histogram, 0.50, row->max_ns);
	row->p99_ns = histogram_percentile_ns(&histogram, 0.99, row->max_ns);
}

static int merge_calls(const struct profile *profile, struct call_summary *summary)
{
	const struct profile_call **calls = calloc(profile->call_count + 1, sizeof(*calls));
	size_t at = 0;

	summary->rows = calloc(profile->call_count + 1, sizeof(*summary->rows));
	if (!calls || !summary->rows) {
		free(calls);
		return -ENOMEM;
	}
	for (size_t i = 0; i < profile->call_count; i++) {
		calls[i] = &profile->calls[i];
		figures_add(&summary->total, &calls[i]->stats);
	}
	qsort(calls, profile->call_count, sizeof(*calls), compare_calls);
	while (at < profile->call_count)
		merge_row(&summary->rows[summary->row_count++], calls, profile->call_count, &at);
	free(calls);
	return 0;
}

/* The errors of one row, from *at on: summed over threads, and by count. Returns how many. */
static size_t merge_row_errors(struct call_summary_row *row, struct call_error *errors,
			       const struct profile_error *sorted, size_t count, size_t *at)
{
	const struct scaler_call_key key = { 0, (uint16_t)row->number, (uint8_t)row->abi,
					     (uint8_t)row->descriptor };
	size_t kept = 0;

	for (; *at < count && compare_keys(&sorted[*at].key.call, &key) <= 0; (*at)++) {
		const struct profile_error *error = &sorted[*at];

		if (compare_keys(&error->key.call, &key))
			continue; /* its row was lost */
		if (kept && errors[kept - 1].code == error->key.code)
			errors[kept - 1].count += error->count;
		else
			errors[kept++] = (struct call_error){ error->key.code, error->count };
	}
	qsort(errors, kept, sizeof(*errors), compare_error_counts);
	row->errors = errors;
	row->error_count = kept;
	return kept;
}

/* Rows and errors both in the order of their keys. */
static int merge_errors(const struct profile *profile, struct call_summary *summary)
{
	size_t count = profile->error_count, kept = 0, at = 0;
	struct profile_error *sorted = calloc(count + 1, sizeof(*sorted));

	summary->errors = calloc(count + 1, sizeof(*summary->errors));
	if (!sorted || !summary->errors) {
		free(sorted);
		return -ENOMEM;
	}
	if (count)
		memcpy(sorted, profile->errors, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_errors);
	for (size_t i = 0; i < summary->row_count; i++)
		kept += merge_row_errors(&summary->rows[i], summary->errors + kept, sorted, count,
					 &at);
	free(sorted);
	return 0;
}

int call_summary_make(const struct profile *profile, struct call_summary *summary)
{
	int err;

	*summary = (struct call_summary){ 0 };
	err = merge_calls(profile, summary);
	if (!err)
		err = merge_errors(profile, summary);
	if (err) {
		call_summary_clear(summary);
		return err;
	}
	qsort(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows);
	return 0;
}

void call_summary_clear(struct call_summary *summary)
{
	free(summary->rows);
	free(summary->errors);
	*summary = (struct call_summary){ 0 };
}

const char *call_error_format(uint32_t code, char buffer[CALL_ERROR_NAME_SIZE])
{
	/* include/linux/errno.h: never seen by programs, but by those who look in from outside. */
	static const char *const restarts[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
						"ENOIOCTLCMD", "ERESTART_RESTARTBLOCK" };
	const char *name = strerrorname_np((int)code);

	if (!name && code >= 512 && code - 512 < ARRAY_SIZE(restarts))
		name = restarts[code - 512];
	if (name)
		snprintf(buffer, CALL_ERROR_NAME_SIZE, "%s", name);
	else
		snprintf(buffer, CALL_ERROR_NAME_SIZE, "%u", code);
	return buffer;
}
