// SPDX-License-Identifier: GPL-2.0-only
/* From the target's options to the recorder. */
#include "cmd/target_setup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "target/cgroup.h"
#include "target/process.h"
#include "target/process_list.h"
#include "target/program_files.h"

int target_setup_describe(const struct target_options *options, struct scaler_target *target)
{
	char folder[PATH_MAX];
	int err;

	*target = (struct scaler_target){ .kind = options->kind, .follow = options->follow };
	if (options->comm)
		strncpy(target->comm, options->comm, sizeof(target->comm) - 1);
	if (!options->cgroup)
		return 0;
	err = cgroup_find(options->cgroup, folder, (uint64_t *)&target->cgroup);
	if (err == -ENODEV)
		log_error("cannot trace cgroup '%s': no cgroup v2 hierarchy is mounted; mount one with: "
			  "mount -t cgroup2 none /sys/fs/cgroup",
			  options->cgroup);
	else if (err)
		log_error("no cgroup '%s' in the v2 hierarchy: %s", options->cgroup, strerror(-err));
	return err;
}

static int explain(pid_t id, bool is_thread, const struct process *process, int err)
{
	if (err == -ESRCH) {
		log_error("no %s with %s %d", is_thread ? "thread" : "process", is_thread ? "TID" : "PID",
			  id);
	} else if (err) {
		log_error("cannot look at process %d: %s", id, strerror(-err));
	} else if (!is_thread && process->pid != id) {
		log_error("%d is a thread of process %d: give -p %d or -t %d", id, process->pid, process->pid,
			  id);
		err = -EINVAL;
	} else if (process->ended) {
		log_error("process %d has ended: it is a zombie until its parent reads its exit status", id);
		err = -ESRCH;
	} else if (process->kernel_thread) {
		log_note("%d is a kernel thread, which makes no system calls: only its states are "
			 "recorded",
			 id);
	}
	return err;
}

int target_setup_watch(const struct target_options *options, struct ending *ending)
{
	bool are_threads = options->kind == SCALER_TARGET_THREADS;

	for (size_t i = 0; i < options->id_count; i++) {
		pid_t id = options->ids[i];
		struct process process;
		int err = explain(id, are_threads, &process, process_inspect(&process, id));

		if (err)
			return err;
		err = are_threads ? ending_watch_thread(ending, process.pid, id) :
				    ending_watch_process(ending, id);
		/* One that has ended just now is found missing later. */
		if (err && err != -ESRCH) {
			log_error("cannot watch process %d: %s", id, strerror(-err));
			return err;
		}
	}
	return 0;
}

int target_setup_find(const struct target_options *options, struct recorder *recorder)
{
	int found;

	for (size_t i = 0; i < options->id_count; i++) {
		int err = recorder_add_id(recorder, options->ids[i], SCALER_BEGIN_AT_ONCE);

		if (err)
			return err;
	}
	found = recorder_find_threads(recorder);
	if (found)
		return found < 0 ? found : 0;
	if (options->id_count) {
		log_error("what was to be traced has ended before the recording began");
		return -ESRCH;
	}
	if (options->comm)
		log_note("no process is named '%s' yet", options->comm);
	else
		log_note("no process to trace yet");
	return 0;
}

static int list_processes(const struct target_options *options, struct process_list *list)
{
	int err = 0;

	for (size_t i = 0; i < options->id_count && !err; i++) {
		struct process process;

		err = explain(options->ids[i], options->kind == SCALER_TARGET_THREADS, &process,
			      process_inspect(&process, options->ids[i]));
		if (err)
			return err;
		err = process_list_add(list, process.pid);
	}
	if (options->cgroup)
		err = process_list_add_cgroup(list, options->cgroup);
	else if (!options->id_count)
		err = process_list_add_all(list);
	if (options->comm)
		process_list_keep_comm(list, options->comm);
	if (err)
		log_error("cannot list the processes: %s", strerror(-err));
	return err;
}

/* Those of a command or of a process. Says why no library call of it can be recorded, if so. */
static void tell_kind(const struct linked_files *files, pid_t pid, const char *who)
{
	size_t count = 0, foreign = 0;
	bool is_linked = false;

	for (size_t i = 0; i < files->count; i++) {
		const struct linked_file *file = &files->items[i];

		if (pid && !linked_file_has_process(file, pid))
			continue;
		count++;
		foreign += file->error == -ENOTSUP;
		is_linked |= file->error || file->linkage.interpreter;
	}
	if (count && foreign == count)
		log_note(
			"%s runs 32-bit code: its system calls and its threads are recorded, not its library "
			"calls",
			who);
	else if (count == 1 && !is_linked)
		log_note("%s is linked statically: its system calls and its threads are recorded, library "
			 "calls "
			 "it has none",
			 who);
}

static int add_processes(const struct target_options *options, struct linked_files *files)
{
	struct process_list list = { 0 };
	int err = list_processes(options, &list);

	for (size_t i = 0; i < list.count && err != -ENOMEM; i++) {
		int added = linked_files_add_process(files, list.pids[i]);

		/* Of many, some end meanwhile. */
		if (!added || !options->id_count)
			continue;
		err = added;
		log_error("cannot read which files process %d has mapped: %s", list.pids[i], strerror(-err));
		break;
	}
	for (size_t i = 0; i < list.count && !err && options->id_count; i++) {
		char who[32];

		snprintf(who, sizeof(who), "process %d", list.pids[i]);
		tell_kind(files, list.pids[i], who);
	}
	process_list_clear(&list);
	return err;
}

static int add_command(const char *name, struct linked_files *files)
{
	char who[PATH_MAX + 2];
	int err = program_files_add(files, name);

	if (err && err != -ENOTSUP) {
		log_error("cannot read '%s': %s", name, strerror(-err));
		return err;
	}
	snprintf(who, sizeof(who), "'%s'", name);
	tell_kind(files, 0, who);
	return 0;
}

int target_setup_files(const struct target_options *options, struct linked_files *files)
{
	int err;

	if (options->command)
		err = add_command(options->command[0], files);
	else
		err = add_processes(options, files);
	if (!err)
		linked_files_resolve(files, 0);
	return err;
}

uint64_t target_setup_count_threads(const struct target_options *options)
{
	uint64_t count = 0;

	if (options->command)
		return 0;
	if (!options->id_count)
		return process_count_all_threads();
	if (options->kind == SCALER_TARGET_THREADS)
		return options->id_count;
	for (size_t i = 0; i < options->id_count; i++)
		count += process_count_threads(options->ids[i]);
	return count;
}

bool target_setup_is_everything(const struct target_options *options)
{
	return !options->id_count && !options->command && !options->cgroup && !options->comm;
}

bool target_setup_grows(const struct target_options *options)
{
	return options->follow == SCALER_FOLLOW_CHILDREN && (options->comm || options->cgroup);
}
