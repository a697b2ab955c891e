// SPDX-License-Identifier: GPL-2.0-only
/* The first instructions of functions, from their files. */
#include "probe/plan_site.h"

#include <unistd.h>

void plan_site_read(struct plan_function *function, int fd)
{
	uint8_t code[PROBE_SITE_BYTES];
	ssize_t got = fd < 0 ? 0 : pread(fd, code, sizeof(code), (off_t)function->offset);

	if (got <= 0 || probe_site_is_refused(code, (size_t)got))
		function->omission = fd < 0 ? PLAN_GONE : PLAN_REFUSED;
	else
		function->site = probe_site_kind(code, (size_t)got);
}
