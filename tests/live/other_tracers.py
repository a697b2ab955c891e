"""Tracers that nobody here wrote, beside ours."""
import collections
import contextlib
import os
import pathlib
import re
import signal
import subprocess

from harness import LIMITED, children, wait_for


@contextlib.contextmanager
def bpftrace(program, *options):
    """The program's probes are set while in the context. Yields {map or "map[key]": number} of what it has counted, for afterwards."""
    # Probes are attached in turn, so that this one begins last.
    program += ' interval:ms:100 { printf("ready\\n"); }'
    counts = {}
    with subprocess.Popen([*LIMITED, "bpftrace", *options, "-e", program], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as tracer:
        try:
            while tracer.stdout.readline() not in ("ready\n", ""):
                pass
            yield counts
        finally:
            # As Ctrl-C does; timeout(1) hands it on.
            tracer.terminate()
        counts.update((name, int(calls)) for name, calls in re.findall(r"^@(\w+(?:\[.*\])?): (\d+)$", tracer.stdout.read(), re.M))


def holds_probes(pid):
    """Whether a tool with libbpf has attached something: as a link, or before those as an event of perf's."""
    try:
        return any(re.search(r"bpf.link|perf_event", os.readlink(fd)) for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir())
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def funclatency(pid, place):
    """bcc's, while in the context: on the entries and returns of a function, LIBRARY:NAME, in a process."""
    with subprocess.Popen([*LIMITED, "/usr/sbin/funclatency", "-p", str(pid), place], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as tracer:
        try:
            tool = wait_for(lambda: children(tracer.pid))[0]
            wait_for(lambda: tracer.poll() is not None or holds_probes(tool))
            yield
        finally:
            tracer.terminate()


@contextlib.contextmanager
def offcputime(*options):
    """bcc's, while in the context. Yields {TID: ns off the CPU}, for afterwards."""
    sums = collections.Counter()
    with subprocess.Popen([*LIMITED, "/usr/sbin/offcputime", "--stack-storage-size", "16384", *map(str, options)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace") as tracer:
        try:
            tool = wait_for(lambda: children(tracer.pid))[0]
            wait_for(lambda: tracer.poll() is not None or holds_probes(tool))
            yield sums
        finally:
            # As Ctrl-C does, on which it prints.
            tracer.send_signal(signal.SIGINT)
        for tid, us in re.findall(r"^ +- +.* \((\d+)\)\n +(\d+)$", tracer.stdout.read(), re.M):
            sums[int(tid)] += int(us) * 1000
