"""Programs in other languages: what is recorded of them is right, and what they compute comes out as without a tracer."""
import os
import pathlib
import re
import tempfile

from compiling import SOURCES, compile_with, needs_program
from folded_stacks import folded
from harness import ProbingTest, record
from test_library_calls import callers, rows

PAUSE = {"PAUSE": "0.5"}  # in which the probes follow


class Compiled(ProbingTest):
    def assert_output(self, run, status, *lines):
        self.assertEqual((run.returncode, run.stdout.splitlines()), (status, list(lines)), run.stderr)

    @needs_program("/usr/bin/rustc")
    def test_rust(self):
        """Its panics unwind through frames of calls that are timed, and its names are readable."""
        program = compile_with(self, "/usr/bin/rustc", "-O", "--crate-name", "panics", SOURCES / "panics.rs", "-o", "{}")
        lines = [*(f"dropped {i}" for i in range(10)), "caught 5"]
        run, report = record("--overhead", "none", "--", program)
        self.assert_output(run, 4, *lines)
        row = rows(report)["getppid", None]
        self.assertEqual((callers(row), row["untimed"]), ({"compiled": 1000}, 0))
        run, stacks = folded("--no-probes", "--", program)
        self.assert_output(run, 4, *lines)
        self.assertEqual({frames[-2:]: calls for (call, frames), calls in stacks.items() if call == "getppid"},
                         {("compiled`panics::layer::fail", "libc.so.6`getppid"): 1000})

    @needs_program("/usr/bin/go")
    def test_go(self):
        """It moves its stacks, and reads the frames on them as it does."""
        program = compile_with(self, "env", "CGO_ENABLED=1", "/usr/bin/go", "build", "-o", "{}", SOURCES / "panics.go")
        run, report = record("--overhead", "none", "--", program)
        self.assert_output(run, 3, "recovered from intended")
        row = rows(report)["getppid", None]
        self.assertEqual((callers(row), row["untimed"]), ({"compiled": 400}, 0))


class Modules(ProbingTest):
    """What is written in C for an interpreter, and loaded by it."""

    def assert_calls(self, symbol, module, status, output, *command):
        run, report = record("--overhead", "none", "--func", symbol, "--", "env", *(f"{k}={v}" for k, v in PAUSE.items()),
                             *command)
        self.assertEqual((run.returncode, run.stdout), (status, output), run.stderr)
        found = callers(rows(report)[symbol, None])
        self.assertEqual([calls for name, calls in found.items() if name.startswith(module)], [100], found)

    @needs_program("/usr/bin/perl")
    def test_perl(self):
        self.assert_calls("access", "POSIX.", 7, "caught intended\n", "/usr/bin/perl", SOURCES / "modules.pl")

    def test_python(self):
        self.assert_calls("sqlite3_bind_int64", "_sqlite3.", 8, "caught no such table: strangers\n", "/usr/bin/python3",
                          SOURCES / "modules.py")


class Generated(ProbingTest):
    """Code that is generated at run time has the names that its process leaves for profilers."""

    def assert_spins(self, status, output, *command):
        # Node leaves a log where it runs.
        with tempfile.TemporaryDirectory() as folder:
            run, report = record("--frequency", "499", "--report", "cpu,threads", "--no-probes", "--", *command, cwd=folder)
        for pid in {row["pid"] for row in report["threads"]}:
            pathlib.Path(f"/tmp/perf-{pid}.map").unlink(missing_ok=True)
        self.assertEqual((run.returncode, run.stdout), (status, output), run.stderr)
        running = sum(row["samples"] for row in report["cpu"]["functions"])
        spins = sum(row["samples"] for row in report["cpu"]["functions"] if row["function"] and
                    row["function"]["component"] == "[jit]" and re.search("spin", row["function"]["function"] or "", re.I))
        self.assertGreater(spins, running / 4, report["cpu"])

    @needs_program("/usr/bin/node")
    def test_node(self):
        self.assert_spins(6, "caught TypeError\n", "/usr/bin/node", "--perf-basic-prof", SOURCES / "spins.js")

    @needs_program("/usr/bin/javac")
    def test_java(self):
        folder = os.path.dirname(compile_with(self, "sh", "-c", f"/usr/bin/javac -d $(dirname {{}}) {SOURCES}/Spins.java"))
        self.assert_spins(5, "caught 24\n", "/usr/bin/java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit", "-cp", folder,
                          "Spins")
