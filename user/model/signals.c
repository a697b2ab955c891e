// SPDX-License-Identifier: GPL-2.0-only
/* The names of signals. */
#include "model/signals.h"

#include <stdio.h>
#include <string.h>

const char *signal_format(unsigned int number, char name[SIGNAL_NAME_SIZE])
{
	const char *abbreviation = sigabbrev_np((int)number);

	if (abbreviation)
		snprintf(name, SIGNAL_NAME_SIZE, "SIG%.12s", abbreviation);
	else
		snprintf(name, SIGNAL_NAME_SIZE, "SIG%u", number);
	return name;
}
