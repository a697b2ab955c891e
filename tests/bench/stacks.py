"""What stacks cost: walked at every system call and at every CPU sample, beside tools that take stacks too."""
import os
import re
import resource
import statistics
import subprocess
import time

import harness
from measure import LIMITED, ROUNDS, Load, Measured, Variants, redis_get, redis_server, say

LABELS = {
    "untraced": "untraced",
    "bpftrace": "bpftrace, ustack(127)",
    "perf_trace": "perf trace, dwarf",
    "perf_record": "perf record, dwarf",
    "strace": "strace -f -k",
}


def scaler_options(name):
    """How a variant of the tracer is called, as its label has it."""
    return name.removeprefix("scaler-bpf").split()


def contexts(variants, names):
    """By name, a context manager that takes a PID; what is not named below is the tracer with options."""
    known = {"untraced": variants.untraced, "bpftrace": variants.bpftrace_stacks,
             "perf_trace": variants.perf_trace_stacks, "perf_record": variants.perf_record_stacks,
             "strace": variants.strace_stacks}
    return {name: known.get(name) or Variants.scaler_with(*scaler_options(name)) for name in names}


def print_times(measured, unit, scale, goals, more=None):
    for name in measured.rounds:
        notes = [f"{measured.ratio(name, 'untraced'):.2f} x untraced", *(more or {}).get(name, [])]
        if name in goals:
            notes[0] += f" (goal: {goals[name]})"
        say(LABELS.get(name, name), f"{measured.median(name) * scale:,.2f} {unit}", *notes)


def wall_s(context, words):
    """How long a load takes under a tracer."""
    with Load(*words) as load, context(load.pid):
        began = time.monotonic()
        load.run()
        return time.monotonic() - began


def bench_frames(variants):
    print(f"\ngetppid in a loop below 15 frames, {ROUNDS} rounds, time of a call by how far up the stack is walked:")
    names = ["untraced", "scaler-bpf --depth 0",
             *(f"scaler-bpf --depth {depth}{option}" for option in ("", " --no-templates") for depth in (1, 4, 16)),
             "bpftrace", "perf_trace", "strace"]
    ways = contexts(variants, names)
    calls = {"strace": 1_000, "perf_trace": 20_000}
    kept = []

    def measure(name):
        count = calls.get(name, 500_000)
        time_s = wall_s(ways[name], [harness.workload("chain"), "recursion", count, 6]) / count
        if name == "perf_trace":
            with open(f"{variants.folder}/trace", encoding="utf-8", errors="replace") as file:
                kept.append(sum("getppid(" in line for line in file) / count)
        return time_s

    print_times(Measured(measure, names), "us", 1e6, {},
                {"perf_trace": [f"it printed {100 * statistics.median(kept):.1f} % of the calls"],
                 "bpftrace": ["follows frame pointers, which this program has not"]})


def cpu_s(pid):
    """The CPU time that a process has used."""
    with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9


def bench_requests(variants):
    print(f"\nredis-benchmark -t get -c 20, {ROUNDS} rounds, CPU time of the server's main thread for a request:")
    names = ["untraced", "scaler-bpf --depth 0", "scaler-bpf", "scaler-bpf --depth 64",
             "scaler-bpf --depth 64 --no-templates", "bpftrace", "perf_trace", "strace"]
    ways = contexts(variants, names)
    counts = {"strace": 1_000, "perf_trace": 10_000}
    with redis_server() as (server, address):
        def measure(name):
            count = counts.get(name, 60_000)
            with ways[name](server.pid):
                before = cpu_s(server.pid)
                redis_get(address, count)
                return (cpu_s(server.pid) - before) / count

        print_times(Measured(measure, names), "us", 1e6, {"scaler-bpf --depth 64": "1.05"})


def bench_execs(variants):
    print(f"\n300 x /bin/true, one after the other from a shell, {ROUNDS} rounds:")
    names = ["untraced", "scaler-bpf --depth 0", "scaler-bpf"]
    ways = contexts(variants, names)
    words = ["bash", "-c", "for i in $(seq 300); do /bin/true; done"]
    print_times(Measured(lambda name: wall_s(ways[name], words), names), "ms", 1e3, {"scaler-bpf": "1.2"})


def bench_samples(variants):
    print(f"\na program that computes, {ROUNDS} rounds, its CPU time with 199 samples a second:")
    names = ["untraced", "scaler-bpf --no-samples", "scaler-bpf", "perf_record"]
    ways = contexts(variants, names)

    def measure(name):
        """Of the load alone: no tracer ends before it has."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with Load("sh", "-c", f"echo | {harness.workload('shares')} 1000") as load, ways[name](load.pid):
            load.run()
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    print_times(Measured(measure, names), "s", 1, {"scaler-bpf": "1.01"})


def bench_learning(_):
    print("\nwhat is learned of a program from its start on:", flush=True)
    folder = os.path.dirname(harness.workload("chain"))
    programs = [["true"], ["git", "--version"], ["sqlite3", ":memory:", "select 1"], ["curl", "--version"],
                ["python3", "-c", "import json, ssl, zlib"], ["ls", "-l", folder], ["perf", "--version"]]
    for words in programs:
        run = subprocess.run([*LIMITED, harness.SCALER, "-v", "--depth", "64", "-o", "/dev/null", "--", *words],
                             capture_output=True, text=True, errors="replace", check=True)
        rules, stacks, spent = re.search(r"(\d+) unwind rules and (\d+) stacks were learned in ([\d.]+) ms",
                                         run.stderr).groups()
        say(words[0], f"{rules} rules", f"{stacks} stacks", f"{spent} ms of CPU time")


BENCHES = {"frames": bench_frames, "requests": bench_requests, "execs": bench_execs, "samples": bench_samples,
           "learning": bench_learning}
