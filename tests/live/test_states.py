"""Running, runnable, blocked: exact sums, and the kernel's and the program's own figures beside ours."""
import os
import signal

from harness import LiveTest, Tracer, Workload, record, workload


def own_figures(output):
    """What the threads of the workload "states" print of themselves, by TID."""
    keys = ("cpu", "asleep", "delay", "voluntary", "involuntary", "arrivals")
    rows = [line.split() for line in output.splitlines()]
    return {int(row[1]): dict(zip(keys, map(int, row[2:])), name=row[0]) for row in rows}


def stolen_ns():
    """What the hypervisor has taken from the machine's CPUs: the threads' own clocks leave it out, the tracer's cannot."""
    with open("/proc/stat", encoding="ascii") as file:
        return int(file.readline().split()[8]) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class States(LiveTest):
    alone = "waiting for a CPU is measured"

    stolen = 0

    def assert_adds_up(self, report):
        window = report["recording"]
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                             row["life_ns"], row)
            self.assertGreaterEqual(row["start_ns"], window["start_ns"], row)
            end_ns = row["start_ns"] + row["life_ns"]
            if row["exited"]:
                self.assertLessEqual(end_ns, window["end_ns"], row)
            else:
                self.assertEqual(end_ns, window["end_ns"], row)

    def assert_near(self, ours, theirs, row):
                # The kernel reads its clock once in a switch, some time before its tracepoint.
                # Where reading the clock is a system call, as with some hypervisors, so is all that a thread does that spins.
        slow_ns = self.stolen + row[0]["tracer_ns"] / 4
        switches = row[1]["voluntary"] + row[1]["involuntary"]
        self.assertLessEqual(abs(ours - theirs), max(0.05 * theirs, 200_000) + 100_000 * switches + slow_ns, row)

    def run_states(self, *words):
        """Traces the workload; yields (our row, the thread's own figures) for each of its threads."""
        before = stolen_ns()
        run, report = record("--", workload("states"), *words)
        self.stolen = stolen_ns() - before
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assert_adds_up(report)
        own = own_figures(run.stdout)
        ours = {row["tid"]: row for row in report["threads"]}
        self.assertLessEqual(own.keys(), ours.keys())
        for tid, figures in own.items():
            self.assertEqual(ours[tid]["name"], figures["name"])
        return report, [(ours[tid], own[tid]) for tid in own]

    def test_running(self):
        _, pairs = self.run_states("spin:100", "spin:200")
        for ours, own in pairs:
            self.assert_near(ours["running_ns"], own["cpu"], (ours, own))
            self.assert_near(ours["runnable_ns"], own["delay"], (ours, own))

    def test_runnable(self):
        _, pairs = self.run_states("cpu:0", "spin:100", "spin:101", "spin:102")
        for ours, own in pairs:
            self.assert_near(ours["running_ns"], own["cpu"], (ours, own))
            self.assert_near(ours["runnable_ns"], own["delay"], (ours, own))
            self.assertGreater(ours["runnable_ns"], 50_000_000, ours)
            self.assertGreater(ours["involuntary_switches"], 0)

    def test_blocked(self):
        _, pairs = self.run_states("sleep:10", "wait:100")
        for ours, own in pairs:
            # The program's own clock stands around the whole call.
            self.assertLessEqual(ours["blocked_ns"], own["asleep"] + 200_000, (ours, own))
            self.assertGreater(ours["blocked_ns"] + ours["runnable_ns"], 0.95 * own["asleep"])
        self.assertGreater(pairs[0][0]["blocked_ns"], 100_000_000 * 0.95)
        tops = [ours["top_blocking_call"] for ours, _ in pairs]
        self.assertEqual({top["name"] for top in tops}, {"clock_nanosleep", "read"})
        for top, (ours, _) in zip(tops, pairs):
            self.assertLessEqual(top["blocked_ns"], ours["blocked_ns"])
            self.assertGreater(top["blocked_ns"], 0.95 * ours["blocked_ns"])

    def test_switches_as_the_kernel_counts_them(self):
        _, pairs = self.run_states("turns:2000", "sleep:5", "spin:50")
        for ours, own in pairs:
            for kind in ("voluntary", "involuntary"):
                self.assertGreaterEqual(ours[kind + "_switches"], own[kind], (ours, own))
            # Between getrusage() and its end the thread sleeps for no reason but its last lock and write; how
            # often it is preempted there is up to the machine's load.
            self.assertLessEqual(ours["voluntary_switches"], own["voluntary"] + 3, (ours, own))
            self.assertLessEqual(ours["involuntary_switches"], 2 * own["involuntary"] + 50, (ours, own))

    def test_few_wakeups_are_missed(self):
        """Else other tests, which are made again when they failed and some were missed, would hide it."""
        run, report = record("--", workload("states"), *8 * ["sleep:100"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(sum(row["voluntary_switches"] for row in report["threads"]), 800)
        self.assertLess(report["coverage"]["wakeups_unseen"], 8)
        self.assertLess(report["coverage"]["switches_repaired"], 8)

    def test_threads_that_come_and_go(self):
        report, _ = self.run_states("churn:300", "churn:301")
        self.assertEqual(len(report["threads"]), 1 + 2 + 300 + 301)
        self.assertTrue(all(row["exited"] for row in report["threads"]))
        self.assertEqual(report["coverage"]["threads_not_followed"], 0)

    def test_blocked_all_the_time(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            _, report = record("-p", program.child, "--duration", 0.2)
        window = report["recording"]
        row, = report["threads"]
        self.assertGreaterEqual(window["end_ns"] - window["start_ns"], 200_000_000)
        self.assertEqual(row["blocked_ns"], window["end_ns"] - window["start_ns"])
        self.assertEqual(row["life_ns"], row["blocked_ns"])
        self.assertEqual(row["voluntary_switches"] + row["involuntary_switches"], 0)

    def test_running_all_the_time(self):
        with Workload(workload("states"), "spin:20000") as program:
            _, report = record("-p", program.child, "--duration", 0.2)
            self.assertIsNone(program.poll())
        self.assert_adds_up(report)
        row = report["threads"][0]
        self.assertEqual(row["name"], "spin:20000")
        self.assertFalse(row["exited"])
        self.assertGreater(row["running_ns"], 0)
        self.assertEqual(row["blocked_ns"], 0)
        self.assertGreaterEqual(row["life_ns"], 200_000_000)

    def test_killed_process(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            with Tracer("-p", program.child, "--format", "json") as tracer:
                program.send_signal(signal.SIGTERM)
                report = tracer.finish_json()
        self.assert_adds_up(report)
        self.assertTrue(report["threads"][0]["exited"])
