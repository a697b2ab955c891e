"""Programs that unwind their stacks, move them, or look at them, with calls timed on these: they end as they do untraced."""
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest.mock

from harness import (BUILD, LIMITED, LIMIT_S, ProbingTest, Tracer, Workload, parse_report, needs, record,
                     scaler_words, workload)
from other_tracers import funclatency
from test_library_calls import rows
from test_library_times import reasons

COUNT = 20
LIBC = ("--calls", "exports", "--lib", "libc")

# Maps libraries, without calling anything in them, until it is told to go on.
HOLD = "import ctypes, sys; held = [ctypes.CDLL(name) for name in sys.argv[1:]]; print('ready', flush=True); sys.stdin.read(1)"

HARMED = "another tracer may probe its return, which reaches into this program where it is probed, too"


class LoadedLater(ProbingTest):
    """A C program that maps a C++ library while it is traced, which throws through a timed call."""

    def assert_sorts(self, report):
        found = {caller["component"]: (caller["calls"], caller["untimed"], caller["partial"])
                 for caller in rows(report)["qsort", None]["callers"]}
        # None of those that throw gets to an exit.
        self.assertEqual(found, {"loads": (2 * COUNT + 1, 0, 0), "libthrows.so": (2 * COUNT, 0, 2 * COUNT)})
        self.assertEqual(reasons(report), {})

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
    """A program in C++ beside one in C, with the same functions probed."""

    CHOICE = ("--overhead", "none", "--lib", "libc.so.6", "--calls", "exports", "--func", "qsort,read,calloc")

    def assert_counts(self, report):
        """All in the program in C++, in which what is unwound never gets to an exit."""
        for name, partial in (("qsort", COUNT), ("read", COUNT), ("calloc", 0)):
            row = rows(report)[name, None]
            found = [(caller["calls"], caller["untimed"], caller["partial"]) for caller in row["callers"]
                     if caller["component"] == "unwinds"]
            self.assertEqual(found, [(COUNT, 0, partial)], name)
        self.assertEqual(reasons(report), {})

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
        run = record(*self.CHOICE, "--", "sh", "-c", f"{workload('unwinds')} {times}; read line; true")[0]
        self.assertEqual((run.returncode, run.stdout), (0, f"{2 * times} destroyed\n"))

    def test_many_that_fork(self):
        """
        Each has probes on the functions that its parent has them on, and forks within some. Linux 6.18 frees twice what it
        keeps of returns that two links of different processes have asked for, and the process that did so never ends.
        """
        words = ["sh", "-c", "seq 200 | xargs -n 5 sh -c 'for i in $*; do (echo $i); done' sh"]
        run = record("--overhead", "none", "--calls", "--", *words)[0]
        self.assertEqual((run.returncode, run.stdout), (0, "".join(f"{i}\n" for i in range(1, 201))))


class Kept(ProbingTest):
    """What was found in the code of libraries is kept for the next run."""

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

    def test_what_is_kept_is_found_again(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_program(folder)
            kept = {entry.path: entry.stat().st_mtime_ns for entry in os.scandir(os.path.join(folder, "scaler-bpf"))}
            self.assertEqual({os.path.basename(path).split("-")[0] for path in kept}, {"exits"})
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

    def test_real_program(self):
        """With probes on all of libc, as which it calls hundreds of times."""
        command = [BUILD / "packages/fzf/usr/bin/fzf", "--filter", "19"]
        lines = "".join(f"line {i}\n" for i in range(2000))
        untraced = subprocess.run([*LIMITED, *command], input=lines, stdout=subprocess.PIPE, text=True, check=True)
        with tempfile.NamedTemporaryFile("r") as file:
            run = subprocess.run([*LIMITED, *scaler_words(["--format", "json", "-o", file.name, "--overhead", "none", *LIBC,
                                                "--", *command])],
                                 input=lines, stdout=subprocess.PIPE, text=True)
            report = parse_report(file.read())
        self.assertEqual((run.returncode, run.stdout), (0, untraced.stdout))
        self.assertIn("line 1919", untraced.stdout)
        self.assertNotIn("malloc", reasons(report))
        self.assertGreater(rows(report)["pthread_create", None]["calls"], 0)


class Harmed(ProbingTest):
    """With probes on all that libc exports."""

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
        self.assertNotIn("backtrace", reasons(report))

    def test_functions_that_return_twice(self):
        found, report = self.record_program(workload("returns"), "longjmp")
        row = found["_setjmp", None]
        self.assertEqual((row["calls"], row["untimed"]), (5, 5))
        self.assertIn("may return twice", reasons(report)["_setjmp"])

    def test_shell(self):
        found = self.record_program("bash", "-c", "for i in 1 2 3; do (echo $i; false); done; exit 3", status=3)[0]
        self.assertGreater(found["__sigsetjmp", None]["calls"], 0)


class Confined(ProbingTest):
    """A process that the kernel ends for almost any system call, as which probes on returns make on some kernels."""

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
    """Each of which traces one program, in the same functions."""

    CHOICE = ("--format", "json", "--lib", "libc.so.6", "--calls", "exports", "--func", "qsort,read,calloc")

    def test_both_of_this_kind(self):
        words = {"cat": ["cat"], "unwinds": [workload("unwinds"), COUNT, "wait"]}
        with contextlib.ExitStack() as stack:
            programs = {name: stack.enter_context(Workload(*words[name])) for name in words}
            tracers = {name: stack.enter_context(Tracer(*self.CHOICE, "-p", programs[name].child)) for name in words}
            # By then the first has found out about the second.
            time.sleep(0.5)
            for name in words:
                programs[name].go()
            out = {name: programs[name].communicate()[0] for name in words}
            reports = {name: tracers[name].finish_json() for name in words}
        self.assertEqual((programs["unwinds"].returncode, out["unwinds"]), (0, f"{2 * COUNT} destroyed\n"))
        self.assertEqual((programs["cat"].returncode, out["cat"]), (0, "x"))
        for report in reports.values():
            self.assertEqual((report["coverage"]["functions_left_out"], reasons(report)), ([], {}))
        row = rows(reports["cat"])["read", None]
        self.assertEqual((row["calls"], row["untimed"]), (1, 0))
        for name in ("qsort", "read", "calloc"):
            found = rows(reports["unwinds"])[name, None]["callers"]
            self.assertEqual([(caller["calls"], caller["untimed"]) for caller in found if caller["component"] == "unwinds"],
                             [(COUNT, 0)], name)

    @needs("task_work")  # Linux 6.18; from 6.8 on the kernel tells other tracers' probes
    def test_one_on_returns(self):
        """funclatency probes a function's return in another process: the kernel would do so in ours, if we probed it, too."""
        with Workload("cat") as other:
            with funclatency(other.child, "c:calloc"):
                time.sleep(0.3)
                run, report = record(*self.CHOICE[2:], "--", workload("unwinds"), COUNT)
            other.go()
            other.communicate()
        self.assertEqual((run.returncode, run.stdout), (0, f"{2 * COUNT} destroyed\n"))
        self.assertEqual({row["symbol"]: row["reason"] for row in report["coverage"]["functions_left_out"]},
                         {"calloc": HARMED})
        self.assertEqual(rows(report)["qsort", None]["calls"], COUNT)


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
        self.assertEqual({name: untimed for name, (_, untimed) in found.items()}, dict.fromkeys(found, 0))
        self.assertEqual(rows(report)["first_sleep", None]["calls"], 30)
