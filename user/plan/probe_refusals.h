/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that get no probes, and files that get none in a process: where their breakpoints would be read, or run by
 * nobody who knows of them.
 */
#ifndef SCALER_PLAN_PROBE_REFUSALS_H
#define SCALER_PLAN_PROBE_REFUSALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "plan/plan.h"
#include "target/linked_files.h"

enum probe_refusal_reason {
	PROBE_REFUSED_LOADED, /* a program that loads its libraries by itself, to translate them perhaps */
	PROBE_REFUSED_TRANSLATED, /* a translator, or a process with one in it */
	PROBE_REFUSED_READ,       /* the process has mapped functions of the file, not to run them */
	PROBE_REFUSALS,
};

#define PROBE_REFUSAL_ALL_FILES UINT32_MAX

struct probe_refusal {
	pid_t pid;
	uint32_t file; /* its number among the plan's, or PROBE_REFUSAL_ALL_FILES */
};

#define PROBE_REFUSAL_NAME_SIZE 64

/* What reports say of it: once for processes of one program. */
struct probe_refused {
	char program[PROBE_REFUSAL_NAME_SIZE]; /* the name of its file; not trusted */
	uint32_t file;
	enum probe_refusal_reason reason;
	uint64_t processes; /* those that run more than one program count for each */
	pid_t latest;
};

struct probe_refusals {
	struct probe_refusal *items; /* owned; what holds now */
	size_t count;
	size_t capacity;
	struct probe_refused *told; /* owned; what has held at any time */
	size_t told_count;
	size_t told_capacity;
};

enum probe_look {
	PROBE_LOOK_AT_PROGRAM, /* it has just begun it, and mapped nothing else */
	PROBE_LOOK_AT_ONCE,
	/* A dynamic linker that is at work maps all of a file before it maps the code over that: what is seen is seen twice. */
	PROBE_LOOK_AGAIN,
};

/* Looks at a process as it is now, in the place of what held. Returns 0, also if it has ended, or -ENOMEM. */
int probe_refusals_look(struct probe_refusals *refusals, const struct plan *plan,
			const struct linked_files *files, pid_t pid, enum probe_look how);

/* The same of a program that the process has not begun yet, the first of the files. Nothing is reported of it. */
int probe_refusals_look_ahead(struct probe_refusals *refusals, const struct linked_files *files, pid_t pid);

/* Whether the file has no probes there. */
bool probe_refusals_have(const struct probe_refusals *refusals, pid_t pid, uint32_t file);

/* It has ended, or another has its number. */
void probe_refusals_forget(struct probe_refusals *refusals, pid_t pid);

/* Why, in words. */
const char *probe_refusal_text(enum probe_refusal_reason reason);

void probe_refusals_clear(struct probe_refusals *refusals);

#endif
