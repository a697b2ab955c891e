// SPDX-License-Identifier: GPL-2.0-only
/* Opens windows when the caller looks, and closes them by a thread. */
#include "probe/probe_windows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/chance.h"
#include "base/clock.h"
#include "base/worker.h"
#include "probe/library_attachment.h"
#include "probe/spending.h"

/*
 * Without what the probes take of it, so that windows in which calls are frequent do not count for less; but no longer than
 * the latter. To close a link takes about as long again, and until then its probes cost what they cost, for nothing.
 */
#define WINDOW_NS       4000000
#define MOST_WINDOW_NS  12000000
#define LEAST_REST_NS   200000
#define LEAST_PERIOD_NS 60000000
/* So that it is noticed soon when a function is called more often, or less. */
#define MOST_PERIOD_NS 1000000000
/* As long as nobody knows what a window costs. */
#define FIRST_PERIOD_NS 100000000
/* For how long the first window waits for a target that does nothing yet. */
#define IDLE_NS 200000000
/* So long have windows to be open before they tell what a function costs. */
#define KNOWN_NS (0.75 * WINDOW_NS)
/* In no more processes have a file's functions probes at a time: in others then, by chance. */
#define MOST_PLACES 16
/* Of what was before each period. */
#define MEANS_KEPT 0.5

/* What the threads ran themselves, on average, in a nanosecond of a period and in a window; and what a window costs. */
struct means {
	double own, window_own_ns, cost_ns;
};

struct windowed_function {
	size_t index;    /* in the plan */
	uint32_t places; /* that its file is in, for each of those where it has probes in this window */
	bool may_return;
	uint64_t began_cost_ns; /* what its probes had cost when the period began */
	/* Since it has them in windows only: what they cost, and for how long the threads ran in these themselves. */
	double cost_ns, own_ns;
};

struct probe_windows {
	struct library_probes *probes;
	struct windowed_function *functions; /* owned */
	size_t count, capacity;
	struct drand48_data chance;
	/* This period. */
	uint64_t began_ns, open_ns, end_ns; /* 0: there is none */
	struct scaler_spending began;
	uint32_t number;    /* of windows */
	bool is_all_window; /* it is no longer than its window */
	struct means means;
	struct library_links links; /* of the window; only the items are owned */
	struct worker closer;       /* its lock is of what follows, and of links */
	uint64_t close_ns; /* when it is to be seen whether the window is to be closed; 0: none is open */
	uint32_t weight;
	struct scaler_spending opened, closed;
	bool was_closed;
	struct scaler_sampling sampling; /* up to the beginning of this period */
};

/*
 * What the threads ran without the probes; what else the tracer takes it takes in windows as at other times. At least a part
 * of the time: what probes take is not known more exactly.
 */
#define LEAST_OWN 0.0625

static uint64_t own_ns(const struct scaler_spending *since)
{
	double own_ns = (double)since->running_ns - (double)since->spent_ns[SCALER_COST_PROBES];

	return (uint64_t)fmax(own_ns, (double)since->running_ns * LEAST_OWN);
}

/* With the lock held, or before anybody else sees it: what a call stands for in each function, 0: none is recorded. */
static void tell_kernel(struct probe_windows *windows, bool is_open)
{
	const struct library_kernel *kernel = windows->probes->kernel;

	for (size_t i = 0; i < windows->count; i++) {
		const struct windowed_function *windowed = &windows->functions[i];
		struct scaler_function *function = &kernel->functions[windowed->index + 1];

		function->window_group = windows->number % SCALER_WINDOW_GROUPS;
		__atomic_store_n(&function->window_weight, is_open ? windows->weight * windowed->places : 0,
				 __ATOMIC_RELEASE);
	}
}

/* With the lock held. */
static void close_window(struct probe_windows *windows)
{
	struct library_links *links = &windows->links;

	tell_kernel(windows, false);
	windows->closed = spending_read(windows->probes->kernel->meter);
	windows->was_closed = true;
	windows->close_ns = 0;
	for (size_t i = 0; i < links->count; i++)
		uprobe_closer_take(links->closer, links->items[i].fd, links->items[i].file);
	links->count = 0;
}

/* With the lock held: how much longer the window is to be open. */
static uint64_t find_rest_ns(const struct probe_windows *windows)
{
	const struct scaler_spending now = spending_read(windows->probes->kernel->meter);
	const struct scaler_spending since = scaler_spending_since(&windows->opened, &now);
	double own = since.running_ns ? (double)own_ns(&since) / (double)since.running_ns : 1;
	double rest_ns = WINDOW_NS / own - (double)since.time_ns;

	if (windows->is_all_window && since.running_ns < LEAST_REST_NS && since.time_ns < IDLE_NS)
		return LEAST_REST_NS;
	rest_ns = fmin(rest_ns, MOST_WINDOW_NS - (double)since.time_ns);
	return rest_ns > LEAST_REST_NS ? (uint64_t)rest_ns : 0;
}

static void close_in_time(void *context)
{
	struct probe_windows *windows = context;
	struct worker *closer = &windows->closer;

	pthread_mutex_lock(&closer->lock);
	while (!closer->is_stopping) {
		uint64_t now_ns = clock_now_ns(), rest_ns;

		if (!windows->close_ns || now_ns < windows->close_ns) {
			worker_wait_until(closer, windows->close_ns ?: WORKER_FOREVER);
			continue;
		}
		rest_ns = find_rest_ns(windows);
		windows->close_ns = now_ns + rest_ns;
		if (!rest_ns)
			close_window(windows);
	}
	if (windows->close_ns)
		close_window(windows);
	pthread_mutex_unlock(&closer->lock);
}

/* What a function's probes have cost by now. */
static uint64_t read_cost_ns(const struct probe_windows *windows, const struct windowed_function *function)
{
	return library_kernel_cost_ns(windows->probes->kernel, function->index + 1);
}

static uint32_t file_of(const struct probe_windows *windows, const struct windowed_function *function)
{
	return windows->probes->plan->functions[function->index].file;
}

/* In some of the places where the file is, which stand for the others. */
static int attach_to_places(struct probe_windows *windows, struct library_attachment *attachment,
			    uint32_t file)
{
	const struct probed_places *places = &windows->probes->places;
	size_t all = probed_places_count_of_file(places, file), left = all;
	size_t wanted = all < MOST_PLACES ? all : MOST_PLACES, chosen = wanted;
	int err = 0;

	for (size_t i = 0; i < places->count && wanted && !err; i++) {
		if (places->items[i].file != file)
			continue;
		if (chance_next(&windows->chance) * (double)left-- >= (double)wanted)
			continue;
		wanted--;
		err = library_attachment_make_window(attachment, &places->items[i]);
	}
	for (size_t i = 0; i < windows->count && chosen; i++) {
		if (file_of(windows, &windows->functions[i]) == file)
			windows->functions[i].places = (uint32_t)((all + chosen / 2) / chosen);
	}
	return err;
}

static bool has_file(const struct probe_windows *windows, uint32_t file)
{
	for (size_t i = 0; i < windows->count; i++) {
		if (file_of(windows, &windows->functions[i]) == file)
			return true;
	}
	return false;
}

static int attach_to_file(struct probe_windows *windows, uint32_t file)
{
	struct library_attachment attachment = library_attachment_open(windows->probes, file);
	int err = 0;

	attachment.links = &windows->links;
	if (attachment.file_fd >= 0)
		err = library_attachment_prepare(&attachment, true) ?:
			      attach_to_places(windows, &attachment, file);
	library_attachment_close(&attachment);
	return err;
}

/* Links of windows that are over may still be there: the newest ones record. */
static void renew_generation(const struct probe_windows *windows)
{
	const struct library_kernel *kernel = windows->probes->kernel;

	for (size_t i = 0; i < windows->count; i++) {
		struct scaler_function *function = &kernel->functions[windows->functions[i].index + 1];

		function->is_relinked = true;
		function->generation++;
	}
}

/* By how much more the threads run in a period than in its window, as it has been of late. */
static uint32_t find_weight(const struct probe_windows *windows)
{
	double period_ns = (double)(windows->end_ns - windows->began_ns);
	const struct means *means = &windows->means;
	double weight = period_ns / WINDOW_NS;

	if (windows->is_all_window)
		return 1;
	if (means->own > 0 && means->window_own_ns > 0)
		weight = means->own * period_ns / means->window_own_ns;
	return weight < 1 ? 1 : weight > UINT16_MAX ? UINT16_MAX : (uint32_t)lround(weight);
}

static int open_window(struct probe_windows *windows)
{
	int err = 0;

	windows->number++;
	windows->links.closer = windows->probes->links.closer;
	renew_generation(windows);
	for (uint32_t file = 0; file < windows->probes->files->count && !err; file++) {
		if (has_file(windows, file))
			err = attach_to_file(windows, file);
	}
	pthread_mutex_lock(&windows->closer.lock);
	windows->weight = find_weight(windows);
	windows->opened = spending_read(windows->probes->kernel->meter);
	windows->was_closed = false;
	windows->open_ns = 0;
	tell_kernel(windows, !err);
	windows->close_ns = clock_now_ns() + (err ? 0 : WINDOW_NS);
	worker_wake(&windows->closer);
	pthread_mutex_unlock(&windows->closer.lock);
	return err;
}

/* With the lock held: the period's part, up to now. */
static void add_period(const struct probe_windows *windows, const struct scaler_spending *now,
		       struct scaler_sampling *sampling)
{
	struct scaler_spending whole = scaler_spending_since(&windows->began, now), recorded;
	struct scaler_window_sums *sums = &sampling->groups[windows->number % SCALER_WINDOW_GROUPS];

	if (!windows->began_ns)
		return;
	sampling->unseen_ns += own_ns(&whole);
	if (windows->open_ns || !windows->was_closed)
		return;
	recorded = scaler_spending_since(&windows->opened, &windows->closed);
	sampling->windows++;
	sums->recorded_ns += windows->weight * own_ns(&recorded);
	sums->counted_ns += own_ns(&recorded);
	sums->counting_ns += recorded.spent_ns[SCALER_COST_PROBES];
}

static void keep_mean(double *mean, double value)
{
	*mean = *mean > 0 ? *mean * MEANS_KEPT + value * (1 - MEANS_KEPT) : value;
}

/* With the lock held. */
static void note_means(struct probe_windows *windows, const struct scaler_spending *now, uint64_t now_ns)
{
	const struct scaler_spending whole = scaler_spending_since(&windows->began, now);
	const struct scaler_spending recorded = scaler_spending_since(&windows->opened, &windows->closed);
	struct means *means = &windows->means;
	double sum_ns = 0;

	keep_mean(&means->own, (double)own_ns(&whole) / (double)(now_ns - windows->began_ns));
	if (!windows->was_closed || !recorded.time_ns)
		return;
	keep_mean(&means->window_own_ns, (double)own_ns(&recorded));
	for (size_t i = 0; i < windows->count; i++) {
		struct windowed_function *function = &windows->functions[i];
		double cost_ns = (double)(read_cost_ns(windows, function) - function->began_cost_ns);

		function->cost_ns += cost_ns;
		function->own_ns += (double)own_ns(&recorded);
		sum_ns += cost_ns;
	}
	keep_mean(&means->cost_ns, sum_ns);
}

/* Begins one at that time with a window at its beginning; its end is to be told. */
static void begin_period(struct probe_windows *windows, const struct scaler_spending *now, uint64_t now_ns)
{
	windows->began = *now;
	windows->began_ns = windows->open_ns = now_ns;
	windows->is_all_window = false;
	for (size_t i = 0; i < windows->count; i++)
		windows->functions[i].began_cost_ns = read_cost_ns(windows, &windows->functions[i]);
}

/* Ends the period, if there is one, and begins the next. */
static void next_period(struct probe_windows *windows, double share)
{
	const struct scaler_spending now = spending_read(windows->probes->kernel->meter);
	const struct means *means = &windows->means;
	double period_ns = LEAST_PERIOD_NS, where;
	uint64_t now_ns = clock_now_ns();

	pthread_mutex_lock(&windows->closer.lock);
	if (windows->began_ns) {
		add_period(windows, &now, &windows->sampling);
		note_means(windows, &now, now_ns);
	}
	if (means->own <= 0)
		period_ns = FIRST_PERIOD_NS;
	else
		period_ns = fmax(period_ns, means->cost_ns / (means->own * share));
	if (!(period_ns < MOST_PERIOD_NS))
		period_ns = MOST_PERIOD_NS;
	where = chance_next(&windows->chance);
	begin_period(windows, &now, now_ns);
	windows->open_ns += 1 + (uint64_t)(where * (period_ns - 2.0 * WINDOW_NS));
	windows->end_ns = now_ns + (uint64_t)period_ns;
	pthread_mutex_unlock(&windows->closer.lock);
}

int probe_windows_begin(struct probe_windows *windows)
{
	const struct scaler_spending now = spending_read(windows->probes->kernel->meter);

	if (!windows->count)
		return 0;
	pthread_mutex_lock(&windows->closer.lock);
	begin_period(windows, &now, clock_now_ns());
	windows->is_all_window = true;
	windows->end_ns = 0;
	pthread_mutex_unlock(&windows->closer.lock);
	return open_window(windows);
}

int probe_windows_look(struct probe_windows *windows, double share, uint64_t *next_ns)
{
	uint64_t now_ns = clock_now_ns();
	bool is_open;
	int err = 0;

	pthread_mutex_lock(&windows->closer.lock);
	is_open = windows->close_ns;
	pthread_mutex_unlock(&windows->closer.lock);
	if (!windows->count) {
		*next_ns = UINT64_MAX;
		return 0;
	}
	if (!windows->began_ns || (now_ns >= windows->end_ns && !windows->open_ns && !is_open))
		next_period(windows, share);
	else if (windows->open_ns && now_ns >= windows->open_ns)
		err = open_window(windows);
	*next_ns = windows->open_ns ?: windows->end_ns ?: now_ns + WINDOW_NS;
	return err;
}

int probe_windows_add(struct probe_windows *windows, size_t function, bool may_return)
{
	struct windowed_function *functions;

	pthread_mutex_lock(&windows->closer.lock);
	functions = array_reserve(windows->functions, windows->count, &windows->capacity, sizeof(*functions));
	if (functions) {
		windows->functions = functions;
		functions[windows->count] = (struct windowed_function){
			.index = function,
			.may_return = may_return,
		};
		functions[windows->count].began_cost_ns = read_cost_ns(windows, &functions[windows->count]);
		windows->count++;
	}
	pthread_mutex_unlock(&windows->closer.lock);
	return functions ? 0 : -ENOMEM;
}

bool probe_windows_take(struct probe_windows *windows, double *room, size_t *index)
{
	const struct scaler_spending now = spending_read(windows->probes->kernel->meter);
	struct windowed_function *cheapest = NULL;

	pthread_mutex_lock(&windows->closer.lock);
	for (size_t i = 0; i < windows->count && !windows->close_ns; i++) {
		struct windowed_function *function = &windows->functions[i];

		if (!function->may_return || function->own_ns < KNOWN_NS ||
		    function->cost_ns > *room * function->own_ns)
			continue;
		if (!cheapest || function->cost_ns < cheapest->cost_ns)
			cheapest = function;
	}
	if (cheapest) {
		*room -= cheapest->cost_ns / cheapest->own_ns;
		*index = cheapest->index;
		*cheapest = windows->functions[--windows->count];
		/* Without any nothing is unseen. */
		if (!windows->count) {
			add_period(windows, &now, &windows->sampling);
			windows->began_ns = 0;
		}
	}
	pthread_mutex_unlock(&windows->closer.lock);
	return cheapest;
}

struct scaler_sampling probe_windows_read(struct probe_windows *windows)
{
	struct scaler_spending now = spending_read(windows->probes->kernel->meter);
	struct scaler_sampling sampling;

	pthread_mutex_lock(&windows->closer.lock);
	sampling = windows->sampling;
	add_period(windows, &now, &sampling);
	pthread_mutex_unlock(&windows->closer.lock);
	return sampling;
}

struct probe_windows *probe_windows_open(struct library_probes *probes)
{
	struct probe_windows *windows = calloc(1, sizeof(*windows));

	if (!windows)
		return NULL;
	windows->probes = probes;
	windows->chance = chance_begin();
	if (!worker_start(&windows->closer, close_in_time, windows))
		return windows;
	free(windows);
	return NULL;
}

void probe_windows_stop(struct probe_windows *windows)
{
	if (windows)
		worker_stop(&windows->closer);
}

void probe_windows_close(struct probe_windows *windows)
{
	if (!windows)
		return;
	probe_windows_stop(windows);
	free(windows->links.items);
	free(windows->functions);
	free(windows);
}
