"""Time off the CPU, thread by thread: beside bcc's offcputime, on the same run of the same load."""
import collections
import contextlib
import os
import subprocess
import unittest

from harness import LIMITED, LiveTest, Tracer, children, wait_for, workload
from other_tracers import offcputime


@unittest.skipUnless(os.path.exists("/usr/sbin/offcputime"), "there is no offcputime here")
class OffCpu(LiveTest):
    """Both read their clocks one after the other, and theirs leaves out what is below 1 us of each interval: so sums are
    equal within 2 % or 300 us and 2 us for each interval."""

    def record(self, command, *wanted):
        """Returns offcputime's sums with each of the wanted options, and our report."""
        with (subprocess.Popen([*LIMITED, "sh", "-c", 'read -r go; exec "$@"', "load", *map(str, command)],
                               stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as program,
              contextlib.ExitStack() as tracers):
            self.first = wait_for(lambda: children(program.pid))[0]
            theirs = [tracers.enter_context(offcputime("-p", self.first, *options)) for options in wanted]
            with Tracer("--report", "blocking,threads", "-p", self.first, "--format", "json") as tracer:
                program.communicate("go\n")
                report = tracer.finish_json()
        self.assertEqual((program.returncode, report["coverage"]["blocking_intervals_lost"]), (0, 0))
        return theirs, report

    def sum_intervals(self, report, is_wanted):
        """By thread: {TID: (ns from switch-out to switch-in, how many, and what sums may differ by)}."""
        lengths = collections.defaultdict(list)
        for interval in report["blocking"]:
            # The first thread waited already, for the word to go, before anybody looked.
            # Threads that are ended with their process, in their sleep, may never run again.
            if is_wanted(interval) and interval["tid"] != self.first and interval["end_ns"]:
                lengths[interval["tid"]].append(interval["end_ns"] - interval["start_ns"])
        return {tid: (sum(some), len(some), max(0.02 * sum(some), 300_000) + 2_000 * len(some))
                for tid, some in lengths.items()}

    def test_sleeps(self):
        """Reading from pipes, which is the one kind of interruptible sleep that --state 1 lets through."""
        [theirs], report = self.record(["perf", "bench", "sched", "messaging", "-p", "-t", "-g", 1, "-l", 300],
                                       ["--state", "1"])
        ours = self.sum_intervals(report, lambda i: i["state"] == "S" and i["resource"] and i["resource"].get("type") == "pipe")
        self.assertGreaterEqual(len(ours), 30)
        self.assertGreater(sum(count for _, count, _ in ours.values()), 200)
        for tid, (ns, count, tolerance) in ours.items():
            # It reads the state from the task, which is running again by then if it has been woken on its way out.
            self.assertLessEqual(theirs[tid] - ns, tolerance, (tid, ns, theirs[tid], count))
            self.assertLessEqual(0.85 * ns - theirs[tid], tolerance, (tid, ns, theirs[tid], count))

    def test_whole_time(self):
        """Without --state theirs is all the time off a CPU, that of threads that could run as well; but not what comes
        before a thread's first time on one. With --state 1 it misses whoever sleeps so that it may be frozen."""
        [theirs, sleeps], report = self.record([workload("convoy"), 6, 20, 1], [], ["--state", "1"])
        ours = self.sum_intervals(report, lambda i: True)
        self.assertGreaterEqual(len(ours), 6)
        threads = {thread["tid"]: thread for thread in report["threads"]}
        for tid, (ns, _, tolerance) in ours.items():
            self.assertLessEqual(ns - tolerance, theirs[tid])
            self.assertLessEqual(theirs[tid], threads[tid]["blocked_ns"] + threads[tid]["runnable_ns"] + tolerance)
            self.assertLess(sleeps[tid], 0.1 * ns)
