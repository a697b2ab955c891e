// SPDX-License-Identifier: GPL-2.0-only
/* Library calls as JSON, described with the report's schema. */
#include "render/json_library.h"

#include "render/json_figures.h"
#include "render/json_values.h"

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
