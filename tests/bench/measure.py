"""What the comparisons share: loads, the tools that trace them, and figures taken in turn."""
import contextlib
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import tempfile
import time

import harness

LIMITED = ["timeout", "-k", "5", "120"]
ROUNDS = 7
LOAD_CPU = "1" if (os.cpu_count() or 1) > 1 else "0"


class Load:
    """A load that exists before it begins, so that tracers can attach to its PID first."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            ["sh", "-c", 'read -r go && exec "$@"', "load", "taskset", "-c", LOAD_CPU, *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.pid = self.process.pid

    def run(self):
        """Lets it begin and waits for its end; returns what it printed."""
        return self.process.communicate("go\n", timeout=120)[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def background(words, is_ready, folder):
    """Another tool, attached while the context lasts."""
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
        process = subprocess.Popen([*LIMITED, *map(str, words)], stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT)
        try:
            tool = harness.wait_for(lambda: harness.children(process.pid))[0]
            harness.wait_for(lambda: process.poll() is not None or is_ready(tool, log.name))
            if process.poll() is not None:
                with open(log.name, encoding="utf-8", errors="replace") as text:
                    raise AssertionError(f"{words[0]}: {text.read().strip()}")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def holds(kind):
    """Whether a tool holds descriptors of such a kind; what they attach is enabled shortly after."""
    def is_ready(tool, _):
        try:
            found = any(kind in os.readlink(link) for link in pathlib.Path(f"/proc/{tool}/fd").iterdir())
        except FileNotFoundError:
            return False
        if found:
            time.sleep(0.3)
        return found

    return is_ready


has_perf_events = holds("perf_event")


def says_ready(_, log):
    return "ready" in pathlib.Path(log).read_text(encoding="utf-8")


class Variants:
    """The ways to trace a process: each a context manager that takes its PID."""

    def __init__(self, folder):
        self.folder = folder

    def untraced(self, _):
        return contextlib.nullcontext()

    def scaler(self, pid):
        return harness.Tracer("-o", "/dev/null", "-p", pid)

    @staticmethod
    def scaler_with(*options):
        """The tracer, with options, as another way."""
        return lambda pid: harness.Tracer("-o", "/dev/null", *options, "-p", pid)

    def scaler_all(self, pid):
        """Whatever it costs: no call is estimated."""
        return harness.Tracer("-o", "/dev/null", "--overhead", "none", "-p", pid)

    def scaler_no_syscalls(self, pid):
        return harness.Tracer("-o", "/dev/null", "--no-syscalls", "-p", pid)

    def empty_pair(self, _):
        return background([harness.BUILD / "tests/bench/empty_pair"], says_ready, self.folder)

    def syscount(self, pid):
        return background(["/usr/sbin/syscount", "-L", "-p", pid], has_perf_events, self.folder)

    def offcputime(self, pid):
        return background(["/usr/sbin/offcputime", "--stack-storage-size", "16384", "-p", pid],
                          holds("bpf_link"), self.folder)

    def wakeuptime(self, pid):
        return background(["/usr/sbin/wakeuptime", "--stack-storage-size", "16384", "-p", pid],
                          holds("bpf_link"), self.folder)

    def perf_trace(self, pid):
        return background(["perf", "trace", "-s", "-o", f"{self.folder}/trace", "-p", pid],
                          has_perf_events, self.folder)

    def perf_sched(self, _):
        return background(["perf", "sched", "record", "-o", f"{self.folder}/data"], has_perf_events,
                          self.folder)

    def strace(self, pid, *options):
        def is_attached(_, __):
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
            return int(re.search(r"TracerPid:\s+(\d+)", status)[1])

        return background(["strace", *(options or ["-f", "-c"]), "-o", f"{self.folder}/strace", "-p", pid],
                          is_attached, self.folder)

    def strace_stacks(self, pid):
        return self.strace(pid, "-f", "-k")

    def perf_trace_stacks(self, pid):
        return background(["perf", "trace", "--call-graph", "dwarf", "-o", f"{self.folder}/trace", "-p", pid],
                          has_perf_events, self.folder)

    def perf_record_stacks(self, pid):
        return background(["perf", "record", "-F", "199", "-e", "cpu-clock", "--call-graph", "dwarf", "-o",
                           f"{self.folder}/data", "-p", pid], has_perf_events, self.folder)

    def bpftrace_stacks(self, pid):
        program = ("BEGIN { printf(\"ready\\n\"); } "
                   f"tracepoint:raw_syscalls:sys_enter /pid == {pid}/ {{ @[ustack(127)] = count(); }} END {{ clear(@); }}")
        return background(["bpftrace", "-e", program], says_ready, self.folder)


def trace_load(options, load):
    """Traces a command; returns the last report, what the load printed, and how long the recording took."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = subprocess.run([*LIMITED, harness.SCALER, "--format", "json", "-o", file.name, *options, "--", *load],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
        text = file.read()
    # With --interval a report is a line, and the last one has the tracer's whole cost.
    report = json.loads(text.splitlines()[-1] if "--interval" in options else text)
    return report, run.stdout, report["recording"]["end_ns"] - report["recording"]["began_ns"]


class Measured:
    """The rounds of one comparison: {variant: [figure of each round]}."""

    def __init__(self, measure, variants, rounds=ROUNDS):
        self.rounds = {name: [] for name in variants}
        for _ in range(rounds):
            for name in variants:
                self.rounds[name].append(measure(name))

    def median(self, name):
        return statistics.median(self.rounds[name])

    def ratio(self, name, base, origin=None):
        """The median of figure/base; with an origin, of what both add to it."""
        zero = self.rounds[origin] if origin else [0] * len(self.rounds[name])
        return statistics.median((figure - none) / (other - none) if other > none else float("inf")
                                 for figure, other, none in
                                 zip(self.rounds[name], self.rounds[base], zero))


def say(label, figure, *notes):
    print(f"  {label:<38} {figure:>14}   {'; '.join(notes)}".rstrip(), flush=True)


def perf_bench(context, words, operations):
    """Runs a benchmark of perf's own under a tracer; returns ns per operation."""
    with Load("perf", "bench", *words, "-l", operations) as load, context(load.pid):
        return float(re.search(r"([\d.]+) usecs/op", load.run())[1]) * 1000


@contextlib.contextmanager
def redis_server():
    """A server of its own; yields its process and the socket's path."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        # One program with two names, of which the package without the service has this one.
        os.symlink("/usr/bin/redis-check-rdb", f"{folder}/redis-server")
        server = subprocess.Popen([f"{folder}/redis-server", "--port", "0", "--unixsocket", address,
                                   "--save", "", "--dir", folder], stdout=subprocess.DEVNULL)
        try:
            harness.wait_for(lambda: os.path.exists(address))
            yield server, address
        finally:
            server.terminate()
            server.wait(30)


def redis_get(address, count):
    """Has a client get a key so many times; returns requests in a second."""
    run = subprocess.run([*LIMITED, "redis-benchmark", "-s", address, "-n", str(count), "-c", "20", "-t", "get",
                          "--csv"], capture_output=True, text=True, check=True)
    return float(run.stdout.splitlines()[-1].split(",")[1].strip('"'))
