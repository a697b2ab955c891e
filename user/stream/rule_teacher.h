/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks on where the kernel side's walk up a stack is stuck, on a copy of the stack, and teaches the kernel side the rules that
 * it meets. Keeps the stacks that were found so, and by the kernel side itself. Not thread-safe.
 */
#ifndef SCALER_STREAM_RULE_TEACHER_H
#define SCALER_STREAM_RULE_TEACHER_H

#include <stdbool.h>

#include <scaler/component.h>
#include <scaler/event.h>

#include "model/address_spaces.h"
#include "model/stacks.h"
#include "probe/recorder.h"
#include "stream/waiting_stacks.h"
#include "target/code_rules.h"
#include "target/generated_code.h"
#include "target/held_files.h"

struct rule_teacher {
	const struct recorder *recorder; /* not owned */
	struct scaler_stack_depth depth;
	struct address_spaces spaces;
	struct code_rules rules;
	struct held_files files;
	bool held[SCALER_COMPONENT_LIMIT]; /* by component: no longer to be added to them */
	struct generated_code generated;
	struct stacks stacks;
	struct waiting_stacks waiting; /* for their address space to be told */
};

/*
 * The teacher is all zero, and stays where it is; the recorder outlives it. signal_fd: once it can be read, no file is waited
 * for; -1: none. Returns 0 or a negative errno; the caller closes it in both cases.
 */
int rule_teacher_open(struct rule_teacher *teacher, const struct recorder *recorder,
		      struct scaler_stack_depth depth, int signal_fd);
void rule_teacher_close(struct rule_teacher *teacher);

/* What the events of these kinds say. Each returns 0 or a negative errno. */
int rule_teacher_take_stack(struct rule_teacher *teacher, const struct scaler_stack_event *event);
int rule_teacher_take_stuck(struct rule_teacher *teacher, const struct scaler_stuck_event *event);
int rule_teacher_take_address_space(struct rule_teacher *teacher,
				    const struct scaler_address_space_event *event);

/*
 * The process whose address space a stack waits for, to be asked for it: *tgid. Each call has another, as long as there is
 * one that waits. False: there is none.
 */
bool rule_teacher_next_to_ask(struct rule_teacher *teacher, pid_t *tgid);

/* Finishes all stacks that wait, without their address spaces. Returns 0 or a negative errno. */
int rule_teacher_finish(struct rule_teacher *teacher);

#endif
