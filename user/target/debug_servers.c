// SPDX-License-Identifier: GPL-2.0-only
/*
 * The servers of debug files: libdw asks them, by a library that it loads when it does. That one is not linked, because it
 * takes longer to load than the rest of a run without symbols.
 */
#include "target/debug_servers.h"

#include <dlfcn.h>
#include <stdlib.h>

#define LIBRARY  "libdebuginfod.so.1"
#define VARIABLE "DEBUGINFOD_URLS"
/* Before a server has answered, the figure is how often the client has looked, once a second or so: that is no progress. */
#define LOOKS 64

/* debuginfod_find_debuginfo(3): called again and again, with the bytes done of all, where these are known; not 0: it is to end. */
typedef int progress_function(debuginfod_client *client, long done, long all);

static struct {
	void (*set_progress)(debuginfod_client *client, progress_function *function);
	void (*set_data)(debuginfod_client *client, void *data);
	void *(*get_data)(debuginfod_client *client);
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

static int progress(debuginfod_client *client, long done, long all)
{
	return patient_work_tell(functions.get_data(client), (uint64_t)(all > 0 ? done : done / LOOKS));
}

static bool find_functions(void)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY);

	if (!library)
		return false;
	*(void **)&functions.set_progress = dlsym(library, "debuginfod_set_progressfn");
	*(void **)&functions.set_data = dlsym(library, "debuginfod_set_user_data");
	*(void **)&functions.get_data = dlsym(library, "debuginfod_get_user_data");
	return functions.set_progress && functions.set_data && functions.get_data;
}

void debug_servers_watch(Dwfl *dwfl, struct patient_work *work)
{
	debuginfod_client *client;

	if (!debug_servers() || !(functions.get_data || find_functions()))
		return;
	client = dwfl_get_debuginfod_client(dwfl);
	if (!client)
		return;
	functions.set_data(client, work);
	functions.set_progress(client, progress);
}
