// SPDX-License-Identifier: GPL-2.0-only
/* What waits have in common as JSON, whether they are told one by one or put together. */
#include "render/json_wait.h"

#include <string.h>

#include "model/signals.h"
#include "model/syscalls.h"
#include "render/json_values.h"

json_t *json_comm(const char comm[SCALER_COMM_SIZE])
{
	char name[SCALER_COMM_SIZE + 1] = "";

	memcpy(name, comm, SCALER_COMM_SIZE);
	return json_name(name);
}

json_t *json_call(const struct scaler_call_id *call, bool is_in_call)
{
	char name[SYSCALL_NAME_SIZE];

	if (!is_in_call)
		return json_null();
	return json_pack("{s:s, s:s}", "name", syscall_format(call->abi, call->number, name), "descriptor",
			 syscall_descriptor_name(call->descriptor));
}

json_t *json_cut(const struct wait_place *place)
{
	return place->frames.count && place->path.entered == PLACE_NONE ?
		       json_string(stack_end_text(place->path.cut)) :
		       json_null();
}

json_t *json_signal(unsigned int number)
{
	char name[SIGNAL_NAME_SIZE];

	return number ? json_string(signal_format(number, name)) : json_null();
}

json_t *json_time(uint64_t time_ns)
{
	return time_ns ? json_number(time_ns) : json_null();
}
