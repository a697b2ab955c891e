"""A wait of a kind that the workload "waits" knows, as the blocking report has it."""
import os
import subprocess

from harness import SLOWNESS, LiveTest, record, workload

WAITS = workload("waits")
PAUSE_NS = 50_000_000


def text(place):
    return place and f"{place['component']}:{place['function']}"


# How the waker of each wait woke: its system call, library function, and the function that called this.
WAKERS = {
    **dict.fromkeys(("mutex", "pool", "heap"), ("futex", "__pthread_mutex_unlock_usercnt", "run_waker")),
    **dict.fromkeys(("robust", "pi"), ("futex", "__pthread_mutex_unlock_full", "run_waker")),
    **dict.fromkeys(("pipe", "socketpair", "eventfd", "select", "select-two", "poll-one", "poll-two", "epoll", "tcp",
                     "udp", "ring", "ring-registered", "ring-tcp", "terminal"),
                    ("write", "write", "write_some")),
    # The memory of a process is gone before its parent is woken, but not that of one that is not its own.
    **dict.fromkeys(("child", "waitpid"), ("exit_group", None, None)),
    "vfork": ("exit_group", "_exit", "wait_vfork"),
    "dead": ("exit", "start_thread", None),
    "join": ("exit", "start_thread", None),
    "condition": ("futex", "pthread_cond_signal", "run_waker"),
    "semaphore": ("semtimedop", "semop", "post_semaphore"),
    "fault": ("ioctl", "ioctl", "provide_page"),
    "queue": ("mq_timedsend", "mq_timedsend", "run_waker"),
    "signalfd": ("kill", "kill", "run_waker"),
    "inotify": ("rmdir", "rmdir", "run_waker"),
}


def by(wakeup, program="waits"):
    """As in WAKERS; None: it was not a task that woke."""
    if not wakeup["task"]:
        return None
    function, caller = text(wakeup["function"]), text(wakeup["caller"])
    return (wakeup["syscall"]["name"], function and function.removeprefix("libc.so.6:"),
            caller and caller.removeprefix(f"{program}:"))


def needs_disk(test, folder="/tmp"):
    """Skips the test where fsync() of a file there waits for none."""
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if kind == "tmpfs":
        test.skipTest(f"{folder} is in memory, where nothing waits for a disk")
    if not os.access(folder, os.W_OK):
        test.skipTest(f"{folder} is read-only")


def learned(*command):
    """Where learning how to walk the stacks of a file takes longer than a wait, it is learned from one before."""
    words = " ".join(map(str, command))
    return command if SLOWNESS == 1 else ("sh", "-c", f"{words}; sleep 2; {words}")


def record_waits(way, program=WAITS):
    """Records a known wait; returns the intervals that it consists of, when it was, and what it was on."""
    run, report = record("--blocking-report", "--", *learned(program, way))
    began_ns, ended_ns, *facts = run.stdout.splitlines()[-1].split()
    began_ns, ended_ns = int(began_ns), int(ended_ns)
    intervals = [i for i in report["blocking"] if i["name"] == "waiter" and began_ns <= i["start_ns"] < ended_ns]
    return intervals, began_ns, ended_ns, dict(fact.split("=") for fact in facts)


def run_waits(way, program=WAITS):
    """The same of a wait that consists of one interval."""
    intervals, *others = record_waits(way, program)
    if len(intervals) != 1:
        raise AssertionError(f"{len(intervals)} intervals: {intervals}")
    return intervals[0], *others


class KnownWait(LiveTest):
    """Base of tests with one way of waiting each: what was called, by which function, on what, and what ended it."""

    def check(self, way, syscall, descriptor, function, caller, wakeup, state="S"):
        interval, began_ns, ended_ns, self.facts = run_waits(way)
        self.interval, self.resource = interval, interval["resource"]
        self.assertEqual(interval["syscall"], syscall and {"name": syscall, "descriptor": descriptor})
        self.assertEqual((text(interval["function"]), text(interval["caller"])),
                         (function and (function if ":" in function else f"libc.so.6:{function}"),
                          caller and f"waits:{caller}"))
        self.assertEqual((interval["state"], interval["is_lower_bound"]), (state, False))
        # The program's own clock is read before and after.
        self.assertTrue(began_ns < interval["start_ns"] < interval["woken_ns"] < interval["end_ns"] < ended_ns)
        self.assertEqual(interval["blocked_ns"], interval["woken_ns"] - interval["start_ns"])
        self.assertEqual(interval["delay_ns"], interval["end_ns"] - interval["woken_ns"])
        # The waker's pause begins before the wait can, which other programs may delay.
        self.assertGreater(interval["blocked_ns"], PAUSE_NS * 0.1)
        found = interval["wakeup"]
        self.assertEqual((found["context"], found["interrupt"], found["is_timer"],
                          found["task"] and found["task"]["name"]), wakeup)
        self.assertEqual((by(found), found["signal"], found["request"]), (WAKERS.get(way), None, None))

    def check_lock(self, way, variable, function="pthread_mutex_lock", is_shared=False):
        self.check(way, "futex", "", function, "main", self.TASK)
        self.check_futex(variable, is_shared)
        self.assertEqual(self.resource["address"], int(self.facts["address"]))

    def check_futex(self, variable, is_shared=False):
        """Whoever is waited for wakes, too."""
        resource = self.resource
        self.assertEqual((resource["kind"], text(resource["variable"]), resource["is_shared"]),
                         ("futex", variable, is_shared))
        self.assertEqual(resource["owner"], self.interval["wakeup"]["task"])

    def check_file(self, kind, epoll_fd=None):
        """The descriptor as the program itself sees it."""
        resource = self.resource
        self.assertEqual((resource["kind"], resource["type"], resource["fd"], resource["epoll_fd"]),
                         ("file", kind, int(self.facts["fd"]), epoll_fd))
        if kind != "eventfd":
            self.assertEqual(resource["inode"], int(self.facts["inode"]))
        return resource["socket"]

    def check_times_out(self, kind):
        self.assertEqual(self.resource["kind"], kind)
        self.assertLessEqual(self.resource["timeout_ns"], PAUSE_NS)
        self.assertGreater(self.resource["timeout_ns"], PAUSE_NS * 0.5)
        # The timer's slack, and what the clock reads later.
        self.assertGreater(self.interval["blocked_ns"], self.resource["timeout_ns"] - 100_000)

    TASK = ("task", None, False, "waker")
    TIMER = ("hardirq", None, True, None)
    NETWORK = ("softirq", "NET_RX", False, "waker")
