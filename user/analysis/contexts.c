// SPDX-License-Identifier: GPL-2.0-only
/* The contexts of library calls by number. */
#include "analysis/contexts.h"

#include <errno.h>
#include <stdlib.h>

int contexts_index(const struct profile *profile, struct contexts *contexts)
{
	*contexts = (struct contexts){ 0 };
	/* Numbered from 1 without gaps, but for those for which there was no room. */
	for (size_t i = 0; i < profile->context_count; i++) {
		if (profile->contexts[i].context.number > contexts->last)
			contexts->last = profile->contexts[i].context.number;
	}
	contexts->by_number = calloc((size_t)contexts->last + 1, sizeof(struct profile_context *));
	for (size_t i = 0; i < profile->context_count && contexts->by_number; i++)
		contexts->by_number[profile->contexts[i].context.number] = &profile->contexts[i];
	return contexts->by_number ? 0 : -ENOMEM;
}

const struct profile_context *contexts_find(const struct contexts *contexts, uint32_t number)
{
	return number != SCALER_CONTEXT_NONE && number <= contexts->last ? contexts->by_number[number] : NULL;
}

/* A parent's number is below its children's, so that no chain has an end that is its beginning. */
const struct profile_context *contexts_parent(const struct contexts *contexts,
					      const struct profile_context *context)
{
	return context->key.parent < context->context.number ? contexts_find(contexts, context->key.parent) :
							       NULL;
}

void contexts_clear(struct contexts *contexts)
{
	free(contexts->by_number);
	*contexts = (struct contexts){ 0 };
}
