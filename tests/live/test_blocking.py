"""The blocking report: intervals whose beginning, end, call, function and waker are known by construction."""
import collections
import os
import signal
import subprocess

from folded_stacks import parse_folded
from harness import LIMITED, LiveTest, SCALER, SLOWNESS, Tracer, Workload, record, scaler, state, wait_channel, wait_for, waits_in, workload
from known_waits import PAUSE_NS, WAITS, WAKERS, KnownWait, by, learned, run_waits, text

class KnownWaits(KnownWait):
    """One way of waiting a test."""

    def test_mutex(self):
        self.check_lock("mutex", "waits:lock")

    def test_mutex_in_structure(self):
        self.check_lock("pool", "waits:pool+0x18")

    def test_mutex_on_heap(self):
        self.check_lock("heap", None)

    def test_robust_mutex(self):
        # glibc has the kernel treat all robust ones so.
        self.check_lock("robust", None, "__pthread_mutex_lock_full", is_shared=True)

    def test_priority_inheritance(self):
        self.check_lock("pi", None, "__pthread_mutex_lock_full")

    def test_condition(self):
        self.check("condition", "futex", "", "pthread_cond_wait", "wait_condition", self.TASK)
        self.assertRegex(text(self.resource["variable"]), r"^waits:condition(\+0x[0-9a-f]+)?$")
        self.assertEqual((self.resource["owner"], self.resource["timeout_ns"]), (None, None))

    def test_timed_condition(self):
        self.check("timed", "futex", "", "pthread_cond_timedwait", "wait_timed", self.TIMER)
        self.check_times_out("futex")

    def test_join(self):
        self.check("join", "futex", "", "__pthread_clockjoin_ex", "main", self.TASK)
        self.check_futex(None, is_shared=True)

    def test_pipe(self):
        self.check("pipe", "read", "pipe", "read", "read_some", self.TASK)
        self.assertEqual(self.interval["stack"], ["libc.so.6:read", "waits:read_some"])
        self.assertIsNone(self.check_file("pipe"))

    def test_socketpair(self):
        self.check("socketpair", "read", "unix", "read", "read_some", self.TASK)
        self.assertEqual(self.check_file("unix"), {"protocol": "unix", "local": None, "remote": None,
                                                   "peer_inode": int(self.facts["peer"])})

    def test_eventfd(self):
        self.check("eventfd", "read", "eventfd", "read", "read_some", self.TASK)
        self.check_file("eventfd")

    def test_select(self):
        self.check("select", "pselect6", "", "select", "wait_select", self.TASK)
        self.check_file("pipe")

    def test_poll_one(self):
        self.check("poll-one", "poll", "", "poll", "wait_poll_one", self.TASK)
        self.check_file("pipe")
        self.assertEqual(self.resource["timeout_ns"], 5_000_000_000)

    def test_poll_two(self):
        """Of several descriptors it is known which became ready."""
        self.check("poll-two", "poll", "", "poll", "wait_poll_two", self.TASK)
        self.check_file("pipe")
        self.assertEqual(self.resource["timeout_ns"], 5_000_000_000)

    def test_poll_timed(self):
        self.check("poll-timed", "poll", "", "poll", "wait_poll_timed", self.TIMER)
        self.assertEqual(self.resource, {"kind": "files", "count": 2, "timeout_ns": PAUSE_NS})

    def test_select_two(self):
        self.check("select-two", "pselect6", "", "select", "wait_select", self.TASK)
        self.check_file("pipe")

    def test_epoll(self):
        self.check("epoll", "epoll_wait", "", "epoll_wait", "wait_set", self.TASK)
        self.check_file("pipe", epoll_fd=int(self.facts["set"]))

    def test_semaphore(self):
        self.check("semaphore", "semtimedop", "", "semop", "wait_semaphore", self.TASK)
        self.assertEqual(self.resource, {"kind": "sysv", "id": int(self.facts["id"]), "timeout_ns": None})

    def test_page_fault(self):
        """Outside of system calls there is the kernel's function."""
        self.check("fault", None, "", "waits:touch_page", None, self.TASK)
        self.assertEqual((text(self.interval["kernel_function"]), self.resource),
                         ("[kernel]:handle_userfault", None))
        self.assertEqual(self.interval["stack"][0], "waits:touch_page")

    def test_child(self):
        self.check("child", "wait4", "", "waitpid", "wait_child", self.TASK)
        self.assertEqual(self.resource, {"kind": "child", "pid": None, "timeout_ns": None})

    def test_child_by_number(self):
        self.check("waitpid", "wait4", "", "waitpid", "wait_pid", self.TASK)
        self.assertEqual(self.resource["pid"], int(self.facts["child"]))
        self.assertEqual(self.interval["wakeup"]["task"]["pid"], int(self.facts["child"]))

    def test_vfork(self):
        self.check("vfork", "vfork", "", "vfork", "wait_vfork", self.TASK, state="D")
        self.assertIsNone(self.interval["cut"])
        self.assertEqual(self.resource, {"kind": "child", "pid": None, "timeout_ns": None})

    def test_sleep(self):
        self.check("sleep", "clock_nanosleep", "", "nanosleep", "sleep_alone", self.TIMER)
        self.assertEqual(self.resource, {"kind": "time", "timeout_ns": PAUSE_NS})

    def test_poll(self):
        self.check("poll", "poll", "", "poll", "main", self.TIMER)
        self.assertEqual(self.resource, {"kind": "time", "timeout_ns": PAUSE_NS})

    def test_tcp(self):
        self.check("tcp", "read", "socket", "read", "read_some", self.NETWORK)
        self.assertEqual(self.check_file("socket"), {"protocol": "tcp", "local": self.facts["local"],
                                                     "remote": self.facts["remote"], "peer_inode": None})

    def test_udp(self):
        self.check("udp", "read", "socket", "read", "read_some", self.NETWORK)
        self.assertEqual(self.check_file("socket"), {"protocol": "udp", "local": self.facts["local"],
                                                     "remote": None, "peer_inode": None})


class Signals(LiveTest):
    """Waits that a signal ends: which, and who or what has sent it."""

    def check(self, way, sent, wakeup, waker):
        interval, _, _, _ = run_waits(way, workload("signalled"))
        found = interval["wakeup"]
        self.assertEqual((found["signal"], found["context"], found["is_timer"], by(found, "signalled")),
                         (sent, *wakeup, waker))
        self.assertGreater(interval["blocked_ns"], PAUSE_NS * 0.1)

    TASK = ("task", False)
    FROM_THREAD = ("tgkill", "__pthread_kill_implementation", "run_waker")

    def test_to_thread(self):
        self.check("thread", "SIGUSR1", self.TASK, self.FROM_THREAD)

    def test_waited_for(self):
        self.check("wait", "SIGUSR2", self.TASK, self.FROM_THREAD)

    def test_to_process(self):
        self.check("process", f"SIG{signal.SIGRTMIN + 3}", self.TASK, ("kill", "kill", "run_waker"))

    def test_of_timer(self):
        self.check("alarm", "SIGALRM", ("hardirq", True), None)

    def test_to_another(self):
        """One that another thread of the process has handled ends nothing here."""
        self.check("other", None, self.TASK, ("write", "write", "signal_self"))


class Wakers(LiveTest):
    def test_of_other_process(self):
        """They are named though they are not traced themselves."""
        with Workload(WAITS, "waitpid", 4000 * SLOWNESS) as program:
            program.go()
            wait_for(lambda: wait_channel(program.child) == "do_wait")
            with Tracer("--blocking-report", "-p", program.child, "--format", "json") as tracer:
                program.wait()
                report = tracer.finish_json()
        [interval] = [i for i in report["blocking"] if i["tid"] == program.child]
        self.assertEqual(by(interval["wakeup"]), WAKERS["waitpid"])
        self.assertEqual(interval["wakeup"]["task"]["name"], "waker")
        self.assertEqual(interval["wakeup"]["task"]["pid"], interval["resource"]["pid"])

    def test_broadcast(self):
        """Of a condition variable: all that waited have one waker, at one place."""
        COUNT = 8
        _, report = record("--blocking-report", "--", *learned(workload("broadcast"), COUNT))
        last = max(i["pid"] for i in report["blocking"] if i["name"] == "waiter")
        waits = [i for i in report["blocking"] if i["name"] == "waiter" and i["pid"] == last and
                 text(i["function"]) == "libc.so.6:pthread_cond_wait"]
        self.assertEqual(len({i["tid"] for i in waits}), COUNT,
                         [(i["name"], i["cut"], i["stack"]) for i in report["blocking"][:3]])
        self.assertEqual({by(i["wakeup"], "broadcast") for i in waits},
                         {("futex", "pthread_cond_broadcast", "main")})
        self.assertEqual({i["wakeup"]["task"]["name"] for i in waits}, {"waker"})
        self.assertEqual({i["resource"]["variable"]["function"].split("+")[0] for i in waits}, {"condition"})
        [summed] = [s for s in report["waits"]
                    if s["pid"] == last and text(s["function"]) == "libc.so.6:pthread_cond_wait"]
        self.assertEqual((summed["threads"], summed["waits"], by(summed["wakeup"], "broadcast")),
                         (COUNT, COUNT, ("futex", "pthread_cond_broadcast", "main")))

    def test_in_vain(self):
        """Threads that wake to find that another was faster sleep again, in the same system call."""
        COUNT = 3
        _, report = record("--report", "blocking,syscalls", "--", *learned(workload("herd"), COUNT))
        last = max(i["pid"] for i in report["blocking"] if i["name"] == "waiter")
        reads = [i for i in waits_in(report["blocking"], "read") if i["pid"] == last and i["name"] == "waiter"]
        self.assertEqual(sorted(collections.Counter(i["tid"] for i in reads).values()), [1, 2, 3], reads)
        self.assertEqual({(text(i["function"]), i["resource"]["type"], i["wakeup"]["task"]["name"],
                           by(i["wakeup"], "herd")) for i in reads},
                         {("libc.so.6:read", "eventfd", "waker", ("write", "write", "main"))})
        self.assertEqual(len({i["woken_ns"] for i in reads}), len(reads))
        [call] = [c for c in report["syscalls"] if c["descriptor"] == "eventfd" and c["name"] == "read"]
        self.assertEqual(call["blocked_ns"], sum(i["blocked_ns"] for i in report["blocking"]
                                                 if i["resource"] and i["resource"].get("type") == "eventfd"))


class FoundAsleep(LiveTest):
    """What is known of a thread that was blocked before the recording began."""

    def found(self, way, *options):
        with Workload(WAITS, way, 3000) as program:
            program.go()
            wait_for(lambda: state(program.child) == "S" and not wait_channel(program.child).startswith("pipe") or
                     way == "pipe")
            _, report = record("--blocking-report", "-p", program.child, "--duration", 0.2, *options)
        [interval] = [i for i in report["blocking"] if i["tid"] == program.child]
        self.assertEqual((interval["end_ns"], interval["is_lower_bound"]), (None, True))
        return interval

    def test_mutex(self):
        interval = self.found("mutex")
        self.assertEqual((text(interval["function"]), text(interval["caller"])),
                         ("libc.so.6:pthread_mutex_lock", "waits:main"))
        resource = interval["resource"]
        self.assertEqual((text(resource["variable"]), resource["owner"]["name"]), ("waits:lock", "waker"))

    def test_sleep(self):
        interval = self.found("sleep")
        self.assertEqual(interval["stack"], ["libc.so.6:clock_nanosleep", "libc.so.6:nanosleep", "waits:sleep_alone"])
        self.assertEqual(interval["resource"], {"kind": "time", "timeout_ns": 3_000_000_000})

    def test_without_stacks(self):
        interval = self.found("pipe", "--depth", 0)
        self.assertEqual((text(interval["innermost"]), interval["resource"]["type"]), ("libc.so.6:read", "pipe"))


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
            self.assertEqual(blocked_ns[thread["tid"]], thread["blocked_ns"],
                             (thread, report["recording"], [i for i in report["blocking"] if i["tid"] == thread["tid"]]))
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
        reads = waits_in(report["blocking"], "read")
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
            with (Tracer("-p", program.child, "--overhead", "none", "--folded", "--sort", "calls") as entries,
                  Tracer("-p", program.child, "--blocking-report", "--depth", 127, "--format", "json") as switches):
                program.go()
                calls = {tuple(reversed([f.replace("`", ":") for f in frames])): count
                         for (call, frames), count in parse_folded(entries.finish()).items()
                         if call == "clock_nanosleep"}
                report = switches.finish_json()
        blocks = collections.Counter(tuple(i["stack"]) for i in waits_in(report["blocking"], "clock_nanosleep"))
        self.assertEqual(sum(calls.values()), self.THREADS * self.COUNT)
        self.assertGreater(len(calls), 20)
        # A sleep can be over before its thread is switched out.
        self.assertGreater(sum(blocks.values()), self.THREADS * self.COUNT * 0.97)
        for stack, count in blocks.items():
            self.assertLessEqual(count, calls.get(stack, 0), stack)


class SlowReader(LiveTest):
    """A tracer that does not get to read what the kernel sends."""

    def test_copies_leave_room_for_intervals(self):
        # By way of libraries that the tracer has not seen before.
        program = ("import sys\nsys.stdin.read(1)\nimport ctypes\nusleep = ctypes.CDLL(None).usleep\n"
                   "for _ in range(3000): usleep(100)\n")
        with (Workload("/usr/bin/python3", "-I", "-S", "-c", program) as sleeper,
              Tracer("--blocking-report", "--format", "json", "--map-size", f"events={1 << 23}",
                     "-p", sleeper.child) as tracer):
            os.kill(tracer.process.pid, signal.SIGSTOP)
            wait_for(lambda: state(tracer.process.pid) == "T")
            sleeper.go()
            sleeper.wait()
            os.kill(tracer.process.pid, signal.SIGCONT)
            report = tracer.finish_json()
        # Stacks were copied as long as they could be.
        self.assertGreater(report["coverage"]["stack_events_lost"], 0)
        self.assertEqual(report["coverage"]["blocking_intervals_lost"], 0)
        # A sleep can be over before its thread is switched out.
        self.assertGreaterEqual(len(report["blocking"]), 3000 * 0.97)


class Text(LiveTest):
    def test_tables(self):
        run = scaler("--blocking-report", "--", WAITS, "pipe")
        self.assertRegex(run.stderr, r"Blocking report for waiter \[\d+\]: \d+ intervals?, \S+ ms blocked, ")
        self.assertRegex(run.stderr, r"\d\.\d{6} +\d+\.\d+ ms +\S+ \S+ +S +read +fd 3 pipe:\[\d+\] +libc.so.6:read +"
                                     r"waits:read_some +waker \[\d+\] +libc.so.6:write +waits:write_some +task\n")

    def test_asleep_all_the_time(self):
        with Workload(workload("sleepers"), "wait", 3) as program:
            run = scaler("--blocking-report", "-p", program.child, "--duration", 0.1)
        self.assertIn("Blocked all the time: 4 threads\n", run.stdout)
        self.assertRegex(run.stdout, r" S +clock_nanosleep +3600 s +libc.so.6:nanosleep +sleepers:nap\n")

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
