// SPDX-License-Identifier: GPL-2.0-only
/* Demangling by libiberty, within bounds: a short name may stand for gigabytes. */
#include "elf/demangle.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <libiberty/demangle.h>

#define LENGTH_MAX 4096

struct output {
	jmp_buf too_long;
	size_t length;
	char text[LENGTH_MAX + 1];
};

/* libiberty cannot be told to stop; it holds no memory when it calls this. */
static void append(const char *part, size_t length, void *data)
{
	struct output *output = data;

	if (length > LENGTH_MAX - output->length)
		longjmp(output->too_long, 1);
	memcpy(output->text + output->length, part, length);
	output->length += length;
}

char *demangle(const char *name)
{
	struct output output;

	output.length = 0;
	if (name[0] != '_' || setjmp(output.too_long)) /* NOLINT(cert-err52-cpp) */
		return NULL;
	/* Rust's older names look like those of C++, so it comes first. */
	if (!rust_demangle_callback(name, 0, append, &output)) {
		output.length = 0;
		if (!cplus_demangle_v3_callback(name, DMGL_AUTO, append, &output))
			return NULL;
	}
	output.text[output.length] = '\0';
	return output.length ? strdup(output.text) : NULL;
}
