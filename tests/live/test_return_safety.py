"""Probes on returns in programs that they might end: these end as they do untraced, and their calls are counted."""
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest.mock

from harness import (BUILD, LIMITED, LIMIT_S, ProbingTest, Tracer, Workload, parse_report, record, scaler_words,
                     workload)
from test_library_calls import rows

UNWINDS = "a process that shares its probes may unwind stacks through it, which one on its return would break"
COUNT = 20
LIBC = ("--calls", "exports", "--lib", "libc")

# Maps libraries, without calling anything in them, until it is told to go on.
HOLD = "import ctypes, sys; held = [ctypes.CDLL(name) for name in sys.argv[1:]]; print('ready', flush=True); sys.stdin.read(1)"


MOVES = "a process that shares its probes moves its stacks, or has code mapped that cannot be read"
OTHERS = "another tracer probes it too, in a program that a probe on its return may break"
HARMED = "another tracer probes it too, perhaps its return, which reaches into this program and may break it"


def reasons(report):
    return {row["symbol"]: row["reason"] for row in report["coverage"]["functions_not_timed"]}


def at_exits(report):
    return {row["symbol"]: row["reason"] for row in report["coverage"]["functions_timed_at_exits"]}


class LoadedLater(ProbingTest):
    """A C program that maps a C++ library, and all that it takes, while it is traced."""

    def assert_sorts(self, report):
        """Timed as long as nothing could unwind, also the one that was open then; then counted only, then at exits."""
        found = {caller["component"]: (caller["calls"], caller["untimed"], caller["partial"])
                 for caller in rows(report)["qsort", None]["callers"]}
        self.assertEqual(found.keys(), {"loads", "libthrows.so"})
        calls, untimed, partial = found["loads"]
        self.assertEqual((calls, partial), (2 * COUNT + 1, 0))
        self.assertLessEqual(untimed, COUNT)
        # None of those that throw returns.
        calls, untimed, partial = found["libthrows.so"]
        self.assertEqual((calls, untimed + partial), (2 * COUNT, 2 * COUNT))
        self.assertEqual(reasons(report).keys(), {"qsort"})
        # If probes at exits came before the program's end, these did.
        self.assertLessEqual(at_exits(report).items(), {"qsort": UNWINDS}.items())

    def record_command(self, *options):
        run, report = record(*options, "--func", "qsort", "--", workload("loads"), COUNT)
        self.assertEqual((run.returncode, run.stdout), (0, f"{2 * COUNT} caught\n"))
        self.assert_sorts(report)

    def test_command(self):
        self.record_command()

    def test_without_system_calls(self):
        self.record_command("--no-syscalls")

    def test_attached(self):
        with Workload(workload("loads"), COUNT, "wait") as program, \
                Tracer("--format", "json", "--func", "qsort", "-p", program.child) as tracer:
            program.go()
            out = program.communicate()[0]
            report = tracer.finish_json()
        self.assertEqual((program.returncode, out), (0, f"ready\n{2 * COUNT} caught\n"))
        self.assert_sorts(report)


class Beside(ProbingTest):
    """A program in C++ beside one in C; the kernel lets no probe on a return tell them apart."""

    CHOICE = ("--lib", "libc.so.6", "--calls", "exports", "--func", "qsort,read,calloc")

    def assert_counts(self, report):
        """All in the program in C++; in it, what can be unwound is timed at its exits, and never gets there."""
        for name, partial in (("qsort", COUNT), ("read", COUNT), ("calloc", 0)):
            row = rows(report)[name, None]
            found = [(caller["calls"], caller["untimed"], caller["partial"]) for caller in row["callers"]
                     if caller["component"] == "unwinds"]
            self.assertEqual(found, [(COUNT, 0, partial)], name)
        self.assertEqual({"qsort": UNWINDS, "read": UNWINDS}, at_exits(report))

    def test_two_processes(self):
        with Workload("sleep", LIMIT_S) as other, Workload(workload("unwinds"), COUNT, "wait") as program, \
                Tracer("--format", "json", *self.CHOICE, "-p", f"{other.child},{program.child}") as tracer:
            program.go()
            out = program.communicate()[0]
            tracer.process.send_signal(signal.SIGINT)
            report = tracer.finish_json()
        self.assertEqual((program.returncode, out), (0, f"{2 * COUNT} destroyed\n"))
        self.assert_counts(report)

    def test_executed(self):
        """It has probes on itself only for some time before it is done, but its parent's all the time."""
        times = 10 * COUNT
        run, report = record(*self.CHOICE, "--", "sh", "-c", f"{workload('unwinds')} {times}; read line; true")
        self.assertEqual((run.returncode, run.stdout), (0, f"{2 * times} destroyed\n"))
        self.assertEqual({"qsort": UNWINDS, "read": UNWINDS}, at_exits(report))

    def test_children_not_followed(self):
        report = record("--follow", "none", *self.CHOICE, "--", "sh", "-c", "read line; true")[1]
        self.assertEqual((reasons(report), at_exits(report)), ({}, {"qsort": UNWINDS, "read": UNWINDS}))


class Proven(ProbingTest):
    """Functions of C, in a program that has C++ mapped: one that calls nothing, one that calls through pointers."""

    PROGRAM = ("import ctypes, sys; held = ctypes.CDLL('libstdc++.so.6'), ctypes.CDLL('libexpat.so.1'); "
               "print('ready', flush=True); sys.stdin.read(1); "
               f"[(held[1].XML_ExpatVersion(), held[1].XML_ParserCreate(None)) for i in range({COUNT})]")

    def run_program(self, cache):
        with unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}), Workload("/usr/bin/python3", "-c", self.PROGRAM) as program:
            self.assertEqual(program.stdout.readline(), "ready\n")
            with Tracer("--format", "json", "--calls", "exports", "--lib", "libexpat", "-p", program.child) as tracer:
                program.go()
                program.communicate()
                report = tracer.finish_json()
        self.assertEqual(program.returncode, 0)
        for name in ("XML_ExpatVersion", "XML_ParserCreate"):
            row = rows(report)[name, None]
            self.assertEqual((row["calls"], row["untimed"], row["partial"]), (COUNT, 0, 0), name)
        self.assertNotIn("XML_ExpatVersion", at_exits(report))
        self.assertEqual(at_exits(report)["XML_ParserCreate"], UNWINDS)

    def test_what_is_kept_is_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_program(folder)
            kept = {entry.path: entry.stat().st_mtime_ns for entry in os.scandir(os.path.join(folder, "scaler-bpf"))}
            self.assertEqual({os.path.basename(path).split("-")[0] for path in kept}, {"returns", "exits"})
            self.run_program(folder)
            self.assertEqual(kept, {path: os.stat(path).st_mtime_ns for path in kept})
            # What others may write to is not believed, and made anew.
            for path in kept:
                with open(path, "r+b") as file:
                    file.seek(-16, os.SEEK_END)
                    file.write(bytes(16))
                os.chmod(path, 0o666)
            self.run_program(folder)
            self.assertFalse(set(kept.values()) & {os.stat(path).st_mtime_ns for path in kept})

    def test_nowhere_to_keep_it(self):
        self.run_program("/proc/none")


class Go(ProbingTest):
    """Programs of Go move their stacks, and read the frames on them as they do."""

    def test_program(self):
        run, report = record("--func", "usleep", "--", workload("go_noted"), COUNT)
        self.assertEqual(run.returncode, 0)
        row = rows(report)["usleep", None]
        self.assertEqual((row["calls"], row["untimed"], row["partial"]), (COUNT, 0, 0))
        self.assertEqual(at_exits(report), {"usleep": MOVES})

    def test_real_program(self):
        """With probes on all of libc, as which it calls hundreds of times."""
        command = [BUILD / "packages/fzf/usr/bin/fzf", "--filter", "19"]
        lines = "".join(f"line {i}\n" for i in range(2000))
        untraced = subprocess.run([*LIMITED, *command], input=lines, stdout=subprocess.PIPE, text=True, check=True)
        with tempfile.NamedTemporaryFile("r") as file:
            run = subprocess.run([*LIMITED, *scaler_words(["--format", "json", "-o", file.name, *LIBC, "--", *command])],
                                 input=lines, stdout=subprocess.PIPE, text=True)
            report = parse_report(file.read())
        self.assertEqual((run.returncode, run.stdout), (0, untraced.stdout))
        self.assertIn("line 1919", untraced.stdout)
        self.assertEqual(at_exits(report)["malloc"], MOVES)
        self.assertGreater(rows(report)["pthread_create", None]["calls"], 0)


class Harmed(ProbingTest):
    """With probes on all that libc exports, which on returns would end these programs, or have them see other callers."""

    def record_program(self, *command, status=0):
        """The rows of a program that ends and prints as it does untraced."""
        command = [*map(str, command)]
        untraced = subprocess.run([*LIMITED, *command], stdout=subprocess.PIPE, text=True)
        run, report = record("--overhead", "none", *LIBC, "--", *command)
        self.assertEqual((untraced.returncode, run.returncode), (status, status))
        self.assertEqual(untraced.stdout, run.stdout)
        self.assertTrue(run.stdout)
        return rows(report), report

    def test_function_called_once_that_throws(self):
        """The unwinder calls pthread_once(), too."""
        callers = self.record_program(workload("onces"), COUNT)[0]["pthread_once", None]["callers"]
        calls = [(row["calls"], row["untimed"], row["partial"]) for row in callers if row["component"] == "onces"]
        self.assertEqual(calls, [(2 * COUNT, 0, COUNT)])

    def test_callers_that_are_asked_for(self):
        found, report = self.record_program(workload("depths"), COUNT)
        self.assertEqual((found["qsort", None]["calls"], found["backtrace", None]["calls"]), (COUNT, COUNT))
        self.assertEqual(at_exits(report)["qsort"], UNWINDS)

    def test_functions_that_return_twice(self):
        found, report = self.record_program(workload("returns"), "longjmp")
        row = found["_setjmp", None]
        self.assertEqual((row["calls"], row["untimed"]), (5, 5))
        self.assertIn("may return twice", reasons(report)["_setjmp"])

    def test_shell(self):
        found = self.record_program("bash", "-c", "for i in 1 2 3; do (echo $i; false); done; exit 3", status=3)[0]
        self.assertGreater(found["__sigsetjmp", None]["calls"], 0)


class Confined(ProbingTest):
    """
    A process that the kernel ends for almost any system call, and a probed return is one since Linux 6.11; Linux 6.11 to
    6.13 do not except it (kernel commit cf6cb56ef244).
    """

    CHOICE = (*LIBC, "--func", "strtoul,write")

    def assert_unharmed(self, status, out, report):
        self.assertEqual((status, out), (0, "." * COUNT))
        found = rows(report)
        self.assertEqual({name: (found[name, None]["calls"], found[name, None]["untimed"]) for name in ("strtoul", "write")},
                         {"strtoul": (COUNT, 0), "write": (COUNT, 0)})

    def check(self, how):
        run, report = record(*self.CHOICE, "--", workload("confined"), how, COUNT)
        self.assert_unharmed(run.returncode, run.stdout, report)
        # Also if it cannot be known when it is decided what is probed.
        with Workload(workload("confined"), how, COUNT) as program, \
                Tracer("--format", "json", *self.CHOICE, "-p", program.child) as tracer:
            program.go()
            out = program.communicate()[0]
            report = tracer.finish_json()
        self.assert_unharmed(program.returncode, out, report)

    def test_strict(self):
        self.check("strict")

    def test_filter(self):
        self.check("filter")


class TwoTracers(ProbingTest):
    """Each of which traces one program, in the same functions; neither knows what the other's may do."""

    CHOICE = ("--format", "json", "--lib", "libc.so.6", "--calls", "exports", "--func", "qsort,read,calloc")

    def check(self, order):
        """Traces cat and a program that unwinds, in that order."""
        words = {"cat": ["cat"], "unwinds": [workload("unwinds"), COUNT, "wait"]}
        with contextlib.ExitStack() as stack:
            programs = {name: stack.enter_context(Workload(*words[name])) for name in order}
            tracers = {name: stack.enter_context(Tracer(*self.CHOICE, "-p", programs[name].child)) for name in order}
            # By then the first has found out about the second.
            time.sleep(0.5)
            for name in order:
                programs[name].go()
            out = {name: programs[name].communicate()[0] for name in order}
            reports = {name: tracers[name].finish_json() for name in order}
        self.assertEqual((programs["unwinds"].returncode, out["unwinds"]), (0, f"{2 * COUNT} destroyed\n"))
        self.assertEqual((programs["cat"].returncode, out["cat"]), (0, "x"))
        return reports

    def left_out(self, report):
        return {row["symbol"]: row["reason"] for row in report["coverage"]["functions_left_out"]}

    def test_harmless_first(self):
        """When the second comes, the first has probes on returns, and keeps those that the second goes without."""
        reports = self.check(["cat", "unwinds"])
        self.assertEqual((self.left_out(reports["cat"]), at_exits(reports["cat"])), ({}, {"calloc": OTHERS}))
        row = rows(reports["cat"])["read", None]
        self.assertEqual((row["calls"], row["untimed"]), (1, 0))
        self.assertEqual(self.left_out(reports["unwinds"]), {"qsort": HARMED, "read": HARMED})
        self.assertEqual(at_exits(reports["unwinds"]), {"calloc": OTHERS})
        found = rows(reports["unwinds"])["calloc", None]["callers"]
        self.assertEqual([(caller["calls"], caller["untimed"]) for caller in found if caller["component"] == "unwinds"],
                         [(COUNT, 0)])

    def test_harmless_second(self):
        """Where the first probes no returns the second must not either; and the first cannot know that it does not."""
        reports = self.check(["unwinds", "cat"])
        self.assertEqual(self.left_out(reports["cat"]), {})
        self.assertEqual(at_exits(reports["cat"]), {"qsort": OTHERS, "read": OTHERS, "calloc": OTHERS})
        row = rows(reports["cat"])["read", None]
        self.assertEqual((row["calls"], row["untimed"]), (1, 0))
        self.assertEqual(self.left_out(reports["unwinds"]), {"qsort": HARMED, "read": HARMED})


class EveryProcess(ProbingTest):
    """A library that nobody else has, in a program that cannot unwind and in one that does."""

    def test_each_by_itself(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            for name in ("returns", "libreturns_first.so", "libreturns_second.so", "objects", "libobjects.so"):
                shutil.copy(workload(name), folder)
            holder = stack.enter_context(Workload("python3", "-c", HOLD, *(os.path.join(folder, name) for name in sorted(os.listdir(folder))
                                                                           if name.endswith(".so"))))
            self.assertEqual(holder.stdout.readline(), "ready\n")
            tracer = stack.enter_context(Tracer("--format", "json", "--calls", "exports", "--lib", "libreturns_*,libobjects"))
            for words in (["returns", "times"], ["objects", "5", "2"]):
                untraced = subprocess.run([*LIMITED, workload(words[0]), *words[1:]], capture_output=True, text=True)
                traced = subprocess.run([*LIMITED, os.path.join(folder, words[0]), *words[1:]], capture_output=True, text=True)
                self.assertEqual((traced.returncode, traced.stdout), (untraced.returncode, untraced.stdout))
            tracer.process.send_signal(signal.SIGINT)
            report = parse_report(tracer.process.communicate(timeout=LIMIT_S)[0])
        found = {}
        for row in report["library_calls"]:
            calls, untimed = found.get(row["library"], (0, 0))
            found[row["library"]] = (calls + row["calls"], untimed + row["untimed"])
        calls, untimed = found["libobjects.so"]
        self.assertEqual(calls, untimed)
        self.assertEqual(rows(report)["first_sleep", None]["calls"], 30)
        # Until the tracer has looked at the program's own file.
        calls, untimed = found["libreturns_first.so"]
        self.assertLess(untimed, calls / 2)
