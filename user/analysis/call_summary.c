// SPDX-License-Identifier: GPL-2.0-only
/* The recording's system calls summed over all threads: sort by call, merge, sort by time. */
#include "analysis/call_summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/histogram.h"
#include "base/array.h"

/* A row of the fold with what it is summed by; rows are large, so they stay where they are. */
struct keyed_call {
	struct call_summary_key key;
	const struct scaler_call_stats *stats;
};

struct keyed_error {
	struct call_summary_key key;
	struct call_error error;
};

static struct call_summary_key make_key(const struct places *places, const struct scaler_call_key *call)
{
	return (struct call_summary_key){ call->id.abi, call->id.number, call->id.descriptor,
					  places_find(places, call->site) };
}

/* The order in which rows that belong together stand side by side. */
static int compare_keys(const struct call_summary_key *a, const struct call_summary_key *b)
{
	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->descriptor != b->descriptor)
		return a->descriptor < b->descriptor ? -1 : 1;
	return (a->issuer > b->issuer) - (a->issuer < b->issuer);
}

static int compare_calls(const void *left, const void *right)
{
	const struct keyed_call *a = left, *b = right;

	return compare_keys(&a->key, &b->key);
}

static int compare_errors(const void *left, const void *right)
{
	const struct keyed_error *a = left, *b = right;
	int order = compare_keys(&a->key, &b->key);

	return order ?: (a->error.code > b->error.code) - (a->error.code < b->error.code);
}

static int compare_error_counts(const void *left, const void *right)
{
	const struct call_error *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->code > b->code) - (a->code < b->code);
}

uint64_t call_figures_value(const struct call_figures *figures, enum sort_key sort)
{
	const struct partial_figures *partial = &figures->partial;
	uint64_t total_ns = figures->total_ns + partial->total_ns;
	uint64_t runnable_ns = figures->runnable_ns + partial->runnable_ns;
	uint64_t blocked_ns = figures->blocked_ns + partial->blocked_ns;

	switch (sort) {
	case SORT_RUNNING:
		return total_ns > runnable_ns + blocked_ns ? total_ns - runnable_ns - blocked_ns : 0;
	case SORT_RUNNABLE:
		return runnable_ns;
	case SORT_BLOCKED:
		return blocked_ns;
	case SORT_CALLS:
		return figures->count + partial->count;
	case SORT_ERRORS:
		return figures->errors;
	default:
		return total_ns;
	}
}

static uint64_t row_value(const struct call_summary_row *row, enum sort_key sort)
{
	switch (sort) {
	case SORT_P50:
		return row->p50_ns;
	case SORT_P99:
		return row->p99_ns;
	case SORT_MAX:
		return row->max_ns;
	default:
		return call_figures_value(&row->figures, sort);
	}
}

static int compare_names(const struct call_summary_key *a, const struct call_summary_key *b)
{
	char name_a[SYSCALL_NAME_SIZE], name_b[SYSCALL_NAME_SIZE];

	return strcmp(syscall_format(a->abi, a->number, name_a), syscall_format(b->abi, b->number, name_b));
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct call_summary_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	uint64_t value_a, value_b;
	int order = 0;

	if (sort == SORT_NAME)
		order = compare_names(&a->key, &b->key);
	value_a = row_value(a, sort);
	value_b = row_value(b, sort);
	if (!order && value_a != value_b)
		order = value_a > value_b ? -1 : 1;
	return order ?: compare_keys(&a->key, &b->key);
}

static void partial_add(struct partial_figures *sum, const struct scaler_partial_calls *more)
{
	sum->count += more->count;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
}

void call_figures_add(struct call_figures *sum, const struct scaler_call_stats *more)
{
	sum->count += more->count;
	sum->errors += more->errors;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
	partial_add(&sum->partial, &more->partial);
	sampled_sums_add_row(&sum->sampled, more);
}

/* Merges the calls from *at on that have one key. */
static void merge_row(struct call_summary_row *row, const struct keyed_call *calls, size_t count, size_t *at)
{
	const struct call_summary_key *key = &calls[*at].key;
	struct histogram histogram = { 0 };

	*row = (struct call_summary_row){
		.key = *key,
		.category = syscall_category(key->abi, key->number, key->descriptor),
	};
	for (; *at < count && compare_keys(&calls[*at].key, key) == 0; (*at)++) {
		const struct scaler_call_stats *stats = calls[*at].stats;

		call_figures_add(&row->figures, stats);
		histogram_add(&histogram, stats->buckets);
		if (stats->max_ns > row->max_ns) {
			row->max_ns = stats->max_ns;
			row->max_start_ns = stats->max_start_ns;
		}
	}
	row->p50_ns = histogram_percentile_ns(&histogram, 0.50, row->max_ns);
	row->p99_ns = histogram_percentile_ns(&histogram, 0.99, row->max_ns);
}

static int merge_calls(const struct profile *profile, const struct places *places,
		       struct call_summary *summary)
{
	size_t count = profile->call_count, at = 0;
	struct keyed_call *calls = calloc(count + 1, sizeof(*calls));

	summary->rows = calloc(count + 1, sizeof(*summary->rows));
	if (!calls || !summary->rows) {
		free(calls);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		const struct profile_call *call = &profile->calls[i];

		calls[i] = (struct keyed_call){ make_key(places, &call->key), &call->stats };
	}
	qsort(calls, count, sizeof(*calls), compare_calls);
	while (at < count)
		merge_row(&summary->rows[summary->row_count++], calls, count, &at);
	free(calls);
	return 0;
}

/* The errors of one row, from *at on: summed over threads, and by count. Returns how many. */
static size_t merge_row_errors(struct call_summary_row *row, struct call_error *errors,
			       const struct keyed_error *sorted, size_t count, size_t *at)
{
	size_t kept = 0;

	for (; *at < count && compare_keys(&sorted[*at].key, &row->key) <= 0; (*at)++) {
		const struct call_error *error = &sorted[*at].error;

		if (compare_keys(&sorted[*at].key, &row->key))
			continue; /* its row was lost */
		if (kept && errors[kept - 1].code == error->code)
			errors[kept - 1].count += error->count;
		else
			errors[kept++] = *error;
	}
	qsort(errors, kept, sizeof(*errors), compare_error_counts);
	row->errors = errors;
	row->error_count = kept;
	return kept;
}

/* Rows and errors both in the order of their keys. */
static int merge_errors(const struct profile *profile, const struct places *places,
			struct call_summary *summary)
{
	size_t count = profile->error_count, kept = 0, at = 0;
	struct keyed_error *sorted = calloc(count + 1, sizeof(*sorted));

	summary->errors = calloc(count + 1, sizeof(*summary->errors));
	if (!sorted || !summary->errors) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		const struct profile_error *error = &profile->errors[i];

		sorted[i] = (struct keyed_error){ make_key(places, &error->key.call),
						  { error->key.code, error->count } };
	}
	qsort(sorted, count, sizeof(*sorted), compare_errors);
	for (size_t i = 0; i < summary->row_count; i++)
		kept += merge_row_errors(&summary->rows[i], summary->errors + kept, sorted, count, &at);
	free(sorted);
	return 0;
}

static void figures_sum(struct call_figures *sum, const struct call_figures *more)
{
	sum->count += more->count;
	sum->errors += more->errors;
	sum->total_ns += more->total_ns;
	sum->runnable_ns += more->runnable_ns;
	sum->blocked_ns += more->blocked_ns;
	sum->partial.count += more->partial.count;
	sum->partial.total_ns += more->partial.total_ns;
	sum->partial.runnable_ns += more->partial.runnable_ns;
	sum->partial.blocked_ns += more->partial.blocked_ns;
	sampled_sums_add(&sum->sampled, &more->sampled);
}

struct call_figures call_summary_rest(const struct call_summary *summary, size_t first)
{
	struct call_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		figures_sum(&sum, &summary->rows[i].figures);
	return sum;
}

int call_summary_make(const struct profile *profile, const struct places *places, enum sort_key sort,
		      struct call_summary *summary)
{
	int err;

	*summary = (struct call_summary){ 0 };
	err = merge_calls(profile, places, summary);
	if (!err)
		err = merge_errors(profile, places, summary);
	if (err) {
		call_summary_clear(summary);
		return err;
	}
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &sort);
	summary->total = call_summary_rest(summary, 0);
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
