// SPDX-License-Identifier: GPL-2.0-only
/* Walks on where the kernel side's walk up a stack is stuck, and teaches the rules that it meets. */
#include "stream/rule_teacher.h"

#include <string.h>

#include <bpf/bpf.h>

#include <scaler/known_code.h>

#include "base/array.h"
#include "parser/parser.h"
#include "target/stack_walk.h"

/* What waits longer than the others beyond that is finished without its address space: its process is long gone, as a rule. */
#define WAITING_BYTES ((size_t)32 << 20)

/* What the walk up a copy asks about code, as stack_walk.h has it. */
struct copied_code {
	struct rule_teacher *teacher;
	const struct address_space *space;
	pid_t tgid;
	bool interrupted; /* what is asked for next is where the thread was interrupted */
	/* What was asked for so far, by address, as the kernel side keeps it. */
	uint64_t keys[SCALER_STACK_FRAMES + 1];
	struct scaler_known_code known[SCALER_STACK_FRAMES + 1];
	size_t count;
};

/* An interrupted instruction is no call, and no walk of a call finds it: its rule is kept by its address alone. */
static struct scaler_unwind_rule find_rule(struct copied_code *code, uint64_t site)
{
	struct code_rules *rules = &code->teacher->rules;

	return code->interrupted ? code_rules_find_interrupted(rules, site) : code_rules_find(rules, site);
}

static void keep_code(struct copied_code *code, uint64_t address, uint64_t site,
		      struct scaler_unwind_rule rule)
{
	struct scaler_known_code *known = &code->known[code->count];

	if (code->count == ARRAY_SIZE(code->keys))
		return;
	*known = (struct scaler_known_code){ .site = site, .rule = rule };
	known->check = scaler_known_code_check(code->space->number, address, known);
	code->keys[code->count++] = scaler_code_key(code->space->number, address);
}

static uint64_t find_code(void *context, uint64_t address, struct scaler_unwind_rule *rule)
{
	struct copied_code *code = context;
	const struct scaler_mapping *mapping = address_space_mapping(code->space, address);
	uint64_t site = address_space_site(code->space, address);

	if (!site) {
		keep_code(code, address, scaler_site(0, address),
			  (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_NO_CODE });
		return 0;
	}
	if (mapping && mapping->application && code->teacher->depth.to_application)
		*rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_AS_ASKED };
	else if (mapping && mapping->generated)
		*rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_FRAME_POINTER };
	else
		*rule = find_rule(code, site);
	code->interrupted = false;
	keep_code(code, address, site, *rule);
	return site;
}

/* What finds no room is learned anew. */
static void teach_known(const struct copied_code *code)
{
	uint32_t count = (uint32_t)code->count;

	bpf_map_update_batch(recorder_known_code_fd(code->teacher->recorder), code->keys, code->known, &count,
			     NULL);
}

static bool read_code(void *context, uint64_t address, uint64_t *word)
{
	const struct copied_code *code = context;
	const struct scaler_mapping *mapping = address_space_mapping(code->space, address);

	if (!mapping)
		return false;
	if (mapping->generated)
		return generated_code_read(&code->teacher->generated, code->tgid, code->space->number,
					   address, word);
	return code_rules_read(&code->teacher->rules, address_space_site(code->space, address), word);
}

static bool describe(void *context, uint32_t number, struct scaler_component *description)
{
	const struct rule_teacher *teacher = context;

	return !bpf_map_lookup_elem(recorder_component_fd(teacher->recorder), &number, description);
}

/* Also of a process that has ended meanwhile. */
static int open_file(void *context, const struct scaler_component *description)
{
	struct rule_teacher *teacher = context;

	return held_files_open(&teacher->files, description);
}

/* A rule that finds no room is learned by nobody, and the walks that need it stay cut there. */
static void teach(void *context, uint64_t site, struct scaler_unwind_rule rule)
{
	const struct rule_teacher *teacher = context;

	/* One that is there stays, because the kernel would replace it while it is read. */
	bpf_map_update_elem(recorder_rule_fd(teacher->recorder), &site, &rule, BPF_NOEXIST);
}

int rule_teacher_take_stack(struct rule_teacher *teacher, const struct scaler_stack_event *event)
{
	return stacks_add(&teacher->stacks, event->stack, event->end, event->sites, event->count,
			  event->unsure);
}

/* Goes on where the kernel side got stuck. */
static int finish_stuck(void *context, const struct scaler_stuck_event *event)
{
	struct rule_teacher *teacher = context;
	const struct scaler_stack_event *stack = &event->stack;
	const struct stack_copy copy = {
		.start = event->copy_start,
		.bytes = event->copy,
		.size = (size_t)event->copy_pages * SCALER_COPY_PAGE,
		.missing = event->missing,
		.interrupted = event->interrupted,
	};
	struct copied_code copied = {
		.teacher = teacher,
		.space = address_spaces_find(&teacher->spaces, event->address_space),
		.tgid = (pid_t)event->tgid,
		.interrupted = event->interrupted,
	};
	const struct stack_code code = { &copied, find_code, read_code };
	bool has_site = stack->end == SCALER_STACK_NO_RULE;
	struct stack_frames frames = { .count = stack->count,
				       .unsure = stack->unsure,
				       .end = has_site ? SCALER_STACK_NOT_COPIED : stack->end };

	for (size_t i = 0; i < frames.count; i++)
		frames.sites[i] = stack->sites[i];
	if (copied.space) {
		/* The walk begins with the frame that is stuck, and finds its site itself. */
		frames.count -= has_site;
		stack_walk(event->frame, &copy, &code, teacher->depth.frames, &frames);
		teach_known(&copied);
	} else if (has_site) {
		code_rules_find(&teacher->rules, stack->sites[frames.count - 1]);
	}
	return stacks_add(&teacher->stacks, stack->stack, frames.end, frames.sites, frames.count,
			  frames.unsure);
}

int rule_teacher_take_stuck(struct rule_teacher *teacher, const struct scaler_stuck_event *event)
{
	int err;

	if (address_spaces_find(&teacher->spaces, event->address_space))
		return finish_stuck(teacher, event);
	err = waiting_stacks_add(&teacher->waiting, event);
	return err ?: waiting_stacks_shrink(&teacher->waiting, WAITING_BYTES, finish_stuck, teacher);
}

static void hold_file(struct rule_teacher *teacher, uint32_t component)
{
	struct scaler_component description;

	if (!teacher->held[component] && describe(teacher, component, &description))
		held_files_add(&teacher->files, &description);
	teacher->held[component] = true;
}

int rule_teacher_take_address_space(struct rule_teacher *teacher,
				    const struct scaler_address_space_event *event)
{
	int err;

	for (uint32_t i = 0; i < event->count; i++)
		hold_file(teacher, scaler_site_component(event->mappings[i].site));
	/* Not all of it would tell of some code that there is none. */
	if (event->truncated)
		return 0;
	err = address_spaces_add(&teacher->spaces, event->address_space, event->mappings, event->count);
	return err ?: waiting_stacks_finish(&teacher->waiting, event->address_space, finish_stuck, teacher);
}

bool rule_teacher_next_to_ask(struct rule_teacher *teacher, pid_t *tgid)
{
	return waiting_stacks_next_to_ask(&teacher->waiting, tgid);
}

int rule_teacher_finish(struct rule_teacher *teacher)
{
	return waiting_stacks_shrink(&teacher->waiting, 0, finish_stuck, teacher);
}

int rule_teacher_open(struct rule_teacher *teacher, const struct recorder *recorder,
		      struct scaler_stack_depth depth, int signal_fd)
{
	int err = parser_open(&teacher->rules.parser, signal_fd);

	if (!err)
		parser_begin(teacher->rules.parser);
	teacher->recorder = recorder;
	teacher->depth = depth;
	teacher->rules.context = teacher;
	teacher->rules.describe = describe;
	teacher->rules.open_file = open_file;
	teacher->rules.learned = teach;
	held_files_init(&teacher->files);
	return err;
}

void rule_teacher_close(struct rule_teacher *teacher)
{
	waiting_stacks_clear(&teacher->waiting);
	address_spaces_clear(&teacher->spaces);
	parser_close(teacher->rules.parser);
	code_rules_clear(&teacher->rules);
	held_files_clear(&teacher->files);
	stacks_clear(&teacher->stacks);
}
