// SPDX-License-Identifier: GPL-2.0-only
/* Maps a page of the file, of which nothing is read, and has a BPF program look at what that mapping is of. */
#include "probe/mapped_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <scaler/library.h>

#include "mapped_file.skel.h"

/* The kernel refuses it while it has work of an earlier look to do, or others change the tracer's mappings. */
#define TRIES 1000

static bool ask(struct mapped_file_skeleton *skeleton, const void *address)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	skeleton->bss->mapped_file_address = (uintptr_t)address;
	for (int i = 0; i < TRIES; i++) {
		if (bpf_prog_test_run_opts(bpf_program__fd(skeleton->progs.scaler_identify_mapping),
					   &options))
			return false;
		if ((int)options.retval != -EBUSY)
			return !options.retval && skeleton->bss->mapped_file_key.inode;
	}
	return false;
}

static bool read_key(void *context, int fd, struct scaler_component_key *key)
{
	struct mapped_file_skeleton *skeleton = context;
	const struct scaler_file_key *found = &skeleton->bss->mapped_file_key;
	size_t page = (size_t)getpagesize();
	void *address = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);
	bool is_known;

	if (address == MAP_FAILED)
		return false;
	is_known = ask(skeleton, address);
	munmap(address, page);
	if (is_known)
		*key = (struct scaler_component_key){ .inode = found->inode, .device = found->device };
	return is_known;
}

int mapped_file_open(struct linked_files *files)
{
	struct mapped_file_skeleton *skeleton = mapped_file_skeleton__open_and_load();

	if (!skeleton)
		return -errno;
	files->mapped_key_context = skeleton;
	files->read_mapped_key = read_key;
	return 0;
}

void mapped_file_close(struct linked_files *files)
{
	if (files->mapped_key_context)
		mapped_file_skeleton__destroy(files->mapped_key_context);
	files->read_mapped_key = NULL;
	files->mapped_key_context = NULL;
}
