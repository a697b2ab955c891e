"""What system calls, and programs that do little else, cost beside other tools that count them."""
import harness
from measure import ROUNDS, Measured, perf_bench, redis_get, redis_server, say, trace_load


def bench_getppid(variants):
    print(f"\nperf bench syscall basic (getppid in a loop), {ROUNDS} rounds, time of a call:")
    operations = {"perf_trace": 50_000, "strace": 10_000}
    names = ("untraced", "empty_pair", "scaler_all", "scaler", "syscount", "perf_trace", "strace")
    measured = Measured(lambda name: perf_bench(getattr(variants, name), ["syscall", "basic"],
                                                operations.get(name, 2_000_000)), names)
    notes = {"scaler_all": [f"{measured.ratio('scaler_all', 'empty_pair'):.2f} x empty pair (goal: 1.65)",
                            f"{measured.ratio('scaler_all', 'syscount'):.2f} x syscount (goal: 0.80)"]}
    labels = {"empty_pair": "empty enter and exit program", "scaler_all": "scaler-bpf --overhead none",
              "scaler": "scaler-bpf", "syscount": "syscount -L (libbpf-tools)", "perf_trace": "perf trace -s", "strace": "strace -f -c"}
    for name in names:
        say(labels.get(name, name), f"{measured.median(name):,.0f} ns",
            f"{measured.ratio(name, 'untraced'):.2f} x untraced", *notes.get(name, []))


def bench_pipe(variants):
    print(f"\nperf bench sched pipe on one CPU (two processes take turns), {ROUNDS} rounds, time of a turn:")
    names = ("untraced", "scaler_no_syscalls", "scaler_all", "scaler", "perf_sched")
    measured = Measured(lambda name: perf_bench(getattr(variants, name), ["sched", "pipe"], 100_000), names)
    labels = {"scaler_no_syscalls": "scaler-bpf --no-syscalls", "scaler_all": "scaler-bpf --overhead none",
              "scaler": "scaler-bpf", "perf_sched": "perf sched record"}
    goals = {"scaler_no_syscalls": "0.50", "scaler_all": "1.00"}
    for name in names:
        notes = [f"{measured.ratio(name, 'untraced'):.2f} x untraced"]
        if name in goals:
            notes.append(f"adds {measured.ratio(name, 'perf_sched', 'untraced'):.2f} x what perf adds "
                         f"(goal: {goals[name]})")
        say(labels.get(name, name), f"{measured.median(name) / 1000:,.2f} us", *notes)


def bench_redis(variants):
    print(f"\nredis-benchmark -t get -c 20, {ROUNDS} rounds, requests in a second:")
    with redis_server() as (server, address):
        def measure(name):
            with getattr(variants, name)(server.pid):
                return redis_get(address, {"perf_trace": 20_000, "strace": 5_000}.get(name, 60_000))

        names = ("untraced", "scaler_no_syscalls", "scaler", "syscount", "perf_trace", "strace")
        measured = Measured(measure, names)
    labels = {"scaler_no_syscalls": "scaler-bpf --no-syscalls", "scaler": "scaler-bpf",
              "syscount": "syscount -L (libbpf-tools)", "perf_trace": "perf trace -s", "strace": "strace -f -c"}
    for name in names:
        say(labels.get(name, name), f"{measured.median(name):,.0f} /s",
            f"{measured.ratio(name, 'untraced'):.2f} x untraced", *["goal: at least 0.95"] * (name == "scaler"))


def bench_threads(_):
    print("\n1,000 threads that each sleep for 10 ms, 500 times: what the tracer itself takes:")
    for options in ([], ["--no-syscalls"], ["--interval", "1"]):
        report, _, life_ns = trace_load(options, [harness.workload("states"), *["sleep:500"] * 1000])
        tracer = report["tracer"]
        say(" ".join(["scaler-bpf", *options]), f"{100 * tracer['cpu_ns'] / life_ns:.1f} % of a CPU",
            f"{tracer['resident_bytes'] / 2**20:.1f} MiB of its own",
            f"{tracer['kernel_bytes'] / 2**20:.1f} MiB of maps", f"over {life_ns / 1e9:.1f} s")


BENCHES = {"getppid": bench_getppid, "pipe": bench_pipe, "redis": bench_redis, "threads": bench_threads}
