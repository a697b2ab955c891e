// SPDX-License-Identifier: GPL-2.0-only
/* The reports as text for people. */
#include "render/text.h"

#include <inttypes.h>

#include "model/syscalls.h"

static const char *const loss_texts[SCALER_LOSS_COUNT] = {
	[SCALER_LOSS_TASK_STORAGE] = "threads not followed (no kernel memory for their state)",
	[SCALER_LOSS_CALL_MAP] = "system calls not counted (the system-call map is full)",
};

void text_render_calls(FILE *out, const struct call_summary *summary)
{
	fprintf(out, "%12s  %6s  %s\n", "CALLS", "SHARE", "SYSTEM CALL");
	for (size_t i = 0; i < summary->row_count; i++) {
		const struct call_summary_row *row = &summary->rows[i];
		char name[SYSCALL_NAME_SIZE];

		fprintf(out, "%12" PRIu64 "  %5.1f%%  %s\n", row->count,
			100.0 * (double)row->count / (double)summary->total,
			syscall_format(row->abi, row->number, name));
	}
	fprintf(out, "%12" PRIu64 "  %6s  total\n", summary->total, "");
}

void text_render_coverage(FILE *out, const struct profile *profile)
{
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++) {
		if (profile->losses[cause])
			fprintf(out, "lost: %" PRIu64 " %s\n", profile->losses[cause],
				loss_texts[cause]);
	}
}
