// SPDX-License-Identifier: GPL-2.0-only
/* objects COUNT THREADS: each thread makes COUNT calls of getppid in each of three places of a library in C++. */
#include <cstdlib>
#include <memory>
#include <thread>
#include <unistd.h>
#include <vector>

#include "objects_library.h"

namespace
{

template <typename number> struct leaf {
	number count;

	__attribute__((noinline)) int operator()() const
	{
		int sum = 0;

		for (number i = 0; i < count; i++)
			sum += getppid();
		return sum;
	}
};

void work(long count)
{
	std::unique_ptr<objects::caller> caller = std::make_unique<objects::retrying>();

	caller->call(leaf<long>{ count });
}

} // namespace

int main(int argc, char **argv)
{
	std::vector<std::thread> threads;

	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		threads.emplace_back(work, atol(argv[1]));
	for (std::thread &thread : threads)
		thread.join();
	return 0;
}
