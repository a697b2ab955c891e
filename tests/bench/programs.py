"""What whole programs cost when they are traced: their CPU time against themselves untraced."""
import functools
import os
import shlex
import statistics
import subprocess

import everyday
import harness
from measure import Measured, say

# How many rounds; of one program the worst of 20 is shown.
ROUNDS, MANY_ROUNDS, LOADED_ROUNDS = 5, 20, 3
WAYS = ("", "--blocking-report", "--calls")
GOALS = {"": 1.05, "--blocking-report": 1.05, "--calls": 1.08}
# Whose processes end as soon as they have begun, which the tracer has to learn of one by one.
PROCESSES_GOAL = 1.25


def run(words, options, folder):
    """The elapsed and the CPU time of a command, traced with options unless these are None."""
    out = os.path.join(folder, "times")
    words = everyday.timed(words, out)
    if options is not None:
        words = [harness.SCALER, "-o", "/dev/null", *shlex.split(options), "--", *words]
    subprocess.run(["timeout", "-k", "5", "100", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    return everyday.read_times(out)


def compare(name, words, ways, rounds, folder):
    """A line for each way, with the median of the rounds' ratios and the largest."""
    measured = Measured(lambda way: run(words, way, folder), [None, *ways], rounds)
    base = measured.rounds[None]
    say(name, f"{statistics.median(cpu for _, cpu in base):.2f} s", f"elapsed {statistics.median(t for t, _ in base):.2f} s")
    for way in ways:
        elapsed, cpu = ([own[i] / untraced[i] for own, untraced in zip(measured.rounds[way], base)] for i in (0, 1))
        goal = PROCESSES_GOAL if name == "shell" and way != "--calls" else GOALS[way]
        say(f"  scaler-bpf {way}", f"{statistics.median(cpu):.2f} x (goal: {goal:.2f})", f"at most {max(cpu):.2f} x",
            f"elapsed {statistics.median(elapsed):.2f} x, at most {max(elapsed):.2f} x")


def compare_all(variants, rounds, size=1.0):
    for name, words in everyday.programs(variants.folder, size).items():
        compare(name, words, WAYS, rounds, variants.folder)


def bench_everyday(variants):
    print(f"\nprograms, {ROUNDS} rounds, their CPU time:")
    compare_all(variants, ROUNDS)


def bench_loaded(variants):
    print(f"\nthe same for a third as long beside three busy loops, {LOADED_ROUNDS} rounds:")
    with harness.busy_loops(3):
        compare_all(variants, LOADED_ROUNDS, .3)


def bench_worst(name, variants):
    """One that calls what costs most to probe."""
    print(f"\n{name}, {MANY_ROUNDS} rounds (goal: at most 1.30 x in the worst):")
    compare(name, everyday.programs(variants.folder)[name], ["--calls"], MANY_ROUNDS, variants.folder)


BENCHES = {"everyday": bench_everyday, "loaded": bench_loaded}
WORST = {f"{name}-worst": functools.partial(bench_worst, name) for name in ("sqlite", "python")}
