/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a report that are tables, in the order of report_parts.h: one file for each. */
#ifndef SCALER_RENDER_TABLES_H
#define SCALER_RENDER_TABLES_H

#include "render/column.h"

extern const struct report_table report_table_waits;
extern const struct report_table report_table_locks;
extern const struct report_table report_table_blocking;
extern const struct report_table report_table_components;
extern const struct report_table report_table_functions;
extern const struct report_table report_table_cpu;
extern const struct report_table report_table_library;
extern const struct report_table report_table_flow;
extern const struct report_table report_table_calls;
extern const struct report_table report_table_threads;
extern const struct report_table report_table_latency;

/* By part; NULL: it is no table. */
extern const struct report_table *const report_tables[REPORT_PART_COUNT];

#endif
