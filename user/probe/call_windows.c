// SPDX-License-Identifier: GPL-2.0-only
/* Opens and closes the windows in which system calls are recorded. */
#include "probe/call_windows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/chance.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"
#include "plan/call_budget.h"
#include "probe/recorder.h" /* the types of what the skeleton has */
#include "scaler.skel.h"

/* How often it is looked at what was spent while all calls are recorded. */
#define LOOK_NS 20000000
/* A period has one window, which is not shorter than this; to attach and detach takes about 1 ms of the tracer's time. */
#define LEAST_PERIOD_NS 60000000
#define LEAST_WINDOW_NS 5000000
/* For how long calls are seen to end that were entered in a window which is over. */
#define GRACE_NS 1000000
/* Of a window, without the bits of its weight; 0 is the one that never was closed. */
#define LAST_NUMBER ((1U << (32 - SCALER_WINDOW_WEIGHT_BITS)) - 1)

/* A program and its link. */
struct hook {
	struct bpf_program *program;
	struct bpf_link **link;
};

/* How often calls are made while they are counted, and while they are recorded: of late. */
struct speeds {
	double counted_calls, counted_ns;
	double hits, left_ns; /* what the threads ran less what is known to have been spent */
	double hidden_ns;     /* of one hit, and in what is known */
};
/* Of what was before each window; how much it takes to say something; and more is not believed. */
#define SPEEDS_KEPT           0.9
#define SPEEDS_LEAST          2000
#define SPEEDS_MOST_HIDDEN_NS 1000

struct call_windows {
	struct call_windows_knobs knobs;
	struct hook enter, exit;
	struct scaler_call_window *window; /* the kernel side's */
	struct call_budget budget;
	struct worker worker;            /* its lock is of what follows */
	struct scaler_sampling sampling; /* up to the beginning of this period */
	struct scaler_spending began;    /* this period */
	bool is_sampling;
	/* This period's window. */
	struct scaler_spending counted[2], opened, closed; /* of the first the beginning and the end */
	uint32_t stamp;
	bool was_opened, was_closed;
	/* The thread's own. */
	struct drand48_data chance;
	struct speeds speeds;
	bool has_failed;
};

/* Returns whether it is to stop, at once then. */
static bool wait_until(struct call_windows *windows, uint64_t time_ns)
{
	bool stops;

	pthread_mutex_lock(&windows->worker.lock);
	while (!windows->worker.is_stopping && clock_now_ns() < time_ns)
		worker_wait_until(&windows->worker, time_ns);
	stops = windows->worker.is_stopping;
	pthread_mutex_unlock(&windows->worker.lock);
	return stops;
}

static int hook_attach(struct hook *hook)
{
	if (*hook->link)
		return 0;
	*hook->link = bpf_program__attach(hook->program);
	return *hook->link ? 0 : -errno;
}

static void hook_detach(struct hook *hook)
{
	bpf_link__destroy(*hook->link);
	*hook->link = NULL;
}

static void explain_failure(struct call_windows *windows, int err)
{
	if (!windows->has_failed)
		log_note("cannot record system calls for a while: %s; their figures are too low",
			 strerror(-err));
	windows->has_failed = true;
}

/* Attaches what is needed for a window that is to be opened. */
static int attach(struct call_windows *windows, struct hook *hook, enum spending_calls then)
{
	int err = hook_attach(hook);

	if (err)
		explain_failure(windows, err);
	else
		spending_measure_calls(windows->knobs.meter, then);
	return err;
}

/* Calls that are entered are counted for a while. Returns whether it is to stop. */
static bool count_calls(struct call_windows *windows)
{
	struct scaler_call_window *window = windows->window;
	struct scaler_spending begun, ended;
	bool stops;

	spending_measure_calls(windows->knobs.meter, SPENDING_NOTHING);
	__atomic_store_n(&window->is_counting, 1, __ATOMIC_RELEASE);
	if (attach(windows, &windows->enter, SPENDING_ENTRIES)) {
		__atomic_store_n(&window->is_counting, 0, __ATOMIC_RELEASE);
		return false;
	}
	begun = spending_read(windows->knobs.meter);
	stops = wait_until(windows, clock_now_ns() + LEAST_WINDOW_NS);
	__atomic_store_n(&window->is_counting, 0, __ATOMIC_RELEASE);
	ended = spending_read(windows->knobs.meter);
	pthread_mutex_lock(&windows->worker.lock);
	windows->counted[0] = begun;
	windows->counted[1] = ended;
	pthread_mutex_unlock(&windows->worker.lock);
	return stops;
}

/* From here on calls that are entered are recorded. */
static void open_window(struct call_windows *windows, uint32_t weight)
{
	struct scaler_call_window *window = windows->window;
	uint32_t number = scaler_window_number(window->stamp) % LAST_NUMBER + 1;

	if (attach(windows, &windows->exit, SPENDING_BOTH) || hook_attach(&windows->enter))
		return;
	/* Code may have been mapped that nobody has seen. */
	__atomic_fetch_add(&windows->knobs.skeleton->bss->all_mappings_changes, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&window->stamp, scaler_window_stamp(number, weight), __ATOMIC_RELEASE);
	__atomic_store_n(&window->closed_ns[number % SCALER_WINDOW_GROUPS], UINT64_MAX, __ATOMIC_RELEASE);
	pthread_mutex_lock(&windows->worker.lock);
	windows->stamp = window->stamp;
	windows->opened = spending_read(windows->knobs.meter);
	windows->was_opened = true;
	windows->was_closed = false;
	pthread_mutex_unlock(&windows->worker.lock);
	__atomic_store_n(&window->opened_ns, clock_now_ns(), __ATOMIC_RELEASE);
	__atomic_store_n(&window->is_open, 1, __ATOMIC_RELEASE);
}

/* And no more. */
static void close_window(struct call_windows *windows)
{
	struct scaler_call_window *window = windows->window;

	__atomic_store_n(&window->closed_ns[scaler_window_group(window->stamp)], clock_now_ns(),
			 __ATOMIC_RELEASE);
	__atomic_store_n(&window->is_open, 0, __ATOMIC_RELEASE);
	pthread_mutex_lock(&windows->worker.lock);
	windows->closed = spending_read(windows->knobs.meter);
	windows->was_closed = true;
	pthread_mutex_unlock(&windows->worker.lock);
	hook_detach(&windows->enter);
	wait_until(windows, clock_now_ns() + GRACE_NS);
	hook_detach(&windows->exit);
}

/* What came between the one and the other. */
static struct scaler_spending between(const struct scaler_spending pair[2])
{
	return scaler_spending_since(&pair[0], &pair[1]);
}

/* The period's part, up to now. */
static void add_period(const struct call_windows *windows, const struct scaler_spending *now,
		       struct scaler_sampling *sampling)
{
	struct scaler_spending whole = scaler_spending_since(&windows->began, now), counted, recorded;
	uint64_t weight = scaler_window_weight(windows->stamp), seen_ns;
	struct scaler_window_sums *sums;

	if (!windows->is_sampling)
		return;
	if (!windows->was_opened) {
		sampling->unseen_ns += scaler_spending_own_ns(&whole);
		return;
	}
	counted = between(windows->counted);
	recorded = scaler_spending_since(&windows->opened, windows->was_closed ? &windows->closed : now);
	sampling->windows++;
	/* A call is hit at its entry and its exit. */
	sampling->known_calls += counted.counted_calls + recorded.call_hits / 2;
	seen_ns = scaler_spending_own_ns(&counted) + scaler_spending_own_ns(&recorded);
	sampling->unseen_ns +=
		scaler_spending_own_ns(&whole) > seen_ns ? scaler_spending_own_ns(&whole) - seen_ns : 0;
	sums = &sampling->groups[scaler_window_group(windows->stamp)];
	sums->recorded_ns += weight * scaler_spending_own_ns(&recorded);
	sums->counted_calls += weight * counted.counted_calls;
	sums->counted_ns += weight * scaler_spending_own_ns(&counted);
	sums->counting_ns += weight * scaler_spending_sum_ns(&counted);
}

/* Ends the period and begins the next. */
static void next_period(struct call_windows *windows, const struct scaler_spending *now, bool is_sampling)
{
	pthread_mutex_lock(&windows->worker.lock);
	add_period(windows, now, &windows->sampling);
	windows->began = *now;
	windows->is_sampling = is_sampling;
	windows->was_opened = windows->was_closed = false;
	pthread_mutex_unlock(&windows->worker.lock);
}

/*
 * What calls cost that are recorded shows in how many fewer there are of them in as much time, after what is known of it is
 * taken out: other code slows down, too, when its caches hold the tracer's.
 */
static void learn_hidden(struct call_windows *windows)
{
	const struct scaler_spending counted =
		scaler_spending_since(&windows->counted[0], &windows->counted[1]);
	const struct scaler_spending recorded = scaler_spending_since(&windows->opened, &windows->closed);
	struct speeds *speeds = &windows->speeds;
	double hits = (double)recorded.call_hits, own_ns,
	       known_ns = (double)scaler_spending_sum_ns(&recorded);

	speeds->counted_calls = speeds->counted_calls * SPEEDS_KEPT + (double)counted.counted_calls;
	speeds->counted_ns = speeds->counted_ns * SPEEDS_KEPT + (double)scaler_spending_own_ns(&counted);
	speeds->hits = speeds->hits * SPEEDS_KEPT + hits;
	speeds->left_ns = speeds->left_ns * SPEEDS_KEPT + (double)recorded.running_ns - known_ns +
			  speeds->hidden_ns * hits;
	if (speeds->counted_calls < SPEEDS_LEAST || speeds->hits < SPEEDS_LEAST)
		return;
	/* A call is hit at its entry and its exit. */
	own_ns = speeds->hits / 2 * speeds->counted_ns / speeds->counted_calls;
	speeds->hidden_ns = fmin(fmax((speeds->left_ns - own_ns) / speeds->hits, 0), SPEEDS_MOST_HIDDEN_NS);
	spending_set_hidden(windows->knobs.meter, speeds->hidden_ns);
}

/* Returns the weight from then on, or 0 to stop. */
static uint32_t record_all(struct call_windows *windows)
{
	struct scaler_spending now;
	uint32_t weight;

	if (wait_until(windows, clock_now_ns() + LOOK_NS))
		return 0;
	now = spending_read(windows->knobs.meter);
	weight = call_budget_look(&windows->budget, &now);
	if (weight > 1) {
		next_period(windows, &now, true);
		close_window(windows);
	}
	return weight;
}

/* One period with a window somewhere in it. Returns the weight from then on, or 0 to stop. */
static uint32_t record_window(struct call_windows *windows, uint32_t weight)
{
	uint64_t period_ns = (uint64_t)weight * LEAST_WINDOW_NS, window_ns, begin_ns = clock_now_ns();
	struct scaler_spending now;
	double where;

	if (period_ns < LEAST_PERIOD_NS)
		period_ns = LEAST_PERIOD_NS;
	window_ns = period_ns / weight;
	where = chance_next(&windows->chance);
	if (wait_until(windows,
		       begin_ns + (uint64_t)(where * (double)(period_ns - window_ns - LEAST_WINDOW_NS))))
		return 0;
	if (count_calls(windows))
		return 0;
	open_window(windows, weight);
	if (wait_until(windows, clock_now_ns() + window_ns))
		return 0;
	close_window(windows);
	if (wait_until(windows, begin_ns + period_ns))
		return 0;
	now = spending_read(windows->knobs.meter);
	if (windows->was_opened)
		weight = call_budget_look_at_window(&windows->budget, &windows->opened, &windows->closed,
						    &now);
	learn_hidden(windows);
	next_period(windows, &now, weight > 1);
	if (weight == 1)
		open_window(windows, 1);
	return weight;
}

static void run(void *context)
{
	struct call_windows *windows = context;
	uint32_t weight = 1;

	while (weight)
		weight = weight == 1 ? record_all(windows) : record_window(windows, weight);
}

static bool choose_hooks(struct call_windows *windows)
{
	struct scaler_skeleton *skeleton = windows->knobs.skeleton;

	if (skeleton->links.scaler_sys_enter && skeleton->links.scaler_sys_exit) {
		windows->enter =
			(struct hook){ skeleton->progs.scaler_sys_enter, &skeleton->links.scaler_sys_enter };
		windows->exit =
			(struct hook){ skeleton->progs.scaler_sys_exit, &skeleton->links.scaler_sys_exit };
	} else if (skeleton->links.scaler_sys_enter_raw && skeleton->links.scaler_sys_exit_raw) {
		windows->enter = (struct hook){ skeleton->progs.scaler_sys_enter_raw,
						&skeleton->links.scaler_sys_enter_raw };
		windows->exit = (struct hook){ skeleton->progs.scaler_sys_exit_raw,
					       &skeleton->links.scaler_sys_exit_raw };
	}
	return windows->enter.program;
}

struct call_windows *call_windows_start(const struct call_windows_knobs *knobs)
{
	struct call_windows *windows = knobs->share > 0 ? calloc(1, sizeof(*windows)) : NULL;
	int err;

	if (!windows)
		return NULL;
	windows->knobs = *knobs;
	windows->window = &knobs->skeleton->data->call_window;
	windows->began = spending_read(knobs->meter);
	call_budget_make(&windows->budget, knobs->share, &windows->began);
	windows->chance = chance_begin();
	err = choose_hooks(windows) ? worker_start(&windows->worker, run, windows) : -EOPNOTSUPP;
	if (!err)
		return windows;
	log_debug("system calls are recorded whatever they cost: %s", strerror(-err));
	free(windows);
	return NULL;
}

struct scaler_sampling call_windows_read(struct call_windows *windows)
{
	struct scaler_spending now = spending_read(windows->knobs.meter);
	struct scaler_sampling sampling;

	pthread_mutex_lock(&windows->worker.lock);
	sampling = windows->sampling;
	/* It may have gone on meanwhile. */
	if (scaler_spending_own_ns(&now) > scaler_spending_own_ns(&windows->began))
		add_period(windows, &now, &sampling);
	pthread_mutex_unlock(&windows->worker.lock);
	return sampling;
}

void call_windows_stop(struct call_windows *windows)
{
	struct scaler_spending now;

	if (!windows || !worker_stop(&windows->worker))
		return;
	now = spending_read(windows->knobs.meter);
	next_period(windows, &now, false);
}

void call_windows_free(struct call_windows *windows)
{
	call_windows_stop(windows);
	free(windows);
}
