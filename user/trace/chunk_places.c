// SPDX-License-Identifier: GPL-2.0-only
/* The names that a chunk defines, and the places that all of them make. */
#include "trace/chunk_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What is known of a site. */
struct chunk_site {
	uint64_t site;
	uint64_t offset;
	const char *function; /* among the reader's texts */
	size_t component;     /* of the places */
};

struct chunk_call {
	uint64_t caller;
	uint64_t number;
	const char *function;
	size_t component;
};

static struct library_function function_of(const struct taking *taking, const struct trace_function_row *row,
					   const char **aliases)
{
	return (struct library_function){
		.library = taking_text(taking, row->library) ?: "",
		.symbol = taking_text(taking, row->symbol) ?: "",
		/* Nobody changes it. */
		.name = (char *)(taking_text(taking, row->name) ?: ""),
		.aliases = aliases,
		.alias_count = row->alias_count,
		.version = taking_text(taking, row->version),
		.omitted = taking_text(taking, row->omitted),
		.untimed = taking_text(taking, row->untimed),
		.is_sampled = row->is_sampled,
		.unhooked_ns = row->unhooked_ns,
		.since_ns = row->since_ns,
	};
}

static int set_functions(struct taking *taking, const struct trace_function_row *rows, size_t count,
			 const uint32_t *names, size_t name_count)
{
	struct chunk_reader *reader = taking->reader;
	struct library_function *items = calloc(count + 1, sizeof(*items));
	const char **aliases = calloc(name_count + 1, sizeof(*aliases));
	size_t first = 0;

	free(reader->functions.items);
	free(reader->aliases);
	reader->functions.items = items;
	reader->functions.count = 0;
	reader->aliases = aliases;
	if (!items || !aliases)
		return -ENOMEM;
	for (size_t i = 0; i < name_count; i++)
		aliases[i] = taking_text(taking, names[i]) ?: "";
	for (size_t i = 0; i < count; i++) {
		if (rows[i].alias_count > name_count - first)
			return -EBADMSG;
		items[reader->functions.count++] = function_of(taking, &rows[i], aliases + first);
		first += rows[i].alias_count;
	}
	return 0;
}

static int take_refused(struct taking *taking)
{
	struct library_functions *functions = &taking->reader->functions;
	const struct trace_refused_row *refused;
	struct library_refused *items;
	size_t count;
	void *rows;
	int err = chunk_take(taking, TRACE_REFUSED, sizeof(*refused), &rows, &count);

	if (err)
		return err;
	refused = rows;
	items = calloc(count + 1, sizeof(*items));
	for (size_t i = 0; i < count && items; i++)
		items[i] = (struct library_refused){ .program = taking_text(taking, refused[i].program) ?: "",
						     .library = taking_text(taking, refused[i].library),
						     .reason = taking_text(taking, refused[i].reason) ?: "",
						     .processes = refused[i].processes };
	free(rows);
	free(functions->refused);
	functions->refused = items;
	functions->refused_count = items ? count : 0;
	return items ? 0 : -ENOMEM;
}

/* They are in a chunk if there are any and one of them has changed. */
int chunk_functions_take(struct taking *taking)
{
	struct chunk_reader *reader = taking->reader;
	void *coverage, *rows = NULL, *names = NULL;
	size_t coverage_count, count, name_count;
	int err = chunk_take(taking, TRACE_COVERAGE, sizeof(struct library_coverage), &coverage,
			     &coverage_count);

	if (err || !coverage_count) {
		free(coverage);
		return err;
	}
	reader->has_functions = true;
	reader->functions.coverage = *(struct library_coverage *)coverage;
	free(coverage);
	err = chunk_take(taking, TRACE_FUNCTIONS, sizeof(struct trace_function_row), &rows, &count)   ?:
		      chunk_take(taking, TRACE_FUNCTION_NAMES, sizeof(uint32_t), &names, &name_count) ?:
		      set_functions(taking, rows, count, names, name_count)                           ?:
		      take_refused(taking);
	free(rows);
	free(names);
	return err;
}

static ssize_t add_component(struct taking *taking, const struct trace_place_component_row *row)
{
	const char *path = taking_text(taking, row->path);
	struct place_component fresh = {
		.is_application = row->flags & TRACE_COMPONENT_APPLICATION,
		.is_runtime = row->flags & TRACE_COMPONENT_RUNTIME,
		.is_tracer = row->flags & TRACE_COMPONENT_TRACER,
		.is_generated = row->flags & TRACE_COMPONENT_GENERATED,
	};

	strncpy(fresh.build_id, taking_text(taking, row->build_id) ?: "", sizeof(fresh.build_id) - 1);
	fresh.name = strdup(taking_text(taking, row->name) ?: "[unknown]");
	if (!fresh.name)
		return -ENOMEM;
	fresh.path = path ? strdup(path) : NULL;
	if (!path || fresh.path)
		return places_add_component(&taking->reader->places, &fresh);
	free(fresh.name);
	return -ENOMEM;
}

/* Those that earlier chunks have may have changed. */
static int take_components(struct taking *taking)
{
	struct chunk_reader *reader = taking->reader;
	const struct trace_place_component_row *items;
	size_t count, *components;
	void *rows;
	int err = chunk_take(taking, TRACE_PLACE_COMPONENTS, sizeof(*items), &rows, &count);

	if (err)
		return err;
	items = rows;
	components =
		reallocarray(reader->components, count + reader->component_count + 1, sizeof(*components));
	if (components)
		reader->components = components;
	else
		err = -ENOMEM;
	for (size_t i = 0; i < count && !err; i++) {
		ssize_t index = i < reader->component_count ? (ssize_t)components[i] :
							      add_component(taking, &items[i]);
		struct place_component *component;

		if (index < 0) {
			err = (int)index;
			break;
		}
		if (i == reader->component_count)
			components[reader->component_count++] = (size_t)index;
		component = &reader->places.components[index];
		strncpy(component->build_id, taking_text(taking, items[i].build_id) ?: "",
			sizeof(component->build_id) - 1);
		component->problem = taking_text(taking, items[i].problem);
		component->is_moved = items[i].flags & TRACE_COMPONENT_MOVED;
	}
	free(rows);
	return err;
}

static int use_number(struct taking *taking, const void *row)
{
	const struct trace_place_number_row *number = row;
	struct chunk_reader *reader = taking->reader;

	return number->number < SCALER_COMPONENT_LIMIT && number->component < reader->component_count ?
		       places_number_component(&reader->places, number->number,
					       reader->components[number->component]) :
		       0;
}

static int use_site(struct taking *taking, const void *row)
{
	const struct trace_place_site_row *site = row;
	struct chunk_reader *reader = taking->reader;
	size_t index;

	if (site->component >= reader->component_count)
		return 0;
	index = distinct_add(&reader->sites, &site->site, sizeof(site->site), sizeof(struct chunk_site));
	if (index == SIZE_MAX)
		return -ENOMEM;
	((struct chunk_site *)reader->sites.items)[index] = (struct chunk_site){
		.site = site->site,
		.offset = site->offset,
		.function = taking_text(taking, site->function),
		.component = reader->components[site->component],
	};
	return 0;
}

static int use_call(struct taking *taking, const void *row)
{
	const struct trace_place_call_row *call = row;
	const uint64_t key[] = { call->caller, call->number };
	const char *function = taking_text(taking, call->function);
	struct chunk_reader *reader = taking->reader;
	size_t index;

	if (function && call->component >= reader->component_count)
		return 0;
	index = distinct_add(&reader->calls, key, sizeof(key), sizeof(struct chunk_call));
	if (index == SIZE_MAX)
		return -ENOMEM;
	((struct chunk_call *)reader->calls.items)[index] = (struct chunk_call){
		.caller = call->caller,
		.number = call->number,
		.function = function,
		.component = function ? reader->components[call->component] : 0,
	};
	return 0;
}

static int use_name(const struct taking *taking, struct number_names *names, const struct trace_name_row *row)
{
	const char *text = taking_text(taking, row->text);

	return text ? number_names_add(names, row->number, text) : 0;
}

static int use_disk(struct taking *taking, const void *row)
{
	return use_name(taking, &taking->reader->places.disks, row);
}

static int use_interrupt(struct taking *taking, const void *row)
{
	return use_name(taking, &taking->reader->places.interrupts, row);
}

int chunk_places_take(struct taking *taking)
{
	return take_components(taking) ?:
		       chunk_take_each(taking, TRACE_PLACE_NUMBERS, sizeof(struct trace_place_number_row), use_number) ?:
		       chunk_take_each(taking, TRACE_PLACE_SITES, sizeof(struct trace_place_site_row), use_site) ?:
		       chunk_take_each(taking, TRACE_PLACE_CALLS, sizeof(struct trace_place_call_row), use_call) ?:
		       chunk_take_each(taking, TRACE_DISKS, sizeof(struct trace_name_row), use_disk) ?:
		       chunk_take_each(taking, TRACE_INTERRUPTS, sizeof(struct trace_name_row),
				       use_interrupt);
}

bool chunk_has_site(const struct chunk_reader *reader, uint64_t site)
{
	return distinct_find(&reader->sites, &site, sizeof(site), sizeof(struct chunk_site)) != SIZE_MAX;
}

/* The place of a site or a call, added. */
static size_t add_place(struct places *places, size_t component, const char *function, uint64_t offset)
{
	places->items[places->count] = (struct place){
		.component = component,
		.function = function ? strdup(function) : NULL,
		.offset = offset,
	};
	return places->count++;
}

static void forget_places(struct places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].function);
	free(places->items);
	free(places->sites);
	free(places->calls);
	places->items = NULL;
	places->sites = NULL;
	places->calls = NULL;
	places->count = places->site_count = places->call_count = 0;
}

static ssize_t add_unknown(struct places *places)
{
	struct place_component fresh = { .name = strdup("[unknown]") };

	return fresh.name ? places_add_component(places, &fresh) : -ENOMEM;
}

static int compare_sites(const void *left, const void *right)
{
	const struct place_site *a = left, *b = right;

	return array_order(a->site, b->site);
}

static int add_places(struct chunk_reader *reader, struct place_site *sites)
{
	struct places *places = &reader->places;
	const struct chunk_site *known = reader->sites.items;
	const struct chunk_call *calls = reader->calls.items;

	size_t count = reader->sites.count;
	ssize_t unknown = add_unknown(places);

	if (unknown < 0)
		return (int)unknown;
	for (size_t i = 0; i < count; i++)
		sites[i] =
			(struct place_site){ known[i].site, add_place(places, known[i].component,
								      known[i].function, known[i].offset) };
	/* What stands for all that have none. */
	if (!chunk_has_site(reader, 0))
		sites[count++] = (struct place_site){ 0, add_place(places, (size_t)unknown, NULL, 0) };
	for (size_t i = 0; i < reader->calls.count; i++)
		places->calls[places->call_count++] = (struct place_call){
			.caller = calls[i].caller,
			.component = (uint32_t)calls[i].number,
			.place = calls[i].function ?
					 add_place(places, calls[i].component, calls[i].function, 0) :
					 PLACE_NONE,
		};
	places_sort_calls(places);
	qsort(sites, count, sizeof(*sites), compare_sites);
	return places_add_sites(places, sites, count) ?: places_merge(places);
}

const struct places *chunk_reader_places(struct chunk_reader *reader)
{
	struct places *places = &reader->places;
	size_t most = reader->sites.count + reader->calls.count + 2;
	struct place_site *sites = calloc(most, sizeof(*sites));
	int err;

	forget_places(places);
	places->items = calloc(most, sizeof(*places->items));
	places->calls = calloc(most, sizeof(*places->calls));
	err = sites && places->items && places->calls ? add_places(reader, sites) : -ENOMEM;
	free(sites);
	return err ? NULL : places;
}
