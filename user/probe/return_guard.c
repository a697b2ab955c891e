// SPDX-License-Identifier: GPL-2.0-only
/* What the code of files may do, for the kernel side. */
#include "probe/return_guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <scaler/return_hazard.h>

#include "base/array.h"
#include "probe/return_safety.h"
#include "target/component.h"

struct return_guard {
	const struct library_kernel *kernel;
	void **pages; /* owned; one of each file */
	size_t count;
	size_t capacity;
	uint32_t *abilities; /* owned; of the files that were added, by their numbers */
	size_t file_count;
	size_t file_capacity;
};

/*
 * A file is known by its inode's number, which is another's as soon as it is deleted and nobody has it open. A page of
 * it that is mapped keeps it; what is shared is not probed here.
 */
static int hold(struct return_guard *guard, int fd)
{
	void **pages = array_reserve(guard->pages, guard->count, &guard->capacity, sizeof(*pages)), *page;

	if (!pages)
		return -ENOMEM;
	guard->pages = pages;
	page = mmap(NULL, (size_t)getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	pages[guard->count++] = page;
	return 0;
}

static int tell(const struct return_guard *guard, const struct scaler_component *component,
		uint32_t abilities)
{
	const struct scaler_file_key key = { component->key.inode, component->key.device, 0 };

	return bpf_map_update_elem(guard->kernel->abilities_fd, &key, &abilities, BPF_ANY) ? -errno : 0;
}

/* One that cannot be held may be another one later, and is asked about then. */
static int add_known(struct return_guard *guard, const struct linked_file *file, uint32_t abilities)
{
	int fd = component_open(&file->component), err;

	if (fd < 0)
		return 0;
	err = hold(guard, fd);
	close(fd);
	if (err)
		return err == -ENOMEM ? err : 0;
	return tell(guard, &file->component, abilities);
}

/*
 * The C library maps another file as soon as a thread ends by pthread_exit(), to unwind its stack; known in advance, it
 * leaves no moment in which it has not been looked at.
 */
static int add_companion(struct return_guard *guard, const struct linked_file *file)
{
	static const char libc[] = "libc.so.6", unwinder[] = "libgcc_s.so.1";
	char path[KERNEL_PATH_TEXT_SIZE + sizeof(unwinder)];
	struct linked_files files = { 0 };
	int err = 0;

	if (strcmp(component_name(&file->component), libc) || !component_path(&file->component, path))
		return 0;
	memcpy(path + strlen(path) - strlen(libc), unwinder, sizeof(unwinder));
	if (!linked_files_add_path(&files, path))
		err = add_known(guard, &files.items[0], return_safety_of_file(&files.items[0]));
	linked_files_clear(&files);
	return err;
}

int return_guard_add(struct return_guard *guard, const struct linked_file *file)
{
	uint32_t *abilities =
		array_reserve(guard->abilities, guard->file_count, &guard->file_capacity, sizeof(*abilities));

	if (!abilities)
		return -ENOMEM;
	guard->abilities = abilities;
	abilities[guard->file_count] = return_safety_of_file(file);
	return add_known(guard, file, abilities[guard->file_count++]) ?: add_companion(guard, file);
}

uint32_t return_guard_hazards(const struct return_guard *guard, const struct linked_files *files, pid_t pid)
{
	uint32_t abilities = 0;

	for (size_t i = 0; i < guard->file_count; i++) {
		if (!pid || linked_file_has_process(&files->items[i], pid))
			abilities |= guard->abilities[i];
	}
	return scaler_return_hazards(abilities);
}

int return_guard_open(struct return_guard **result, const struct linked_files *files,
		      const struct library_kernel *kernel)
{
	struct return_guard *guard = calloc(1, sizeof(*guard));
	int err = 0;

	*result = guard;
	if (!guard)
		return -ENOMEM;
	guard->kernel = kernel;
	for (size_t i = 0; i < files->count && !err; i++)
		err = return_guard_add(guard, &files->items[i]);
	return err;
}

int return_guard_answer(struct return_guard *guard, uint32_t component)
{
	struct linked_file file = { 0 };
	int fd, err;

	if (bpf_map_lookup_elem(guard->kernel->components_fd, &component, &file.component))
		return -errno;
	fd = component_open(&file.component);
	file.error = fd < 0 ? fd : hold(guard, fd);
	if (fd >= 0) {
		file.error = file.error ?: linkage_read(&file.linkage, fd);
		close(fd);
	}
	/* Without the file, another that comes with its number is not known either. */
	err = tell(guard, &file.component, return_safety_of_file(&file));
	linkage_clear(&file.linkage);
	return err;
}

void return_guard_close(struct return_guard *guard)
{
	if (!guard)
		return;
	for (size_t i = 0; i < guard->count; i++)
		munmap(guard->pages[i], (size_t)getpagesize());
	free(guard->pages);
	free(guard->abilities);
	free(guard);
}
