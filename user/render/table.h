/* SPDX-License-Identifier: GPL-2.0-only */
/* A table for people: columns as wide as what is in them. */
#ifndef SCALER_RENDER_TABLE_H
#define SCALER_RENDER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 16

struct table_column {
	const char *title;
	bool left; /* aligned to the left, as words are; figures to the right */
};

struct table {
	const struct table_column *columns; /* of the caller, and outlives the table */
	size_t column_count;
	char **cells; /* owned, row by row */
	size_t cell_count;
	size_t cell_capacity;
	size_t width; /* of a row, in characters, for table_print(); 0: as wide as it is */
	bool failed;  /* out of memory: what is printed would be wrong */
};

/* column_count is at most TABLE_COLUMNS_MAX. */
void table_begin(struct table *table, const struct table_column *columns, size_t column_count);

/* The next cell, from left to right and on to the next row. The text must be printable ASCII. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How wide the columns of a table are that is printed part by part; all zero: as wide as their titles. */
struct table_widths {
	bool has_titles; /* they are printed */
	int items[TABLE_COLUMNS_MAX];
};

/*
 * Prints more rows of one table, and its titles before the first. Columns grow with what is in them up to a limit, past
 * which a cell moves those behind it. Frees the cells. Returns 0 or -ENOMEM.
 */
int table_print_part(struct table *table, struct table_widths *widths, FILE *out);

/*
 * Prints the table, without columns that have nothing in any row, and frees its cells. If it is too wide, words are cut in
 * their middle, those of the widest column first, and then the last columns are dropped. Returns 0 or -ENOMEM.
 */
int table_print(struct table *table, FILE *out);

#endif
