// SPDX-License-Identifier: GPL-2.0-only
/* The ring buffers by which the kernel side of library calls asks for attention. */
#include "probe/library_alerts.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <bpf/libbpf.h>

static int take_function(void *context, void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

static int take_file(void *context, void *data, size_t size)
{
	struct library_alerts *alerts = context;
	uint32_t component;

	if (size < sizeof(component) || !alerts->guard)
		return 0;
	memcpy(&component, data, sizeof(component));
	return return_guard_answer(alerts->guard, component);
}

int library_alerts_open(struct library_alerts *alerts, const struct library_kernel *kernel,
			struct return_guard *guard)
{
	alerts->guard = guard;
	alerts->rings = ring_buffer__new(kernel->cost_alert_fd, take_function, alerts, NULL);
	if (!alerts->rings)
		return -errno;
	return kernel->file_alert_fd < 0 ?
		       0 :
		       ring_buffer__add(alerts->rings, kernel->file_alert_fd, take_file, alerts);
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
