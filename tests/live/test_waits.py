"""Sums of blocking intervals: compared with the intervals themselves, and with what is known by construction."""
import collections
import json
import math
import os
import re
import subprocess
import time

from harness import LIMITED, LiveTest, SCALER, Workload, record, scaler, waits_in, workload

CONVOY = workload("convoy")
MEMBERS, ROUNDS, HOLD_MS = 8, 5, 5
WAITS = workload("waits")


def text(place):
    return place and f"{place['component']}:{place['function']}"


def server_of(socket):
    """The end of a connection that all to one server have in common: the one with the lower port."""
    ends = [end for end in (socket["local"], socket["remote"]) if end]
    return socket["protocol"], min(ends, key=lambda end: int(end.rpartition(":")[2]), default=None)


def alike(row):
    """What the intervals of one sum have in common, of an interval or of a sum."""
    resource, wakeup = dict(row["resource"] or {}), dict(row["wakeup"] or {})
    for own in ("timeout_ns", "owner", "address", "fd", "eventfd_id", "epoll_fd", "ring_fd", "pid", "count"):
        resource.pop(own, None)
    if resource.get("type") not in ("regular", "directory") or resource["path"]:
        resource.pop("inode", None)
    if resource.get("type") not in ("regular", "directory", "block", "character", "tty") or resource["path"]:
        resource.pop("device", None)
    if resource.get("socket"):
        resource["socket"] = server_of(resource["socket"])
    for own in ("stack", "sent_ns", "request"):
        wakeup.pop(own, None)
    task = wakeup.get("task")
    wakeup["task"] = task and (task.get("is_own_process", task["pid"] == row["pid"]), task["name"])
    if resource == {"kind": "time"}:
        resource = {}
    return json.dumps([row[key] for key in ("name", "syscall", "kernel_function", "function", "innermost",
                                            "caller", "cut")] + [resource, wakeup], sort_keys=True)


class Sums(LiveTest):
    """Every sum is that of the intervals that are alike, each of which is in one."""

    def check(self, *arguments, has_namesakes=False):
        """Files of one name, of which there may be some in the whole system, are several to the tracer."""
        _, report = record("--report", "blocking,waits", *arguments)
        intervals, rows = collections.defaultdict(list), collections.defaultdict(list)
        for interval in report["blocking"]:
            if not interval["is_all_the_time"]:
                # One that goes on may be woken yet, which the sum does not show.
                goes_on = not interval["wakeup"] and not interval["end_ns"]
                intervals[alike(interval), goes_on and not has_namesakes].append(interval)
        for row in report["waits"]:
            rows[alike(row)].append(row)
            self.assertIn((row["max_start_ns"], row["max_tid"], row["max_ns"]),
                          [(i["start_ns"], i["tid"], i["blocked_ns"]) for i in report["blocking"]])
        self.assertEqual(set(rows), {key for key, _ in intervals})
        found, expected = collections.Counter(), collections.Counter()
        for (key, _), same in intervals.items():
            times = sorted(i["blocked_ns"] for i in same)
            of_one = (len({i["pid"] for i in same}), len({i["tid"] for i in same}), times[math.ceil(len(times) * 0.99) - 1],
                      times[-1], any(i["is_lower_bound"] for i in same))
            expected[key, len(same), sum(times), sum(i["delay_ns"] for i in same), *of_one[:0 if has_namesakes else None]] += 1
        for key, same in rows.items():
            if has_namesakes:
                found[key, *(sum(row[name] for row in same) for name in ("waits", "blocked_ns", "delay_ns"))] += 1
            else:
                found.update((key, *(row[name] for name in ("waits", "blocked_ns", "delay_ns", "processes", "threads", "p99_ns",
                                                            "max_ns", "is_lower_bound"))) for row in same)
        self.assertEqual([str(row)[:2000] for row in [*(found - expected), *(expected - found)]][:2], [])
        order = [row["blocked_ns"] for row in report["waits"]]
        self.assertEqual(order, sorted(order, reverse=True))
        return report

    def test_messaging(self):
        report = self.check("--", "perf", "bench", "sched", "messaging", "-t", "-g", "2", "-l", "50")
        self.assertGreater(max(row["waits"] for row in report["waits"]), 1)

    def test_whole_system(self):
        self.check("--duration", 1, has_namesakes=True)

    def test_convoy(self):
        self.check("--", CONVOY, MEMBERS, ROUNDS, HOLD_MS)


class Kinds(LiveTest):
    def test_children(self):
        """Of one name, one after the other."""
        script = "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/sleep 0.05; done"
        for shell in (script, script.replace("done", "true; done")):
            _, report = record("--report", "waits", "--", "sh", "-c", shell)
            row, = [row for row in report["waits"] if (row["syscall"] or {}).get("name") == "wait4"]
            # One may be over before the shell, which others keep from running, waits for it.
            self.assertTrue(8 <= row["waits"] <= 10, row)
            self.assertEqual((row["threads"], row["is_several"]), (1, False))
            self.assertEqual(row["wakeup"]["task"], {"pid": None, "name": "sleep", "is_own_process": False})
            self.assertEqual(row["resource"], {"kind": "child", "pid": None, "timeout_ns": None})
            sleeps, = [row for row in report["waits"] if row["name"] == "sleep" and
                       (row["syscall"] or {}).get("name") == "clock_nanosleep"]
            self.assertEqual([sleeps[key] for key in ("pid", "processes", "threads", "waits")], [None, 10, 10, 10])


class Paths(LiveTest):
    def test_vfork(self):
        """Who called it is in a register while the parent waits."""
        for tree in ("waits", "waits,syscalls"):
            _, report = record("--report", tree, "--", workload("vforks"), 20)
            row, = [row for row in report["waits"] if (row["syscall"] or {}).get("name") == "vfork"]
            self.assertEqual((row["waits"], text(row["function"]), text(row["caller"]), row["cut"]),
                             (20, "libc.so.6:vfork", "vforks:spawn", None))
            self.assertGreater(row["blocked_ns"], 20 * 2.9e6)


class Convoy(LiveTest):
    """Eight threads that want one lock at once, which each holds for 5 ms."""

    def test_row(self):
        _, report = record("--report", "waits", "--", CONVOY, MEMBERS, ROUNDS, HOLD_MS)
        rows = [row for row in report["waits"] if row["resource"] and text(row["resource"].get("variable")) ==
                "convoy:lock"]
        self.assertEqual(len(rows), 1, rows)
        row = rows[0]
        self.assertEqual((row["name"], row["syscall"]["name"], text(row["function"]), text(row["caller"])),
                         ("member", "futex", "libc.so.6:pthread_mutex_lock", "convoy:run_member"))
        self.assertEqual((row["wakeup"]["context"], row["wakeup"]["task"]),
                         ("task", {"pid": row["pid"], "name": "member", "is_own_process": True}))
        # One a round finds the lock free; so does one that comes when the others have gone.
        self.assertLessEqual(row["waits"], (MEMBERS - 1) * ROUNDS)
        self.assertGreater(row["waits"], (MEMBERS - 1) * ROUNDS * 0.8)
        self.assertGreaterEqual(row["threads"], MEMBERS - 1)
        # The last of a round waits for all others.
        self.assertGreater(row["max_ns"], (MEMBERS - 1) * HOLD_MS * 1_000_000 * 0.8)
        self.assertFalse(row["is_lower_bound"])

    def test_table(self):
        run = scaler("--blocking-report", "--", CONVOY, MEMBERS, ROUNDS, HOLD_MS)
        self.assertRegex(run.stderr, r"\nmember +\d+ +[78] +\d\d +\d+\.\d+ ms +\S+ \S+ +\d+\.\d+ ms +\d+\.\d+ ms +"
                                     r"futex +convoy:lock +libc.so.6:pthread_mutex_lock +convoy:run_member +"
                                     r"member +libc.so.6:pthread_mutex_unlock +convoy:run_member +task\n")


def locks(report, *keys):
    """The futexes of a report by the variables that they are."""
    return {text(row["futex"]["variable"]): tuple(row[key] for key in keys) for row in report["locks"]}


class Locks(LiveTest):
    """Who waits for a lock, how many at once, who lets them in."""

    def test_convoy(self):
        _, report = record("--report", "locks,blocking", "--", CONVOY, MEMBERS, ROUNDS, HOLD_MS)
        rows = [row for row in report["locks"] if text(row["futex"]["variable"]) == "convoy:lock"]
        self.assertEqual(len(rows), 1)
        row = rows[0]
        waits = [i for i in report["blocking"] if i["resource"] and text(i["resource"].get("variable")) == "convoy:lock"]
        self.assertEqual((row["waits"], row["blocked_ns"], row["max_ns"], row["threads"], row["threads_all_the_time"]),
                         (len(waits), sum(i["blocked_ns"] for i in waits), max(i["blocked_ns"] for i in waits),
                          len({i["tid"] for i in waits}), 0))
        # All but the one that has it, if they are not late.
        self.assertIn(row["most_waiting"], (MEMBERS - 2, MEMBERS - 1))
        self.assertGreaterEqual(row["convoy_ns"], row["max_ns"])
        self.assertIn(row["convoy_start_ns"], [i["start_ns"] for i in waits])
        self.assertLessEqual(row["convoy_waits"], MEMBERS - 1)
        self.assertEqual((text(row["function"]), text(row["caller"])),
                         ("libc.so.6:pthread_mutex_lock", "convoy:run_member"))
        self.assertEqual(row["released_by"], [{"pid": row["pid"], "name": "member", "waits": len(waits),
                                               "waiting_ns": row["blocked_ns"]}])
        self.assertEqual((row["holder"], row["timeouts"]), (None, 0))

    def test_deadlock(self):
        """Each thread is the holder of what the other wants, whether the tracer sees them begin or not."""
        with Workload(workload("deadlock")) as program:
            _, report = record("--report", "locks", "-p", program.child, "--duration", 0.5)
            run = scaler("--report", "locks", "-p", program.child, "--duration", 0.2)
        found = locks(report, "threads", "threads_all_the_time", "holder")
        self.assertEqual({name: (threads, asleep, holder["name"]) for name, (threads, asleep, holder) in found.items()},
                         {"deadlock:first": (2, 1, "left"), "deadlock:second": (1, 1, "right")})
        timeouts, waits, bound = locks(report, "timeouts", "waits", "is_lower_bound")["deadlock:first"]
        self.assertGreater(timeouts, 5)
        self.assertGreaterEqual(waits, timeouts)
        self.assertTrue(bound)
        self.assertRegex(run.stdout, r"\ndeadlock:first +\d+ +2 +\d+ +>=\S+ ms +>=\S+ ms +1 +\S+ ms +1 +.* left \[\d+\]\n")

    def test_deadlock_from_the_beginning(self):
        _, report = record("--report", "locks", "--duration", 0.5, "--", "sh", "-c",
                           f"sleep 1 | timeout 5 {workload('deadlock')}")
        found = locks({"locks": [row for row in report["locks"] if row["futex"]["variable"]]}, "threads", "holder")
        found.pop("deadlock:both_hold+0x4", None)
        self.assertEqual({name: (threads, holder["name"]) for name, (threads, holder) in found.items()},
                         {"deadlock:first": (2, "left"), "deadlock:second": (1, "right")})


class Filters(LiveTest):
    """What is asked for, and how many that leaves out."""

    def check(self, fits, *arguments):
        _, report = record("--blocking-report", *arguments, "--", CONVOY, MEMBERS, ROUNDS, HOLD_MS)
        self.began_ns = report["recording"]["began_ns"]
        self.assertTrue(report["blocking"])
        for interval in report["blocking"]:
            self.assertTrue(fits(interval), interval)
        self.assertEqual(sum(row["waits"] for row in report["waits"]), len(report["blocking"]))
        self.assertGreater(report["coverage"]["blocking_intervals_left_out"], 0)

    def test_duration(self):
        self.check(lambda i: i["blocked_ns"] >= 5_000_000, "--min-duration", "5ms")

    def test_short_ones_take_no_room(self):
        """They are counted in the kernel, whose ring buffer here has room for some twenty, and whose reader looks every 0.1 s."""
        _, report = record("--blocking-report", "--min-duration", "5ms", "--map-size", "events=4096", "--", workload("states"),
                           "turns:20000", "sleep:5")
        self.assertGreater(report["coverage"]["blocking_intervals_left_out"], 1000)
        self.assertEqual(report["coverage"]["blocking_intervals_lost"], 0)
        self.assertGreaterEqual(len(waits_in(report["blocking"], "clock_nanosleep")), 5)

    def test_task(self):
        self.check(lambda i: i["name"] == "member", "--task", "mem*")

    def test_time(self):
        self.check(lambda i: i["start_ns"] < self.began_ns + 100_000_000 and
                   (i["end_ns"] is None or i["end_ns"] >= self.began_ns + 50_000_000),
                   "--since", "0.05", "--until", "100ms")

    def test_state(self):
        run = subprocess.run([*LIMITED, SCALER, "--blocking-report", "--state", "T", "--", WAITS, "pipe"],
                             capture_output=True, text=True, check=False)
        self.assertIn("\nNo thread was blocked.\n", run.stderr)
        self.assertRegex(run.stderr, r"\nfiltered: \d+ blocking intervals, by --min-duration, ")

    def test_wall_clock(self):
        before = time.time()
        run = scaler("--blocking-report", "--wall-clock", "--", WAITS, "pipe", env=dict(os.environ, TZ="UTC"))
        found = re.search(r"\n(\d\d):(\d\d):(\d\d\.\d{6}) +\d+\.\d+ ms +\S+ \S+ +S +read +fd 3 pipe:", run.stderr)
        since = (int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) - before) % 86400
        self.assertLess(since, time.time() - before)
