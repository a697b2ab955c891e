"""Code that is mapped where there was other code: a stack is never that of what was there before."""
import collections
import signal
import sys

from folded_stacks import folded, parse_folded
from harness import LiveTest, Tracer, Workload, record, state, wait_for, waits_in, workload

MOVES = workload("moves")
ROUNDS, COUNT = 100, 5
# By their frames alone: a stack that is cut, or goes by what was there before, is another.
BEGIN = ("moves`_start", "libc.so.6`__libc_start_main", "libc.so.6`__libc_start_call_main", "moves`main")
LEAF = ("moves`leaf", "libc.so.6`getppid")
SMALL, LARGE = ("libmoves_small.so`small_call", *LEAF), ("libmoves_large.so`large_call", *LEAF)


def calls_in_place(stacks):
    """{the last three frames: getppid calls} of stacks that begin as they must; others whole."""
    counts = collections.Counter()
    for (call, frames), count in stacks.items():
        if call == "getppid":
            whole = frames[:4] == BEGIN and frames[-4].startswith("moves`")
            counts[frames[-3:] if whole else frames] += count
    return dict(counts)


class CodeInItsPlace(LiveTest):
    def assert_exact(self, how, rounds=ROUNDS, options=()):
        run, stacks = folded(*options, "--overhead", "none", "--", MOVES, how, rounds, COUNT)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(calls_in_place(stacks), {SMALL: rounds * COUNT, LARGE: rounds * COUNT})

    def test_mapped_over(self):
        self.assert_exact("fixed")

    def test_moved(self):
        self.assert_exact("remap")

    def test_made_executable(self):
        self.assert_exact("protect")

    def test_executable_because_readable(self):
        self.assert_exact("readable")

    def test_mapped_by_another_thread(self):
        self.assert_exact("thread")

    def test_mapped_by_a_process_that_is_not_traced(self):
        self.assert_exact("process", options=["--follow", "none"])

    def test_mapped_by_a_thread_that_is_not_traced(self):
        with Workload(MOVES, "thread", ROUNDS, COUNT) as program:
            with Tracer("-t", program.child, "--follow", "none", "--folded", "--sort", "calls") as tracer:
                program.go()
                counts = calls_in_place(parse_folded(tracer.finish()))
        self.assertEqual(counts, {SMALL: ROUNDS * COUNT, LARGE: ROUNDS * COUNT})

    def test_learned_when_all_is_over(self):
        rounds = ROUNDS // 2  # whose copies the ring buffer has room for
        for how in ("fixed", "thread"):
            with self.subTest(how), Workload(MOVES, how, rounds, COUNT) as program:
                with Tracer("-p", program.child, "--folded", "--sort", "calls") as tracer:
                    tracer.process.send_signal(signal.SIGSTOP)
                    wait_for(lambda: state(tracer.process.pid) == "T")
                    program.go()
                    program.wait()
                    tracer.process.send_signal(signal.SIGCONT)
                    counts = calls_in_place(parse_folded(tracer.finish()))
                self.assertEqual(counts, {SMALL: rounds * COUNT, LARGE: rounds * COUNT})

    def test_fork(self):
        self.assert_exact("fork")

    def test_exec(self):
        run, stacks = folded("--overhead", "none", "--", MOVES, "exec", 100, COUNT)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(calls_in_place(stacks), {SMALL: 50 * COUNT, LARGE: 50 * COUNT})


# Sleeps, loads a library, and sleeps in a function that the library calls.
LATE = """
import ctypes, sys, time
time.sleep(.002)
library = ctypes.CDLL(sys.argv[1])
sleep = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda rest: time.sleep(.002) or 0)
library.outer_call((ctypes.c_void_p * 2)(ctypes.cast(sleep, ctypes.c_void_p), None))
"""


class MappedLater(LiveTest):
    """What is mapped after a process has been looked at is found without following its system calls."""

    def test_blocked_in_it(self):
        run, report = record("--blocking-report", "--depth", 64, "--", sys.executable, "-c", LATE, workload("libchain_outer.so"))
        self.assertEqual(run.returncode, 0, run.stderr)
        sleeps = [i["stack"] for i in waits_in(report["blocking"], "clock_nanosleep")]
        self.assertEqual([any("libchain_outer.so:outer_call" in frame for frame in stack) for stack in sleeps],
                         [False, True])


class CodeInHugePages(LiveTest):
    """Code of files that a program moves to memory of its own, at the same addresses."""

    def test_stacks(self):
        """They are the same before and after."""
        begin = tuple(frame.replace("moves`", "hugetext`") for frame in BEGIN)
        _, stacks = folded("--overhead", "none", "--", workload("hugetext"), COUNT)
        counts = {frames: count for (call, frames), count in stacks.items() if call == "getppid"}
        whole = {(*begin, "hugetext`call", f"libmoves_{name}.so`{name}_call", "hugetext`leaf", "libc.so.6`getppid"): count
                 for name, count in (("small", 3 * COUNT), ("lld", 2 * COUNT))}
        self.assertEqual(counts, whole)

    def test_said(self):
        run, report = record("--depth", 16, "--report", "syscalls", "--", workload("hugetext"), 1)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(report["coverage"]["components_moved"]), ["libc.so.6", "libmoves_lld.so", "libmoves_small.so"])

    def test_of_node(self):
        """The compiler's and the garbage collector's functions have their names."""
        program = "let x = []; for (let i = 0; i < 3e6; i++) x.push({ i }); JSON.stringify(x.slice(0, 1e5))"
        _, report = record("--report", "components", "--report", "functions", "--", "node", "--use-largepages=on", "-e", program)
        self.assertEqual(report["coverage"]["components_moved"], ["node"])
        names = {row["function"]["function"] for row in report["functions"]
                 if row["function"] and row["function"]["component"] == "node"}
        self.assertTrue(any("v8::internal" in (name or "") for name in names), names)
