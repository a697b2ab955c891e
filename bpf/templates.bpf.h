/* SPDX-License-Identifier: GPL-2.0-only */
/* The templates of a thread's latest walks, and whether one of them is what a walk would find now. */
#ifndef SCALER_TEMPLATES_BPF_H
#define SCALER_TEMPLATES_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/stack_recording.h>
#include "maps.bpf.h"
#include "scratch.bpf.h"

/* Set by user space before loading. */
const volatile bool uses_templates __weak = true;

/* What the words of a template may be now. One for each CPU, as walks are. */
struct template_memory {
	u64 words[SCALER_TEMPLATE_BYTES / SCALER_WORD];
};

SCRATCHES(template_memories, struct template_memory, 1);

/* The newer one of its set; its neighbour is the older. */
static __always_inline struct scaler_template *template_set(struct known_sites *known,
							    const struct scaler_frame *frame)
{
	u64 set = scaler_template_set(frame, TEMPLATE_SETS);

	barrier_var(set); /* the check must be on the register that indexes */
	return set < TEMPLATE_SETS ? known->templates[set] : NULL;
}

/* Whether a walk from the frame on would find what the template says. */
static __always_inline bool template_is_so(const struct scaler_template *template,
					   const struct scaler_frame *frame)
{
	u32 zero = 0;
	struct template_memory *memory;
	u64 size;

	if (!scaler_template_begins(template, frame))
		return false;
	memory = bpf_map_lookup_elem(&template_memories, &zero);
	size = template->size;
	barrier_var(size);
	if (!memory || size > sizeof(memory->words) ||
	    bpf_probe_read_user(memory->words, size, (void *)template->start))
		return false;
	return scaler_template_holds(template, memory->words);
}

/*
 * The template of a walk from the frame on; NULL: there is none that holds. Two callers of a function may take
 * turns: both of a set can begin at the frame.
 */
static __always_inline struct scaler_template *template_find(struct known_sites *known,
							     const struct scaler_frame *frame, bool whole)
{
	struct scaler_template *set = template_set(known, frame);

	if (!set)
		return NULL;
	if ((!whole || set[0].stack) && template_is_so(&set[0], frame))
		return &set[0];
	if ((!whole || set[1].stack) && template_is_so(&set[1], frame))
		return &set[1];
	return NULL;
}

/* Of what was kept last: all of the stack with that number. */
static __always_inline void template_number(struct known_sites *known,
					    const struct scaler_recording *recording, u32 number)
{
	struct scaler_template *set = template_set(known, &recording->template.from);

	if (set)
		set[0].stack = number;
}

#endif
