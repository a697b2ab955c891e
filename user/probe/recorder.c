// SPDX-License-Identifier: GPL-2.0-only
/* The kernel side's life: loaded, told whom to trace, attached, recording, stopped. */
#include "probe/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "parser/parser.h"
#include "plan/budget.h"
#include "probe/call_functions.h"
#include "probe/call_windows.h"
#include "probe/features.h"
#include "probe/load_errors.h"
#include "probe/map_sizes.h"
#include "probe/percpu.h"
#include "probe/preparation.h"
#include "probe/programs.h"
#include "probe/requeue_events.h"
#include "probe/sampler.h"
#include "probe/spending.h"
#include "probe/tracer_code.h"
#include "scaler.skel.h"

#define WINDOW_LEAD_NS                                                                                       \
	1000000 /* how far ahead its ends are set: longer than a store takes to reach every CPU */
struct recorder {
	struct scaler_skeleton *skeleton;
	struct sampler sampler;
	struct library_kernel library; /* zeros: no library calls are recorded */
	struct spending_meter *meter;
	struct call_windows *windows; /* NULL: calls are recorded all the time, or not at all */
	struct call_windows_knobs windows_knobs;
	unsigned int frequency;
	uint64_t cpu_before_ns; /* what the tracer had used when the recording began */
};

static int print_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	log_debug_raw(format, arguments);
	return 0;
}

static const char *explain_no_samples(int err)
{
	return err == -EPERM || err == -EACCES ?
		       "not permitted; lower kernel.perf_event_paranoid or run with sudo" :
		       strerror(-err);
}

/* Samples, which everybody gets by default, are left out where there can be none. Returns 0 or a negative errno. */
static int start_samples(struct recorder *recorder, const struct recorder_knobs *knobs)
{
	int err;

	if (!recorder->frequency)
		return 0;
	tracer_code_find(recorder->skeleton, knobs->function_count);
	err = sampler_attach(&recorder->sampler, recorder->skeleton->progs.scaler_sample,
			     recorder->frequency);
	if (!err)
		return 0;
	recorder->frequency = 0;
	if (!knobs->needs_samples) {
		log_note("no CPU samples: %s", explain_no_samples(err));
		return 0;
	}
	log_error("cannot take CPU samples: %s", explain_no_samples(err));
	return err;
}

static int choose_frequency(struct recorder *recorder, const struct recorder_knobs *knobs)
{
	recorder->frequency = knobs->frequency;
	if (!knobs->frequency || sampler_is_possible())
		return 0;
	recorder->frequency = 0;
	if (!knobs->needs_samples) {
		log_note("no CPU samples, which take Linux 5.15");
		return 0;
	}
	log_error("cannot take CPU samples: the kernel cannot do so; use Linux 5.15 or later");
	return -EOPNOTSUPP;
}

static int apply_knobs(struct recorder *recorder, const struct recorder_knobs *knobs)
{
	struct scaler_skeleton *skeleton = recorder->skeleton;

	skeleton->rodata->switch_passes_state = features_have(FEATURE_SWITCH_STATE);
	skeleton->rodata->tasks_have_storage = features_have(FEATURE_TASK_STORAGE);
	skeleton->rodata->finds_mappings = features_have(FEATURE_FIND_VMA);
	skeleton->rodata->target = knobs->target;
	skeleton->rodata->page_shift = (uint32_t)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
	for (size_t i = 0; i < SCALER_CALL_NUMBERS; i++)
		skeleton->rodata->first_arguments[i] = knobs->first_arguments[i];
	skeleton->rodata->records_calls = knobs->records_calls;
	skeleton->rodata->records_blocking = knobs->records_blocking;
	skeleton->rodata->records_paths = knobs->records_paths;
	skeleton->rodata->records_delays = knobs->records_delays;
	skeleton->rodata->blocking_least_ns = knobs->blocking_least_ns;
	skeleton->rodata->preempt_count_from_rq =
		knobs->records_blocking ? percpu_preempt_count_from_rq() : 0;
	skeleton->rodata->stack_depth = knobs->depth;
	skeleton->rodata->uses_templates = !knobs->no_templates;
	skeleton->rodata->read_while_recording = knobs->read_while_recording;
	skeleton->rodata->filters_calls = knobs->filters_calls;
	skeleton->rodata->times_library_calls = knobs->times_library_calls;
	skeleton->rodata->sends_process_events = knobs->follows_processes;
	skeleton->rodata->library_function_count = (uint32_t)knobs->function_count;
	skeleton->rodata->sets_probes = knobs->function_count;
	skeleton->rodata->library_share = budget_share_of_whole(knobs->overhead);
	skeleton->bss->library_burst_ns = BUDGET_BURST_NS;
	memcpy((void *)skeleton->rodata->filter_records, knobs->filter_records,
	       sizeof(knobs->filter_records));
	return programs_choose(skeleton, knobs, recorder->frequency);
}

/* Without it no function of the kernel is known; nothing else depends on it. */
static int open_library(struct recorder *recorder, const struct recorder_knobs *knobs)
{
	int err = knobs->function_count ?
			  library_kernel_open(&recorder->library, recorder->skeleton, knobs->function_count) :
			  0;

	if (err)
		log_error("cannot map what is known of library functions: %s", strerror(-err));
	recorder->library.meter = recorder->meter;
	return err;
}

static int attach(struct recorder *recorder)
{
	int err = spending_open(&recorder->meter, recorder->skeleton->maps.cpu_costs);

	if (!err) {
		spending_measure_calls(recorder->meter, SPENDING_NOTHING);
		err = scaler_skeleton__attach(recorder->skeleton);
	}
	if (err) {
		log_error("cannot attach BPF programs: %s; --verbose says more", strerror(-err));
		return err;
	}
	requeue_events_attach(recorder->skeleton);
	err = call_functions_attach(recorder->skeleton);
	spending_measure_calls(recorder->meter, SPENDING_BOTH);
	return err;
}

int recorder_open(struct recorder **result, const struct recorder_knobs *knobs)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int err;

	if (!recorder)
		return -ENOMEM;
	libbpf_set_print(print_libbpf);
	recorder->skeleton = scaler_skeleton__open();
	err = recorder->skeleton ? 0 : -errno;
	if (err) {
		load_errors_explain(err);
		goto fail;
	}
	err = choose_frequency(recorder, knobs);
	if (err)
		goto fail;
	err = apply_knobs(recorder, knobs) ?:
					     map_sizes_set(recorder->skeleton, knobs,
							   recorder->frequency || knobs->records_blocking);
	if (err)
		goto fail;
	err = scaler_skeleton__load(recorder->skeleton);
	if (err) {
		load_errors_explain(err);
		goto fail;
	}
	err = preparation_run(recorder->skeleton)    ?:
		      attach(recorder)               ?:
		      start_samples(recorder, knobs) ?:
						       open_library(recorder, knobs);
	if (err)
		goto fail;
	recorder->windows_knobs = (struct call_windows_knobs){
		.skeleton = recorder->skeleton,
		.meter = recorder->meter,
		.share = knobs->records_calls ? knobs->overhead : 0,
	};
	*result = recorder;
	return 0;
fail:
	recorder_close(recorder);
	return err;
}

int recorder_add_id(struct recorder *recorder, pid_t id, enum scaler_target_begin begin)
{
	int fd = bpf_map__fd(recorder->skeleton->maps.target_ids);
	uint32_t key = (uint32_t)id, value = begin;
	int err = bpf_map_update_elem(fd, &key, &value, BPF_ANY);

	if (err)
		log_error("cannot trace %d: %s", id, strerror(-err));
	return err;
}

/* Runs an iterator once that prints nothing, so that reading it to the end is all. */
static int run_iterator(const struct bpf_link *link)
{
	int fd = bpf_iter_create(bpf_link__fd(link));
	char nothing[64];
	ssize_t got;

	if (fd < 0)
		return fd;
	do {
		got = read(fd, nothing, sizeof(nothing));
	} while (got > 0 || (got < 0 && errno == EINTR));
	close(fd);
	return got < 0 ? -errno : 0;
}

static uint64_t clock_ahead_ns(void)
{
	return clock_now_ns() + WINDOW_LEAD_NS;
}

int recorder_find_threads(struct recorder *recorder)
{
	struct scaler_skeleton *skeleton = recorder->skeleton;
	int found = 0;

	do {
		int err;

		skeleton->bss->tasks_found = 0;
		err = run_iterator(skeleton->links.scaler_find_targets);
		if (err) {
			log_error("cannot look for the threads to trace: %s", strerror(-err));
			return err;
		}
		found += (int)skeleton->bss->tasks_found;
	} while (skeleton->bss->tasks_found);
	skeleton->bss->announces_found = true;
	return found;
}

void recorder_start(struct recorder *recorder)
{
	struct scaler_skeleton *skeleton = recorder->skeleton;

	recorder->cpu_before_ns = clock_process_cpu_ns() + parser_cpu_ns();
	skeleton->data->window.start_ns = clock_ahead_ns();
	clock_sleep_until(skeleton->data->window.start_ns);
	recorder->windows = call_windows_start(&recorder->windows_knobs);
	spending_begin(recorder->meter);
	/* Who goes on before the end cannot be asked then. */
	if (skeleton->links.scaler_place_blocked)
		run_iterator(skeleton->links.scaler_place_blocked);
}

void recorder_stop(struct recorder *recorder)
{
	struct scaler_skeleton *skeleton = recorder->skeleton;

	skeleton->data->window.end_ns = clock_ahead_ns();
	clock_sleep_until(skeleton->data->window.end_ns);
	call_windows_stop(recorder->windows);
	spending_end(recorder->meter);
	sampler_detach(&recorder->sampler);
	programs_stop(skeleton);
}

/* How often, in microseconds, those are tried again for which the ring buffer has no room, and how often at most. */
#define PLACING_PAUSE    5000
#define PLACING_ATTEMPTS 100

/* 0 also if there is no such iterator. */
static int place_once(struct scaler_skeleton *skeleton)
{
	const struct bpf_link *const links[] = { skeleton->links.scaler_place_open_calls,
						 skeleton->links.scaler_place_blocked };
	int err = 0;

	skeleton->bss->open_calls_left = 0;
	for (size_t i = 0; i < ARRAY_SIZE(links) && !err; i++)
		err = links[i] ? run_iterator(links[i]) : 0;
	return err;
}

int recorder_place_sleepers(const struct recorder *recorder)
{
	struct scaler_skeleton *skeleton = recorder->skeleton;
	int err = place_once(skeleton);

	for (int attempts = 1; !err && skeleton->bss->open_calls_left && attempts < PLACING_ATTEMPTS;
	     attempts++) {
		usleep(PLACING_PAUSE);
		err = place_once(skeleton);
	}
	__atomic_fetch_add(&skeleton->bss->losses[SCALER_LOSS_STACK_EVENT], skeleton->bss->open_calls_left,
			   __ATOMIC_RELAXED);
	return err;
}

int recorder_describe_process(const struct recorder *recorder, pid_t pid)
{
	union bpf_iter_link_info target = { .task.pid = (__u32)pid };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &target, .link_info_len = sizeof(target));
	struct bpf_link *link =
		bpf_program__attach_iter(recorder->skeleton->progs.scaler_describe_address_spaces, &options);
	int err;

	if (!link)
		return -errno;
	err = run_iterator(link);
	bpf_link__destroy(link);
	return err;
}

int recorder_close_library_calls(const struct recorder *recorder)
{
	const struct bpf_link *link = recorder->skeleton->links.scaler_close_library_calls;

	return link ? run_iterator(link) : 0;
}

int recorder_living_threads_open(const struct recorder *recorder)
{
	return bpf_iter_create(bpf_link__fd(recorder->skeleton->links.scaler_read_threads));
}

int recorder_blocked_open(const struct recorder *recorder)
{
	const struct bpf_link *link = recorder->skeleton->links.scaler_read_blocked;

	return link ? bpf_iter_create(bpf_link__fd(link)) : -ENOENT;
}

struct scaler_window recorder_window(const struct recorder *recorder)
{
	return recorder->skeleton->data->window;
}

struct scaler_window recorder_begin_reading(const struct recorder *recorder)
{
	struct scaler_window *window = &recorder->skeleton->data->window, before = *window;

	__atomic_store_n(&window->reading, before.reading + 1, __ATOMIC_RELAXED);
	return before;
}

const struct scaler_call_row *recorder_near_rows(const struct recorder *recorder, size_t *count)
{
	const struct scaler_skeleton *skeleton = recorder->skeleton;
	uint64_t taken = skeleton->bss->free_rows_taken;

	/* They were free in their order, so those behind have not been used. */
	*count = taken < SCALER_NEAR_ROWS ? taken : SCALER_NEAR_ROWS;
	return skeleton->bss->near_rows;
}

void recorder_free_near_row(const struct recorder *recorder, size_t index)
{
	memset(&recorder->skeleton->bss->near_rows[index], 0, sizeof(struct scaler_call_row));
	map_sizes_give_near_row(recorder->skeleton, index);
}

int recorder_exited_thread_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.threads);
}

int recorder_call_fold_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.call_fold);
}

int recorder_error_fold_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.error_fold);
}

int recorder_component_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.components);
}

int recorder_context_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.contexts);
}

int recorder_socket_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.sockets);
}

int recorder_path_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.file_paths);
}

const struct library_kernel *recorder_library(const struct recorder *recorder)
{
	return recorder->library.functions ? &recorder->library : NULL;
}

int recorder_rule_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.unwind_rules);
}

int recorder_known_code_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.known_codes);
}

unsigned int recorder_frequency(const struct recorder *recorder)
{
	return recorder->frequency;
}

int recorder_event_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.events);
}

uint64_t recorder_losses(const struct recorder *recorder, enum scaler_loss cause)
{
	if (cause == SCALER_LOSS_RUN)
		return programs_runs_missed(recorder->skeleton);
	return recorder->skeleton->bss->losses[cause];
}

struct scaler_spending recorder_spending(const struct recorder *recorder)
{
	return spending_of_recording(recorder->meter);
}

struct scaler_sampling recorder_sampling(const struct recorder *recorder)
{
	const struct scaler_sampling none = { 0 };

	return recorder->windows ? call_windows_read(recorder->windows) : none;
}

uint64_t recorder_kernel_bytes(const struct recorder *recorder)
{
	return map_sizes_kernel_bytes(recorder->skeleton);
}

struct recorder_rows recorder_rows(const struct recorder *recorder)
{
	return map_sizes_rows(recorder->skeleton);
}

void recorder_count_taken(const struct recorder *recorder, enum scaler_rows map, uint64_t count)
{
	map_sizes_count_taken(recorder->skeleton, map, count);
}

uint64_t recorder_cpu_ns(const struct recorder *recorder)
{
	return clock_process_cpu_ns() + parser_cpu_ns() - recorder->cpu_before_ns;
}

void recorder_close(struct recorder *recorder)
{
	if (!recorder)
		return;
	call_windows_free(recorder->windows);
	spending_close(recorder->meter);
	sampler_detach(&recorder->sampler);
	library_kernel_close(&recorder->library);
	scaler_skeleton__destroy(recorder->skeleton);
	free(recorder);
}
