// SPDX-License-Identifier: GPL-2.0-only
/* Who issues the system calls: one component's sites at a time, so that its symbols are read once. */
#include "analysis/issuers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/component.h"
#include "target/symbols.h"

static int compare_sites(const void *left, const void *right)
{
	const struct issuer_site *a = left, *b = right;

	return (a->site > b->site) - (a->site < b->site);
}

static int compare_issuers(const struct issuer *a, const struct issuer *b)
{
	if (a->component != b->component)
		return a->component < b->component ? -1 : 1;
	if (!a->function || !b->function)
		return a->function ? 1 : b->function ? -1 : (a->offset > b->offset) - (a->offset < b->offset);
	return strcmp(a->function, b->function);
}

/* By issuer, of the site's own for now; items is what their indices mean. */
static int compare_sites_by_issuer(const void *left, const void *right, void *items)
{
	const struct issuer_site *a = left, *b = right;
	const struct issuer *issuers = items;

	return compare_issuers(&issuers[a->issuer], &issuers[b->issuer]);
}

static int collect_sites(const struct profile *profile, struct issuers *issuers)
{
	size_t calls = profile->call_count, count = calls + profile->stacks.site_count, kept = 0;
	struct issuer_site *sites = calloc(count + 1, sizeof(*sites));

	issuers->sites = sites;
	issuers->items = calloc(count + 1, sizeof(*issuers->items));
	issuers->components = calloc(count + 1, sizeof(*issuers->components));
	if (!sites || !issuers->items || !issuers->components)
		return -ENOMEM;
	for (size_t i = 0; i < calls; i++)
		sites[i].site = profile->calls[i].key.site;
	for (size_t i = calls; i < count; i++)
		sites[i].site = profile->stacks.sites[i - calls];
	qsort(sites, count, sizeof(*sites), compare_sites);
	for (size_t i = 0; i < count; i++) {
		if (!i || sites[i].site != sites[kept - 1].site)
			sites[kept++] = sites[i];
	}
	issuers->site_count = kept;
	return 0;
}

static void format_build_id(const struct scaler_component *description,
			    char text[2 * SCALER_BUILD_ID_SIZE + 1])
{
	text[0] = '\0';
	if (!component_has_build_id(description))
		return;
	for (size_t i = 0; i < SCALER_BUILD_ID_SIZE; i++)
		sprintf(text + 2 * i, "%02x", description->build_id[i]);
}

static int is_same_component(const struct issuer_component *a, const struct issuer_component *b)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no component is without a name. */
	if (strcmp(a->name, b->name))
		return 0;
	if (*a->build_id && *b->build_id)
		return !strcmp(a->build_id, b->build_id);
	return a->path && b->path ? !strcmp(a->path, b->path) : a->path == b->path;
}

static void clear_component(struct issuer_component *component)
{
	free(component->name);
	free(component->path);
}

/* The index of the component of that description, added if it is new; below 0: -ENOMEM. */
static ssize_t add_component(struct issuers *issuers, const struct scaler_component *description)
{
	struct issuer_component fresh = { .name = strdup(component_name(description)) };
	char path[SCALER_PATH_SIZE + 1];

	format_build_id(description, fresh.build_id);
	if (component_path(description, path))
		fresh.path = strdup(path);
	if (!fresh.name || (component_path(description, path) && !fresh.path)) {
		clear_component(&fresh);
		return -ENOMEM;
	}
	for (size_t i = 0; i < issuers->component_count; i++) {
		if (is_same_component(&issuers->components[i], &fresh)) {
			clear_component(&fresh);
			return (ssize_t)i;
		}
	}
	issuers->components[issuers->component_count] = fresh;
	return (ssize_t)issuers->component_count++;
}

/* Reads the symbols of a component that is a file. *problem: why there are none. 0 or -ENOMEM. */
static int read_symbols(struct symbols *symbols, const struct scaler_component *description,
			const char **problem)
{
	char path[SCALER_PATH_SIZE + 1];
	int fd, err;

	*symbols = (struct symbols){ 0 };
	*problem = NULL;
	if (!description->key.device && description->key.inode != SCALER_COMPONENT_VDSO)
		return 0;
	fd = component_open(description);
	if (fd < 0) {
		*problem = fd == -ESTALE ? "another file is in its place" : "its file cannot be opened";
		return 0;
	}
	err = symbols_read(symbols, fd, component_path(description, path) ?: description->names);
	close(fd);
	if (err == -ENOEXEC)
		*problem = "its file cannot be read as ELF";
	else if (!err && !symbols->function_count)
		*problem = "its file has none";
	return err == -ENOMEM ? err : 0;
}

static int make_issuer(struct issuer *issuer, size_t component, const struct symbols *symbols, uint64_t site)
{
	const struct symbol *function = NULL;

	*issuer = (struct issuer){ .component = component, .offset = scaler_site_offset(site) };
	if (elf_segments_address(&symbols->segments, issuer->offset, &issuer->offset))
		function = symbols_find(symbols, issuer->offset);
	if (!function) {
		/* As disassemblers and other tracers show a caller: where it goes on. */
		issuer->offset++;
		return 0;
	}
	issuer->offset = 0;
	issuer->function = strdup(function->name);
	return issuer->function ? 0 : -ENOMEM;
}

static const struct scaler_component *find_description(const struct profile *profile, uint32_t number)
{
	static const struct scaler_component unknown;

	for (size_t i = 0; number && i < profile->component_count; i++) {
		if (profile->components[i].number == number)
			return &profile->components[i].description;
	}
	return &unknown;
}

/* Gives the sites from *at on that lie in one component an issuer each. */
static int resolve_component(const struct profile *profile, struct issuers *issuers, size_t *at)
{
	uint32_t number = scaler_site_component(issuers->sites[*at].site);
	const struct scaler_component *description = find_description(profile, number);
	ssize_t component = add_component(issuers, description);
	struct symbols symbols;
	const char *problem;
	int err;

	if (component < 0)
		return (int)component;
	err = read_symbols(&symbols, description, &problem);
	issuers->components[component].problem = problem;
	for (; !err && *at < issuers->site_count && scaler_site_component(issuers->sites[*at].site) == number;
	     ++*at) {
		struct issuer *issuer = &issuers->items[*at];

		issuers->sites[*at].issuer = *at;
		err = make_issuer(issuer, (size_t)component, &symbols, issuers->sites[*at].site);
		issuers->count = *at + 1;
		/* No component: addresses of different processes. */
		if (!description->key.device && description->key.inode != SCALER_COMPONENT_VDSO)
			issuer->offset = 0;
	}
	symbols_clear(&symbols);
	return err;
}

/* Makes one of the issuers that are the same. */
static int merge_issuers(struct issuers *issuers)
{
	struct issuer *merged = calloc(issuers->count + 1, sizeof(*merged));
	struct issuer_site *sites = issuers->sites;
	size_t kept = 0;

	if (!merged)
		return -ENOMEM;
	qsort_r(sites, issuers->site_count, sizeof(*sites), compare_sites_by_issuer, issuers->items);
	for (size_t i = 0; i < issuers->site_count; i++) {
		struct issuer *issuer = &issuers->items[sites[i].issuer];

		if (kept && !compare_issuers(&merged[kept - 1], issuer))
			free(issuer->function);
		else
			merged[kept++] = *issuer;
		sites[i].issuer = kept - 1;
	}
	free(issuers->items);
	issuers->items = merged;
	issuers->count = kept;
	qsort(sites, issuers->site_count, sizeof(*sites), compare_sites);
	return 0;
}

int issuers_make(const struct profile *profile, struct issuers *issuers)
{
	size_t at = 0;
	int err;

	*issuers = (struct issuers){ 0 };
	err = collect_sites(profile, issuers);
	while (!err && at < issuers->site_count)
		err = resolve_component(profile, issuers, &at);
	return err ?: merge_issuers(issuers);
}

void issuers_clear(struct issuers *issuers)
{
	for (size_t i = 0; i < issuers->component_count; i++)
		clear_component(&issuers->components[i]);
	for (size_t i = 0; i < issuers->count; i++)
		free(issuers->items[i].function);
	free(issuers->components);
	free(issuers->items);
	free(issuers->sites);
	*issuers = (struct issuers){ 0 };
}

size_t issuers_find(const struct issuers *issuers, uint64_t site)
{
	const struct issuer_site key = { .site = site };
	const struct issuer_site *found =
		bsearch(&key, issuers->sites, issuers->site_count, sizeof(key), compare_sites);

	return found ? found->issuer : ISSUER_NONE;
}
