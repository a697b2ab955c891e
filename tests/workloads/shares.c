// SPDX-License-Identifier: GPL-2.0-only
/*
 * shares [BLOCKS [CHEAP]]: waits for a byte on its input; then runs, for BLOCKS blocks or, if that is -1, without an end,
 * in three functions of two libraries: half of its time in the first, 30 % in the second, 20 % in the third. Within a
 * block of ten turns their order is random, so that it keeps no step with a timer. In each turn it calls another
 * function of the first library as often as CHEAP says (0), which returns at once.
 */
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 100000 /* of a turn: some 0.1 ms */
#define TURNS  10

unsigned long share_nothing(unsigned long rounds);
unsigned long share_half(unsigned long rounds);
unsigned long share_third(unsigned long rounds);
unsigned long share_fifth(unsigned long rounds);

typedef unsigned long share(unsigned long rounds);

static long cheap;

__attribute__((noinline)) static unsigned long run_turn(share *function, unsigned long rounds)
{
	unsigned long sum = 0;

	for (long i = 0; i < cheap; i++)
		sum += share_nothing(rounds);
	return sum + function(rounds) + 1;
}

__attribute__((noinline)) static unsigned long run_block(void)
{
	share *turns[TURNS] = { share_half,  share_half,  share_half,  share_half,  share_half,
				share_third, share_third, share_third, share_fifth, share_fifth };
	unsigned long sum = 0;

	for (int left = TURNS; left; left--) {
		int chosen = rand() % left;

		sum += run_turn(turns[chosen], ROUNDS);
		turns[chosen] = turns[left - 1];
	}
	return sum;
}

int main(int argc, char **argv)
{
	long blocks = argc > 1 ? atol(argv[1]) : -1;
	unsigned long sum = 0;
	char byte;

	cheap = argc > 2 ? atol(argv[2]) : 0;
	if (read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	while (blocks--)
		sum += run_block();
	return sum == 42;
}
