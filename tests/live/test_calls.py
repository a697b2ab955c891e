"""System calls in detail: errors, times, descriptors, calls that the recording cuts short."""
import os
import signal

from harness import LiveTest, Tracer, Workload, call_counts, needs_compat_calls, record, scaler, state, wait_for, workload


def rows_of(report, name):
    return [row for row in report["syscalls"] if row["name"] == name]


class Calls(LiveTest):
    def record_workload(self, *words):
        run, report = record("--", workload(words[0]), *words[1:])
        self.assertEqual(run.returncode, 0, run.stderr)
        return report

    def test_errors_by_name(self):
        report = self.record_workload("failures")
        row, = rows_of(report, "dup3")
        self.assertEqual((row["count"], row["errors"]), (30, 30))
        self.assertEqual(row["errors_by_name"], {"EBADF": 20, "EINVAL": 10})
        row, = rows_of(report, "getpgid")
        self.assertEqual(row["errors_by_name"], {"ESRCH": 30})
        row, = rows_of(report, "unknown:5000")
        self.assertEqual((row["errors_by_name"], row["category"]), ({"ENOSYS": 7}, "unknown"))

    def test_times_of_sleeps(self):
        row, = rows_of(self.record_workload("failures"), "clock_nanosleep")
        self.assertEqual((row["count"], row["errors"], row["category"]), (10, 0, "time"))
        self.assertGreaterEqual(row["total_ns"], 10 * 20_000_000)
        self.assertGreaterEqual(row["max_ns"], row["total_ns"] / 10)
        self.assertGreaterEqual(row["p50_ns"], 20_000_000 * 0.94)
        self.assertLessEqual(row["p50_ns"], row["p99_ns"])
        self.assertLessEqual(row["p99_ns"], row["max_ns"])
        # From the timer's expiry to the way back to the program.
        self.assertLessEqual(row["blocked_ns"] + row["runnable_ns"], row["total_ns"])
        self.assertGreater(row["blocked_ns"], 0.95 * 10 * 20_000_000)

    def test_descriptors(self):
        report = self.record_workload("descriptors")
        kinds = {row["descriptor"]: (row["count"], row["category"])
                 for row in rows_of(report, "readv")}
        self.assertEqual(kinds, {
            "regular": (1, "file-io"), "directory": (2, "file-meta"), "character": (3, "file-io"),
            "tty": (4, "file-io"), "pipe": (5, "ipc"), "socket": (6, "network"),
            "unix": (7, "ipc"), "eventfd": (8, "ipc"), "timerfd": (9, "time"),
            "signalfd": (10, "signal"), "epoll": (11, "poll"), "inotify": (12, "file-meta"),
            "bad": (13, "file-io")})

    @needs_compat_calls
    def test_compat_calls_are_told_apart(self):
        report = self.record_workload("descriptors", "compat")
        row, = rows_of(report, "i386:getpid")
        self.assertEqual((row["count"], row["abi"], row["category"]), (3, "compat", "process"))
        self.assertEqual(rows_of(report, "writev"), [])

    def test_handed_back(self):
        """Calls that the kernel hands back to the program are missed, and that is said."""
        run, report = record("--overhead", "none", "--", workload("dispatches"), 100)
        self.assertEqual(run.stdout, "100\n")
        counts = call_counts(report)
        self.assertEqual((counts.get("getppid"), counts["getpgrp"]), (None, 100))
        self.assertEqual(report["coverage"]["threads_dispatching"], 1)
        self.assertIn("1 thread has the kernel hand system calls back to it", scaler("--", workload("dispatches"), 1).stderr)
        self.assertNotIn("hand system calls back", scaler("--", "true").stderr)

    def test_call_under_way_all_the_time(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            _, report = record("-p", program.child, "--duration", 0.2)
        row, = report["syscalls"]
        window_ns = report["recording"]["end_ns"] - report["recording"]["start_ns"]
        self.assertEqual((row["name"], row["descriptor"], row["count"]), ("read", "pipe", 0))
        self.assertEqual(row["partial"], {"count": 1, "total_ns": window_ns, "runnable_ns": 0,
                                          "blocked_ns": window_ns})

    def test_call_under_way_at_the_start(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            with Tracer("-p", program.child, "--format", "json") as tracer:
                program.go()
                report = tracer.finish_json()
        row, = rows_of(report, "read")
        self.assertEqual((row["count"], row["partial"]["count"]), (0, 1))
        self.assertGreater(row["partial"]["blocked_ns"], 0)
        self.assertEqual(rows_of(report, "getppid")[0]["count"], 10)

    def test_thread_killed_inside_a_call(self):
        with Tracer("--format", "json", "-o", "/dev/stdout", "--", "sleep", 50) as tracer:
            wait_for(lambda: tracer.command() and state(tracer.command()) == "S")
            os.kill(tracer.command(), signal.SIGKILL)
            report = tracer.finish_json(status=128 + 9)
        # The signal interrupts the call, which returns within the kernel; the thread then ends.
        row, = rows_of(report, "clock_nanosleep")
        self.assertEqual((row["count"], row["partial"]["count"]), (1, 0))
        self.assertEqual(row["errors_by_name"], {"ERESTART_RESTARTBLOCK": 1})
        self.assertGreater(row["blocked_ns"], 0)
