// SPDX-License-Identifier: GPL-2.0-only
/* Where the kernel's variables of each CPU are, by its BTF. */
#include "probe/percpu.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <bpf/btf.h>

/* All of a CPU's variables lie in one area, in the order of this section. Returns the type, or NULL. */
static const struct btf_type *find_section(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, ".data..percpu", BTF_KIND_DATASEC);

	return id < 0 ? NULL : btf__type_by_id(btf, (unsigned int)id);
}

/* The variable's offset, and its type; below 0: a negative errno. */
static int64_t find_variable(const struct btf *btf, const struct btf_type *section, const char *name,
			     unsigned int *type)
{
	const struct btf_var_secinfo *variables = btf_var_secinfos(section);

	for (unsigned int i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *variable = btf__type_by_id(btf, variables[i].type);

		if (!strcmp(btf__name_by_offset(btf, variable->name_off), name)) {
			*type = variable->type;
			return variables[i].offset;
		}
	}
	return -ENOENT;
}

/* The offset of a member, perhaps one of unnamed members of the type; below 0: a negative errno. */
static int64_t find_member(const struct btf *btf, unsigned int id, const char *name)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *members;

	if (!type || !btf_is_composite(type))
		return -ENOENT;
	members = btf_members(type);
	for (unsigned int i = 0; i < btf_vlen(type); i++) {
		const char *member = btf__name_by_offset(btf, members[i].name_off);
		int64_t offset = btf_member_bit_offset(type, i) / 8, within;

		if (!strcmp(member, name))
			return offset;
		within = *member ? -ENOENT : find_member(btf, members[i].type, name);
		if (within >= 0)
			return offset + within;
	}
	return -ENOENT;
}

/* A variable of its own, but from 6.2 to 6.14, where it is in struct pcpu_hot. */
static int64_t find_preempt_count(const struct btf *btf, const struct btf_type *section)
{
	unsigned int type;
	int64_t offset = find_variable(btf, section, "__preempt_count", &type), member;

	if (offset >= 0)
		return offset;
	offset = find_variable(btf, section, "pcpu_hot", &type);
	if (offset < 0)
		return offset;
	member = find_member(btf, type, "preempt_count");
	return member < 0 ? member : offset + member;
}

int64_t percpu_preempt_count_from_rq(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	const struct btf_type *section = btf ? find_section(btf) : NULL;
	unsigned int type;
	int64_t count, rq, from_rq = 0;

	if (section) {
		count = find_preempt_count(btf, section);
		rq = find_variable(btf, section, "runqueues", &type);
		from_rq = count >= 0 && rq >= 0 ? count - rq : 0;
	}
	btf__free(btf);
	return from_rq;
}
