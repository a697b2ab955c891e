// SPDX-License-Identifier: GPL-2.0-only
/* The frames of folded stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "render/folded.h"

void folded_name(FILE *out, const char *name)
{
	char *escaped = malloc(ESCAPE_FACTOR * strlen(name) + 1);

	if (!escaped)
		return;
	escape_text(name, strlen(name), escaped);
	for (const char *at = escaped; *at; at++) {
		if (*at == ';')
			fputs("\\x3b", out);
		else
			fputc(*at, out);
	}
	free(escaped);
}

void folded_thread(FILE *out, const char *name)
{
	/* Not what begins a mark of ours, and not all of what separates the waits of a chain. */
	if (*name == '[' || !strcmp(name, "--"))
		fprintf(out, "\\x%02x", (unsigned char)*name++);
	folded_name(out, *name ? name : "(no name)");
}

void folded_function(FILE *out, const struct places *places, size_t index)
{
	const struct place *place = &places->items[index];

	folded_name(out, places->components[place->component].name);
	if (place->function) {
		fputc('`', out);
		folded_name(out, place->function);
	} else if (place->offset) {
		fprintf(out, "+0x%" PRIx64, place->offset);
	}
}
