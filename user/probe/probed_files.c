// SPDX-License-Identifier: GPL-2.0-only
/* Of all of a file's places as many as there is room for, from the first to the last. */
#include "probe/probed_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/array.h"
#include "plan/plan_site.h"

/* Every step-th place. */
struct sampling {
	const struct library_kernel *kernel;
	int fd;
	uint32_t at, end; /* in the kernel's map */
	size_t step;
	size_t seen;
};

static void add_place(struct sampling *sampling, uint64_t offset)
{
	unsigned char byte;
	uint64_t place;

	if (sampling->seen++ % sampling->step || sampling->at == sampling->end ||
	    pread(sampling->fd, &byte, 1, (off_t)offset) != 1)
		return;
	place = scaler_probed_place(offset, byte);
	if (!bpf_map_update_elem(sampling->kernel->probed_places_fd, &sampling->at, &place, BPF_ANY))
		sampling->at++;
}

/* A function's. */
static void add_places(struct sampling *sampling, const struct plan *plan,
		       const struct plan_function *function)
{
	add_place(sampling, plan_site_offset(function));
	for (size_t i = 0; i < function->exit_count && !plan_untimed(function); i++)
		add_place(sampling, plan->exits[function->first_exit + i]);
}

static bool is_probed(const struct plan_function *function, uint32_t number)
{
	return function->file == number && !function->omission;
}

static int grow(struct probed_files *files, size_t count)
{
	size_t *functions = count > files->count ? reallocarray(files->functions, count, sizeof(*functions)) :
						   files->functions;

	if (!functions)
		return -ENOMEM;
	if (count > files->count) {
		memset(functions + files->count, 0, (count - files->count) * sizeof(*functions));
		files->count = count;
	}
	files->functions = functions;
	return 0;
}

/* One file takes no more than half of the room that is left. */
static uint32_t find_room(const struct probed_files *files)
{
	uint32_t room = (SCALER_PROBED_PLACES - files->places) / 2;

	return room < SCALER_PROBED_PLACES_OF_FILE ? room : SCALER_PROBED_PLACES_OF_FILE;
}

int probed_files_tell(struct probed_files *files, const struct library_kernel *kernel,
		      const struct plan *plan, const struct linked_file *file, uint32_t number, int fd)
{
	const struct scaler_component_key *component = &file->mapped;
	const struct scaler_file_key key = { component->inode, component->device, 0 };
	uint32_t room = find_room(files);
	struct sampling sampling = { kernel, fd, files->places, files->places + room, 1, 0 };
	struct scaler_probed_file probed = { .first = files->places };
	size_t functions = 0, places = 0;
	int err = grow(files, number + 1);

	if (err)
		return err;
	for (size_t i = 0; i < plan->function_count; i++) {
		functions += is_probed(&plan->functions[i], number);
		places += is_probed(&plan->functions[i], number) ? 1 + plan->functions[i].exit_count : 0;
	}
	if (functions <= files->functions[number])
		return 0;
	sampling.step = room ? (places + room - 1) / room : SIZE_MAX;
	for (size_t i = 0; i < plan->function_count; i++) {
		if (is_probed(&plan->functions[i], number))
			add_places(&sampling, plan, &plan->functions[i]);
	}
	probed.count = sampling.at - probed.first;
	if (bpf_map_update_elem(kernel->probed_files_fd, &key, &probed, BPF_ANY))
		return -errno;
	files->places = sampling.at;
	files->functions[number] = functions;
	return 0;
}

void probed_files_clear(struct probed_files *files)
{
	free(files->functions);
	*files = (struct probed_files){ 0 };
}

void probed_files_tell_process(const struct library_kernel *kernel, pid_t pid, uint32_t probing)
{
	uint32_t key = (uint32_t)pid;

	if (probing)
		bpf_map_update_elem(kernel->probed_processes_fd, &key, &probing, BPF_ANY);
	else
		bpf_map_delete_elem(kernel->probed_processes_fd, &key);
}
