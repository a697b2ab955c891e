// SPDX-License-Identifier: GPL-2.0-only
/* Why the kernel does not load the BPF programs, and what can be done about it. */
#include "probe/load_errors.h"

#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "probe/features.h"

void load_errors_explain(int err)
{
	const char *missing = features_missing_capabilities();

	if (missing)
		log_error("cannot load BPF programs: %s; run with sudo", missing);
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		log_error("cannot load BPF programs: this kernel has no BTF "
			  "(/sys/kernel/btf/vmlinux); use one with CONFIG_DEBUG_INFO_BTF=y");
	else if (!strcmp(features_lockdown(), "confidentiality"))
		log_error("cannot load BPF programs: the kernel is locked down (confidentiality); boot "
			  "it with lockdown=integrity or without lockdown");
	else
		log_error("cannot load BPF programs: the kernel refuses them (%s); --verbose shows its "
			  "reasons",
			  strerror(-err));
}
