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
	/* Where there is no room for all, those of the highest rank go first, and of one rank the last. */
	unsigned char rank;
	unsigned char least; /* of characters that words are cut to; 0: the default */
};

struct table {
	const struct table_column *columns; /* of the caller, and outlives the table */
	size_t column_count;
	char **cells; /* owned, row by row */
	size_t cell_count;
	size_t cell_capacity;
	size_t width;  /* of a row, in characters; 0: as wide as it is */
	size_t hidden; /* how many columns had no room once it is printed */
	bool failed;   /* out of memory: what is printed would be wrong */
};

#define TABLE_FIGURES(title, rank)                                                                           \
	{                                                                                                    \
		title, false, rank, 0                                                                        \
	}
#define TABLE_WORDS(title, rank)                                                                             \
	{                                                                                                    \
		title, true, rank, 0                                                                         \
	}
/* Words with what is below them indented. */
#define TABLE_TREE_LEAST 32
#define TABLE_TREE(title)                                                                                    \
	{                                                                                                    \
		title, true, 0, TABLE_TREE_LEAST                                                             \
	}

/* column_count is at most TABLE_COLUMNS_MAX. */
void table_begin(struct table *table, const struct table_column *columns, size_t column_count);

/* The next cell, from left to right and on to the next row. The text must be printable ASCII. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The cells that the row lacks stay empty. */
void table_end_row(struct table *table);

/* How wide the columns of a table are that is printed part by part; all zero: as wide as their titles. */
struct table_widths {
	bool has_titles; /* they are printed */
	bool is_narrow;  /* the columns have been fit into a row's width, and those without room are 0 */
	int items[TABLE_COLUMNS_MAX];
};

/*
 * Prints more rows of one table, and its titles before the first. Columns grow with what is in them up to a limit, past
 * which a cell moves those behind it; with a width for rows they stay as they are with the first, and words are cut. Frees
 * the cells. Returns 0 or -ENOMEM.
 */
int table_print_part(struct table *table, struct table_widths *widths, FILE *out);

/*
 * Prints the table, without columns that have nothing in any row, and frees its cells. If it is too wide, columns go by
 * their ranks until words of some length have room in the others, and then words are cut in their middle, those of the
 * widest column first. Returns 0 or -ENOMEM.
 */
int table_print(struct table *table, FILE *out);

#endif
