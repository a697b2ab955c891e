// SPDX-License-Identifier: GPL-2.0-only
/* The names of one component's places: by its file's symbols, by a perf map, or the kernel's own. */
#include "symbolize/place_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parser/names.h"
#include "target/component.h"
#include "target/held_files.h"
#include "target/kernel_symbols.h"
#include "target/perf_map.h"
#include "target/symbol_search.h"

/* The offsets of the sites in their file, or the addresses, of each; the caller frees them. NULL without memory. */
static uint64_t *list_offsets(const struct unnamed_places *unnamed)
{
	uint64_t *offsets = calloc(unnamed->count + 1, sizeof(*offsets));

	for (size_t i = 0; offsets && i < unnamed->count; i++)
		offsets[i] = scaler_site_offset(unnamed->sites[i].site);
	return offsets;
}

static const char *file_problem(int err, bool has_functions)
{
	switch (err) {
	case 0:
		return has_functions ? NULL : "its file has none";
	case -ENOEXEC:
		return "its file cannot be read as ELF";
	case -EFBIG:
	case -EPIPE:
	case -EPROTO:
		return "its file is beyond what is read of one";
	case -ETIMEDOUT:
		return "its file, or its debug file, does not answer";
	case -ECANCELED:
		return "a signal came before";
	}
	return "its file cannot be read";
}

/* What the open file of a component tells. 0 or -ENOMEM. */
static int name_in_file(struct unnamed_places *unnamed, int fd, const uint64_t *offsets,
			struct symbol_place *found)
{
	const struct scaler_component *description = unnamed->description;
	struct place_component *component = unnamed->component;
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	char path[KERNEL_PATH_TEXT_SIZE];
	bool has_functions;
	int err;

	/* The kernel side reads it where system calls are issued only. */
	if (!*component->build_id && component_read_build_id(fd, build_id))
		component_format_build_id(build_id, component->build_id);
	err = symbol_search_name(unnamed->symbolizer->search, fd,
				 component_path(description, path) ?: description->path.names, offsets,
				 unnamed->count, found, &has_functions);
	component->problem = file_problem(err, has_functions);
	for (size_t i = 0; i < unnamed->count && !err; i++) {
		unnamed->places[i].function = found[i].name;
		unnamed->places[i].offset = found[i].address;
	}
	return err == -ENOMEM ? err : 0;
}

static int name_in_files(struct unnamed_places *unnamed, const uint64_t *offsets, struct symbol_place *found)
{
	const struct scaler_component *description = unnamed->description;
	int fd, err;

	if (!description->key.device && description->key.inode != SCALER_COMPONENT_VDSO)
		return 0;
	fd = held_files_open(unnamed->symbolizer->held, description);
	if (fd < 0) {
		unnamed->component->problem =
			fd == -ESTALE ? "another file is in its place" : "its file cannot be opened";
		return 0;
	}
	err = name_in_file(unnamed, fd, offsets, found);
	close(fd);
	return err;
}

static int name_by_symbols(struct unnamed_places *unnamed)
{
	struct symbol_place *found = calloc(unnamed->count + 1, sizeof(*found));
	uint64_t *offsets = list_offsets(unnamed);
	int err = found && offsets ? 0 : -ENOMEM;

	/* Without a file that tells more. */
	for (size_t i = 0; i < unnamed->count && !err; i++)
		unnamed->places[i].offset = symbol_place_unknown(offsets[i]);
	err = err ?: name_in_files(unnamed, offsets, found);
	free(found);
	free(offsets);
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

/* Gives the places the names that were found, which are theirs; what they were found by is freed. */
static void take_names(struct unnamed_places *unnamed, uint64_t *addresses, char **names)
{
	for (size_t i = 0; names && i < unnamed->count; i++)
		unnamed->places[i].function = names[i];
	free(addresses);
	free(names);
}

/* Generated code has no other place than its name: its addresses mean nothing once it is gone. */
static int name_by_perf_map(struct unnamed_places *unnamed)
{
	uint64_t *addresses = list_offsets(unnamed);
	char **names = calloc(unnamed->count + 1, sizeof(*names));
	int err = names && addresses ? 0 : -ENOMEM;

	if (!err)
		err = unnamed->map_fd < 0 ? unnamed->map_fd :
					    parser_name_generated(parser_shared(), unnamed->map_fd, addresses,
								  unnamed->count, names);
	take_names(unnamed, addresses, names);
	if (!err || err == -ENOMEM)
		return err;
	unnamed->component->problem = perf_map_problem(err);
	return 0;
}

/* A place in the kernel has no other than its function. */
static int name_by_kernel_symbols(struct unnamed_places *unnamed)
{
	uint64_t *addresses = list_offsets(unnamed);
	char **names = calloc(unnamed->count + 1, sizeof(*names));
	int err = addresses && names ? kernel_symbols_find(addresses, unnamed->count, names) : -ENOMEM;

	take_names(unnamed, addresses, names);
	if (!err || err == -ENOMEM)
		return err;
	unnamed->component->problem = "/proc/kallsyms shows no addresses (kernel.kptr_restrict)";
	return 0;
}

static bool is_generated(const struct scaler_component *description)
{
	return !description->key.device && description->key.inode == SCALER_COMPONENT_ANONYMOUS;
}

const char *place_names_begin(struct unnamed_places *unnamed)
{
	unnamed->map_fd = is_generated(unnamed->description) ? perf_map_open(unnamed->description) : -ENOENT;
	return unnamed->map_fd < 0 ? component_name(unnamed->description) : "[jit]";
}

void place_names_end(struct unnamed_places *unnamed)
{
	if (unnamed->map_fd >= 0)
		close(unnamed->map_fd);
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
