// SPDX-License-Identifier: GPL-2.0-only
/* For loads: exceptions thrown through qsort(), one at a time. */
#include <cstdlib>

namespace
{

int throw_from(const void *, const void *)
{
	throw 1;
}

} // namespace

extern "C" unsigned int throw_exceptions(unsigned int count)
{
	unsigned int caught = 0;

	for (unsigned int i = 0; i < count; i++) {
		int numbers[] = { 2, 1 };

		try {
			qsort(numbers, 2, sizeof(*numbers), throw_from);
		} catch (int) {
			caught++;
		}
	}
	return caught;
}
