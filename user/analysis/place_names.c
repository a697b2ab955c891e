// SPDX-License-Identifier: GPL-2.0-only
/* The names of one component's places: by its file's symbols, by a perf map, or the kernel's own. */
#include "analysis/place_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/symbol_places.h"
#include "target/component.h"
#include "target/held_files.h"
#include "target/kernel_symbols.h"
#include "target/perf_map.h"
#include "target/symbol_search.h"

/* Reads the symbols of a component that is a file, and what else its file tells. 0 or -ENOMEM. */
static int read_symbols(struct symbols *symbols, const struct unnamed_places *unnamed)
{
	const struct scaler_component *description = unnamed->description;
	struct place_component *component = unnamed->component;
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	char path[KERNEL_PATH_TEXT_SIZE];
	int fd, err;

	*symbols = (struct symbols){ 0 };
	if (!description->key.device && description->key.inode != SCALER_COMPONENT_VDSO)
		return 0;
	fd = held_files_open(unnamed->held, description);
	if (fd < 0) {
		component->problem =
			fd == -ESTALE ? "another file is in its place" : "its file cannot be opened";
		return 0;
	}
	/* The kernel side reads it where system calls are issued only. */
	if (!*component->build_id && component_read_build_id(fd, build_id))
		component_format_build_id(build_id, component->build_id);
	err = symbol_search_read(unnamed->search, symbols, fd,
				 component_path(description, path) ?: description->path.names);
	close(fd);
	if (err == -ENOEXEC)
		component->problem = "its file cannot be read as ELF";
	else if (err == -ETIMEDOUT)
		component->problem = "its file, or its debug file, does not answer";
	else if (err == -ECANCELED)
		component->problem = "a signal came before";
	else if (!err && !symbols->functions.count)
		component->problem = "its file has none";
	return err == -ENOMEM ? err : 0;
}

static int make_place(struct place *place, struct symbols *symbols, uint64_t site)
{
	struct symbol_place found;
	int err = symbol_place_find(symbols, scaler_site_offset(site), &found);

	place->function = found.name;
	place->offset = found.address;
	return err;
}

static int name_by_symbols(struct unnamed_places *unnamed)
{
	struct symbols symbols;
	int err = read_symbols(&symbols, unnamed);

	for (size_t i = 0; !err && i < unnamed->count; i++)
		err = make_place(&unnamed->places[i], &symbols, unnamed->sites[i].site);
	symbols_clear(&symbols);
	return err;
}

static const char *perf_map_problem(int err)
{
	switch (err) {
	case -ENOENT:
		return "no /tmp/perf-PID.map (node --perf-basic-prof, java -XX:+DumpPerfMapAtExit, python3 "
		       "-X perf)";
	case -ESTALE:
		return "/tmp/perf-PID.map is older than the process";
	case -EPERM:
		return "/tmp/perf-PID.map is no file of the process's user";
	}
	return "/tmp/perf-PID.map cannot be read";
}

/* Generated code has no other place than its name: its addresses mean nothing once it is gone. */
static int name_by_perf_map(struct unnamed_places *unnamed)
{
	struct generated_name *names = calloc(unnamed->count, sizeof(*names));
	uint64_t *addresses = calloc(unnamed->count, sizeof(*addresses));
	int err = names && addresses ? unnamed->map_err : -ENOMEM;

	if (!err) {
		for (size_t i = 0; i < unnamed->count; i++)
			addresses[i] = scaler_site_offset(unnamed->sites[i].site);
		err = generated_names_find(&unnamed->map, addresses, unnamed->count, names);
	} else if (err != -ENOMEM) {
		unnamed->component->problem = perf_map_problem(err);
		err = 0;
	}
	for (size_t i = 0; !err && i < unnamed->count; i++) {
		if (names[i].text && !(unnamed->places[i].function = strndup(names[i].text, names[i].length)))
			err = -ENOMEM;
	}
	free(addresses);
	free(names);
	return err;
}

/* A place in the kernel has no other than its function. */
static int name_by_kernel_symbols(struct unnamed_places *unnamed)
{
	uint64_t *addresses = calloc(unnamed->count + 1, sizeof(*addresses));
	char **names = calloc(unnamed->count + 1, sizeof(*names));
	int err = addresses && names ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < unnamed->count; i++)
		addresses[i] = scaler_site_offset(unnamed->sites[i].site);
	if (!err)
		err = kernel_symbols_find(addresses, unnamed->count, names);
	for (size_t i = 0; names && i < unnamed->count; i++)
		unnamed->places[i].function = names[i];
	free(addresses);
	free(names);
	if (!err || err == -ENOMEM)
		return err;
	unnamed->component->problem = "/proc/kallsyms shows no addresses (kernel.kptr_restrict)";
	return 0;
}

static bool is_generated(const struct scaler_component *description)
{
	return !description->key.device && description->key.inode == SCALER_COMPONENT_ANONYMOUS;
}

static int read_perf_map(struct unnamed_places *unnamed)
{
	int fd = perf_map_open(unnamed->description), err;

	if (fd < 0)
		return fd;
	err = generated_names_read(&unnamed->map, fd);
	close(fd);
	return err;
}

const char *place_names_begin(struct unnamed_places *unnamed)
{
	if (!is_generated(unnamed->description))
		return component_name(unnamed->description);
	unnamed->map_err = read_perf_map(unnamed);
	return unnamed->map_err ? component_name(unnamed->description) : "[jit]";
}

void place_names_end(struct unnamed_places *unnamed)
{
	generated_names_clear(&unnamed->map);
}

int place_names_find(struct unnamed_places *unnamed)
{
	const struct scaler_component_key *key = &unnamed->description->key;

	if (is_generated(unnamed->description))
		return name_by_perf_map(unnamed);
	if (!key->device && key->inode == SCALER_COMPONENT_KERNEL_CODE)
		return name_by_kernel_symbols(unnamed);
	/* Which of the kernel's own few instructions it was says nothing; the tracer has one site alone. */
	if (!key->device &&
	    (key->inode == SCALER_COMPONENT_UPROBES || key->inode == SCALER_COMPONENT_TRACER_CODE))
		return 0;
	/* Without a component they are addresses of different processes. */
	return key->inode ? name_by_symbols(unnamed) : 0;
}
