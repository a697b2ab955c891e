/* SPDX-License-Identifier: GPL-2.0-only */
/* What libobjects.so has for objects. */
#ifndef OBJECTS_LIBRARY_H
#define OBJECTS_LIBRARY_H

#include <functional>

namespace objects
{

struct failure {
	int count;
};

/* Calls the function when it goes. */
struct guard {
	const std::function<int()> &function;
	~guard();
};

class caller
{
      public:
	virtual ~caller();
	virtual int call(const std::function<int()> &function) = 0;
};

/* Calls the function three times: in attempt(), by its guard, and in call(). */
class retrying final : public caller
{
      public:
	int call(const std::function<int()> &function) override;

      private:
	__attribute__((noinline)) int attempt(const std::function<int()> &function);
};

} // namespace objects

#endif
