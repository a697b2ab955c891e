/* SPDX-License-Identifier: GPL-2.0-only */
/* What is so of all of a recording: where it was made, and what was recorded. */
#ifndef SCALER_MODEL_RECORDING_H
#define SCALER_MODEL_RECORDING_H

#include <elf.h>
#include <stdint.h>

#if defined(__x86_64__)
#define RECORDING_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define RECORDING_MACHINE EM_AARCH64
#else
#define RECORDING_MACHINE EM_NONE
#endif

/* Numbers of the recording file: new ones come at the end. */
enum recorded {
	RECORDED_CALLS = 1 << 0,     /* system calls */
	RECORDED_STACKS = 1 << 1,    /* their stacks, up to the application */
	RECORDED_CALLERS = 1 << 2,   /* and further to their outermost frames */
	RECORDED_SAMPLES = 1 << 3,   /* CPU samples */
	RECORDED_PROBES = 1 << 4,    /* calls of library functions */
	RECORDED_INTERVALS = 1 << 5, /* blocking intervals */
	RECORDED_LIST = 1 << 6,      /* all of them, one by one */
	RECORDED_GRAPH = 1 << 7,     /* who waited for whom */
	RECORDED_TREE = 1 << 8,      /* what explains each wait */
	RECORDED_SYSTEM = 1 << 9,    /* all that ran, not chosen processes or threads */
	RECORDED_MARKS = 1 << 10, /* regions and moments, or that there are none: somebody could mark them */
};

/* Texts are the source's, and not trusted; NULL: not known. */
struct recording {
	unsigned int recorded; /* enum recorded */
	unsigned int machine;  /* EM_X86_64 or the like, which says what system calls' numbers mean */
	unsigned int cpus;
	unsigned int frequency; /* of CPU samples, a second and CPU; 0: none were taken */
	unsigned int process;   /* whose critical path it is if none is named; 0: nobody's */
	const char *syscalls;   /* those that were recorded, as --syscalls has it; NULL: all */
	const char *host;
	const char *kernel;
	const char *version; /* of the tracer */
	const char
		*command_line; /* the traced command's, its words separated by spaces; NULL: there was none */
	uint8_t boot_id[16];   /* zeros: not known */
};

#endif
