// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library whose functions, SHARE_NAME and SHARE_OTHER if there is one, run for as many rounds as they are asked;
 * SHARE_NOTHING for none.
 */
#define SHARE(name)                                                                                          \
	unsigned long name(unsigned long rounds);                                                            \
	unsigned long name(unsigned long rounds)                                                             \
	{                                                                                                    \
		unsigned long value = rounds | 1;                                                            \
                                                                                                             \
		/* Marsaglia's xorshift: no round before the last one. */                                    \
		for (; rounds; rounds--) {                                                                   \
			value ^= value << 13;                                                                \
			value ^= value >> 7;                                                                 \
			value ^= value << 17;                                                                \
		}                                                                                            \
		return value;                                                                                \
	}

SHARE(SHARE_NAME)
#ifdef SHARE_OTHER
SHARE(SHARE_OTHER)
#endif
#ifdef SHARE_NOTHING
unsigned long SHARE_NOTHING(unsigned long rounds);
unsigned long SHARE_NOTHING(unsigned long rounds)
{
	return rounds;
}
#endif
