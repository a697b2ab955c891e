// SPDX-License-Identifier: GPL-2.0-only
/* onces COUNT: so many times std::call_once() with a function that throws, and again with one that does not. */
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace
{

int caught, done;

void try_twice()
{
	std::once_flag flag;

	try {
		std::call_once(flag, [] { throw 1; });
	} catch (int) {
		caught++;
	}
	std::call_once(flag, [] { done++; });
}

} // namespace

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i; i--)
		try_twice();
	printf("%d caught, %d done\n", caught, done);
	return 0;
}
