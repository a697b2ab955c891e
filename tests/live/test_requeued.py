"""Waits that are moved from one futex to another, those on one of several, and those for asynchronous I/O."""
from compiling import WORKLOADS, compile_with, needs_program
from harness import LiveTest, record, workload

PAUSE_NS = 30_000_000
REPORTS = ("--report", "blocking,locks,threads", "--overhead", "none")


def variable(interval):
    place = interval["resource"]["variable"]
    return place and place["function"]


def text(place):
    return place and place["function"]


class Requeued(LiveTest):
    def waits(self, way):
        run, report = record(*REPORTS, "--", workload("requeues"), way)
        self.assertEqual(run.returncode, 0, run.stderr)
        waits = [row for row in report["blocking"] if row["name"] == "waiter" and row["state"] != "R"]
        return [row for row in waits if row["syscall"] and not row["syscall"]["name"].startswith("mmap")], report, run

    def assert_pause(self, ns):
        self.assertGreater(ns, 0.9 * PAUSE_NS)

    def check_moved(self, way):
        (first, second), report, _ = self.waits(way)
        self.assertEqual((variable(first), variable(second)), ("condition", "lock"))
        self.assertEqual(first["end_ns"], second["start_ns"])
        for interval, function in (first, "move"), (second, "wake"):
            self.assert_pause(interval["woken_ns"] - interval["start_ns"])
            self.assertEqual(interval["wakeup"]["task"]["name"], "requeues")
            self.assertEqual(interval["wakeup"]["syscall"]["name"], "futex")
            self.assertTrue(text(interval["wakeup"]["caller"] or interval["wakeup"]["function"]).startswith(function))
        self.assertIsNone(first["resource"]["owner"])
        self.assertEqual(second["resource"]["owner"]["name"], "requeues")
        rows = {text(row["futex"]["variable"]): row for row in report["locks"]}
        # Together they are all that the thread was blocked.
        self.assertEqual(rows["lock"]["blocked_ns"], second["blocked_ns"])
        self.assertEqual(rows["condition"]["blocked_ns"], first["blocked_ns"])
        thread, = (row for row in report["threads"] if row["name"] == "waiter")
        blocked_ns = sum(row["blocked_ns"] for row in report["blocking"] if row["tid"] == thread["tid"])
        self.assertEqual(thread["blocked_ns"], blocked_ns)

    def test_moved(self):
        self.check_moved("moved")

    def test_priority_inheritance(self):
        self.check_moved("pi")

    def test_one_of_several(self):
        """Who wakes it says which of them it was."""
        (wait,), _, _ = self.waits("several")
        self.assertEqual(wait["syscall"]["name"], "futex_waitv")
        self.assertEqual((wait["resource"]["kind"], variable(wait)), ("futex", "lock"))

    def test_none_of_several(self):
        (wait,), _, _ = self.waits("several-timed")
        self.assertEqual((wait["resource"]["kind"], wait["resource"]["count"], variable(wait)),
                         ("futexes", 2, "condition"))
        self.assertLessEqual(abs(wait["resource"]["timeout_ns"] - PAUSE_NS), PAUSE_NS / 10)

    def test_asynchronous(self):
        waits, _, run = self.waits("aio")
        # The thread may wait for the lock of its mappings before, and does for the context's end.
        wait, = (row for row in waits if row["syscall"]["name"].startswith("io_") and row["syscall"]["name"] != "io_destroy")
        self.assertEqual(wait["resource"], {"kind": "aio", "address": int(run.stdout.split("=")[1]),
                                            "timeout_ns": PAUSE_NS})

    @needs_program("musl-gcc")
    def test_condition_of_musl(self):
        """The second waiter is moved to the mutex by the first."""
        program = compile_with(self, "musl-gcc", "-O2", "-g", "-static", WORKLOADS / "condition.c", "-o", "{}")
        run, report = record(*REPORTS, "--", program)
        self.assertEqual(run.returncode, 0, run.stderr)
        on_mutex = [row for row in report["blocking"] if row["name"] == "waiter" and
                    row["resource"] and row["resource"]["kind"] == "futex" and variable(row) and
                    variable(row).startswith("mutex")]
        moved = [row for row in on_mutex if row["woken_ns"] - row["start_ns"] > 0.9 * PAUSE_NS]
        self.assertEqual(len(moved), 1, on_mutex)
        self.assertEqual(moved[0]["resource"]["owner"]["name"], "waiter")
