"""What probes on library functions cost: a hit, setting and taking out, and programs that are probed."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

import harness
from measure import (LIMITED, LOAD_CPU, ROUNDS, Measured, Variants, background, has_perf_events, redis_get,
                     redis_server, says_ready, say, trace_load)

# Turns of malloc() and free() for so many ms.
TURNS_MS = "700"


class Mallocs:
    """Turns of malloc() and free() in a process that waits for run(), with a C library of its own: what sets probes
    without heeding the process sets them nowhere else."""

    def __init__(self, folder):
        self.library = os.path.join(folder, "libc.so.6")
        if not os.path.exists(self.library):
            path = subprocess.run(["gcc", "-print-file-name=libc.so.6"], stdout=subprocess.PIPE, text=True, check=True).stdout
            shutil.copy(path.strip(), self.library)
        self.process = subprocess.Popen(
            ["taskset", "-c", LOAD_CPU, harness.workload("mallocs"), TURNS_MS], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "LD_LIBRARY_PATH": folder})
        self.pid = self.process.pid
        harness.wait_for(lambda: harness.comm(self.pid) == "mallocs" and self.library in self.maps())

    def maps(self):
        return pathlib.Path(f"/proc/{self.pid}/maps").read_text(encoding="utf-8")

    def run(self):
        """The ns of a turn, but for those of the first 200 ms."""
        return 1e9 / float(self.process.communicate("\n", timeout=60)[0].split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def plan(pid, *choice):
    """Where functions of libc get probes in a process, at their entries and exits: [offset]."""
    run = subprocess.run([harness.SCALER, "--list", "--format", "json", "--lib", "libc", *choice, "-p", str(pid)],
                         stdout=subprocess.PIPE, text=True, check=True)
    functions = [function for function in json.loads(run.stdout)["functions"] if not function["left_out"]]
    return [hex(offset) for function in functions for offset in (function["probe_offset"], *function["exits"])]


def empty_probes(load, folder, *choice):
    return background([harness.BUILD / "tests/bench/empty_probes", load.library, load.pid, *plan(load.pid, *choice)],
                      says_ready, folder)


def bpftrace(load, folder, function):
    """A histogram of a function's latencies."""
    filtered, place = f"/pid == {load.pid}/", f"{load.library}:{function}"
    program = ("BEGIN { printf(\"ready\\n\"); } "
               f"uprobe:{place} {filtered} {{ @began[tid] = nsecs; }} "
               f"uretprobe:{place} /@began[tid]/ {{ @ns = hist(nsecs - @began[tid]); delete(@began[tid]); }}")
    return background(["bpftrace", "-e", program], says_ready, folder)


def funclatency(load, folder, function):
    """The same. It takes the library that the process has mapped."""
    return background(["/usr/sbin/funclatency", "-p", load.pid, f"c:{function}"], has_perf_events, folder)


def compare_hits(folder, function):
    tracer = ["--lib", "libc", "--func", function, "--overhead", "none"]

    def traced(*options):
        return lambda load: harness.Tracer("-o", "/dev/null", *tracer, *options, "-p", load.pid)

    ways = {
        "untraced": lambda load: contextlib.nullcontext(),
        "empty probes": lambda load: empty_probes(load, folder, "--func", function),
        "scaler-bpf": traced(),
        "scaler-bpf --no-syscalls": traced("--no-syscalls"),
        "bpftrace, hist()": lambda load: bpftrace(load, folder, function),
        "funclatency": lambda load: funclatency(load, folder, function),
    }

    def measure(name):
        with Mallocs(folder) as load, ways[name](load):
            return load.run()

    measured = Measured(measure, ways)
    for name in ways:
        notes = [] if name == "untraced" else [
            f"adds {measured.ratio(name, 'empty probes', 'untraced'):.2f} x what empty probes add"]
        say(name, f"{measured.median(name):,.0f} ns", *notes, *["goal: 1.10"] * (name == "scaler-bpf"))


def bench_hit(variants):
    for function, first in (("malloc", "an instruction that the kernel emulates"), ("free", "one that it executes elsewhere")):
        print(f"\n{function}() with probes on its entry, which is {first}, and on its exits, {ROUNDS}")
        print("rounds, time of malloc() and free() together:")
        compare_hits(variants.folder, function)


def tracer_times(load, *choice):
    """How long the tracer takes to begin, and to end; in ms."""
    began = time.monotonic()
    with harness.Tracer("-o", "/dev/null", "--lib", "libc", "--calls", "exports", *choice, "-p", load.pid) as tracer:
        ready = time.monotonic()
        tracer.process.send_signal(signal.SIGINT)
        tracer.finish()
        return 1e3 * (ready - began), 1e3 * (time.monotonic() - ready)


def bench_attaching(variants):
    with Mallocs(variants.folder) as load:
        count = len(plan(load.pid, "--calls", "exports"))
        print(f"\nprobes on entries and returns of {count:,} functions of libc in one process, {ROUNDS} rounds, ms until they are")
        print("set, and until they are gone; the tracer's without what it takes for one function:")
        rounds = {"empty probes, one link": [], "scaler-bpf": []}
        for _ in range(ROUNDS):
            with empty_probes(load, variants.folder, "--calls", "exports"):
                pass
            printed = pathlib.Path(variants.folder, "log").read_text(encoding="utf-8")
            rounds["empty probes, one link"].append([float(text) for text in re.findall(r"[\d.]+", printed)])
            one, all_of_them = tracer_times(load, "--func", "malloc"), tracer_times(load)
            rounds["scaler-bpf"].append([more - less for more, less in zip(all_of_them, one)])
    for name, figures in rounds.items():
        attach, detach = (statistics.median(column) for column in zip(*figures))
        goals = ["goals: 150 and 2,000"] * (name == "scaler-bpf")
        say(name, f"{attach:,.0f} and {detach:,.0f} ms", *goals)


def bench_malloc(_):
    print(f"\nmalloc() and free() in turn, {ROUNDS} rounds, turns a second in the first 200 ms, and after:")
    ways = {"untraced": None, "scaler-bpf --lib libc --count-only": ["--count-only"], "scaler-bpf --lib libc": []}
    rates = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, options in ways.items():
            load = [harness.workload("mallocs"), TURNS_MS]
            printed = subprocess.run([*LIMITED, *load], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                     check=True).stdout \
                if options is None else trace_load(["--lib", "libc", *options], load)[1]
            rates[name].append([float(line) for line in printed.split()])
    for name, rounds in rates.items():
        first, after = (statistics.median(column) for column in zip(*rounds))
        share = statistics.median(own[1] / untraced[1] for own, untraced in zip(rounds, rates["untraced"]))
        say(name, f"{first / 1e6:.1f} million/s", f"{after / 1e6:.1f} million/s",
            f"{share:.2f} x untraced (goal: 0.95)")


def bench_probed(variants):
    print(f"\nredis-benchmark -t get -c 20 with probes on the server's libraries, {ROUNDS} rounds, requests in a second:")
    ways = {"untraced": variants.untraced,
            "scaler-bpf --no-probes": Variants.scaler_with("--no-probes"),
            "scaler-bpf": Variants.scaler_with("--calls", "edges"),
            "scaler-bpf --overhead none": Variants.scaler_with("--calls", "edges", "--overhead", "none")}
    with redis_server() as (server, address):
        def measure(name):
            with ways[name](server.pid):
                # What would break the budget is out by then.
                redis_get(address, 80_000)
                return redis_get(address, 60_000)

        measured = Measured(measure, ways)
    for name in ways:
        say(name, f"{measured.median(name):,.0f} /s", f"{measured.ratio(name, 'untraced'):.2f} x untraced")


def bench_following(_):
    print(f"\nlibraries loaded and processes forked while tracing, {ROUNDS} rounds, ms from the mapping, or the fork, until all")
    print("functions chosen there are probed; the longest of each round, while so many others keep every CPU busy:")
    program = [harness.workload("follows"), "load", harness.workload("libedges_second.so"), "pause", "outer", "5",
               "fork", "pause", "outer", "2"]
    for count in (0, 8, 64):
        with harness.busy_loops(count):
            latest = [trace_load(["--overhead", "none", "--lib", "libedges_*"], program)[0]
                      ["coverage"]["library_calls_followed"]["latest_ns"] / 1e6 for _ in range(ROUNDS)]
        say(f"{count} busy processes", f"{statistics.median(latest):.0f} ms", f"{max(latest):.0f} ms at most (goal: 100)")


BENCHES = {"malloc": bench_malloc, "hit": bench_hit, "attaching": bench_attaching, "probed": bench_probed,
           "following": bench_following}
