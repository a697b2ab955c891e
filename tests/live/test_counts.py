"""System calls are counted exactly, by construction."""
from harness import LiveTest, Tracer, Workload, call_counts, record, workload


class Counts(LiveTest):
    def test_command_with_threads_and_children(self):
        run, report = record("--overhead", "none", "--", workload("calls"), 4, 3, 1000)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual(counts["getppid"], 7 * 1000)
        self.assertEqual(counts["execve"], 1)
        self.assertEqual(counts["exit"], 4)
        self.assertEqual(counts["exit_group"], 4)

    def test_running_process(self):
        with Workload(workload("calls"), 4, 3, 1000, "wait") as program:
            with Tracer("-p", program.child, "--format", "json") as tracer:
                program.go()
                counts = call_counts(tracer.finish_json())
            self.assertEqual(program.wait(), 0)
        self.assertEqual(counts["getppid"], 7 * 1000)

    def test_thousand_threads(self):
        run, report = record("--overhead", "none", "--", workload("calls"), 1000, 0, 100)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual(counts["getppid"], 1000 * 100)
        self.assertEqual(counts["exit"], 1000)
        self.assertEqual(len(report["threads"]), 1001)
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                             row["life_ns"])

    def test_exec_by_another_thread(self):
        # The thread takes over the process's number, and all others end.
        script = ("import os, threading, time\n"
                  "threading.Thread(target=time.sleep, args=(20,)).start()\n"
                  f"threading.Thread(target=os.execv, args=({workload('calls')!r},"
                  " ['calls', '0', '2', '500'])).start()\n"
                  "time.sleep(20)\n")
        run, report = record("--", "/usr/bin/python3", "-c", script)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual(counts["getppid"], 1000)
        threads = [row for row in report["threads"] if row["name"] == "calls"]
        self.assertEqual(len(threads), 3)
        self.assertEqual(len({row["pid"] for row in report["threads"]}), 3)
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                             row["life_ns"])
