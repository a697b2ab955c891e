// SPDX-License-Identifier: GPL-2.0-only
/* CPU samples, counted by all that they say. */
#include "model/samples.h"

#include <errno.h>

int samples_add(struct samples *samples, const struct scaler_sample *sample, uint64_t count)
{
	size_t index = distinct_add(&samples->rows, sample, sizeof(*sample), sizeof(struct sample_row));

	if (index == SIZE_MAX)
		return -ENOMEM;
	((struct sample_row *)samples->rows.items)[index].count += count;
	return 0;
}

int samples_since(struct samples *since, const struct samples *before, const struct samples *after)
{
	int err = 0;

	for (size_t i = 0; i < after->rows.count && !err; i++) {
		const struct sample_row *row = &samples_rows(after)[i];
		/* Rows are only appended. */
		uint64_t old = i < before->rows.count ? samples_rows(before)[i].count : 0;

		if (row->count > old)
			err = samples_add(since, &row->sample, row->count - old);
	}
	return err;
}

void samples_clear(struct samples *samples)
{
	distinct_clear(&samples->rows);
}
