"""Threads that nobody keeps waiting: by a CPU quota, a signal that stops, a debugger, a frozen cgroup."""
import os
import signal

from cgroups import cgroup, unified, with_quota
from harness import LiveTest, Tracer, Workload, parse_report, record, scaler, state, wait_for, workload

REPORTS = "blocking,bottlenecks,chains,latency,path,threads,waits"


def sum_of(rows, name):
    return sum(row[name] for row in rows)


class QuotaTimes(LiveTest):
    def record(self, quota, *words):
        """Of a workload with one thread on one CPU."""
        before_ns = quota.throttled_ns()
        _, report = record("--overhead", "none", "--report", REPORTS, "--", "sh", "-c",
                           f"echo $$ > {quota.path}/cgroup.procs; exec \"$@\"", "sh", workload("states"), "cpu:0", *words)
        return report, quota.throttled_ns() - before_ns

    def test_sum_is_the_kernels(self):
        """Of one that computes, put off again and again: what cpu.stat says, in every report."""
        with with_quota(0.2) as quota:
            report, throttled_ns = self.record(quota, "spin:100")
        self.assertGreater(throttled_ns, 200_000_000)
        for rows in ("threads", "latency"):
            self.assertAlmostEqual(sum_of(report[rows], "quota_ns") / throttled_ns, 1, delta=0.05, msg=rows)
        spin, = (row for row in report["threads"] if row["name"] == "spin:100")
        self.assertLessEqual(spin["quota_ns"], spin["runnable_ns"])
        root, = (group for group in report["bottlenecks"]["groups"] if group["kind"] == "cpu_quota")
        # For itself, and for the main thread, which waits for it.
        self.assertAlmostEqual(root["root_ns"] / throttled_ns, 2, delta=0.2)
        own = [row for row in report["chains"] if row["kind"] == "CPU quota"]
        self.assertAlmostEqual(sum_of(own, "total_ns") / throttled_ns, 1, delta=0.05)
        path = [row for row in report["path"]["sums"] if row["kind"] == "CPU quota"]
        self.assertAlmostEqual(sum_of(path, "total_ns") / throttled_ns, 1, delta=0.1)

    def test_others_of_the_cgroup(self):
        """One that mostly sleeps pays for what another has used up."""
        with with_quota(0.2) as quota:
            report, throttled_ns = self.record(quota, "sleep:20", "spin:100")
        sleeper, = (row for row in report["latency"] if row["name"] == "sleep:20")
        self.assertGreater(sleeper["quota_ns"], 0.2 * throttled_ns)
        self.assertGreater(sleeper["quota_ns"], 0.5 * sleeper["delay_ns"])
        for interval in report["blocking"]:
            self.assertLessEqual(interval["quota_ns"], interval["delay_ns"])

    def test_none(self):
        """One that merely shares its CPU has none, and the text no column of it."""
        words = [workload("states"), "cpu:0", "spin:50", "spin:50"]
        _, report = record("--report", "threads", "--", *words)
        self.assertEqual(sum_of(report["threads"], "quota_ns"), 0)
        self.assertNotIn("QUOTA", scaler("--report", "threads,latency", "--", *words).stderr)

    def test_text(self):
        with with_quota(0.2) as quota:
            run = scaler("--report", REPORTS, "--", "sh", "-c", f"echo $$ > {quota.path}/cgroup.procs; exec \"$@\"",
                         "sh", workload("states"), "cpu:0", "spin:30")
        for words in (" QUOTA ", "(CPU quota)", "kept by its CPU quota"):
            self.assertIn(words, run.stderr)


class Held(LiveTest):
    """A thread that waits for a byte is held meanwhile, and goes on."""

    def report_of(self, hold, release):
        with Workload(workload("states"), "wait:20000") as program:
            tid, = (int(tid) for tid in wait_for(lambda: os.listdir(f"/proc/{program.child}/task")[1:]))
            wait_for(lambda: state(tid) == "S")
            with Tracer("--report", "blocking,chains,waits", "-p", program.child, "--format", "json") as tracer:
                hold(program.child)
                release(program.child)
                wait_for(lambda: state(tid) == "S")
                tracer.process.send_signal(signal.SIGINT)
                report = parse_report(tracer.finish())
        return report, [i for i in report["blocking"] if i["tid"] == tid]

    def expect(self, report, intervals, kind, root):
        """It is said of the thread what held it; before and after it is in its call, on its pipe."""
        self.assertEqual([i["resource"]["kind"] for i in intervals], ["file", kind, "file"])
        self.assertEqual(intervals[0]["resource"], intervals[2]["resource"])
        row, = (row for row in report["waits"] if row["resource"] and row["resource"]["kind"] == kind
                and row["name"].startswith("wait"))
        self.assertEqual(row["waits"], 1)
        chain, = (chain for chain in report["chains"] if chain["resource"] and chain["resource"]["kind"] == kind
                  and chain["name"].startswith("wait"))
        self.assertEqual([cause["kind"] for cause in chain["causes"]], [root])

    def test_stopped(self):
        def hold(pid):
            os.kill(pid, signal.SIGSTOP)
            wait_for(lambda: all(state(tid) == "T" for tid in os.listdir(f"/proc/{pid}/task")))
        report, intervals = self.report_of(hold, lambda pid: os.kill(pid, signal.SIGCONT))
        self.expect(report, intervals, "stopped", "stopped")

    def test_frozen(self):
        with unified() as parent, cgroup(parent) as path:
            def freeze(value):
                (path / "cgroup.freeze").write_text(value, encoding="ascii")
                wait_for(lambda: f"frozen {value}" in (path / "cgroup.events").read_text(encoding="ascii"))

            def hold(pid):
                (path / "cgroup.procs").write_text(str(pid), encoding="ascii")
                freeze("1")

            report, intervals = self.report_of(hold, lambda _: freeze("0"))
        self.expect(report, intervals, "frozen", "frozen")
