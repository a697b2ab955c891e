// SPDX-License-Identifier: GPL-2.0-only
/* What was lost, in words, with the remedy. */
#include "render/losses.h"

static const struct {
	const char *one;
	const char *many;
} texts[SCALER_LOSS_COUNT] = {
	[SCALER_LOSS_TASK_STORAGE] = { "thread not followed (no kernel memory for its state)",
				       "threads not followed (no kernel memory for their state)" },
	[SCALER_LOSS_THREAD_MAP] = { "thread without times (the map is full: --map-size threads=N)",
				     "threads without times (the map is full: --map-size threads=N)" },
	[SCALER_LOSS_CALL_MAP] = { "system call not recorded (the map is full: --map-size calls=N)",
				   "system calls not recorded (the map is full: --map-size calls=N)" },
	[SCALER_LOSS_ERROR_MAP] = { "error without a name (the map is full: --map-size errors=N)",
				    "errors without a name (the map is full: --map-size errors=N)" },
	[SCALER_LOSS_COMPONENT_MAP] = { "call or mapping without a component (the map, or what one process "
					"or user "
					"may have of it, was full, or memory short just then: --map-size "
					"components=N)",
					"calls or mappings without a component (the map, or what one process "
					"or user "
					"may have of it, was full, or memory short just then: --map-size "
					"components=N)" },
	[SCALER_LOSS_STACK_MAP] = { "call without a stack (the map is full: --map-size stacks=N)",
				    "calls without a stack (the map is full: --map-size stacks=N)" },
	[SCALER_LOSS_STACK_EVENT] = { "stack cut or missing (the ring buffer was full: --map-size "
				      "events=BYTES)",
				      "stacks cut or missing (the ring buffer was full: --map-size "
				      "events=BYTES)" },
	[SCALER_LOSS_SAMPLE] = { "CPU sample (the ring buffer was full: --map-size events=BYTES)",
				 "CPU samples (the ring buffer was full: --map-size events=BYTES)" },
	[SCALER_LOSS_PROCESS_EVENT] = { "process that was not followed (the ring buffer was full)",
					"processes that were not followed (the ring buffer was full)" },
	[SCALER_LOSS_THREADS_KEPT] = { "thread without times (more have ended than are kept: --interval S)",
				       "threads without times (more have ended than are kept: --interval "
				       "S)" },
	[SCALER_LOSS_LIBRARY_STORAGE] = { "library call not counted (no kernel memory for its thread's "
					  "state)",
					  "library calls not counted (no kernel memory for their threads' "
					  "state)" },
	[SCALER_LOSS_BLOCKING_STORAGE] = { "blocking interval not recorded (no kernel memory for its "
					   "thread's state)",
					   "blocking intervals not recorded (no kernel memory for their "
					   "threads' state)" },
	[SCALER_LOSS_BLOCKING] = { "blocking interval not recorded (the ring buffer was full: --map-size "
				   "events=BYTES)",
				   "blocking intervals not recorded (the ring buffer was full: --map-size "
				   "events=BYTES)" },
	[SCALER_LOSS_BLOCKING_KEPT] = { "blocking interval not kept (more came than are kept)",
					"blocking intervals not kept (more came than are kept)" },
	[SCALER_LOSS_PATH_MAP] = { "wait for a file without its path (the map is full: --map-size paths=N)",
				   "waits for files without their paths (the map is full: --map-size "
				   "paths=N)" },
	[SCALER_LOSS_SOCKET_MAP] = { "wait for a socket without addresses (the map is full: --map-size "
				     "sockets=N)",
				     "waits for sockets without addresses (the map is full: --map-size "
				     "sockets=N)" },
	[SCALER_LOSS_RUN] = { "event missed (it came while the one before it was being recorded on its CPU)",
			      "events missed (they came while the ones before them were being recorded on "
			      "their CPUs)" },
	[SCALER_LOSS_FILE] = { "damaged block of the recording file (what happened meanwhile is missing)",
			       "damaged blocks of the recording file (what happened meanwhile is missing)" },
	[SCALER_LOSS_CONTEXT_MAP] = { "library call not counted (the map is full: --map-size contexts=N)",
				      "library calls not counted (the map is full: --map-size "
				      "contexts=N)" },
	[SCALER_LOSS_OTHER_STACK] = { "library call without a time (on a stack that is not the thread's own: "
				      "a "
				      "coroutine's, or one for signals)",
				      "library calls without a time (on stacks that are not the thread's "
				      "own: "
				      "coroutines', or those for signals)" },
	[SCALER_LOSS_CALL_DEPTH] = { "library call without a time (within too many others)",
				     "library calls without a time (within too many others)" },
};

const char *loss_text(enum scaler_loss cause, uint64_t count)
{
	return count == 1 ? texts[cause].one : texts[cause].many;
}
