"""Reports at intervals: each thread's intervals follow one another without a gap, and all add up."""
import collections
import signal
import unittest

from harness import LiveTest, Tracer, Workload, call_counts, parse_report, record_each, scaler, workload
from test_states import own_figures

TURNS = 20000
SLEEPS = 50
BATCHES, BATCH = 5, 10


class Intervals(LiveTest):
    def assert_follow(self, reports):
        """Intervals meet end to start, and so do each thread's lives in them."""
        for before, after in zip(reports, reports[1:]):
            self.assertEqual(before["recording"]["began_ns"], after["recording"]["began_ns"])
            self.assertEqual(before["recording"]["end_ns"], after["recording"]["start_ns"])
        ends = {}
        for report in reports:
            for row in report["threads"]:
                self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                                 row["life_ns"], row)
                if row["tid"] in ends:
                    self.assertEqual(row["start_ns"], ends[row["tid"]], row)
                ends[row["tid"]] = row["start_ns"] + row["life_ns"]

    def test_they_add_up(self):
        run, reports = record_each(0.1, "--overhead", "none", "--", workload("states"), f"turns:{TURNS}",
                                        f"sleep:{SLEEPS}", "spin:300", "wait:450")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(reports), 2)
        self.assert_follow(reports)
        counts, sums = collections.Counter(), collections.defaultdict(collections.Counter)
        for report in reports:
            for row in report["syscalls"]:
                counts[row["name"]] += row["count"]
            for row in report["threads"]:
                sums[row["tid"]].update(running=row["running_ns"], blocked=row["blocked_ns"],
                                        voluntary=row["voluntary_switches"])
        self.assertEqual(counts["clock_nanosleep"], SLEEPS + 1, counts)
        for tid, own in own_figures(run.stdout).items():
            if own["name"].startswith("spin"):
                self.assertLessEqual(abs(sums[tid]["running"] - own["cpu"]), 0.05 * own["cpu"], own)
            # Its exit may switch once more.
            self.assertIn(sums[tid]["voluntary"] - own["voluntary"], (0, 1), own)

    def test_times_of_a_call_over_several_intervals(self):
        run, reports = record_each(0.1, "--syscalls", "read", "--", workload("states"), "wait:550")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [row for report in reports for row in report["syscalls"] if row["descriptor"] == "pipe"]
        self.assertEqual(sum(row["count"] for row in rows), 1)
        self.assertGreaterEqual(sum(row["partial"]["count"] for row in rows), 2)
        own = own_figures(run.stdout).popitem()[1]
        total = sum(row["total_ns"] + row["partial"]["total_ns"] for row in rows)
        self.assertLessEqual(abs(total - own["asleep"]), max(0.05 * own["asleep"], 200_000))

    def test_what_has_exited_leaves_the_maps(self):
        """More processes come and go than the map of threads has rows, but not between two reports."""
        with Workload("sh") as shell, \
                Tracer("-p", shell.child, "--interval", "0.1", "--format", "json",
                       "--map-size", f"threads={BATCH + 4}") as tracer:
            reports = []
            for _ in range(BATCHES):
                shell.stdin.write("/bin/true;" * BATCH + "\n")
                shell.stdin.flush()
                exited = 0
                while exited < BATCH:
                    reports.append(parse_report(tracer.process.stdout.readline()))
                    exited += sum(row["exited"] for row in reports[-1]["threads"])
                self.assertEqual(exited, BATCH)
            tracer.process.send_signal(signal.SIGINT)
            reports += map(parse_report, tracer.finish().splitlines())
            shell.stdin.close()
        self.assert_follow(reports)
        for report in reports:
            self.assertEqual(report["coverage"]["threads_without_times"], 0)
        # One that an interval's end has cut is partial there, and counts where it returns.
        calls = [row["count"] for report in reports for row in report["syscalls"] if row["name"] == "execve"]
        self.assertEqual(sum(calls), BATCHES * BATCH)

    def test_text(self):
        run = scaler("--interval", "0.1", "--report", "threads", "--", "sleep", "0.35")
        heads = [line for line in run.stderr.splitlines() if line.startswith("Interval of ")]
        self.assertGreaterEqual(len(heads), 3, run.stderr)
        self.assertTrue(heads[0].endswith(", from 0 ns on"), heads)

    def test_full_disk_ends_it(self):
        run = scaler("--interval", "0.1", "--report", "threads", "-o", "/dev/full", "--duration", "30",
                     "--", "sleep", "1")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "scaler-bpf: cannot write the report to /dev/full: "
                                     "No space left on device\n")


if __name__ == "__main__":
    unittest.main()
