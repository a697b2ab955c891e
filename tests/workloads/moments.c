// SPDX-License-Identifier: GPL-2.0-only
/*
 * moments ROUNDS: waits ROUNDS times until 20 ms from now, as a moment of a clock: with clock_nanosleep() of CLOCK_MONOTONIC,
 * CLOCK_BOOTTIME and CLOCK_REALTIME, on a condition with pthread_cond_clockwait(), and for a timerfd.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS   20000000
#define SECOND_NS 1000000000

static struct timespec moment(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += WAIT_NS;
	time.tv_sec += time.tv_nsec / SECOND_NS;
	time.tv_nsec %= SECOND_NS;
	return time;
}

static void sleep_until(clockid_t clock)
{
	struct timespec until = moment(clock);

	clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL);
}

static void wait_for_condition(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec until = moment(CLOCK_MONOTONIC);

	pthread_mutex_lock(&lock);
	pthread_cond_clockwait(&condition, &lock, CLOCK_MONOTONIC, &until);
	pthread_mutex_unlock(&lock);
}

static void read_timer(int timer)
{
	struct itimerspec at = { .it_value = moment(CLOCK_MONOTONIC) };
	uint64_t count;

	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) ||
	    read(timer, &count, sizeof(count)) != sizeof(count))
		abort();
}

int main(int argc, char **argv)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);

	for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
		sleep_until(CLOCK_MONOTONIC);
		sleep_until(CLOCK_BOOTTIME);
		sleep_until(CLOCK_REALTIME);
		wait_for_condition();
		read_timer(timer);
	}
	return 0;
}
