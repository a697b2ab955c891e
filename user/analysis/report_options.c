// SPDX-License-Identifier: GPL-2.0-only
/* Which parts of a report are made, in which order their rows stand. */
#include "analysis/report_options.h"

#include <string.h>

#include "base/array.h"

static const struct {
	const char *name;
	unsigned int parts;
} parts[] = {
	{ "summary", REPORT_SCREEN },
	{ "all", REPORT_NAMED_ALL },
	{ "components", REPORT_COMPONENTS },
	{ "functions", REPORT_FUNCTIONS },
	{ "syscalls", REPORT_CALLS },
	{ "threads", REPORT_THREADS },
	{ "tree", REPORT_TREE },
	{ "cpu", REPORT_CPU },
	{ "library", REPORT_LIBRARY },
	{ "flow", REPORT_FLOW },
	{ "blocking", REPORT_BLOCKING },
	{ "waits", REPORT_WAITS },
	{ "locks", REPORT_LOCKS },
	{ "bottlenecks", REPORT_BOTTLENECKS },
	{ "chains", REPORT_CHAINS },
	{ "path", REPORT_PATH },
	{ "latency", REPORT_LATENCY },
};

/* The rows of the summary have an order of their own. */
#define SORTED (REPORT_ALL & ~REPORT_SUMMARY)

static const struct {
	const char *name;
	unsigned int parts; /* that have such a figure */
} keys[SORT_KEY_COUNT] = {
	[SORT_TOTAL] = { "total", SORTED & ~(REPORT_LATENCY | REPORT_INTERVALS) },
	[SORT_RUNNING] = { "running", SORTED & ~REPORT_INTERVALS },
	[SORT_RUNNABLE] = { "runnable", SORTED & ~(REPORT_CPU | REPORT_GRAPH) },
	[SORT_BLOCKED] = { "blocked", SORTED & ~(REPORT_CPU | REPORT_LATENCY | REPORT_GRAPH) },
	[SORT_CALLS] = { "calls", SORTED & ~(REPORT_SCHEDULING | REPORT_CPU | REPORT_INTERVALS) },
	[SORT_ERRORS] = { "errors", REPORT_FUNCTIONS | REPORT_CALLS | REPORT_TREE },
	[SORT_P50] = { "p50", REPORT_CALLS | REPORT_LIBRARY },
	[SORT_P99] = { "p99", REPORT_CALLS | REPORT_LIBRARY | REPORT_WAITS },
	[SORT_MAX] = { "max", REPORT_CALLS | REPORT_LIBRARY | REPORT_LATENCY | REPORT_WAITS | REPORT_LOCKS },
	[SORT_SWITCHES] = { "switches", REPORT_SCHEDULING | REPORT_WAITS | REPORT_LOCKS },
	[SORT_NAME] = { "name", SORTED & ~(REPORT_FLOW | REPORT_LOCKS | REPORT_GRAPH) },
};

unsigned int report_part_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strlen(parts[i].name) == length && !memcmp(parts[i].name, name, length))
			return parts[i].parts;
	}
	return 0;
}

enum sort_key sort_key_find(const char *name)
{
	for (enum sort_key key = SORT_DEFAULT + 1; key < SORT_KEY_COUNT; key++) {
		if (!strcmp(keys[key].name, name))
			return key;
	}
	return SORT_DEFAULT;
}

const char *component_of_name(enum component_of component_of)
{
	return component_of == COMPONENT_OF_CALLING ? "calling" : "issuing";
}

enum sort_key sort_key_for(const struct report_options *options, enum report_part part)
{
	return keys[options->sort].parts & part ? options->sort : SORT_DEFAULT;
}
