// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's functions for system calls, probed where it has no tracepoints for them. */
#include "probe/call_functions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/log.h"
#include "base/tracefs.h"
#include "probe/recorder.h" /* the types of what the skeleton has */
#include "scaler.skel.h"

#define FUNCTIONS_PATH "available_filter_functions"

struct call_functions {
	char **names; /* owned, as is each */
	size_t count;
};

/* arch/ARCH/include/asm/syscall_wrapper.h: __SYSCALL_DEFINEx() and its kin. */
static const char *const prefixes[] = {
#if defined(__x86_64__)
	"__x64_sys_",
	"__ia32_sys_",
	"__x64_compat_sys_",
	"__ia32_compat_sys_",
#elif defined(__aarch64__)
	"__arm64_sys_",
	"__arm64_compat_sys_",
#endif
};
/*
 * Those without arguments have names of this kind too, and only one name of a function can be probed. Of others it may be
 * a function that theirs calls.
 */
static const char *const inner_prefixes[] = { "__do_sys_", "__do_compat_sys_" };

/* The system call's own name; NULL: it has no such prefix. */
static const char *call_name(const char *function, const char *const *with, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strncmp(function, with[i], strlen(with[i])))
			return function + strlen(with[i]);
	}
	return NULL;
}

static bool has_outer(const struct call_functions *functions, const char *call)
{
	for (size_t i = 0; i < functions->count; i++) {
		const char *other = call_name(functions->names[i], prefixes, ARRAY_SIZE(prefixes));

		if (other && !strcmp(other, call))
			return true;
	}
	return false;
}

/* Once all functions are known: leaves those that are called for each call. */
static void drop_inner(struct call_functions *functions)
{
	size_t kept = 0;

	for (size_t i = 0; i < functions->count; i++) {
		char *name = functions->names[i];
		const char *inner = call_name(name, inner_prefixes, ARRAY_SIZE(inner_prefixes));

		/* What is before it is kept, or such itself. */
		functions->names[i] = functions->names[kept];
		functions->names[kept] = name;
		if (!inner || !has_outer(functions, inner))
			kept++;
	}
	while (functions->count > kept)
		free(functions->names[--functions->count]);
}

static int add_name(struct call_functions *functions, const char *name)
{
	char **names = realloc(functions->names, (functions->count + 1) * sizeof(*names));

	if (!names)
		return -ENOMEM;
	functions->names = names;
	names[functions->count] = strdup(name);
	if (!names[functions->count])
		return -ENOMEM;
	functions->count++;
	return 0;
}

static int read_names(struct call_functions *functions)
{
	int fd = tracefs_open(FUNCTIONS_PATH);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	if (fd < 0)
		return fd;
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	while (!err && getline(&line, &size, file) > 0) {
		/* "NAME\n", or "NAME [MODULE]\n" */
		line[strcspn(line, " \n")] = '\0';
		if (call_name(line, prefixes, ARRAY_SIZE(prefixes)) ||
		    call_name(line, inner_prefixes, ARRAY_SIZE(inner_prefixes)))
			err = add_name(functions, line);
	}
	free(line);
	fclose(file);
	drop_inner(functions);
	return err ?: functions->count ? 0 : -ENOENT;
}

static void clear_names(struct call_functions *functions)
{
	for (size_t i = 0; i < functions->count; i++)
		free(functions->names[i]);
	free(functions->names);
}

static int attach_to(const struct call_functions *functions, const struct bpf_program *program, bool returns,
		     struct bpf_link **link)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, options, .syms = (const char **)functions->names,
		    .cnt = functions->count, .retprobe = returns);

	*link = bpf_program__attach_kprobe_multi_opts(program, NULL, &options);
	return *link ? 0 : -errno;
}

int call_functions_attach(struct scaler_skeleton *skeleton)
{
	struct call_functions functions = { 0 };
	int err;

	if (!bpf_program__autoload(skeleton->progs.scaler_call_function))
		return 0;
	err = read_names(&functions);
	if (err) {
		log_error("cannot find the kernel's functions for system calls in '%s' of tracefs: %s; use a "
			  "kernel with "
			  "CONFIG_DYNAMIC_FTRACE=y, or --no-syscalls",
			  FUNCTIONS_PATH, strerror(-err));
	} else {
		/* The returns first: no call is seen to begin whose end is not seen. */
		err = attach_to(&functions, skeleton->progs.scaler_call_function_return, true,
				&skeleton->links.scaler_call_function_return) ?:
			      attach_to(&functions, skeleton->progs.scaler_call_function, false,
					&skeleton->links.scaler_call_function);
		if (err)
			log_error("cannot probe the kernel's %zu functions for system calls: %s; use a "
				  "kernel with "
				  "CONFIG_FPROBE=y, or --no-syscalls",
				  functions.count, strerror(-err));
	}
	clear_names(&functions);
	return err;
}
