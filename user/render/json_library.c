// SPDX-License-Identifier: GPL-2.0-only
/* Library calls as JSON, described with the report's schema. */
#include "render/json_library.h"

#include "render/json_figures.h"
#include "render/json_values.h"

/* null: not known. */
static json_t *component_value(const struct places *places, size_t component)
{
	return component == PLACE_NONE ? json_null() : json_name(places->components[component].name);
}

/* Gives the object the members that all sums of library calls have. Returns it, or NULL with it released. */
static json_t *add_figures(json_t *object, const struct sampled_frame *frame,
			   const struct library_figures *figures)
{
	const struct scaler_times *total = &figures->total, *self = &figures->self;
	json_t *more = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "sampled",
		json_call_ranges(frame, &figures->sampled, figures->calls, total->total_ns), "calls",
		json_number(figures->calls), "untimed", json_number(figures->untimed), "partial",
		json_number(figures->partial), "total_ns", json_number(total->total_ns), "runnable_ns",
		json_number(total->runnable_ns), "blocked_ns", json_number(total->blocked_ns), "self",
		"total_ns", json_number(self->total_ns), "runnable_ns", json_number(self->runnable_ns),
		"blocked_ns", json_number(self->blocked_ns));

	if (!json_object_update_new(object, more))
		return object;
	json_decref(object);
	return NULL;
}

json_t *json_library_figures(const struct report *report, const struct library_figures *figures)
{
	return add_figures(json_object(), &report->library_sampled, figures);
}

static json_t *callers_array(const struct report *report, const struct library_row *row)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < row->caller_count && !err; i++)
		err = json_append(array, add_figures(json_pack("{s:o}", "component",
							       component_value(report->places,
									       row->callers[i].component)),
						     &report->library_sampled, &row->callers[i].figures));
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

/* null: of many threads */
static json_t *number_value(uint32_t number)
{
	return number ? json_number(number) : json_null();
}

static json_t *threads_array(const struct report *report, const struct library_row *row)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < row->thread_count && !err; i++) {
		const struct library_thread *thread = &row->threads[i];

		err = json_append(
			array,
			add_figures(json_pack("{s:o, s:o, s:o, s:o}", "pid", number_value(thread->pid), "tid",
					      number_value(thread->tid), "name", json_name(thread->comm),
					      "threads", json_number(thread->threads)),
				    &report->library_sampled, &thread->figures));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

/* null: none has been entered and has returned. */
static json_t *time_value(const struct library_row *row, uint64_t time_ns)
{
	return row->max_start_ns ? json_number(time_ns) : json_null();
}

static json_t *row_object(const struct report *report, const struct library_row *row)
{
	const struct library_function *function = row->function;
	json_t *object = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "library",
		json_name(function->library), "component", component_value(report->places, row->component),
		"function", json_name(function->name), "symbol", json_name(function->symbol), "version",
		json_name(function->version), "counted", library_counting_name(row->counting), "unhooked_ns",
		function->unhooked_ns ? json_number(function->unhooked_ns) : json_null(), "since_ns",
		function->since_ns ? json_number(function->since_ns) : json_null(), "p50_ns",
		time_value(row, row->p50_ns), "p99_ns", time_value(row, row->p99_ns), "max_ns",
		time_value(row, row->max_ns), "max_start_ns", time_value(row, row->max_start_ns), "callers",
		callers_array(report, row), "threads", threads_array(report, row));

	return add_figures(object, &report->library_sampled, &row->figures);
}

json_t *json_library_refused(const struct library_functions *functions)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; functions && i < functions->refused_count && !err; i++) {
		const struct library_refused *refused = &functions->refused[i];

		err = json_append(array,
				  json_pack("{s:o, s:o, s:s, s:o}", "program", json_name(refused->program),
					    "library", json_name(refused->library), "reason", refused->reason,
					    "processes", json_number(refused->processes)));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

json_t *json_library_followed(const struct library_functions *functions)
{
	const struct library_coverage none = { 0 }, *coverage = functions ? &functions->coverage : &none;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "libraries_missed", json_number(coverage->missed),
			 "processes", json_number(coverage->followed), "latest_ns",
			 json_number(coverage->latest_ns), "processes_ended", json_number(coverage->ended),
			 "processes_refused", json_number(coverage->refused), "functions_refused",
			 json_number(coverage->no_room));
}

json_t *json_library_calls(const struct report *report)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < report->library.row_count && !err; i++)
		err = json_append(array, row_object(report, &report->library.rows[i]));
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

json_t *json_flow_array(const struct report *report)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < report->flow.row_count && !err; i++) {
		const struct cross_flow_row *row = &report->flow.rows[i];

		err = json_append(
			array, add_figures(json_pack("{s:o, s:o}", "caller",
						     component_value(report->places, row->caller), "called",
						     component_value(report->places, row->called)),
					   &report->library_sampled, &row->figures));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *syscall_figures(const struct time_figures *figures)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "calls", json_number(figures->calls), "errors",
			 json_number(figures->errors), "total_ns", json_number(figures->total_ns),
			 "running_ns", json_number(figures->time_ns[SCALER_RUNNING]), "runnable_ns",
			 json_number(figures->time_ns[SCALER_RUNNABLE]), "blocked_ns",
			 json_number(figures->time_ns[SCALER_BLOCKED]));
}

static json_t *function_syscall(const struct library_syscall *call)
{
	char name[SYSCALL_NAME_SIZE];

	return json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", syscall_format(call->abi, call->number, name),
			 "descriptor", syscall_descriptor_name(call->descriptor), "category",
			 syscall_category_name(syscall_category(call->abi, call->number, call->descriptor)),
			 "figures", syscall_figures(&call->figures), "self", syscall_figures(&call->self));
}

static json_t *function_syscalls(const struct library_functions *functions,
				 const struct library_syscalls_row *row)
{
	const struct library_function *function = &functions->items[row->function - 1];
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < row->call_count && !err; i++)
		err = json_append(array, function_syscall(&row->calls[i]));
	if (err) {
		json_decref(array);
		return NULL;
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "library", json_name(function->library),
			 "function", json_name(function->name), "symbol", json_name(function->symbol),
			 "version", json_name(function->version), "figures", syscall_figures(&row->figures),
			 "self", syscall_figures(&row->self), "syscalls", array);
}

json_t *json_library_syscalls(const struct report *report)
{
	const struct library_syscalls *syscalls = &report->library_syscalls;
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; i < syscalls->row_count && !err; i++)
		err = json_append(array, function_syscalls(report->library.functions, &syscalls->rows[i]));
	if (!err)
		return json_pack("{s:o, s:o, s:o}", "functions", array, "outside",
				 syscall_figures(&syscalls->outside), "total",
				 syscall_figures(&syscalls->total));
	json_decref(array);
	return NULL;
}

json_t *json_library_reasons(const struct library_functions *functions, library_reason reason_of)
{
	json_t *array = json_array();
	int err = 0;

	for (size_t i = 0; functions && i < functions->count && !err; i++) {
		const struct library_function *function = &functions->items[i];
		const char *reason = reason_of(function);

		if (reason)
			err = json_append(array, json_pack("{s:o, s:o, s:o, s:s}", "library",
							   json_name(function->library), "symbol",
							   json_name(function->symbol), "version",
							   json_name(function->version), "reason", reason));
	}
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}
