// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of many files, without waiting for any of them longer than is of use. */
#include "target/symbol_search.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/debug_file.h"
#include "target/debug_servers.h"

/* All that the reading of one file needs, since it may outlive who has asked for it. */
struct job {
	struct symbols symbols;
	int err;
	int fd;
	char *name;
	char *folder; /* NULL: none */
};

static void drop_job(void *data)
{
	struct job *job = data;

	symbols_clear(&job->symbols);
	if (job->fd >= 0)
		close(job->fd);
	free(job->name);
	free(job->folder);
	free(job);
}

static struct job *make_job(const struct symbol_search *search, int fd, const char *name)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->fd = dup(fd);
	job->name = strdup(name);
	job->folder = search->folder ? strdup(search->folder) : NULL;
	if (job->fd >= 0 && job->name && (job->folder || !search->folder))
		return job;
	drop_job(job);
	return NULL;
}

/* The debug file that belongs to it: a descriptor that the caller closes, or -ENOENT. */
static int find_debug_file(const struct job *job, const struct debug_link *link, struct patient_work *work)
{
	int candidates[DEBUG_FILES_MAX], found = -ENOENT;
	size_t count = debug_files_open(link, job->fd, job->folder, candidates);

	for (size_t i = 0; i < count; i++) {
		if (found < 0 && debug_link_matches(link, candidates[i]))
			found = candidates[i];
		else
			close(candidates[i]);
	}
	if (found < 0 && link->build_id_size)
		found = debug_servers_fetch(link->build_id, link->build_id_size, work);
	return found;
}

static void work(struct patient_work *work, void *data)
{
	struct job *job = data;
	struct debug_link link;
	int debug_fd = -1;

	job->err = symbols_find_debug_link(job->fd, &link);
	if (!job->err)
		debug_fd = find_debug_file(job, &link, work);
	if (!job->err || job->err == -ENOENT)
		job->err = symbols_read(&job->symbols, job->fd, debug_fd);
	if (debug_fd >= 0)
		close(debug_fd);
}

static bool has_signal(const struct symbol_search *search)
{
	struct pollfd fd = { .fd = search->signal_fd, .events = POLLIN };

	return search->signal_fd >= 0 && poll(&fd, 1, 0) > 0;
}

/* Who was waited for, and what becomes of the rest of the search. */
static void give_up(struct symbol_search *search, int result)
{
	if (has_signal(search)) {
		search->has_ended = true;
		search->given_up = "a signal ended the search for symbols";
	} else if (result == -EINPROGRESS) {
		search->is_impatient = true;
		search->given_up = "a file with symbols could not be read for 5 s, and was given up";
	} else {
		search->given_up =
			"the servers of DEBUGINFOD_URLS were given up: silent for 5 s, or asked for 20 s";
	}
	/* Of one that was left it is not known what it waits for, and it may still look. */
	if (result != -EINPROGRESS)
		debug_servers_forget();
}

static int run(struct symbol_search *search, struct job *job)
{
	const char *servers = debug_servers();
	struct patience patience = {
		.work = work,
		.drop = drop_job,
		.silence_ns = search->is_impatient ? SYMBOL_SEARCH_SHORT_NS : SYMBOL_SEARCH_SILENCE_NS,
		.limit_ns = SYMBOL_SEARCH_SERVERS_NS - search->servers_ns,
		.signal_fd = search->signal_fd,
	};
	uint64_t begun_ns = clock_now_ns();
	char *what = NULL;
	int result;

	if (asprintf(&what, "symbols of %s%s%s", job->name, servers ? ", from " : "", servers ?: "") < 0)
		return -ENOMEM;
	patience.what = what;
	result = patience_run(&patience, job);
	if (servers)
		search->servers_ns += clock_now_ns() - begun_ns;
	if (search->servers_ns > SYMBOL_SEARCH_SERVERS_NS)
		search->servers_ns = SYMBOL_SEARCH_SERVERS_NS;
	free(what);
	return result;
}

int symbol_search_read(struct symbol_search *search, struct symbols *symbols, int fd, const char *name)
{
	struct symbol_search only = { .signal_fd = -1 };
	struct job *job;
	int result;

	*symbols = (struct symbols){ 0 };
	search = search ?: &only;
	if (search->has_ended)
		return -ECANCELED;
	job = make_job(search, fd, name);
	if (!job)
		return -ENOMEM;
	result = run(search, job);
	if (result == -ETIMEDOUT || result == -ECANCELED || result == -EINPROGRESS)
		give_up(search, result);
	if (result == -EINPROGRESS)
		return search->has_ended ? -ECANCELED : -ETIMEDOUT;
	if (!result || result == -ETIMEDOUT || result == -ECANCELED) {
		result = job->err;
		*symbols = job->symbols;
		job->symbols = (struct symbols){ 0 };
	}
	drop_job(job);
	return result;
}
