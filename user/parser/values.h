/* SPDX-License-Identifier: GPL-2.0-only */
/* What several questions are made of: lists of numbers and of names. */
#ifndef SCALER_PARSER_VALUES_H
#define SCALER_PARSER_VALUES_H

#include "parser/parser.h"

/* A count and that many numbers. */
void message_put_numbers(struct message *message, const uint64_t *numbers, size_t count);

/* Numbers that the caller frees, or NULL without memory. */
uint64_t *message_get_numbers(struct message *message, size_t *count);

/*
 * Copies the next texts to names, which the caller frees; NULL stays NULL. Returns 0, -ENOMEM, or -EPROTO if they are not that
 * many, or longer than names are; then all are NULL.
 */
int message_get_names(struct message *message, char **names, size_t count);

/* Asks a question whose answer is one name, or NULL, for each of count; clears it. fd: an open file, or -1. As parser_ask(). */
int parser_ask_names(struct parser *parser, struct message *question, int fd, char **names, size_t count);

#endif
