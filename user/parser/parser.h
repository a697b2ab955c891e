/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that reads foreign files for the tracer, and can do nothing else (confine.h): ELF files, frames, code and perf maps
 * are what targets made of them, and a fault in how they are read leads an attacker into an empty process. It is started when
 * it is first asked, and again when it has died, or has not answered in time.
 */
#ifndef SCALER_PARSER_PARSER_H
#define SCALER_PARSER_PARSER_H

#include <stdint.h>

#include "parser/channel.h"

/* As which the tracer's program becomes that process: its argv[0]. */
#define PARSER_NAME   "scaler-parser"
#define PARSER_SOCKET 3 /* behind the standard streams */

/* A question that takes longer ends the process. */
#define PARSER_LIMIT_NS 10000000000ULL

struct parser;

/*
 * Starts nothing yet. stop_fd: once it can be read nothing more is waited for; -1: none. Returns 0 or -ENOMEM. In a program
 * under a sanitizer, which needs more than that process may have, the files are read here.
 */
int parser_open(struct parser **parser, int stop_fd);

/* NULL: nothing. */
void parser_close(struct parser *parser);

/*
 * Asks: a question of parser/question.h, with open files as in channel.h. Any thread may; they are answered in turn. Returns 0
 * with an answer that begins behind its status, or a negative errno: that of the answer, -ETIMEDOUT, -ECANCELED by stop_fd,
 * -EPIPE: the process died of the question, -ENOSYS: there can be none. The caller clears both messages in all cases.
 */
int parser_ask(struct parser *parser, struct message *question, const int files[CHANNEL_FILES],
	       struct message *answer);

/* Starts the process, where the first question is not to wait for it. */
void parser_begin(struct parser *parser);

/* How many processes there have been: what an earlier one was told of, this one does not know. */
uint32_t parser_generation(const struct parser *parser);

/* The one that all of the tracer shares but for the thread that learns; it is not closed. */
struct parser *parser_shared(void);

/* Once that can be read nothing more is waited for. Asks nothing meanwhile. -1: none. */
void parser_shared_stop_by(int stop_fd);

/* Ends its process. */
void parser_shared_end(void);

/* CPU time of all such processes so far. */
uint64_t parser_cpu_ns(void);

/* The process: answers what comes over the socket until its other side is closed. Returns its exit status. */
int parser_serve(int socket);

#endif
