"""The examples of scripts/examples: benchmarks with a tracer beside them, whose regions they mark."""
import collections
import os
import pathlib
import subprocess
import tempfile

from harness import LIMITED, SCALER, LiveTest, parse_report
from servers import nginx, redis

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "scripts/examples"


def run_example(name, *arguments):
    """Returns what it printed, and its reports by region; that of the whole, the last one, has the key None."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = subprocess.run(
            [*LIMITED, EXAMPLES / name, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env={**os.environ, "SCALER_BPF": SCALER, "SCALER_OPTIONS": f"--overhead none --format json -o {file.name}"},
            check=False)
        reports = [parse_report(line) for line in file]
    if run.returncode:
        raise AssertionError(run.stderr)
    return run.stdout, {report["recording"]["region"] and report["recording"]["region"]["name"]: report
                        for report in reports}


def call_count(report, *names):
    return sum(row["count"] for row in report["syscalls"] if row["name"] in names)


class Examples(LiveTest):
    def test_hyperfine(self):
        """Each value has the runs of its own: three to measure, and one to warm up."""
        out, reports = run_example("hyperfine", "count", "1,200", "dd if=/dev/zero of=/dev/null bs=1 count={count}",
                                   "--runs", 3, "--warmup", 1)
        self.assertEqual(out.count("Benchmark "), 2)
        self.assertEqual(list(reports), ["count 1", "count 200", None])
        for name, count in (("count 1", 1), ("count 200", 200)):
            names = collections.Counter(row["name"] for row in reports[name]["threads"])
            self.assertEqual(names["dd"], 4)
            [row] = [row for row in reports[name]["syscalls"]
                     if (row["name"], row["descriptor"]) == ("read", "character")]
            self.assertEqual(row["count"], 4 * count)

    def test_redis_benchmark(self):
        with redis() as (pid, address):
            out, reports = run_example("redis-benchmark", pid, "get", "ping_mbulk", "--", "-s", address, "-n", 300,
                                       "-c", 1, "-q")
        self.assertEqual(out.count("requests per second"), 2)
        self.assertEqual(list(reports), ["get", "ping_mbulk", None])
        for name in ("get", "ping_mbulk"):
            self.assertIn(call_count(reports[name], "write") - 300, range(5))
            self.assertEqual({row["pid"] for row in reports[name]["threads"]}, {pid})

    def test_wrk(self):
        with nginx() as (pid, port):
            out, reports = run_example("wrk", pid, f"http://127.0.0.1:{port}/page", 1, 8, "--", "-d", 1)
        self.assertEqual(list(reports), ["1 connections", "8 connections", None])
        requests = [int(line.split()[0]) for line in out.splitlines() if "requests in" in line]
        for name, connections, count in zip(reports, (1, 8), requests):
            self.assertGreaterEqual(call_count(reports[name], "accept4"), connections)
            # Of those that were under way when wrk ended nobody has the answers: here, or when it had warmed up.
            self.assertIn(call_count(reports[name], "sendfile") - count, range(2 * connections + 1))
