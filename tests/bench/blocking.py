"""What recording each blocking interval adds to programs that do nothing but wait for each other."""
import re
import statistics
import subprocess

import harness
from measure import LIMITED, LOAD_CPU, ROUNDS, Load, Measured, redis_get, redis_server, say, trace_load

VARIANTS = {"untraced": "untraced", "bare": "scaler-bpf --blocking-report --depth 0", "stacks": "scaler-bpf --blocking-report",
            "chains": "scaler-bpf --wait-chains", "offcputime": "offcputime (libbpf-tools)",
            "wakeuptime": "wakeuptime (libbpf-tools)", "perf_sched": "perf sched record"}

GOALS = {"bare": {"perf_sched": "0.50", "offcputime": "1.00", "wakeuptime": "1.00"}, "stacks": {"offcputime": "1.00"}, "chains": {}}


def tracing(variants, name):
    """A way to trace, by its name above."""
    options = {"bare": ["--blocking-report", "--depth", "0"], "stacks": ["--blocking-report"], "chains": ["--wait-chains"]}
    return variants.scaler_with(*options[name]) if name in options else getattr(variants, name)


def say_all(measured, show):
    """A line for each variant: its figure, and what it adds as a share of what those add that add more than noise."""
    for name, label in VARIANTS.items():
        notes = [f"{measured.ratio(name, 'untraced'):.2f} x untraced"]
        for other in ("perf_sched", "offcputime", "wakeuptime"):
            if name in GOALS and measured.ratio(other, "untraced") > 1.05:
                goal = GOALS[name].get(other)
                notes.append(f"adds {measured.ratio(name, other, 'untraced'):.2f} x {VARIANTS[other].split(' (')[0]}"
                             f"{f' (goal: {goal})' if goal else ''}")
        say(label, show(measured.median(name)), *notes)


def perf_bench_seconds(context, words):
    """Runs a benchmark of perf's own, that says how long all took, under a tracer; returns its seconds."""
    with Load("perf", "bench", "--format", "simple", *words) as load, context(load.pid):
        return float(re.search(r"([\d.]+)\s*$", load.run())[1])


def bench_switches(variants):
    """Two threads, so that tools that trace one process see both."""
    turns = 200_000
    print(f"\nperf bench sched pipe -T on one CPU (two threads take turns), {ROUNDS} rounds, time of a turn (two waits):")
    measured = Measured(lambda name: perf_bench_seconds(tracing(variants, name), ["sched", "pipe", "-T", "-l", str(turns)])
                        / turns * 1e6, VARIANTS)
    say_all(measured, lambda us: f"{us:.2f} us")


def bench_messaging(variants):
    """As hackbench does it."""
    words = ["sched", "messaging", "-t", "-p", "-g", "4", "-l", "1000"]
    print(f"\nperf bench {' '.join(words)} on one CPU (160 threads, 1,600,000 messages in pipes), {ROUNDS} rounds:")
    say_all(Measured(lambda name: perf_bench_seconds(tracing(variants, name), words), VARIANTS), lambda s: f"{s:.3f} s")


def bench_waiting_server(variants):
    print(f"\nredis-benchmark -t get -c 20, the server traced, {ROUNDS} rounds, time of a request:")
    with redis_server() as (server, address):
        def measure(name):
            with tracing(variants, name)(server.pid):
                return 1e6 / redis_get(address, 200_000)

        redis_get(address, 200_000)  # the first is slower than all others
        measured = Measured(measure, VARIANTS)
    say_all(measured, lambda us: f"{us:.2f} us")


def bench_chains(_):
    print("\nmade-up waits, each explained by a chain of up to three threads, or in a pool of 1,000 workers by a second of")
    print("what their dispatcher does, with a history of 5 s:")
    for scenario, count, goal in (("service", 1_000_000, "2"), ("service", 10_000_000, "2"), ("pool", 2_000_000, "none")):
        run = subprocess.run([*LIMITED, harness.BUILD / "tests/bench/chains", scenario, str(count), "5"],
                             capture_output=True, text=True, check=True)
        _, cpu_s, life_s, resident, _ = map(float, run.stdout.split())
        say(f"{scenario}: {count:,} intervals in {life_s:.0f} s", f"{count / cpu_s / 1e6:.1f} million/s", f"goal: {goal}",
            f"{resident / 2**20:.0f} MiB")


def bench_wakeups(_):
    print(f"\nperf bench sched pipe on CPU {LOAD_CPU}, {ROUNDS} rounds: what the tracer's own threads take beside it (each of")
    print("the two processes waits once a turn; goal: below 30 % of a CPU at 100,000 wakeups a second):")
    for options in (["--blocking-report"], ["--wait-chains"]):
        shares, rates, lost = [], [], 0
        for _ in range(ROUNDS):
            report, printed, life_ns = trace_load(
                options, ["taskset", "-c", LOAD_CPU, "perf", "bench", "--format", "simple", "sched", "pipe", "-l", "200000"])
            shares.append(100 * report["tracer"]["cpu_ns"] / life_ns)
            rates.append(2 * 200_000 / float(printed.split()[-1]))
            lost += report["coverage"]["blocking_intervals_lost"]
        say(" ".join(["scaler-bpf", *options]), f"{statistics.median(shares):.1f} % of a CPU",
            f"{statistics.median(rates):,.0f} wakeups/s", f"{lost} of {ROUNDS * 400_000:,} waits lost")


BENCHES = {"switches": bench_switches, "messaging": bench_messaging, "waiting": bench_waiting_server,
           "wakeups": bench_wakeups, "chains": bench_chains}
