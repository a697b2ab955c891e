/* SPDX-License-Identifier: GPL-2.0-only */
/* Which system call it is, and on what kind of object. */
#ifndef SCALER_CALL_H
#define SCALER_CALL_H

#include <linux/types.h>

/* The system-call table that a call number belongs to. */
enum scaler_abi {
	SCALER_ABI_NATIVE,
	SCALER_ABI_COMPAT, /* 32-bit entry on a 64-bit kernel: i386 numbers on x86-64 */
	SCALER_ABI_COUNT,
};

/* Call numbers from here on have no table of ours. */
#define SCALER_CALL_NUMBERS 512

/* What the first argument of a call is. */
enum scaler_first_argument {
	SCALER_FIRST_OTHER,
	SCALER_FIRST_REFINES,    /* a descriptor, whose kind tells what the call is for */
	SCALER_FIRST_DESCRIPTOR, /* a descriptor */
};

/* What kind of object the descriptor of a call is. */
enum scaler_descriptor {
	SCALER_DESCRIPTOR_NONE, /* the call has none, or it is not looked at */
	SCALER_DESCRIPTOR_BAD,  /* not an open descriptor */
	SCALER_DESCRIPTOR_REGULAR,
	SCALER_DESCRIPTOR_DIRECTORY,
	SCALER_DESCRIPTOR_BLOCK,
	SCALER_DESCRIPTOR_CHARACTER, /* a device that is no terminal */
	SCALER_DESCRIPTOR_TTY,
	SCALER_DESCRIPTOR_PIPE,
	SCALER_DESCRIPTOR_SOCKET, /* all families but the next */
	SCALER_DESCRIPTOR_UNIX,   /* AF_UNIX */
	SCALER_DESCRIPTOR_EVENTFD,
	SCALER_DESCRIPTOR_TIMERFD,
	SCALER_DESCRIPTOR_SIGNALFD,
	SCALER_DESCRIPTOR_EPOLL,
	SCALER_DESCRIPTOR_INOTIFY,
	SCALER_DESCRIPTOR_IO_URING,
	SCALER_DESCRIPTOR_OTHER,
	SCALER_DESCRIPTOR_COUNT,
};

/* Aligned, so that it is copied as one word. */
struct scaler_call_id {
	__u16 number;
	__u8 abi;        /* enum scaler_abi */
	__u8 descriptor; /* enum scaler_descriptor */
} __attribute__((aligned(4)));

#endif
