/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Idle by design: waits that delay nothing, because nothing was offered to do.
 *
 * A thread takes work where it waits for whatever others bring: for a connection or a request on one (accept, a
 * socket's end that is the server's), for one of several things (poll, select, epoll, signals, a message queue) unless
 * that turned out to be the answer on a socket's end that is the client's, or for a condition variable or a semaphore.
 * Nothing was offered while such a wait's root cause is a packet from a host that is not traced, a task that is not,
 * the time that it was to wait at most, or that it is not over. And a wait that takes work is idle for as long as what
 * it waits for is: a pool's worker for as long as the thread that hands it work. A sleep that a thread has asked for is
 * idle too, but delays those who wait for that thread. A thread that waits for an answer, a lock or a child is delayed
 * by all that keeps that, idle or not.
 */
#ifndef SCALER_ANALYSIS_IDLE_H
#define SCALER_ANALYSIS_IDLE_H

#include "analysis/chain_tree.h"
#include "analysis/wait_graph.h"

struct syscall_info;

/* Whether waits in a call on what is enum scaler_resource_kind are for nothing but a time; and for whatever comes. */
bool idle_call_is_sleep(const struct syscall_info *call, uint32_t resource);
bool idle_call_takes_work(const struct syscall_info *call, uint32_t resource);

/* Whether waits of that shape are for work. */
bool idle_takes_work(const struct wait_graph *graph, uint32_t shape);

/* Whether waits of that shape are for nothing but a time. */
bool idle_is_sleep(const struct wait_shape_key *key);

/* Finds how much of the time of each node is idle: what explains a node has all of the node's. */
void idle_find(const struct wait_graph *graph, struct chain_tree *tree);

#endif
