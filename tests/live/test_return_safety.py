"""Probes on returns in programs that they might end: these end as they do untraced, and their calls are counted."""
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

from harness import LIMIT_S, LIMITED, LiveTest, Tracer, Workload, parse_report, record, workload
from test_library_calls import rows

UNWINDS = "its process may unwind stacks through it, which a probe on its return would break"
COUNT = 20

# Maps libraries, without calling anything in them, until it is told to go on.
HOLD = "import ctypes, sys; held = [ctypes.CDLL(name) for name in sys.argv[1:]]; print('ready', flush=True); sys.stdin.read(1)"


def reasons(report):
    return {row["symbol"]: row["reason"] for row in report["coverage"]["functions_not_timed"]}


class LoadedLater(LiveTest):
    """A C program that maps a C++ library, and all that it takes, while it is traced."""

    def assert_sorts(self, report):
        """Timed as long as nothing could unwind, also the one that was open then; then counted only."""
        row = rows(report)["qsort", None]
        self.assertEqual({caller["component"]: (caller["calls"], caller["untimed"], caller["partial"])
                          for caller in row["callers"]},
                         {"loads": (2 * COUNT + 1, COUNT, 0), "libthrows.so": (2 * COUNT, 2 * COUNT, 0)})
        self.assertEqual(reasons(report), {"qsort": UNWINDS})

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


class EveryProcess(LiveTest):
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
