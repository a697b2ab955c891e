// SPDX-License-Identifier: GPL-2.0-only
/* The first instructions of functions, from their files. */
#include "probe/plan_site.h"

#include <unistd.h>

void plan_site_read(struct plan_function *function, int fd)
{
	static const enum plan_omission omissions[] = {
		[PROBE_SITE_SOUND] = PLAN_NOT_OMITTED,
		[PROBE_SITE_REFUSED] = PLAN_REFUSED,
		[PROBE_SITE_MISTAKEN] = PLAN_MISTAKEN,
	};
	uint8_t code[PROBE_SITE_BYTES];
	ssize_t got = fd < 0 ? 0 : pread(fd, code, sizeof(code), (off_t)function->offset);
	size_t size = got > 0 ? (size_t)got : 0;

	function->omission = fd < 0 ? PLAN_GONE : omissions[probe_site_fault(code, size)];
	if (!function->omission)
		function->site = probe_site_kind(code, size);
}
