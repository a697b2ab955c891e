// SPDX-License-Identifier: GPL-2.0-only
/* Which library functions get probes: exports are grouped to functions, and imports say which of them count. */
#include "plan/plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/symbols.h"
#include "parser/names.h"
#include "plan/call_ends.h"
#include "target/component.h"

/* One name of a function. */
struct candidate {
	uint32_t file;
	uint64_t address; /* or the resolver's, if that is all that is known */
	struct linkage_export *export;
	size_t function; /* the number of its group */
	bool is_imported;
};

/* That a file imports one of a function's names. */
struct edge {
	size_t function;
	uint32_t importer;
};

struct planning {
	const struct linked_files *files;
	const struct plan_options *options;
	struct candidate *candidates; /* owned; by file and address */
	size_t candidate_count;
	struct candidate **by_name; /* owned */
	struct edge *edges;         /* owned */
	size_t edge_count;
	size_t edge_capacity;
	size_t function_count;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_places(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	return compare_numbers(a->file, b->file) ?: compare_numbers(a->address, b->address);
}

/* The best name of a function first. */
static int compare_ranks(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	return compare_places(a, b)                                           ?:
		       b->is_imported - a->is_imported                        ?:
		       symbol_compare_names(a->export->name, b->export->name) ?:
		       b->export->is_default - a->export->is_default          ?:
		       strcmp(a->export->version, b->export->version);
}

static int compare_names(const void *left, const void *right)
{
	const struct candidate *const *a = left, *const *b = right;

	return strcmp((*a)->export->name, (*b)->export->name);
}

static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	return compare_numbers(a->function, b->function) ?: compare_numbers(a->importer, b->importer);
}

static int collect_candidates(struct planning *planning)
{
	size_t count = 0;

	for (size_t i = 0; i < planning->files->count; i++)
		count += planning->files->items[i].linkage.export_count;
	planning->candidates = calloc(count + 1, sizeof(*planning->candidates));
	planning->by_name = calloc(count + 1, sizeof(struct candidate *));
	if (!planning->candidates || !planning->by_name)
		return -ENOMEM;
	for (size_t i = 0; i < planning->files->count; i++) {
		const struct linkage *linkage = &planning->files->items[i].linkage;

		for (size_t j = 0; j < linkage->export_count; j++)
			planning->candidates[planning->candidate_count++] = (struct candidate){
				.file = (uint32_t)i,
				.address = linkage->exports[j].address ?: linkage->exports[j].resolver,
				.export = &linkage->exports[j],
			};
	}
	qsort(planning->candidates, count, sizeof(*planning->candidates), compare_places);
	for (size_t i = 0; i < count; i++) {
		planning->function_count +=
			i && compare_places(&planning->candidates[i - 1], &planning->candidates[i]);
		planning->candidates[i].function = planning->function_count;
		planning->by_name[i] = &planning->candidates[i];
	}
	planning->function_count += count != 0;
	qsort(planning->by_name, count, sizeof(struct candidate *), compare_names);
	return 0;
}

/* The first candidate, by name, whose name is not below that one. */
static size_t find_name(const struct planning *planning, const char *name)
{
	size_t low = 0, high = planning->candidate_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(planning->by_name[middle]->export->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int note_import(struct planning *planning, uint32_t importer, const struct linkage_import *import)
{
	for (size_t i = find_name(planning, import->name); i < planning->candidate_count; i++) {
		struct candidate *candidate = planning->by_name[i];
		struct edge *edges;

		if (strcmp(candidate->export->name, import->name))
			break;
		if (candidate->file == importer ||
		    !linkage_matches(candidate->export, import->name, import->version))
			continue;
		edges = array_reserve(planning->edges, planning->edge_count, &planning->edge_capacity,
				      sizeof(*edges));
		if (!edges)
			return -ENOMEM;
		planning->edges = edges;
		edges[planning->edge_count++] = (struct edge){ candidate->function, importer };
		candidate->is_imported = true;
	}
	return 0;
}

static int collect_edges(struct planning *planning)
{
	int err = 0;

	for (size_t i = 0; i < planning->files->count; i++) {
		const struct linkage *linkage = &planning->files->items[i].linkage;

		for (size_t j = 0; j < linkage->import_count && !err; j++)
			err = note_import(planning, (uint32_t)i, &linkage->imports[j]);
	}
	if (planning->edge_count)
		qsort(planning->edges, planning->edge_count, sizeof(*planning->edges), compare_edges);
	return err;
}

/* "libc.so.6" fits "libc.so.6" and "libc". */
static bool matches_library(const struct globs *globs, const struct scaler_component *file)
{
	const char *name = component_name(file), *suffix = strstr(name, ".so");
	char stem[SCALER_PATH_SIZE];

	snprintf(stem, sizeof(stem), "%.*s", (int)(suffix ? suffix - name : 0), name);
	return globs_match(globs, name) || (*stem && globs_match(globs, stem));
}

bool plan_includes_file(const struct plan_options *options, const struct scaler_component *file)
{
	return (!options->libraries.count || matches_library(&options->libraries, file)) &&
	       !matches_library(&options->excluded, file);
}

static bool matches_function(const struct globs *globs, const struct linkage_export *export)
{
	return globs->count && (globs_match(globs, export->name) ||
				(export->readable && globs_match(globs, export->readable)));
}

/* Whether the function with those names is asked for. */
static bool is_wanted(const struct planning *planning, const struct candidate *names, size_t count)
{
	const struct plan_options *options = planning->options;
	bool is_called = options->calls == PLAN_EXPORTS, is_named = !options->functions.count;

	if (!plan_includes_file(options, &planning->files->items[names->file].component))
		return false;
	for (size_t i = 0; i < count; i++)
		is_called |= names[i].is_imported;
	for (size_t i = 0; i < count && is_called; i++) {
		if (matches_function(&options->excluded, names[i].export))
			return false;
		is_named |= matches_function(&options->functions, names[i].export);
	}
	return is_called && is_named;
}

/* Where a file's address is in it; linkage_read() takes none that is nowhere. */
static uint64_t file_offset(const struct linkage *linkage, uint64_t address)
{
	const struct elf_segment *segment = elf_segments_find(&linkage->segments, address);

	return segment ? segment->offset + (address - segment->address) : 0;
}

static enum plan_omission find_omission(const struct linkage_export *function)
{
	if (function->address)
		return PLAN_NOT_OMITTED;
	return function->is_elsewhere ? PLAN_ELSEWHERE : PLAN_UNRESOLVED;
}

static void add_function(struct plan *plan, const struct planning *planning, size_t first, size_t count,
			 size_t *edge)
{
	const struct candidate *names = &planning->candidates[first];
	const struct linked_file *file = &planning->files->items[names->file];
	struct plan_function *function = &plan->functions[plan->function_count++];

	*function = (struct plan_function){
		.file = names->file,
		.first_name = (uint32_t)first,
		.name_count = (uint32_t)count,
		.first_importer = (uint32_t)*edge,
		.omission = find_omission(names->export),
		.offset = file_offset(&file->linkage, names->address),
	};
	for (size_t i = 0; i < count; i++) {
		plan->names[first + i] = (struct plan_name){
			names[i].export->name, names[i].export->readable ?: names[i].export->name,
			names[i].export->version, names[i].export->is_default, names[i].is_imported
		};
		if (!function->untimed)
			function->untimed = call_ends_untimed(names[i].export->name);
	}
	for (; *edge < planning->edge_count && planning->edges[*edge].function == names->function; ++*edge) {
		uint32_t importer = planning->edges[*edge].importer;
		uint32_t *importers = &plan->importers[function->first_importer];

		if (!function->importer_count || importers[function->importer_count - 1] != importer)
			importers[function->importer_count++] = importer;
	}
}

/* As compilers mangle what is not C's. */
static bool may_be_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* Names of files that are asked for, as people have them; a file keeps them for the next plan. 0 or -ENOMEM. */
static int make_readable(const struct planning *planning)
{
	const char **names = calloc(planning->candidate_count + 1, sizeof(*names));
	char **readable = calloc(planning->candidate_count + 1, sizeof(*readable));
	size_t *numbers = calloc(planning->candidate_count + 1, sizeof(*numbers)), count = 0;
	int err = names && readable && numbers ? 0 : -ENOMEM;

	for (size_t i = 0; i < planning->candidate_count && !err; i++) {
		const struct candidate *candidate = &planning->candidates[i];

		if (candidate->export->readable || !may_be_mangled(candidate->export->name) ||
		    !plan_includes_file(planning->options,
					&planning->files->items[candidate->file].component))
			continue;
		names[count] = candidate->export->name;
		numbers[count++] = i;
	}
	if (!err && count)
		err = parser_demangle(parser_shared(), names, count, readable);
	for (size_t i = 0; i < count && !err; i++)
		planning->candidates[numbers[i]].export->readable = readable[i];
	free(names);
	free(readable);
	free(numbers);
	return err == -ENOMEM ? err : 0;
}

/* Candidates are by function, and so are the edges. */
static int choose_functions(struct plan *plan, const struct planning *planning)
{
	size_t edge = 0, count;

	plan->functions = calloc(planning->function_count + 1, sizeof(*plan->functions));
	plan->names = calloc(planning->candidate_count + 1, sizeof(*plan->names));
	plan->importers = calloc(planning->edge_count + 1, sizeof(*plan->importers));
	if (!plan->functions || !plan->names || !plan->importers)
		return -ENOMEM;
	for (size_t first = 0; first < planning->candidate_count; first += count) {
		const struct candidate *names = &planning->candidates[first];

		for (count = 1; first + count < planning->candidate_count; count++) {
			if (names[count].function != names->function)
				break;
		}
		while (edge < planning->edge_count && planning->edges[edge].function < names->function)
			edge++;
		if (is_wanted(planning, names, count))
			add_function(plan, planning, first, count, &edge);
	}
	return 0;
}

/* qsort_r() is needed for what a comparison must know beside its two items. */
static int compare_functions(const void *left, const void *right, void *context)
{
	const struct plan_function *a = left, *b = right;
	const struct plan *plan = context;

	return compare_numbers(a->file, b->file)                                                ?:
		       strcmp(plan->names[a->first_name].name, plan->names[b->first_name].name) ?:
		       compare_numbers(a->offset, b->offset);
}

int plan_make(struct plan *plan, const struct linked_files *files, const struct plan_options *options)
{
	struct planning planning = { .files = files, .options = options };
	int err = collect_candidates(&planning) ?: collect_edges(&planning);

	*plan = (struct plan){ 0 };
	err = err ?: make_readable(&planning);
	if (!err) {
		qsort(planning.candidates, planning.candidate_count, sizeof(*planning.candidates),
		      compare_ranks);
		err = choose_functions(plan, &planning);
	}
	plan->name_count = planning.candidate_count;
	plan->importer_count = planning.edge_count;
	if (!err)
		qsort_r(plan->functions, plan->function_count, sizeof(*plan->functions), compare_functions,
			plan);
	free(planning.candidates);
	free(planning.by_name);
	free(planning.edges);
	return err;
}

static int compare_sites(const void *left, const void *right)
{
	const struct plan_function *a = left, *b = right;

	return compare_numbers(a->file, b->file) ?: compare_numbers(a->offset, b->offset);
}

/* Takes those out of a plan that another, sorted by their places, has already. */
static void drop_known(struct plan *plan, const struct plan_function *known, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (!count || !bsearch(function, known, count, sizeof(*known), compare_sites))
			plan->functions[kept++] = *function;
	}
	plan->function_count = kept;
}

static int reserve(struct plan *plan, size_t functions, size_t names, size_t importers)
{
	struct plan_function *more_functions;
	struct plan_name *more_names;
	uint32_t *more_importers;

	more_functions =
		reallocarray(plan->functions, plan->function_count + functions + 1, sizeof(*more_functions));
	if (!more_functions)
		return -ENOMEM;
	plan->functions = more_functions;
	more_names = reallocarray(plan->names, plan->name_count + names + 1, sizeof(*more_names));
	if (!more_names)
		return -ENOMEM;
	plan->names = more_names;
	more_importers =
		reallocarray(plan->importers, plan->importer_count + importers + 1, sizeof(*more_importers));
	if (!more_importers)
		return -ENOMEM;
	plan->importers = more_importers;
	return 0;
}

static void append_function(struct plan *plan, const struct plan *from, const struct plan_function *function)
{
	struct plan_function *added = &plan->functions[plan->function_count++];

	*added = *function;
	added->first_name = (uint32_t)plan->name_count;
	added->first_importer = (uint32_t)plan->importer_count;
	memcpy(plan->names + plan->name_count, from->names + function->first_name,
	       function->name_count * sizeof(*plan->names));
	memcpy(plan->importers + plan->importer_count, from->importers + function->first_importer,
	       function->importer_count * sizeof(*plan->importers));
	plan->name_count += function->name_count;
	plan->importer_count += function->importer_count;
}

/* The first of another plan's functions. */
static int append(struct plan *plan, const struct plan *from, size_t count)
{
	size_t names = 0, importers = 0;
	int err;

	for (size_t i = 0; i < count; i++) {
		names += from->functions[i].name_count;
		importers += from->functions[i].importer_count;
	}
	err = reserve(plan, count, names, importers);
	for (size_t i = 0; i < count && !err; i++)
		append_function(plan, from, &from->functions[i]);
	return err;
}

int plan_extend(struct plan *plan, const struct linked_files *files, const struct plan_options *options,
		size_t most)
{
	size_t bytes = plan->function_count * sizeof(*plan->functions), room = most - plan->function_count;
	struct plan_function *known = malloc(bytes + 1);
	struct plan fresh = { 0 };
	int err = known ? plan_make(&fresh, files, options) : -ENOMEM;

	if (!err) {
		if (bytes)
			memcpy(known, plan->functions, bytes);
		qsort(known, plan->function_count, sizeof(*known), compare_sites);
		drop_known(&fresh, known, plan->function_count);
		err = append(plan, &fresh, fresh.function_count < room ? fresh.function_count : room);
	}
	if (!err && fresh.function_count > room)
		plan->no_room += fresh.function_count - room;
	free(known);
	plan_clear(&fresh);
	return err;
}

void plan_clear(struct plan *plan)
{
	free(plan->functions);
	free(plan->names);
	free(plan->importers);
	free(plan->exits);
	*plan = (struct plan){ 0 };
}

enum plan_untimed plan_untimed(const struct plan_function *function)
{
	if (function->untimed || function->exit_count)
		return function->untimed;
	return PLAN_EXITS_UNKNOWN;
}

void plan_options_clear(struct plan_options *options)
{
	globs_clear(&options->libraries);
	globs_clear(&options->functions);
	globs_clear(&options->excluded);
}
