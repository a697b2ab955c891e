// SPDX-License-Identifier: GPL-2.0-only
/* The process's side. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/kernel_file.h"
#include "parser/confine.h"
#include "parser/parser.h"
#include "parser/question.h"

static const struct channel_wait forever = { CHANNEL_FOREVER, -1 };
static const int no_files[CHANNEL_FILES] = { -1, -1 };

/* If memory is short, this is what can be done without. */
static void go_first(void)
{
	int fd = kernel_file_open(O_WRONLY, "/proc/self/oom_score_adj");

	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0) {
		/* Then it goes when its turn comes. */
	}
	close(fd);
}

static int say_status(int socket, int status)
{
	struct message message = { 0 };
	int err;

	message_put_number(&message, (uint64_t)status);
	err = channel_send(socket, &message, no_files, &forever);
	message_clear(&message);
	return err;
}

static int answer_next(struct answers *answers, int socket)
{
	struct message question, answer = { 0 };
	int files[CHANNEL_FILES];
	int err = channel_receive(socket, &question, files, &forever);

	if (!err) {
		answers_give(answers, &question, files, &answer);
		err = channel_send(socket, &answer, no_files, &forever);
	}
	for (size_t i = 0; i < CHANNEL_FILES; i++) {
		if (files[i] >= 0)
			close(files[i]);
	}
	message_clear(&question);
	message_clear(&answer);
	return err;
}

int parser_serve(int socket)
{
	struct answers *answers = NULL;
	int err;

	prctl(PR_SET_NAME, PARSER_NAME);
	go_first();
	/* Clocks are read with the help of a file, once. */
	clock_now_ns();
	err = confine();
	if (!err)
		err = answers_open(&answers);
	if (!say_status(socket, err) && !err) {
		while (!answer_next(answers, socket))
			;
	}
	answers_close(answers);
	return EXIT_SUCCESS;
}
