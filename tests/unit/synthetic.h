/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording made up for the tests of analysis and renderers: no kernel, no root. */
#ifndef SCALER_TESTS_SYNTHETIC_H
#define SCALER_TESTS_SYNTHETIC_H

#include "analysis/report.h"
#include "model/profile.h"

/* Each fills an empty profile; the caller clears it. The whole recording as it is read, and as an interval. */
void synthetic_reading(struct profile *profile);
void synthetic_profile(struct profile *profile);

/* Makes the report, with places that stay until the test ends: one recording a test. 0 or -ENOMEM. */
int synthetic_report(struct profile *profile, const struct report_options *options, struct report *report);
/* The same by places that the caller has. */
int synthetic_report_by(struct profile *profile, const struct places *places,
			const struct report_options *options, struct report *report);

/* For a report of all that there is. */
extern const struct report_options synthetic_everything;

/* The report in that format; the caller frees it. */
char *synthetic_render(const char *format, const struct report *report);

#endif
