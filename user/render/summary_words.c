// SPDX-License-Identifier: GPL-2.0-only
/* The summary's words. */
#include "render/summary_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/idle.h"
#include "base/array.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/socket_text.h"
#include "render/text.h"

/* A text that is written in parts. */
struct text {
	FILE *out;
	char *bytes;
	size_t size;
};

static bool text_open(struct text *text)
{
	*text = (struct text){ 0 };
	text->out = open_memstream(&text->bytes, &text->size);
	return text->out;
}

static char *text_close(struct text *text)
{
	if (!fclose(text->out))
		return text->bytes;
	free(text->bytes);
	return NULL;
}

/* Frees the text; of NULL nothing is printed. */
static void put(FILE *out, char *text)
{
	fputs(text ?: "", out);
	free(text);
}

static char *format_names(const struct name_group *names)
{
	char text[NAME_GROUP_SIZE];

	return text_escape_name(name_group_format(names, text));
}

char *summary_names(const struct summary_group *group)
{
	return group->is_kernel ? strdup("(kernel threads)") : format_names(&group->names);
}

char *summary_function_name(const struct places *places, size_t index)
{
	const struct place *place = index == PLACE_NONE ? NULL : &places->items[index];

	if (!place)
		return strdup("");
	return place->function ? text_escape_name(place->function) : text_format_place(places, index);
}

char *summary_way(const struct places *places, const struct call_path *path)
{
	size_t function = path->entered != PLACE_NONE ? path->entered : path->innermost;
	struct text text;

	if (!text_open(&text))
		return NULL;
	put(text.out, summary_function_name(places, function));
	if (function != PLACE_NONE && path->caller != PLACE_NONE && path->caller != function) {
		fputs(" <- ", text.out);
		put(text.out, summary_function_name(places, path->caller));
	}
	return text_close(&text);
}

/* What a futex is, by the function that waited for it. */
static const char *futex_word(const struct places *places, const struct call_path *path)
{
	static const struct {
		const char *part, *word;
	} words[] = {
		{ "cond", "condition" },   { "cnd_", "condition" }, { "Condvar", "condition" },
		{ "sem_", "semaphore" },   { "join", "thread" },    { "barrier", "barrier" },
		{ "once", "initializer" }, { "lock", "lock" },      { "Lock", "lock" },
		{ "mutex", "lock" },       { "Mutex", "lock" },
	};
	const size_t functions[] = { path->entered, path->innermost };

	for (size_t at = 0; at < ARRAY_SIZE(functions); at++) {
		const char *name = functions[at] == PLACE_NONE ? NULL : places->items[functions[at]].function;

		for (size_t i = 0; i < ARRAY_SIZE(words) && name; i++) {
			if (strstr(name, words[i].part))
				return words[i].word;
		}
	}
	return "futex";
}

static bool is_lock(const struct report *report, const struct chain_what *what)
{
	return what->kind == CHAIN_WAIT && what->resource.recorded->kind == SCALER_RESOURCE_FUTEX &&
	       !strcmp(futex_word(report->places, &what->place.path), "lock");
}

/* "lock app:index"; one on the heap is one of many that nobody knows by its address. */
static void print_futex(FILE *out, const struct report *report, const struct chain_what *what)
{
	const char *word = futex_word(report->places, &what->place.path);
	size_t variable = what->resource.variable;

	if (variable == PLACE_NONE) {
		fprintf(out, "%s%s%s", what->has_several ? "" : "a ", word, what->has_several ? "s" : "");
		return;
	}
	fprintf(out, "%s ", word);
	put(out, text_format_place(report->places, variable));
}

static void print_with_article(FILE *out, const char *name)
{
	fprintf(out, "a%s %s", *name && strchr("aeiou", *name) ? "n" : "", name);
}

static void print_file(FILE *out, const struct resource *resource)
{
	enum socket_side side = socket_side(resource->socket);
	char address[SOCKET_ADDRESS_SIZE];

	if (resource->path)
		put(out, text_escape_name(resource->path->text));
	else if (side != SOCKET_SIDE_UNKNOWN && socket_has_addresses(resource->socket))
		fprintf(out, "%s %s", socket_protocol(resource->socket),
			side == SOCKET_SIDE_SERVER ? socket_format_local(resource->socket, address) :
						     socket_format_remote(resource->socket, address));
	else if (resource->recorded->descriptor == SCALER_DESCRIPTOR_REGULAR)
		fputs("a file", out);
	else
		print_with_article(out, syscall_descriptor_name(resource->recorded->descriptor));
}

static void print_call(FILE *out, const struct wait_shape_key *key)
{
	char call[SYSCALL_NAME_SIZE];

	fputs(key->is_in_call ? syscall_format(key->call.abi, key->call.number, call) : "the kernel", out);
}

static void print_resource(FILE *out, const struct report *report, const struct chain_what *what)
{
	switch (what->resource.recorded->kind) {
	case SCALER_RESOURCE_NONE:
		print_call(out, &what->shape->key);
		break;
	case SCALER_RESOURCE_FUTEX:
		print_futex(out, report, what);
		break;
	case SCALER_RESOURCE_FILE:
		print_file(out, &what->resource);
		break;
	case SCALER_RESOURCE_CHILD:
		fputs("a child", out);
		break;
	default:
		fputs(text_resource_kind(what->resource.recorded->kind), out);
	}
}

static bool is_disk(const struct summary_part *part)
{
	return part && part->what.kind == CHAIN_DEVICE && part->what.disk;
}

/* part: most of what happened meanwhile, or NULL. */
static void print_thing(FILE *out, const struct report *report, const struct chain_what *what,
			const struct summary_part *part)
{
	if (what->kind == CHAIN_RUNNABLE) {
		fputs("a CPU", out);
	} else if (what->kind == CHAIN_QUOTA) {
		fputs("CPU quota", out);
	} else if (is_disk(part)) {
		fputs("disk ", out);
		put(out, text_escape_name(part->what.disk));
	} else {
		print_resource(out, report, what);
	}
}

static const struct summary_part *first_part(const struct summary_wait *wait)
{
	return wait->part_count ? wait->parts : NULL;
}

char *summary_thing(const struct report *report, const struct summary_wait *wait)
{
	struct text text;

	if (!text_open(&text))
		return NULL;
	print_thing(text.out, report, &wait->what, first_part(wait));
	return text_close(&text);
}

/* " in fdatasync <- save_page". */
static void print_way(FILE *out, const struct report *report, const struct chain_what *what)
{
	char *way = chain_what_has_place(what) ? summary_way(report->places, &what->place.path) : NULL;

	if (way && *way)
		fprintf(out, " in %s", way);
	free(way);
}

char *summary_waiter(const struct report *report, const struct summary_wait *wait)
{
	struct text text;

	if (!text_open(&text))
		return NULL;
	put(text.out, format_names(&wait->names));
	print_way(text.out, report, &wait->what);
	return text_close(&text);
}

/* " runs compress2 (94.1%)", of several " run compress2": of all that the threads of that name ran. */
static void print_runs(FILE *out, const struct report *report, const struct summary_part *part)
{
	char *function = summary_function_name(report->places, part->runs.function), share[UNITS_SIZE];

	fputs(part->names.has_several ? " run" : " runs", out);
	if (function && *function) {
		fprintf(out, " %s", function);
		if (part->runs.function_ns < part->runs.running_ns)
			fprintf(out, " (%s)",
				units_format_share(part->runs.function_ns, part->runs.running_ns, share));
	}
	free(function);
}

/* Of a root cause, by itself, and behind what is waited for. */
static const struct {
	const char *alone, *behind;
} roots[CHAIN_KINDS] = {
	[CHAIN_TIMER] = { "a timer", ", up to the time that was set" },
	[CHAIN_DEVICE] = { "a device", ", which a device answers" },
	[CHAIN_NETWORK] = { "the network", ", which the network brings" },
	[CHAIN_INTERRUPT] = { "an interrupt", ", which an interrupt ends" },
	[CHAIN_UNSEEN] = { "what ended it was missed", "; what ended it was missed" },
	[CHAIN_NOTHING] = { "it is not over", "; it is not over" },
	[CHAIN_STOPPED] = { "stopped by a signal", "; a signal has stopped it" },
	[CHAIN_TRACED] = { "stopped by a debugger", "; a debugger has stopped it" },
	[CHAIN_FROZEN] = { "its cgroup is frozen", "; its cgroup is frozen" },
	[CHAIN_TRUNCATED] = { "not recorded", "; what happened before was not recorded" },
};

/* " waits for disk vda", " sleeps". */
static void print_waiting(FILE *out, const struct report *report, const struct summary_part *part)
{
	bool are = part->names.has_several;

	if (idle_is_sleep(&part->what.shape->key)) {
		fputs(are ? " sleep" : " sleeps", out);
		return;
	}
	fputs(are ? " wait for " : " waits for ", out);
	print_thing(out, report, &part->what, NULL);
}

/* What threads did, behind their names. */
static void print_doing(FILE *out, const struct report *report, const struct summary_part *part)
{
	bool are = part->names.has_several;

	switch (part->what.kind) {
	case CHAIN_WAIT:
		print_waiting(out, report, part);
		break;
	case CHAIN_CREATED:
		fputs(are ? " are not created yet" : " is not created yet", out);
		break;
	case CHAIN_RUNNING:
		print_runs(out, report, part);
		break;
	case CHAIN_RUNNABLE:
		fputs(are ? " wait for a CPU" : " waits for a CPU", out);
		break;
	case CHAIN_QUOTA:
		fputs(are ? " have used up their CPU quota" : " has used up its CPU quota", out);
		break;
	case CHAIN_FLIGHT:
		fprintf(out, " %s sent a packet that has not arrived", are ? "have" : "has");
		break;
	case CHAIN_WORK:
		fprintf(out, " %s queued work for the kernel", are ? "have" : "has");
		break;
	default:
		fputs(are ? " are not traced" : " is not traced", out);
	}
}

char *summary_part(const struct report *report, const struct summary_part *part)
{
	struct text text;

	if (!text_open(&text))
		return NULL;
	if (is_disk(part)) {
		fputs("disk ", text.out);
		put(text.out, text_escape_name(part->what.disk));
	} else if (chain_kind_has_task(part->what.kind)) {
		put(text.out, format_names(&part->names));
		print_doing(text.out, report, part);
		if (part->what.kind == CHAIN_WAIT)
			print_way(text.out, report, &part->what);
	} else {
		fputs(roots[part->what.kind].alone ?: "", text.out);
	}
	return text_close(&text);
}

/* "saver holds app:index through fdatasync; get-0..7 queue behind it". */
static void print_queue(FILE *out, const struct report *report, const struct summary_wait *wait,
			const struct summary_part *part)
{
	bool is_same = !strcmp(wait->names.merged, part->names.merged);
	const struct call_path *path = &part->what.place.path;

	put(out, format_names(&part->names));
	fputs(is_same && part->names.has_several ? " hold the " : " holds the ", out);
	print_futex(out, report, &wait->what);
	if (part->what.kind == CHAIN_WAIT && path->entered != PLACE_NONE) {
		fputs(" through ", out);
		put(out, summary_function_name(report->places, path->entered));
	} else {
		fputs(part->names.has_several ? " while they" : " while it", out);
		print_doing(out, report, part);
	}
	if (is_same) {
		fputs(", one after the other", out);
		return;
	}
	fputs("; ", out);
	put(out, format_names(&wait->names));
	fputs(wait->names.has_several ? " queue behind it" : " waits behind it", out);
}

/* "main waits for worker, which runs compress2". */
static void print_dependence(FILE *out, const struct report *report, const struct summary_wait *wait,
			     const struct summary_part *part)
{
	if (!chain_kind_has_task(part->what.kind)) {
		print_thing(out, report, &wait->what, part);
		fputs(roots[part->what.kind].behind ?: "", out);
		return;
	}
	put(out, format_names(&part->names));
	fputs(", which", out);
	print_doing(out, report, part);
	if (part->what.kind == CHAIN_UNTRACED && part->what.shape->process)
		fprintf(out, ": add -p %" PRIu32 ", or trace the whole system", part->what.shape->process);
	else if (part->what.kind == CHAIN_UNTRACED)
		fputs(": trace the whole system", out);
}

/* On how many CPUs threads of these names may run; 0: not known. */
static unsigned int find_cpus(const struct report *report, const struct name_group *names)
{
	unsigned int most = 0;

	for (size_t i = 0; i < report->threads.row_count; i++) {
		const struct thread_row *row = &report->threads.rows[i];
		char merged[SCALER_COMM_SIZE];

		memcpy(merged, row->comm, sizeof(merged));
		name_group_merge(merged);
		if (!strncmp(merged, names->merged, sizeof(merged)) && row->cpus > most)
			most = row->cpus;
	}
	return most;
}

/* That they are kept from CPUs by their affinity, or by a cpuset. */
static void print_confined(FILE *out, const struct report *report, const struct summary_wait *wait)
{
	unsigned int cpus = find_cpus(report, &wait->names);

	if (wait->what.kind != CHAIN_QUOTA && cpus && cpus < report->cpus)
		fprintf(out, "; %s may run on %u of %u CPUs", wait->names.has_several ? "they" : "it", cpus,
			report->cpus);
}

static void print_cpu_sentence(FILE *out, const struct summary_wait *wait, const struct summary_part *part)
{
	const char *verb = wait->names.has_several ? "wait" : "waits";
	/* Else most of the time the CPU was nobody's: it takes a while to wake up. */
	bool is_most = part && part->total_ns >= wait->total_ns / 2;

	if (wait->what.kind == CHAIN_QUOTA) {
		fprintf(out, " %s because the CPU quota of the cgroup is used up", verb);
		return;
	}
	if (is_most && !strcmp(part->names.merged, wait->names.merged)) {
		fprintf(out, " %s for CPUs that threads of the same name run on", verb);
		return;
	}
	fprintf(out, " %s for a CPU", verb);
	if (!is_most)
		return;
	fputs(" that ", out);
	put(out, format_names(&part->names));
	fputs(part->names.has_several ? " run on" : " runs on", out);
}

static void print_sentence(FILE *out, const struct report *report, const struct summary_wait *wait)
{
	const struct summary_part *part = first_part(wait);

	if (part && is_lock(report, &wait->what) && chain_kind_is_own(part->what.kind) &&
	    part->what.kind != CHAIN_CREATED) {
		print_queue(out, report, wait, part);
		return;
	}
	put(out, format_names(&wait->names));
	if (wait->what.kind != CHAIN_WAIT) {
		print_cpu_sentence(out, wait, part);
		print_confined(out, report, wait);
		return;
	}
	fprintf(out, " %s for ", wait->names.has_several ? "wait" : "waits");
	if (!part || is_disk(part))
		print_thing(out, report, &wait->what, part);
	else
		print_dependence(out, report, wait, part);
}

char *summary_sentence(const struct report *report, const struct summary_wait *wait)
{
	struct text text;

	if (!text_open(&text))
		return NULL;
	print_sentence(text.out, report, wait);
	return text_close(&text);
}
