// SPDX-License-Identifier: GPL-2.0-only
/* Of all places with probes as many as the kernel side has room for, from the first to the last. */
#include "probe/probed_files.h"

#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "probe/plan_site.h"

static bool is_probed(const struct plan_function *function, uint32_t number)
{
	return function->file == number && !function->omission;
}

static bool add_place(struct scaler_probed_file *probed, uint64_t offset, int fd)
{
	unsigned char byte;

	if (probed->count == SCALER_PROBED_PLACES || pread(fd, &byte, 1, (off_t)offset) != 1)
		return false;
	probed->places[probed->count++] = (struct scaler_probed_place){ offset, byte };
	return true;
}

/* Of those of every so many functions: where each begins, and the first of its exits. */
static void add_places(struct scaler_probed_file *probed, const struct plan *plan, uint32_t number, int fd)
{
	size_t count = 0, at = 0, step;

	for (size_t i = 0; i < plan->function_count; i++)
		count += is_probed(&plan->functions[i], number);
	step = count / (SCALER_PROBED_PLACES / 2) + 1;
	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (!is_probed(function, number) || (++at % step && at != count))
			continue;
		add_place(probed, plan_site_offset(function), fd);
		if (plan_observe(function) == PLAN_AT_EXITS)
			add_place(probed, plan->exits[function->first_exit], fd);
	}
}

int probed_files_tell(const struct library_kernel *kernel, const struct plan *plan,
		      const struct linked_file *file, uint32_t number, int fd)
{
	const struct scaler_component_key *component = &file->component.key;
	const struct scaler_file_key key = { component->inode, component->device, 0 };
	struct scaler_probed_file probed = { 0 };

	add_places(&probed, plan, number, fd);
	return bpf_map_update_elem(kernel->probed_files_fd, &key, &probed, BPF_ANY) ? -errno : 0;
}

void probed_files_tell_refused(const struct library_kernel *kernel, pid_t pid, bool is_refused)
{
	uint32_t key = (uint32_t)pid;

	if (is_refused)
		bpf_map_update_elem(kernel->refused_processes_fd, &key, &key, BPF_ANY);
	else
		bpf_map_delete_elem(kernel->refused_processes_fd, &key);
}
