"""--live: blocking intervals come one by one while the recording goes on, each once, and at last those not over."""
import collections
import os
import signal
import tempfile
import unittest

from harness import LiveTest, Tracer, Workload, parse_json, parse_report, scaler, waits_in, workload
from test_states import own_figures

SLEEPS, TURNS, CHURNED = 60, 200, 30


def parse_interval(line):
    return parse_json(line, "report", "blocking/items")


def record_live(*arguments):
    """Returns the completed process, the intervals, and the report without any that comes last."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = scaler("--live", "--format", "json", "-o", file.name, *arguments)
        *lines, last = file.read().splitlines()
    return run, [parse_interval(line) for line in lines], parse_report(last)


class WhileItRecords(LiveTest):
    def test_an_interval_comes_before_the_end(self):
        with Workload("cat") as reader, Workload("cat") as idle, \
                Tracer("--live", "--format", "json", "-p", f"{reader.child},{idle.child}") as tracer:
            for nth in range(3):
                reader.stdin.write("line\n")
                reader.stdin.flush()
                interval = parse_interval(tracer.process.stdout.readline())
                self.assertEqual((interval["tid"], interval["syscall"]["name"], interval["resource"]["type"]),
                                 (reader.child, "read", "pipe"))
                self.assertEqual(interval["is_lower_bound"], nth == 0)
                # Beside threads that no BPF program runs for a wakeup can be missed.
                if interval["wakeup"]:
                    self.assertEqual(interval["wakeup"]["task"]["pid"], os.getpid())
                self.assertIsNone(tracer.process.poll())
            tracer.process.send_signal(signal.SIGINT)
            *rest, report = tracer.finish().splitlines()
            idle.stdin.close()
            reader.stdin.close()
        # The read that began in the recording; none of what lasted all the time.
        self.assertEqual(len(rest), 1)
        last = parse_interval(rest[0])
        self.assertEqual((last["tid"], last["end_ns"], last["is_all_the_time"]), (reader.child, None, False))
        self.assertEqual(set(parse_report(report)), {"schema", "recording", "tracer", "coverage"})

    def test_each_comes_once(self):
        run, intervals, report = record_live("--", workload("states"), f"sleep:{SLEEPS}", f"turns:{TURNS}",
                                             f"churn:{CHURNED}")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(report["coverage"]["blocking_intervals_lost"], 0)
        self.assertLessEqual(len([i for i in intervals if i["end_ns"] is None]),
                             report["coverage"]["switches_repaired"])
        keys = {(i["tid"], i["start_ns"]) for i in intervals}
        self.assertEqual(len(keys), len(intervals))
        counts = collections.Counter(i["tid"] for i in intervals)
        for tid, own in own_figures(run.stdout).items():
            # Its exit may block once more.
            self.assertIn(counts[tid] - own["voluntary"], (0, 1), own)
        sleeps = [i for i in waits_in(intervals, "clock_nanosleep") if i["name"] == f"sleep:{SLEEPS}"[:15]]
        self.assertEqual(len(sleeps), SLEEPS)
        ends = [i["end_ns"] for i in sleeps if i["end_ns"]]
        self.assertEqual(ends, sorted(ends))
        self.assertEqual({f"{i['function']['component']}:{i['function']['function']}" for i in sleeps},
                         {"libc.so.6:nanosleep"})

    def test_what_is_left_out_is_counted(self):
        run, intervals, report = record_live("--min-duration", "10", "--", workload("states"), f"sleep:{SLEEPS}")
        self.assertEqual((run.returncode, intervals), (0, []), run.stderr)
        own = sum(own["voluntary"] for own in own_figures(run.stdout).values())
        # main waits for its thread.
        self.assertGreaterEqual(report["coverage"]["blocking_intervals_left_out"], own)
        self.assertLess(report["coverage"]["blocking_intervals_left_out"], own + 10)


class Text(LiveTest):
    def test_one_table(self):
        run = scaler("--live", "--task", "sleep:*", "--", workload("states"), f"sleep:{SLEEPS}")
        self.assertEqual(run.returncode, 0, run.stderr)
        table, foot = run.stderr.split("\n\n", 1)
        titles, *rows = table.splitlines()
        self.assertEqual(titles.split(), "START BLOCKED DELAY STATE THREAD TID SYSTEM CALL ON FUNCTION "
                                         "CALLED BY WOKEN BY WAKER'S FUNCTION WAKER'S CALLER CONTEXT".split())
        calls = [row for row in rows if "clock_nanosleep" in row]
        self.assertEqual(len(calls), SLEEPS, run.stderr)
        for row in calls:
            self.assertRegex(row, r" S +sleep:60 +\d+ +clock_nanosleep +10\.00 ms +libc\.so\.6:nanosleep "
                                  r"+states:\w+ +(timer +(hardirq|softirq.*)|not seen)$")
        self.assertRegex(foot, r"^Recorded for [^\n]*\n\nfiltered: \d+ blocking intervals?, by ")
        self.assertRegex(foot, r"\ntracer: [^\n]* 0 lost\n$")

    def test_full_disk_ends_it(self):
        run = scaler("--live", "-o", "/dev/full", "--duration", "30", "--", workload("states"), "sleep:50")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "scaler-bpf: cannot write the report to /dev/full: "
                                     "No space left on device\n")


if __name__ == "__main__":
    unittest.main()
