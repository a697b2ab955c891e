// SPDX-License-Identifier: GPL-2.0-only
/*
 * The servers of debug files, asked by libdebuginfod, which is not linked, because it takes longer to load than the rest of
 * a run without symbols.
 */
#include "target/debug_servers.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define LIBRARY  "libdebuginfod.so.1"
#define VARIABLE "DEBUGINFOD_URLS"
/* Before a server has answered, the figure is how often the client has looked, once a second or so: that is no progress. */
#define LOOKS 64

/* Of elfutils/debuginfod.h, whose package is not needed for three functions. */
typedef struct debuginfod_client client_type;

/* Called again and again, with the bytes done of all, where these are known; not 0: it is to end. */
typedef int progress_function(client_type *client, long done, long all);

static struct {
	client_type *(*begin)(void);
	void (*end)(client_type *client);
	void (*set_progress)(client_type *client, progress_function *function);
	void (*set_data)(client_type *client, void *data);
	void *(*get_data)(client_type *client);
	int (*find)(client_type *client, const unsigned char *build_id, int size, char **path);
} functions;

const char *debug_servers(void)
{
	const char *servers = getenv(VARIABLE);

	return servers && *servers ? servers : NULL;
}

void debug_servers_forget(void)
{
	unsetenv(VARIABLE);
}

static int progress(client_type *client, long done, long all)
{
	return patient_work_tell(functions.get_data(client), (uint64_t)(all > 0 ? done : done / LOOKS));
}

static bool find_functions(void)
{
	static const struct {
		const char *name;
		void *function;
	} wanted[] = {
		{ "debuginfod_begin", &functions.begin },
		{ "debuginfod_end", &functions.end },
		{ "debuginfod_set_progressfn", &functions.set_progress },
		{ "debuginfod_set_user_data", &functions.set_data },
		{ "debuginfod_get_user_data", &functions.get_data },
		{ "debuginfod_find_debuginfo", &functions.find },
	};
	void *library = dlopen(LIBRARY, RTLD_LAZY);

	for (size_t i = 0; library && i < ARRAY_SIZE(wanted); i++) {
		void *found = dlsym(library, wanted[i].name);

		if (!found)
			return false;
		memcpy(wanted[i].function, &found, sizeof(found));
	}
	return library;
}

int debug_servers_fetch(const uint8_t *build_id, size_t size, struct patient_work *work)
{
	client_type *client;
	int fd;

	if (!debug_servers() || !(functions.find || find_functions()))
		return -ENOENT;
	client = functions.begin();
	if (!client)
		return -ENOENT;
	functions.set_data(client, work);
	functions.set_progress(client, progress);
	fd = functions.find(client, build_id, (int)size, NULL);
	functions.end(client);
	return fd < 0 ? -ENOENT : fd;
}
