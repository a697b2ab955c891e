"""Whether the ranges of what was counted in windows hold what was done, which programs that count themselves tell."""
import json
import os
import subprocess

import harness
from measure import LIMITED, say

RUNS, MS = 50, 2000
RATES = (1_000, 10_000, 100_000, 1_000_000)


def record(options, words, folder):
    """Returns the pairs of words that a command has printed, as numbers by name, and its report."""
    out = os.path.join(folder, "report")
    run = subprocess.run([*LIMITED, harness.SCALER, "--format", "json", "-o", out, *options, "--", *map(str, words)],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    with open(out, encoding="utf-8") as file:
        return [line.split() for line in run.stdout.splitlines()], json.load(file)


def holds(sampled, count, made):
    """Whether a range holds the truth; what is exact is a range of one number."""
    low, high = (sampled["count"]["low"], sampled["count"]["high"]) if sampled else (count, count)
    return low <= made and (high is None or made <= high)


def system_calls(rate, folder):
    """Of each of two system calls: whether it was estimated, how many there were for each that there was, and whether the range
    holds these."""
    printed, report = record([], [harness.workload("rates"), rate, MS], folder)
    made = {words[0]: int(words[1]) for words in printed}
    for row in report["syscalls"]:
        if row["name"] == "getppid" or (row["name"], row["descriptor"]) == ("read", "character"):
            truth = made[row["name"]]
            yield bool(row["sampled"]), row["count"] / truth, holds(row["sampled"], row["count"], truth)


def library_calls(rate, folder):
    """The same of two functions."""
    printed, report = record(["--lib", "libshares_*"], [harness.workload("paced"), rate, MS], folder)
    made = {words[0]: sum(map(int, words[1:])) for words in printed}
    for row in report["library_calls"]:
        truth = made[row["symbol"]]
        yield bool(row["sampled"]), row["calls"] / truth, holds(row["sampled"], row["calls"], truth)


def compare(what, count, folder):
    print(f"\ntwo {what} that are called at a rate, for {MS / 1000:.0f} s: whether the 95 % ranges hold how often")
    print("(goal: at least 90 of 100):")
    for rate in RATES:
        # What is exact always is.
        found = [row for _ in range(RUNS if rate > 10_000 else 3) for row in count(rate, folder)]
        ratios = sorted(ratio for _, ratio, _ in found)
        say(f"{rate:,} a second", f"{sum(held for *_, held in found)} of {len(found)}",
            f"{sum(sampled for sampled, *_ in found)} of them estimated",
            f"{ratios[0]:.2f} to {ratios[-1]:.2f} x, half of them {ratios[len(ratios) // 4]:.2f} to "
            f"{ratios[-1 - len(ratios) // 4]:.2f} x")


def bench_system_calls(variants):
    compare("system calls", system_calls, variants.folder)


def bench_library_calls(variants):
    compare("library functions", library_calls, variants.folder)


BENCHES = {"counted-syscalls": bench_system_calls, "counted-functions": bench_library_calls}
