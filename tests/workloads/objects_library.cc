// SPDX-License-Identifier: GPL-2.0-only
/* A library in C++, whose functions call what they are given: from a method, a destructor while an exception is on
 * its way, and where that is caught. */
#include "objects_library.h"

namespace objects
{

caller::~caller() = default;

guard::~guard()
{
	function();
}

int retrying::attempt(const std::function<int()> &function)
{
	guard at_exit{ function };

	if (function())
		throw failure{ 1 };
	return 0;
}

int retrying::call(const std::function<int()> &function)
{
	try {
		return attempt(function);
	} catch (const failure &failed) {
		return function() + failed.count;
	}
}

} // namespace objects
