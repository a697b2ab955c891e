// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf doctor": says whether this kernel and user can trace. */
#include "cmd/cmd.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "probe/recorder.h"

static void print_line(const char *what, bool good, const char *note)
{
	printf("%-16s %-4s %s\n", what, good ? "yes" : "no", note);
}

int cmd_doctor(const struct options *options)
{
	bool root = geteuid() == 0, btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	const struct recorder_knobs knobs = { .records_calls = true };
	struct recorder *recorder = NULL;
	struct utsname kernel;
	bool works;

	(void)options;
	if (!uname(&kernel))
		printf("Linux %s, %s\n", kernel.release, kernel.machine);
	print_line("root", root, root ? "" : "run with sudo");
	print_line("kernel types", btf,
		   btf ? "/sys/kernel/btf/vmlinux" : "needs a kernel with CONFIG_DEBUG_INFO_BTF=y");
	fflush(stdout);
	works = recorder_open(&recorder, &knobs) == 0;
	recorder_close(recorder);
	print_line("BPF programs", works, works ? "load and attach" : "see the message above");
	return works ? 0 : 1;
}
