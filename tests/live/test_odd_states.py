"""The blocking report on what threads go through beside waiting: stops, other names, numbers and machines, ends."""
import collections
import contextlib
import os
import signal
import subprocess
import tempfile

from compiling import SOURCES, compile_with
from harness import (LIMITED, SCALER, SLOWNESS, LiveTest, Tracer, Workload, needs_compat_calls, parse_report,
                     record, state, wait_channel, wait_for, waits_in)
from known_waits import WAITS, KnownWait, text

PYTHON = ["/usr/bin/python3", "-I", "-B", "-c"]
# Stops as soon as its parent waits for it (wait4 is 61), which traces it and lets it go on.
TRACED = """
import ctypes, os, signal, time
libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if not child:
    open("/proc/self/comm", "w").write("traced")
    libc.ptrace(0, 0, 0, 0)
    while not open(f"/proc/{os.getppid()}/syscall").read().startswith("61 "):
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGUSR1)
    os._exit(0)
os.waitpid(child, 0)
time.sleep(0.05)
libc.ptrace(7, child, 0, 0)
os.waitpid(child, 0)
"""
# Sleeps under one name, takes another in its sleep, and sleeps under that.
RENAMED = """
import os, threading, time
def rename():
    time.sleep(0.05)
    open("/proc/self/comm", "w").write("second")
open("/proc/self/comm", "w").write("first")
time.sleep(0.02)
thread = threading.Thread(target=rename)
thread.start()
time.sleep(0.3)
time.sleep(0.02)
thread.join()
"""
# Children of the same number, one after the other, each of a name of its own.
SAME_NUMBER = """
import os, time
for name in ("first", "second", "third"):
    open("/proc/sys/kernel/ns_last_pid", "w").write("999")
    child = os.fork()
    if not child:
        open("/proc/self/comm", "w").write(name)
        time.sleep(0.01)
        os._exit(0)
    os.waitpid(child, 0)
    print(child)
"""


def switches(tid):
    with open(f"/proc/{tid}/status", encoding="utf-8", errors="replace") as file:
        return [line for line in file if "ctxt_switches" in line]


class OddStates(LiveTest):
    def test_kernel_threads(self):
        """Where those sleep that did nothing all the time."""
        def channels():
            found = {}
            for pid in filter(str.isdigit, os.listdir("/proc")):
                with contextlib.suppress(OSError): # it has ended
                    if not os.path.exists(f"/proc/{pid}/exe") and state(pid) in "SID":
                        found[int(pid)] = wait_channel(pid), switches(pid)
            return found
        before = channels()
        _, report = record("--blocking-report", "--duration", 0.2)
        after = channels()
        places = {i["tid"]: text(i["kernel_function"]) for i in report["blocking"]
                  if i["start_ns"] <= report["recording"]["start_ns"] and not i["end_ns"]}
        tids = [tid for tid in before if before[tid] == after.get(tid) and tid in places]
        self.assertGreater(len(tids), 20)
        self.assertEqual({tid: f"[kernel]:{before[tid][0]}" for tid in tids}, {tid: places[tid] for tid in tids})

    def test_job_control(self):
        """A stop ends a sleep, which then goes on as another call, and is the same."""
        duration_ms = 3000 * SLOWNESS
        with Workload(WAITS, "sleep", duration_ms) as program:
            program.go()
            wait_for(lambda: wait_channel(program.child) == "hrtimer_nanosleep" or
                     wait_channel(program.child) == "do_nanosleep")
            with Tracer("--blocking-report", "-p", program.child, "--format", "json") as tracer:
                os.kill(program.child, signal.SIGSTOP)
                wait_for(lambda: state(program.child) == "T")
                os.kill(program.child, signal.SIGCONT)
                wait_for(lambda: state(program.child) == "S")
                with open(f"/proc/{program.child}/syscall", encoding="ascii") as file:
                    self.assertEqual(file.read().split()[0], "219")
                report = tracer.finish_json()
        intervals = [i for i in report["blocking"] if i["tid"] == program.child]
        self.assertEqual([(i["state"], i["syscall"]["name"], i["resource"]) for i in intervals],
                         [(letter, "clock_nanosleep", {"kind": kind, "timeout_ns": timeout_ns})
                          for letter, kind, timeout_ns in (("S", "time", duration_ms * 1_000_000), ("T", "stopped", None),
                                                           ("S", "time", duration_ms * 1_000_000))])
        stopper = intervals[0]["wakeup"]["task"]
        self.assertEqual((stopper["pid"], intervals[1]["wakeup"]["task"]["pid"]), (os.getpid(), os.getpid()))
        self.assertEqual([i["wakeup"]["signal"] for i in intervals[:2]], ["SIGSTOP", "SIGCONT"])

    def test_traced(self):
        """A stop by a signal that is its tracer's business."""
        _, report = record("--blocking-report", "--", *PYTHON, TRACED)
        interval, = (i for i in report["blocking"] if i["name"] == "traced" and i["state"] == "t")
        self.assertGreater(interval["blocked_ns"], 40_000_000)
        self.assertEqual(interval["resource"]["kind"], "traced")
        wakeup = interval["wakeup"]
        self.assertEqual((wakeup["task"]["name"], wakeup["syscall"]["name"], wakeup["context"]), ("python3", "ptrace", "task"))
        waits = [i for i in report["blocking"] if i["name"] == "python3" and (i["syscall"] or {}).get("name") == "wait4"]
        self.assertTrue(all(wait["end_ns"] for wait in waits), (waits, report["coverage"]))
        stopped, = (wait for wait in waits if wait["end_ns"] < interval["end_ns"])
        self.assertEqual(stopped["wakeup"]["task"]["name"], "traced")
        self.assertLess(stopped["woken_ns"], interval["start_ns"])

    def test_renamed(self):
        """The name is that at the sleep's beginning."""
        _, report = record("--blocking-report", "--", *PYTHON, RENAMED)
        sleeps = [i["name"] for i in waits_in(report["blocking"], "clock_nanosleep") if i["tid"] == i["pid"]]
        self.assertEqual(sleeps, ["first", "first", "second"])

    def test_same_number(self):
        """Threads are told apart that have the same number one after the other."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            run = subprocess.run([*LIMITED, "unshare", "--pid", "--fork", "--mount-proc", SCALER, "--no-probes",
                                  "--blocking-report", "--format", "json", "-o", file.name, "--", *PYTHON, SAME_NUMBER],
                                 capture_output=True, text=True, check=False)
            report = parse_report(file.read())
        self.assertEqual(run.stdout.split(), ["1000"] * 3, run.stderr)
        sleeps = [i["name"] for i in waits_in(report["blocking"], "clock_nanosleep") if i["tid"] == 1000]
        self.assertEqual(sleeps, ["first", "second", "third"])
        threads = collections.Counter(row["name"] for row in report["threads"] if row["tid"] == 1000)
        self.assertEqual(threads, {"first": 1, "second": 1, "third": 1})

    @needs_compat_calls
    def test_other_machine(self):
        """The call of that number is another one here."""
        program = compile_with(self, "gcc", "-m32", "-O1", "-static", "-nostdlib", "-ffreestanding", "-fno-pie", "-no-pie",
                               "-fno-stack-protector", "-I/usr/include/x86_64-linux-gnu", SOURCES / "compat.c", "-o", "{}")
        _, report = record("--blocking-report", "--", program)
        interval, = (i for i in report["blocking"] if i["name"] == "compiled" and i["syscall"])
        self.assertEqual((interval["syscall"]["name"], interval["state"], interval["resource"], interval["wakeup"]["is_timer"]),
                         ("i386:nanosleep", "S", None, True))
        self.assertGreater(interval["blocked_ns"], 19_000_000)


class Ends(KnownWait):
    """A thread ends that another waits for."""

    def test_dead_holder(self):
        """The kernel gives up the lock in its place."""
        self.check("dead", "futex", "", "__pthread_mutex_lock_full", "main", self.TASK)
        self.check_futex(None, is_shared=True)
