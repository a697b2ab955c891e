"""The blocking report: intervals whose beginning, end, call, function and waker are known by construction."""
import collections
import subprocess

from folded_stacks import parse_folded
from harness import LIMITED, LiveTest, SCALER, Tracer, Workload, record, scaler, workload

WAITS = workload("waits")
PAUSE_NS = 50_000_000


def text(place):
    return place and f"{place['component']}:{place['function']}"


def run_waits(way):
    """Records a known wait; returns the one interval that it consists of, and when it began and was over."""
    run, report = record("--blocking-report", "--", WAITS, way)
    began_ns, ended_ns = map(int, run.stdout.split())
    intervals = [i for i in report["blocking"] if i["name"] == "waiter" and began_ns <= i["start_ns"] < ended_ns]
    if len(intervals) != 1:
        raise AssertionError(f"{len(intervals)} intervals: {intervals}")
    return intervals[0], began_ns, ended_ns


class KnownWaits(LiveTest):
    """One way of waiting a test: what was called, by which function, and what ended it."""

    def check(self, way, syscall, descriptor, function, caller, wakeup):
        interval, began_ns, ended_ns = run_waits(way)
        self.assertEqual(interval["syscall"], {"name": syscall, "descriptor": descriptor})
        self.assertEqual((text(interval["function"]), text(interval["caller"])),
                         (f"libc.so.6:{function}", f"waits:{caller}"))
        self.assertEqual((interval["state"], interval["is_lower_bound"]), ("S", False))
        # The program's own clock is read before and after.
        self.assertTrue(began_ns < interval["start_ns"] < interval["woken_ns"] < interval["end_ns"] < ended_ns)
        self.assertEqual(interval["blocked_ns"], interval["woken_ns"] - interval["start_ns"])
        self.assertEqual(interval["delay_ns"], interval["end_ns"] - interval["woken_ns"])
        # The waker's pause begins before the wait can, which other programs may delay.
        self.assertGreater(interval["blocked_ns"], PAUSE_NS * 0.5)
        found = interval["wakeup"]
        self.assertEqual((found["context"], found["interrupt"], found["is_timer"],
                          found["task"] and found["task"]["name"]), wakeup)
        return interval

    TASK = ("task", None, False, "waker")
    TIMER = ("hardirq", None, True, None)
    NETWORK = ("softirq", "NET_RX", False, None)

    def test_mutex(self):
        self.check("mutex", "futex", "", "pthread_mutex_lock", "main", self.TASK)

    def test_condition(self):
        self.check("condition", "futex", "", "pthread_cond_wait", "wait_condition", self.TASK)

    def test_join(self):
        self.check("join", "futex", "", "__pthread_clockjoin_ex", "main", self.TASK)

    def test_pipe(self):
        interval = self.check("pipe", "read", "pipe", "read", "read_some", self.TASK)
        self.assertEqual(interval["stack"], ["libc.so.6:read", "waits:read_some"])

    def test_socketpair(self):
        self.check("socketpair", "read", "unix", "read", "read_some", self.TASK)

    def test_eventfd(self):
        self.check("eventfd", "read", "eventfd", "read", "read_some", self.TASK)

    def test_child(self):
        self.check("child", "wait4", "", "wait4", "wait_child", self.TASK)

    def test_sleep(self):
        self.check("sleep", "clock_nanosleep", "", "nanosleep", "sleep_alone", self.TIMER)

    def test_poll(self):
        self.check("poll", "poll", "", "poll", "main", self.TIMER)

    def test_tcp(self):
        self.check("tcp", "read", "socket", "read", "read_some", self.NETWORK)

    def test_udp(self):
        self.check("udp", "read", "socket", "read", "read_some", self.NETWORK)


class Sums(LiveTest):
    """What the intervals of a thread add up to is known twice."""

    def check_threads(self, report):
        blocked_ns = collections.Counter()
        intervals = collections.Counter()
        for interval in report["blocking"]:
            blocked_ns[interval["tid"]] += interval["blocked_ns"]
            intervals[interval["tid"]] += 1
        self.assertEqual(report["coverage"]["blocking_intervals_lost"], 0)
        for thread in report["threads"]:
            self.assertEqual(blocked_ns[thread["tid"]], thread["blocked_ns"], thread)
        return intervals

    def test_messaging(self):
        _, report = record("--blocking-report", "--", "perf", "bench", "sched", "messaging", "-t", "-g", 3, "-l", 100)
        intervals = self.check_threads(report)
        self.assertGreater(len(intervals), 100)
        for thread in report["threads"]:
            self.assertLessEqual(intervals[thread["tid"]], thread["voluntary_switches"], thread)
        self.assertGreater(sum(intervals.values()), 1000)

    def test_running_program(self):
        with Workload(workload("sleepers"), "turns", 20) as program:
            _, report = record("--blocking-report", "-p", program.child, "--duration", 0.3)
        self.check_threads(report)
        found = [i for i in report["blocking"] if i["start_ns"] <= report["recording"]["start_ns"]]
        self.assertTrue(found and all(i["is_lower_bound"] for i in found))
        reads = [i for i in report["blocking"] if i["syscall"]["name"] == "read"]
        # The main thread, all the time.
        self.assertEqual([(i["end_ns"], i["blocked_ns"], i["wakeup"]) for i in reads],
                         [(None, report["recording"]["end_ns"] - report["recording"]["start_ns"], None)])

    def test_whole_system(self):
        _, report = record("--blocking-report", "--duration", 0.3)
        self.check_threads(report)
        states = collections.Counter(i["state"] for i in report["blocking"])
        self.assertTrue(states["I"] and states["S"], states)


class SameStacks(LiveTest):
    """A walk up the stack at the switch finds what a walk at the system call's entry found."""

    THREADS, COUNT = 4, 2500

    def test_ten_thousand_blocks(self):
        with Workload(workload("blocks"), self.THREADS, self.COUNT) as program:
            with (Tracer("-p", program.child, "--folded", "--sort", "calls") as entries,
                  Tracer("-p", program.child, "--blocking-report", "--depth", 127, "--format", "json") as switches):
                program.go()
                calls = {tuple(reversed([f.replace("`", ":") for f in frames])): count
                         for (call, frames), count in parse_folded(entries.finish()).items()
                         if call == "clock_nanosleep"}
                report = switches.finish_json()
        blocks = collections.Counter(tuple(i["stack"]) for i in report["blocking"]
                                     if i["syscall"]["name"] == "clock_nanosleep")
        self.assertEqual(sum(calls.values()), self.THREADS * self.COUNT)
        self.assertGreater(len(calls), 20)
        # A sleep can be over before its thread is switched out.
        self.assertGreater(sum(blocks.values()), self.THREADS * self.COUNT * 0.97)
        for stack, count in blocks.items():
            self.assertLessEqual(count, calls.get(stack, 0), stack)


class Text(LiveTest):
    def test_tables(self):
        run = scaler("--blocking-report", "--", WAITS, "pipe")
        self.assertRegex(run.stderr, r"Blocking report for waiter \[\d+\]: \d+ intervals?, \S+ ms blocked, ")
        self.assertRegex(run.stderr, r"\d\.\d{6} +\d+\.\d+ ms +\S+ \S+ +S +read pipe +libc.so.6:read +"
                                     r"waits:read_some +waker \[\d+\] +task\n")

    def test_asleep_all_the_time(self):
        with Workload(workload("sleepers"), "wait", 3) as program:
            run = scaler("--blocking-report", "-p", program.child, "--duration", 0.1)
        self.assertIn("Blocked all the time: 4 threads\n", run.stdout)

    def test_with_system_calls(self):
        """Both in one recording: what the calls were blocked adds up to the intervals in them."""
        _, report = record("--report", "blocking,syscalls", "--", WAITS, "pipe")
        blocked_ns = collections.Counter()
        for interval in report["blocking"]:
            blocked_ns[interval["syscall"] and interval["syscall"]["name"]] += interval["blocked_ns"]
        for call in report["syscalls"]:
            if call["blocked_ns"] and call["name"] != "execve":
                self.assertEqual(blocked_ns[call["name"]], call["blocked_ns"] + call["partial"]["blocked_ns"])

    def test_wrong_usage(self):
        for words in (["--folded", "--blocking-report"], ["--blocking-report", "--syscalls", "read"]):
            run = subprocess.run([*LIMITED, SCALER, *words], capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
