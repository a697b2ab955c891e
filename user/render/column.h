/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables as data: what a report's rows are is said once, by columns, and each format walks them. A column tells what a
 * figure is called on the screen and in JSON, what it means, of which kind it is, and where it is found in a row.
 */
#ifndef SCALER_RENDER_COLUMN_H
#define SCALER_RENDER_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "analysis/report.h"
#include "render/table.h"

enum column_kind {
	COLUMN_COUNT,
	COLUMN_ID,        /* a number that names something; 0: there is none */
	COLUMN_TIME,      /* in ns */
	COLUMN_MOMENT,    /* in ns of CLOCK_MONOTONIC; 0: there is none */
	COLUMN_SHARE,     /* a number of a whole; not in JSON, which has both */
	COLUMN_FLAG,      /* a boolean; not in text */
	COLUMN_NAME,      /* not trusted */
	COLUMN_WORD,      /* one of ours, or a list of them */
	COLUMN_PLACE,     /* an index of report.places; PLACE_NONE: there is none */
	COLUMN_COMPONENT, /* the same of a component */
	COLUMN_OBJECT,    /* made by object(), and in text by cell() */
	COLUMN_ROWS,      /* rows of another type; in text by cell(), or the first ones' first columns */
	COLUMN_KIND_COUNT,
};

/* What a row has in a column. */
struct value {
	bool is_none;     /* nothing: null in JSON, and in text an empty cell */
	const char *mark; /* of text: stands before the figure: "~" of estimates, ">=" of lower bounds */
	uint64_t number;
	uint64_t whole;   /* of COLUMN_SHARE: what it is a share of */
	const char *text; /* of COLUMN_NAME and COLUMN_WORD; NULL as is_none */
};

#define VALUE_TEXT_SIZE 64

struct column;

/* What rows of one type in memory have. */
struct row_type {
	const struct column *columns;
	size_t column_count;
	size_t bytes;
};

/* Where an array of rows is in a structure, and how many they are, a size_t. */
struct row_list {
	bool is_there;
	size_t rows, count; /* offsets */
};

#define ROW_LIST(owner, array, number)                                                                       \
	{                                                                                                    \
		true, offsetof(owner, array), offsetof(owner, number)                                        \
	}

static inline const void *row_list_get(const struct row_list *list, const void *owner, size_t *count)
{
	memcpy(count, (const char *)owner + list->count, sizeof(*count));
	return *(const void *const *)((const char *)owner + list->rows);
}

#define ROW_TYPE(columns, row)                                                                               \
	{                                                                                                    \
		columns, ARRAY_SIZE(columns), sizeof(row)                                                    \
	}

/*
 * Where its value is: a number of a row by FIELD() or number(), words by text(), which may be made in the buffer, and what
 * takes the report by value().
 * What text and JSON say instead by cell() and object().
 */
struct column {
	enum column_kind kind;
	unsigned char rank; /* as table_column's */
	const char *title;  /* in text; NULL: it is not there */
	const char *member; /* in JSON; NULL: it is not there */
	const char *help;   /* what it means, for the schema and the manual; NULL: its name says it */
	bool has_field;
	size_t offset, bytes;
	uint64_t (*number)(const void *row);
	const char *(*text)(const void *row, char buffer[VALUE_TEXT_SIZE]);
	void (*value)(struct value *value, const struct report *report, const void *row);
	const char *(*mark)(const void *row); /* NULL: none */
	bool (*is_there)(const void *row);    /* whether it has that value; NULL: it has */
	/* Adds one cell to the table. */
	void (*cell)(struct table *table, const struct report *report, const void *row);
	/* A new reference, or NULL without memory. */
	json_t *(*object)(const struct report *report, const void *row);
	const char *type; /* of object(), or of words: its name among the schema's definitions */
	/* Of COLUMN_ROWS: of which type, and where they are: ROWS_OF() or rows(). */
	const struct row_type *row_type;
	struct row_list list;
	const void *(*rows)(const struct report *report, const void *row, size_t *count);
	bool hides_zero; /* in text */
	bool is_summed;  /* rows that are sums have it */
	bool is_tree;    /* words with what is below them indented */
	bool is_order;   /* rows of this type are in its order, and a list of them has their shares of it */
};

/* Where a row has a number. */
#define FIELD(row, member)                                                                                   \
	.has_field = true, .offset = offsetof(row, member), .bytes = sizeof(((const row *)0)->member)
#define SUMMED                      .is_summed = true
#define ROWS_OF(row, array, number) .list = ROW_LIST(row, array, number)

/* A part of a report that is a table. */
struct report_table {
	const char *member; /* in JSON; its name among the schema's definitions */
	const char *help;
	struct row_type row_type;
	struct row_list rows; /* in struct report */
	/* The sum of the rows from one on. */
	void (*rest)(const struct report *report, size_t first, void *row);
	/*
	 * What stands below the rows, by an index from 0 on: returns what the first cell says, or NULL: no more. Where it
	 * is NULL, it is the sum of all rows.
	 */
	const char *(*total)(const struct report *report, size_t index, void *row);
	size_t json_totals; /* so many of those are elements in JSON too */
};

#define TABLE_ROWS(array, number) ROW_LIST(struct report, array, number)

/* Never fails. The text is the row's, ours, or in the buffer. */
struct value column_value(const struct column *column, const struct report *report, const void *row,
			  char buffer[VALUE_TEXT_SIZE]);

/* Of COLUMN_ROWS. */
const void *column_rows(const struct column *column, const struct report *report, const void *row,
			size_t *count);

/* Of the columns that text shows, as many as there are: at most TABLE_COLUMNS_MAX. Returns their number. */
size_t row_type_titles(const struct row_type *type, struct table_column titles[TABLE_COLUMNS_MAX]);

/* Adds the row's cells; sum: what the first one says of a sum, which has but what is_summed; NULL: it is none. */
void row_type_cells(const struct row_type *type, struct table *table, const struct report *report,
		    const void *row, const char *sum);

/* A new reference, or NULL without memory: a row as an object, rows as an array, and a table's. */
json_t *json_row(const struct row_type *type, const struct report *report, const void *row);
json_t *json_rows(const struct row_type *type, const struct report *report, const void *rows, size_t count);
json_t *json_table(const struct report_table *description, const struct report *report);

#endif
