// SPDX-License-Identifier: GPL-2.0-only
/* When a flight recorder saves by itself. */
#include "cmd/trigger.h"

#include "analysis/blocking_report.h"
#include "base/log.h"

/* What follows a wait, if nothing says how long is kept. */
#define FOLLOWING_NS 5000000000

/* The end of the first wait of that kind that has not been saved; 0: there is none. */
static int find_wait(const struct trigger *trigger, struct profile *difference, const struct places *places,
		     uint64_t *end_ns)
{
	const struct report_options options = { .stream = REPORT_STREAM_ENDED,
						.filter = trigger->options->when };
	const struct scaler_window window = difference->window;
	struct blocking_report waits = { 0 };
	int err;

	/* A wait is as long as it was, not as what of it came since the last cut. */
	difference->window.start_ns = difference->recording_start_ns;
	err = blocking_report_make(difference, places, &options, &waits);
	difference->window = window;
	*end_ns = 0;
	for (size_t i = 0; i < waits.row_count && !err && !*end_ns; i++) {
		const struct scaler_blocking_interval *interval = waits.rows[i].interval;

		if (interval->end_ns > trigger->quiet_ns && !waits.rows[i].is_lower_bound)
			*end_ns = interval->end_ns;
	}
	blocking_report_clear(&waits);
	return err;
}

int trigger_look(struct trigger *trigger, struct profile *difference, const struct places *places,
		 bool *is_due)
{
	uint64_t keep_ns = trigger->options->ns, end_ns = 0;
	int err = 0;

	*is_due = false;
	if (!trigger->options->when.least_ns || trigger->saves == TRIGGER_SAVES_MAX)
		return 0;
	if (!trigger->due_ns)
		err = find_wait(trigger, difference, places, &end_ns);
	if (end_ns)
		trigger->due_ns = end_ns + (keep_ns ? keep_ns / 2 : FOLLOWING_NS);
	if (err || !trigger->due_ns || difference->window.end_ns < trigger->due_ns)
		return err;
	*is_due = true;
	trigger->due_ns = 0;
	trigger->quiet_ns = difference->window.end_ns;
	if (++trigger->saves == TRIGGER_SAVES_MAX)
		log_note("--save-when has saved %u times, and does so no more", trigger->saves);
	return 0;
}
