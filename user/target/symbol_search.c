// SPDX-License-Identifier: GPL-2.0-only
/* Names of places in many files, without waiting for any of them longer than is of use. */
#include "target/symbol_search.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status_line.h"
#include "parser/names.h"
#include "target/debug_file.h"
#include "target/debug_servers.h"

/* All that the search for one debug file needs, since it may outlive the search of which it is a part. */
struct job {
	int err;
	int fd;
	int debug_fd; /* -1: none was found */
	char *name;
	char *folder; /* NULL: none */
};

static void drop_job(void *data)
{
	struct job *job = data;

	if (job->fd >= 0)
		close(job->fd);
	if (job->debug_fd >= 0)
		close(job->debug_fd);
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
	job->debug_fd = -1;
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

	job->err = symbols_find_debug_link(job->fd, &link);
	if (!job->err)
		job->debug_fd = find_debug_file(job, &link, work);
	else if (job->err == -ENOENT)
		job->err = 0;
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

/* Looks for the debug file, which the caller closes; *debug_fd: -1: there is none. Returns 0 or as symbol_search_name(). */
static int search_debug_file(struct symbol_search *search, int fd, const char *name, int *debug_fd)
{
	struct job *job = make_job(search, fd, name);
	int result = job ? run(search, job) : -ENOMEM;

	*debug_fd = -1;
	if (result == -ETIMEDOUT || result == -ECANCELED || result == -EINPROGRESS)
		give_up(search, result);
	if (result == -EINPROGRESS)
		return search->has_ended ? -ECANCELED : -ETIMEDOUT;
	/* What was given up was done all the same. */
	if (!result || result == -ETIMEDOUT || result == -ECANCELED) {
		result = job->err;
		*debug_fd = job->debug_fd;
		job->debug_fd = -1;
	}
	if (job)
		drop_job(job);
	return result;
}

int symbol_search_name(struct symbol_search *search, int fd, const char *name, const uint64_t *offsets,
		       size_t count, struct symbol_place *places, bool *has_functions)
{
	struct symbol_search only = { .signal_fd = -1 };
	int debug_fd, err;

	memset(places, 0, count * sizeof(*places));
	*has_functions = false;
	search = search ?: &only;
	if (search->has_ended)
		return -ECANCELED;
	status_line_show("reading the symbols of %s; Ctrl-C skips the rest", name);
	err = search_debug_file(search, fd, name, &debug_fd);
	if (!err)
		err = parser_name_places(parser_shared(), fd, debug_fd, offsets, count, places,
					 has_functions);
	if (debug_fd >= 0)
		close(debug_fd);
	if (err == -ECANCELED && !search->has_ended)
		give_up(search, err);
	return err;
}
