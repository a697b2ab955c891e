// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers FILE STEPS: what is said by letters, in their order, and prints how many bytes of the file were not read as they
 * are there. m: map the file to read it, privately; u: unmap it; r: read it by the mapping; w: wait for a byte from
 * standard input; p: pause for 200 ms; c: call getenv() 1,000 times.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAUSE_US 200000
#define CALLS    1000

static unsigned char *read_file(int fd, size_t size)
{
	unsigned char *bytes = malloc(size);
	size_t got = 0;
	ssize_t count;

	while (bytes && got < size && (count = read(fd, bytes + got, size - got)) > 0)
		got += (size_t)count;
	return got == size ? bytes : NULL;
}

static size_t count_different(const unsigned char *bytes, const volatile unsigned char *mapped, size_t size)
{
	size_t different = 0;

	for (size_t i = 0; i < size; i++)
		different += bytes[i] != mapped[i];
	return different;
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	unsigned char *bytes, *mapped = MAP_FAILED;
	size_t different = 0, size;
	struct stat status;
	char byte;

	if (fd < 0 || fstat(fd, &status))
		return 2;
	size = (size_t)status.st_size;
	bytes = read_file(fd, size);
	if (!bytes)
		return 2;
	for (const char *step = argv[2]; *step; step++) {
		switch (*step) {
		case 'm':
			mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
			if (mapped == MAP_FAILED)
				return 2;
			break;
		case 'u':
			munmap(mapped, size);
			break;
		case 'r':
			different += count_different(bytes, mapped, size);
			break;
		case 'w':
			if (read(STDIN_FILENO, &byte, 1) != 1)
				return 2;
			break;
		case 'p':
			usleep(PAUSE_US);
			break;
		case 'c':
			for (int i = 0; i < CALLS; i++)
				(void)*(char *volatile *)&(char *){ getenv("READERS") };
			break;
		default:
			return 2;
		}
	}
	printf("%zu\n", different);
	return different != 0;
}
