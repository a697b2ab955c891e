"""What kernels lack, left out on one that has it: no count changes and no time, only what is known of calls and waits."""
import json
import pathlib
import re
import subprocess
import unittest

from harness import (LIMITED, SLOWNESS, ProbingTest, LiveTest, Tracer, call_counts, needs, record, scaler, wait_for,
                     workload)
from test_library_calls import LIBRARIES, ROUND, callers, rounds_of, rows

MS = 1_000_000
TASK_MAPS = {"task_state_rows", "blocking_state_"}  # as far as the kernel keeps names


def rows_of_tasks(pid):
    """The number of rows in each of the hash maps that the process keeps of tasks."""
    found = {}
    for path in pathlib.Path(f"/proc/{pid}/fdinfo").iterdir():
        for number in re.findall(r"^map_id:\t(\d+)$", path.read_text(encoding="ascii"), re.M):
            words = [*LIMITED, "/usr/sbin/bpftool", "-j", "map"]
            show = json.loads(subprocess.run([*words, "show", "id", number], capture_output=True, check=True).stdout)
            if show["type"] == "hash" and show["name"] in TASK_MAPS:
                dump = subprocess.run([*words, "dump", "id", number], capture_output=True, check=True).stdout
                found[show["name"]] = len(json.loads(dump))
    return found


class Variants(LiveTest):
    def assert_same(self, without):
        run, report = record("--overhead", "none", "--without", without, "--", workload("calls"), 4, 3, 1000)
        self.assertEqual((run.returncode, call_counts(report)["getppid"]), (0, 7 * 1000), run.stderr)
        ours, others = call_counts(report), call_counts(record("--overhead", "none", "--", workload("calls"), 4, 3, 1000)[1])
        # A thread that has ended is not waited for.
        self.assertEqual({**ours, "futex": 0}, {**others, "futex": 0})
        run, report = record("--report", "threads,syscalls,blocking", "--without", without, "--", workload("states"), "sleep:5")
        (ours,) = (row for row in report["threads"] if row["tid"] == int(run.stdout.split()[1]))
        asleep_ns = 50 * MS / (1 if SLOWNESS == 1 else 1.25)  # the time before the thread is switched out counts, too
        self.assertGreaterEqual(ours["blocked_ns"], asleep_ns)
        self.assertEqual(sum(ours[f"{state}_ns"] for state in ("running", "runnable", "blocked")), ours["life_ns"])
        (sleep,) = (row for row in report["syscalls"] if row["name"] == "clock_nanosleep")
        self.assertGreaterEqual(sleep["blocked_ns"], asleep_ns)

    def test_helpers(self):
        for feature in ("switch-state", "find-vma", "user-memory"):
            with self.subTest(feature):
                self.assert_same(feature)

    def test_raw_tracepoints(self):
        self.assert_same("btf-syscalls")

    @needs("kprobe_multi")
    def test_kprobes(self):
        self.assert_same("raw-syscalls")

    def test_no_way_to_system_calls(self):
        run = scaler("--without", "raw-syscalls,kprobe-multi", "--", "true")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"^scaler-bpf: cannot record system calls: [^\n]+ --no-syscalls\n$")

    def test_hash_maps(self):
        self.assert_same("task-storage")

    def test_rows_go_with_their_tasks(self):
        with Tracer("--without", "task-storage", "--overhead", "none", "--report", "syscalls,blocking", "--comm", "calls", "--format", "json") as tracer:
            subprocess.run([*LIMITED, workload("calls"), "200", "3", "10"], check=True)
            # A thread that has been waited for is freed a little later.
            wait_for(lambda: rows_of_tasks(tracer.process.pid) == dict.fromkeys(TASK_MAPS, 0))
            tracer.process.terminate()
            report = tracer.finish_json()
        self.assertEqual(call_counts(report)["getppid"], 203 * 10)

    def test_no_library_calls_of_nobody(self):
        run = scaler("--without", "find-vma", "--func", "first_leaf", "--", workload("edges"))
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"(?m)^scaler-bpf: cannot count library calls: [^\n]+ Linux 5\.17 or later$")


class LibraryVariants(ProbingTest):
    def test_hash_maps(self):
        run, report = record("--without", "task-storage", *LIBRARIES, "--", workload("edges"), 100)
        self.assertEqual({key: callers(row) for key, row in rows(report).items()},
                         {key: {name: calls * sum(rounds_of(run.stdout).values()) for name, calls in by_caller.items()}
                          for key, by_caller in ROUND.items()})


if __name__ == "__main__":
    unittest.main()
