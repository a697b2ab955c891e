// SPDX-License-Identifier: GPL-2.0-only
/* The ring buffers by which the kernel side of library calls asks for attention. */
#include "probe/library_alerts.h"

#include <errno.h>

#include <bpf/libbpf.h>

static int take_function(void *context, void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

int library_alerts_open(struct library_alerts *alerts, const struct library_kernel *kernel)
{
	alerts->rings = ring_buffer__new(kernel->cost_alert_fd, take_function, alerts, NULL);
	return alerts->rings ? 0 : -errno;
}

int library_alerts_fd(const struct library_alerts *alerts)
{
	return ring_buffer__epoll_fd(alerts->rings);
}

int library_alerts_take(struct library_alerts *alerts)
{
	int taken = ring_buffer__consume(alerts->rings);

	return taken < 0 ? taken : 0;
}

void library_alerts_close(struct library_alerts *alerts)
{
	ring_buffer__free(alerts->rings);
	alerts->rings = NULL;
}
