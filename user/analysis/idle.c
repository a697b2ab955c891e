// SPDX-License-Identifier: GPL-2.0-only
/* Idle by design: waits that delay nothing, because nothing was offered to do. */
#include "analysis/idle.h"

#include <string.h>

#include "base/array.h"
#include "model/syscalls.h"

bool idle_call_takes_work(const struct syscall_info *call, uint32_t resource)
{
	static const char *const calls[] = {
		"epoll_pwait",
		"epoll_pwait2",
		"epoll_wait",
		"poll",
		"ppoll",
		"ppoll_time64",
		"pselect6",
		"_newselect",
		"select",
		"pselect6_time64",
		"io_getevents",
		"io_pgetevents",
		"msgrcv",
		"pause",
		"io_pgetevents_time64",
		"rt_sigsuspend",
		"rt_sigtimedwait",
		"sigsuspend",
		"accept",
		"rt_sigtimedwait_time64",
		"accept4",
		"mq_timedreceive",
		"mq_timedreceive_time64",
		"io_uring_enter",
	};
	/* On no descriptor at all: a sleep. */
	if (call->category == CATEGORY_POLL && resource == SCALER_RESOURCE_NONE)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(call->name, calls[i]))
			return true;
	}
	return false;
}

/* Which of the functions on a wait's way is exported, local or inlined differs: their names have this in common. */
static bool is_queue(const struct wait_graph *graph, size_t place)
{
	static const char *const parts[] = {
		"cond_wait", "cond_timedwait", "cond_clockwait", "cnd_wait",           "cnd_timedwait",
		"sem_wait",  "sem_timedwait",  "sem_clockwait",  "condition_variable", "Condvar",
	};
	const char *function = place == PLACE_NONE ? NULL : graph->places->items[place].function;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && function; i++) {
		if (strstr(function, parts[i]))
			return true;
	}
	return false;
}

/* The call of a shape; NULL: it was in none. */
static const struct syscall_info *call_of(const struct wait_shape_key *key)
{
	return key->is_in_call ? syscall_find_abi(key->call.abi, key->call.number) : NULL;
}

bool idle_call_is_sleep(const struct syscall_info *call, uint32_t resource)
{
	static const char *const calls[] = { "nanosleep", "clock_nanosleep", "clock_nanosleep_time64" };

	if (call->category == CATEGORY_POLL && resource == SCALER_RESOURCE_NONE)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(call->name, calls[i]))
			return true;
	}
	return false;
}

bool idle_is_sleep(const struct wait_shape_key *key)
{
	const struct syscall_info *call = call_of(key);

	return call && idle_call_is_sleep(call, key->resource);
}

bool idle_takes_work(const struct wait_graph *graph, uint32_t shape)
{
	const struct wait_shape_key *key = &wait_shape_get(&graph->history->shapes, shape)->key;
	const struct call_path *path = &graph->names[shape].place.path;
	const struct syscall_info *call = call_of(key);

	if (!call)
		return false;
	if (key->side)
		return key->side == SOCKET_SIDE_SERVER;
	switch (key->resource) {
	case SCALER_RESOURCE_FUTEX:
		return is_queue(graph, path->entered) || is_queue(graph, path->innermost);
	case SCALER_RESOURCE_FILE:
		if (key->descriptor == SCALER_DESCRIPTOR_SIGNALFD ||
		    key->descriptor == SCALER_DESCRIPTOR_INOTIFY)
			return true;
		break;
	}
	return idle_call_takes_work(call, key->resource);
}

static bool may_be_no_work(uint32_t kind)
{
	switch (kind) {
	case CHAIN_UNTRACED:
	case CHAIN_TIMER:
	case CHAIN_NETWORK:
	case CHAIN_NOTHING:
		return true;
	default:
		return false;
	}
}

static bool is_sleep(const struct wait_graph *graph, const struct chain_node *node)
{
	return idle_is_sleep(&wait_shape_get(&graph->history->shapes, node->key.shape)->key);
}

/* Of a sleep that nobody waits for it does not matter what ended it, if that was missed. */
static bool is_idle(const struct wait_graph *graph, const struct chain_node *parent,
		    const struct chain_node *node)
{
	if (!node->takes_work)
		return false;
	return may_be_no_work(node->key.kind) ||
	       (node->key.kind == CHAIN_UNSEEN && parent && is_sleep(graph, parent));
}

static void find_at(const struct wait_graph *graph, struct chain_node *nodes, struct chain_node *node)
{
	const struct chain_node *parent =
		node->key.parent == CHAIN_NODE_NONE ? NULL : &nodes[node->key.parent];

	node->takes_work = !parent || parent->takes_work;
	if (!chain_kind_is_explained(node->key.kind))
		node->idle_ns = is_idle(graph, parent, node) ? node->total_ns : 0;
	else if (node->takes_work && node->key.kind == CHAIN_WAIT)
		node->takes_work =
			idle_takes_work(graph, node->key.shape) || (!parent && is_sleep(graph, node));
}

void idle_find(const struct wait_graph *graph, struct chain_tree *tree)
{
	struct chain_node *nodes = chain_tree_nodes(tree);

	for (size_t i = 0; i < tree->nodes.count; i++)
		find_at(graph, nodes, &nodes[i]);
	for (size_t i = tree->nodes.count; i--;) {
		if (nodes[i].key.parent != CHAIN_NODE_NONE)
			nodes[nodes[i].key.parent].idle_ns += nodes[i].idle_ns;
	}
}
