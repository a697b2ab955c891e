// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf --list": which library functions would get probes, and why others would not. */
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/own_file.h"
#include "cmd/target_setup.h"
#include "plan/call_exits.h"
#include "plan/costly_cache.h"
#include "plan/plan_site.h"
#include "probe/library_sharing.h"
#include "render/json_values.h"
#include "render/table.h"
#include "render/text.h"
#include "target/component.h"

struct listing {
	const struct options *options;
	struct linked_files files;
	struct plan plan;
	FILE *out;
};

/* Several names in one cell. */
#define NAMES_SIZE 4096

static const char *file_error_text(int error)
{
	switch (error) {
	case 0:
		return "";
	case -ENOEXEC:
		return "no ELF file that can be read";
	case -ENOTSUP:
		return "for another machine, or of 32 bits";
	case -ENOENT:
	case -ESTALE:
		return "the file is gone";
	}
	return strerror(-error);
}

static const struct linked_file *function_file(const struct listing *listing,
					       const struct plan_function *function)
{
	return &listing->files.items[function->file];
}

/* As people have it, safe to print; the caller frees it. NULL without memory. */
static char *format_name(const struct plan_name *name)
{
	char *escaped = text_escape_name(name->readable);
	char *version = text_escape_name(name->version), *text = NULL;

	if (escaped && version &&
	    asprintf(&text, "%s%s%s", escaped, name->is_default ? "" : "@", name->is_default ? "" : version) <
		    0)
		text = NULL;
	free(escaped);
	free(version);
	return text;
}

static const char *untimed_text(const struct plan_function *function)
{
	return function->omission ? NULL : plan_untimed_text(plan_untimed(function));
}

static const char *site_name(const struct plan_function *function)
{
	static const char *const names[PROBE_SITE_KINDS] = {
		[PROBE_SITE_STEPPED] = "stepped",
		[PROBE_SITE_EMULATED] = "emulated",
		[PROBE_SITE_NOP5] = "nop5",
	};

	return function->omission ? NULL : names[function->site];
}

static void add_to_list(char list[NAMES_SIZE], const char *name)
{
	size_t length = strlen(list);

	snprintf(list + length, NAMES_SIZE - length, "%s%s", length ? ", " : "", name);
}

/* The function's name, and in another cell its other names. */
static void name_cells(struct table *table, const struct listing *listing,
		       const struct plan_function *function)
{
	const struct plan_name *names = &listing->plan.names[function->first_name];
	char *best = format_name(names), list[NAMES_SIZE] = "";

	table_cell(table, "%s", best ?: "");
	for (size_t i = 1; i < function->name_count; i++) {
		char *other = format_name(&names[i]);

		/* Old versions of a name may be the same function. */
		if (other && strcmp(names[i].name, names[i - 1].name))
			add_to_list(list, other);
		free(other);
	}
	table_cell(table, "%s", list);
	table->failed |= !best;
	free(best);
}

static void importers_cell(struct table *table, const struct listing *listing,
			   const struct plan_function *function)
{
	char list[NAMES_SIZE] = "";

	for (size_t i = 0; i < function->importer_count; i++) {
		uint32_t importer = listing->plan.importers[function->first_importer + i];
		char *name = text_escape_name(component_name(&listing->files.items[importer].component));

		if (name)
			add_to_list(list, name);
		table->failed |= !name;
		free(name);
	}
	table_cell(table, "%s", list);
}

static void escaped_cell(struct table *table, const char *text)
{
	char *escaped = text_escape_name(text ?: "");

	table_cell(table, "%s", escaped ?: "");
	table->failed |= !escaped;
	free(escaped);
}

/* How many there are that are probed. */
static void exits_cell(struct table *table, const struct plan_function *function)
{
	if (function->omission || plan_untimed(function))
		table_cell(table, "%s", "");
	else
		table_cell(table, "%u", function->exit_count);
}

static int print_functions(const struct listing *listing)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("LIBRARY", 0),     TABLE_WORDS("FUNCTION", 0),   TABLE_WORDS("OTHER NAMES", 0),
		TABLE_FIGURES("SITE", 0),      TABLE_WORDS("PROBED AS", 0),  TABLE_WORDS("COST", 0),
		TABLE_WORDS("IMPORTED BY", 0), TABLE_WORDS("NOT PROBED", 0), TABLE_FIGURES("EXITS", 0),
		TABLE_WORDS("NOT TIMED", 0),
	};
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < listing->plan.function_count; i++) {
		const struct plan_function *function = &listing->plan.functions[i];

		escaped_cell(&table, component_name(&function_file(listing, function)->component));
		name_cells(&table, listing, function);
		table_cell(&table, "0x%" PRIx64, function->offset);
		table_cell(&table, "%s", site_name(function) ?: "");
		table_cell(&table, "%s", function->was_costly ? "too much" : "");
		importers_cell(&table, listing, function);
		table_cell(&table, "%s", plan_omission_text(function->omission) ?: "");
		exits_cell(&table, function);
		table_cell(&table, "%s", untimed_text(function) ?: "");
	}
	return table_print(&table, listing->out);
}

static size_t count_functions(const struct listing *listing, size_t file)
{
	size_t count = 0;

	for (size_t i = 0; i < listing->plan.function_count; i++)
		count += listing->plan.functions[i].file == file;
	return count;
}

/* Files whose functions are chosen, or cannot be told. */
static bool is_listed(const struct listing *listing, size_t file)
{
	const struct linked_file *item = &listing->files.items[file];

	return count_functions(listing, file) ||
	       (item->error && plan_includes_file(&listing->options->plan, &item->component));
}

static int print_files(const struct listing *listing)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("LIBRARY", 0), TABLE_FIGURES("FUNCTIONS", 0), TABLE_FIGURES("PROCESSES", 0),
		TABLE_TREE("PATH"),        TABLE_WORDS("NOT PROBED", 0),
	};
	char path[KERNEL_PATH_TEXT_SIZE];
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < listing->files.count; i++) {
		const struct linked_file *file = &listing->files.items[i];

		if (!is_listed(listing, i))
			continue;
		escaped_cell(&table, component_name(&file->component));
		table_cell(&table, "%zu", count_functions(listing, i));
		table_cell(&table, file->process_count ? "%zu" : "", file->process_count);
		escaped_cell(&table, component_path(&file->component, path));
		table_cell(&table, "%s", file_error_text(file->error));
	}
	return table.cell_count ? table_print(&table, listing->out) : 0;
}

static int print_text(const struct listing *listing)
{
	size_t omitted = 0, counted = 0;
	int err;

	for (size_t i = 0; i < listing->plan.function_count; i++) {
		const struct plan_function *function = &listing->plan.functions[i];

		if (function->omission)
			omitted++;
		else if (plan_untimed(function))
			counted++;
	}
	err = print_files(listing);
	if (err || !listing->plan.function_count)
		return err;
	fputc('\n', listing->out);
	err = print_functions(listing);
	fprintf(listing->out, "\n%zu functions, %zu of them not probed; %zu timed, %zu only counted\n",
		listing->plan.function_count, omitted, listing->plan.function_count - omitted - counted,
		counted);
	return err;
}

static json_t *file_object(const struct linked_file *file)
{
	char path[KERNEL_PATH_TEXT_SIZE], build_id[COMPONENT_BUILD_ID_TEXT_SIZE] = "";

	if (component_has_build_id(&file->component))
		component_format_build_id(file->component.build_id, build_id);
	return json_pack("{s:o, s:o, s:o, s:i, s:s?}", "name", json_name(component_name(&file->component)),
			 "path", json_name(component_path(&file->component, path)), "build_id",
			 json_name(*build_id ? build_id : NULL), "processes", (int)file->process_count,
			 "error", file->error ? file_error_text(file->error) : NULL);
}

static json_t *name_object(const struct plan_name *name)
{
	return json_pack("{s:o, s:o, s:o, s:b, s:b}", "name", json_name(name->readable), "symbol",
			 json_name(name->name), "version", json_name(*name->version ? name->version : NULL),
			 "is_default", name->is_default, "is_imported", name->is_imported);
}

static json_t *function_object(const struct listing *listing, const struct plan_function *function)
{
	json_t *names = json_array(), *importers = json_array(), *exits = json_array();
	bool is_timed = !function->omission && !plan_untimed(function);
	int err = 0;

	for (size_t i = 0; i < function->name_count; i++)
		err |= json_append(names, name_object(&listing->plan.names[function->first_name + i]));
	for (size_t i = 0; i < function->importer_count; i++)
		err |= json_append(importers,
				   json_number(listing->plan.importers[function->first_importer + i]));
	for (size_t i = 0; is_timed && i < function->exit_count; i++)
		err |= json_append(exits, json_number(listing->plan.exits[function->first_exit + i]));
	if (err) {
		json_decref(names);
		json_decref(importers);
		json_decref(exits);
		return NULL;
	}
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:s?, s:b, s:o, s:s?, s:o, s:s?}", "file", json_number(function->file),
		"names", names, "offset", json_number(function->offset), "probe_offset",
		function->omission ? json_null() : json_number(plan_site_offset(function)), "site",
		site_name(function), "was_costly", function->was_costly, "importers", importers, "left_out",
		plan_omission_text(function->omission), "exits", exits, "not_timed", untimed_text(function));
}

static int print_json(const struct listing *listing)
{
	json_t *files = json_array(), *functions = json_array(), *document;
	int err = 0;

	for (size_t i = 0; i < listing->files.count; i++)
		err |= json_append(files, file_object(&listing->files.items[i]));
	for (size_t i = 0; i < listing->plan.function_count; i++)
		err |= json_append(functions, function_object(listing, &listing->plan.functions[i]));
	document = json_pack("{s:s, s:o, s:o}", "schema", "scaler-bpf/plan/1", "files", files, "functions",
			     functions);
	return json_print_document(document, err, listing->out);
}

/* What the first instructions of a file's functions say, and where those end that are to be timed there. */
static int look_at_code(struct listing *listing, uint32_t file)
{
	const struct linked_file *item = &listing->files.items[file];
	int fd = item->error ? -ENOENT : component_open(&item->component), err;

	err = plan_sites_read(&listing->plan, 0, file, fd);
	err = err ?: call_exits_find(&listing->plan, item, file, fd, false);
	err = err ?: costly_cache_load(&(const struct costly_file){ item, file, fd }, &listing->plan);
	if (fd >= 0)
		close(fd);
	return err;
}

/* As if the kernel had all that they take. */
static int look_at_files(struct listing *listing)
{
	int err = 0;

	for (size_t i = 0; i < listing->plan.function_count && listing->options->counts_only; i++)
		listing->plan.functions[i].untimed = PLAN_NOT_ASKED;
	for (uint32_t file = 0; file < listing->files.count && !err; file++)
		err = look_at_code(listing, file);
	return err;
}

static int list(struct listing *listing)
{
	const struct options *options = listing->options;
	int err = plan_make(&listing->plan, &listing->files, &options->plan) ?: look_at_files(listing);

	if (!err)
		err = !strcmp(options->format->name, "json") ? print_json(listing) : print_text(listing);
	if (err)
		log_error("cannot list the library functions: %s", strerror(-err));
	else if (!listing->plan.function_count)
		log_note("no library function is chosen%s",
			 options->plan.calls == PLAN_EDGES ?
				 "; those that no file imports are with --calls exports" :
				 "");
	return err;
}

int cmd_list(const struct options *options)
{
	struct listing listing = { .options = options, .out = stdout };
	int err = 0;

	if (options->output) {
		int fd = own_file_create(options->output, -1);

		listing.out = fd < 0 ? NULL : fdopen(fd, "w");
		if (!listing.out) {
			log_error("cannot write the list to '%s': %s", options->output,
				  own_file_problem(fd < 0 ? fd : -ENOMEM));
			return 1;
		}
	}
	err = target_setup_files(&options->target, &listing.files) || list(&listing);
	if (fflush(listing.out) || ferror(listing.out)) {
		log_error("cannot write the list: %s", strerror(errno));
		err = 1;
	}
	if (options->output)
		fclose(listing.out);
	plan_clear(&listing.plan);
	linked_files_clear(&listing.files);
	return err;
}
