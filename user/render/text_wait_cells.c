// SPDX-License-Identifier: GPL-2.0-only
/* Cells that tables of waits have in common, whether they show one each or sums. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/escape.h"
#include "base/units.h"
#include "model/signals.h"
#include "model/syscalls.h"
#include "render/socket_text.h"
#include "render/table.h"
#include "render/wait_columns.h"

enum text_waker {
	TEXT_WAKER_THREAD,
	TEXT_WAKER_THREADS, /* of a sum, as is the next: the waker stands for all threads of its name */
	TEXT_WAKER_PROCESSES,
};

#define WAKER_SIZE 96 /* of an escaped name and a number */

void text_bound_cell(struct table *table, uint64_t time_ns, bool is_lower_bound)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s%s", is_lower_bound ? ">=" : "", units_format_time(time_ns, text));
}

void text_clock_cell(struct table *table, const struct report *report, uint64_t time_ns)
{
	uint64_t wall_ns = time_ns + (uint64_t)report->wall_clock_ns, since_ns = 0;
	time_t wall_s = (time_t)(wall_ns / 1000000000);
	char text[sizeof("hh:mm:ss")] = "";
	struct tm time;

	if (report->options.wall_clock) {
		if (localtime_r(&wall_s, &time))
			strftime(text, sizeof(text), "%H:%M:%S", &time);
		table_cell(table, "%s.%06" PRIu64, text, wall_ns / 1000 % 1000000);
		return;
	}
	if (time_ns > report->recording_start_ns)
		since_ns = time_ns - report->recording_start_ns;
	table_cell(table, "%" PRIu64 ".%06" PRIu64, since_ns / 1000000000, since_ns / 1000 % 1000000);
}

void text_call_function_cell(struct table *table, const struct places *places, const struct call_path *path)
{
	if (path->entered != PLACE_NONE)
		text_place_cell(table, places, path->entered);
	else if (path->innermost != PLACE_NONE)
		text_place_cell(table, places, path->innermost);
	else
		table_cell(table, "%s", "");
}

void text_caller_cell(struct table *table, const struct places *places, const struct call_path *path)
{
	if (path->caller != PLACE_NONE)
		text_place_cell(table, places, path->caller);
	else
		table_cell(table, "%s", "");
}

void text_wait_path_cell(struct table *table, const struct places *places, const struct wait_place *place)
{
	const struct call_path *path = &place->path;

	if (place->frames.count && path->entered == PLACE_NONE && path->innermost == PLACE_NONE)
		table_cell(table, "(cut: %s)", stack_end_text(path->cut));
	else
		text_call_function_cell(table, places, path);
}

void text_wait_call_cell(struct table *table, const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	const struct scaler_call_id *call = &row->interval->call;
	char name[SYSCALL_NAME_SIZE];

	(void)report;
	if (row->interval->flags & SCALER_BLOCKING_IN_CALL)
		table_cell(table, "%s", syscall_format(call->abi, call->number, name));
	else
		table_cell(table, "-");
}

void text_wait_on_cell(struct table *table, const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	char *resource = text_format_resource(report, &row->resource), *kernel;

	kernel = row->kernel == PLACE_NONE || wait_place_is_kernel(&row->place, row->interval->where.kernel) ?
			 NULL :
			 text_format_place(report->places, row->kernel);
	table->failed |= !resource;
	table_cell(table, "%s%s%s", resource ?: "", resource && *resource && kernel ? ", " : "",
		   kernel ?: "");
	free(resource);
	free(kernel);
}

void text_wait_function_cell(struct table *table, const struct report *report, const void *item)
{
	text_wait_path_cell(table, report->places, &((const struct blocking_row *)item)->place);
}

void text_wait_caller_cell(struct table *table, const struct report *report, const void *item)
{
	text_caller_cell(table, report->places, &((const struct blocking_row *)item)->place.path);
}

/* "main [1234]"; of sums "main", or of other processes than the one that waited "main of 1234", "main of several". */
static void format_task(const struct blocking_row *row, enum text_waker kind, char text[WAKER_SIZE])
{
	const struct scaler_task_names *names = &row->interval->waker.names;
	char name[ESCAPE_FACTOR * sizeof(names->comm) + 1];

	escape_text(names->comm, sizeof(names->comm), name);
	if (kind == TEXT_WAKER_THREAD)
		snprintf(text, WAKER_SIZE, "%s [%" PRIu32 "]", name, names->tid);
	else if (names->tgid == row->interval->names.tgid)
		snprintf(text, WAKER_SIZE, "%s", name);
	else if (kind == TEXT_WAKER_PROCESSES)
		snprintf(text, WAKER_SIZE, "%s of several", name);
	else
		snprintf(text, WAKER_SIZE, "%s of %" PRIu32, name, names->tgid);
}

/* A wakeup from where packets are delivered, by none that a task on this host is known to have sent. */
static bool is_by_remote(const struct blocking_row *row)
{
	const struct scaler_waker *waker = &row->interval->waker;

	return waker->context == SCALER_WAKER_SOFTIRQ && !waker->is_timer && !waker->signal &&
	       socket_is_connected(row->resource.socket);
}

/* "vda write 4.0 KiB (queued 12 us, served 880 us)"; of sums "vda write". */
static void format_request(const struct awaited_request *request, enum text_waker kind, char text[WAKER_SIZE])
{
	char size[UNITS_SIZE], queued[UNITS_SIZE], served[UNITS_SIZE];
	int used = snprintf(text, WAKER_SIZE, "%s %s", request->device ?: "disk",
			    request->operation ?: "request");

	if (kind != TEXT_WAKER_THREAD || used >= WAKER_SIZE)
		return;
	snprintf(text + used, (size_t)(WAKER_SIZE - used), " %s (queued %s, served %s)",
		 units_format_size(request->recorded->bytes, size),
		 units_format_time(request->queued_ns, queued),
		 units_format_time(request->served_ns, served));
}

/* No interrupt tells by itself who woke it but a timer's. */
static void waker_cell(struct table *table, const struct blocking_row *row, enum text_waker kind)
{
	const struct scaler_waker *waker = &row->interval->waker;
	char text[WAKER_SIZE] = "", signal[SIGNAL_NAME_SIZE] = "", address[SOCKET_ADDRESS_SIZE];

	if (waker_is_known(waker))
		format_task(row, kind, text);
	else if (waker->context == SCALER_WAKER_UNSEEN)
		snprintf(text, sizeof(text), "%s", row->interval->end_ns ? "not seen" : "");
	else if (waker->is_timer)
		snprintf(text, sizeof(text), "timer");
	else if (row->request.recorded)
		format_request(&row->request, kind, text);
	else if (is_by_remote(row) && row->resource.is_several &&
		 socket_side(row->resource.socket) != SOCKET_SIDE_CLIENT)
		snprintf(text, sizeof(text), "remote");
	else if (is_by_remote(row))
		snprintf(text, sizeof(text), "remote %s",
			 socket_format_remote(row->resource.socket, address));
	if (waker->signal)
		signal_format(waker->signal, signal);
	table_cell(table, "%s%s%s", text, *text && *signal ? ", " : "", signal);
}

void text_waker_cell(struct table *table, const struct report *report, const void *item)
{
	(void)report;
	waker_cell(table, item, TEXT_WAKER_THREAD);
}

void text_wakers_cell(struct table *table, const struct report *report, const void *item)
{
	const struct wait_row *row = item;

	(void)report;
	waker_cell(table, item, row->has_several_wakers ? TEXT_WAKER_PROCESSES : TEXT_WAKER_THREADS);
}

/* Of a process that exits its stack is gone, but not that it does. */
void text_waker_function_cell(struct table *table, const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	const struct scaler_waker *waker = &row->interval->waker;
	char name[SYSCALL_NAME_SIZE];

	if (row->waker.frames.count || !waker->is_in_call)
		text_wait_path_cell(table, report->places, &row->waker);
	else
		table_cell(table, "(%s)", syscall_format(waker->call.abi, waker->call.number, name));
}

void text_waker_caller_cell(struct table *table, const struct report *report, const void *item)
{
	const struct blocking_row *row = item;

	text_caller_cell(table, report->places, &row->waker.path);
}

/* "softirq NET_RX", "task"; nothing of a wakeup that was missed. */
static void print_origin(FILE *out, enum scaler_waker_context origin, const char *interrupt)
{
	char *name = interrupt ? text_escape_name(interrupt) : NULL;

	fputs(waker_context_name(origin) ?: "", out);
	if (name)
		fprintf(out, " %s", name);
	free(name);
}

/* The same, or of work the kernel's function that does it, and whence it was queued: "workqueue work, softirq BLOCK". */
void text_waker_context_cell(struct table *table, const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	const struct places *places = report->places;
	const struct scaler_waker *waker = &row->interval->waker;
	const char *work = row->work == PLACE_NONE ? NULL : places->items[row->work].function;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out && waker->context != SCALER_WAKER_WORKQUEUE) {
		print_origin(out, waker->context, row->interrupt);
	} else if (out) {
		print_origin(out, waker->context, work);
		fputs(", ", out);
		print_origin(out, waker_origin(waker), row->interrupt);
	}
	table->failed |= !out || fclose(out);
	table_cell(table, "%s", text ?: "");
	free(text);
}
