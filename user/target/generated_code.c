// SPDX-License-Identifier: GPL-2.0-only
/* Code that processes generate at run time. */
#include "target/generated_code.h"

#include <sys/uio.h>

static bool read_memory(pid_t tgid, uint64_t address, uint64_t *word)
{
	const struct iovec local = { word, sizeof(*word) };
	const struct iovec remote = { (void *)(uintptr_t)address, sizeof(*word) };

	return process_vm_readv(tgid, &local, 1, &remote, 1, 0) == (ssize_t)sizeof(*word);
}

bool generated_code_read(struct generated_code *code, pid_t tgid, uint64_t address_space, uint64_t address,
			 uint64_t *word)
{
	uint64_t place = (address ^ address_space << 20) * 0x9e3779b97f4a7c15 >> 32;
	struct generated_word *kept = &code->words[place % GENERATED_CODE_WORDS];

	if (read_memory(tgid, address, word)) {
		*kept = (struct generated_word){ address_space, address, *word };
		return true;
	}
	*word = kept->word;
	return address_space && kept->address_space == address_space && kept->address == address;
}
