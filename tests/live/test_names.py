"""Names of files, functions and threads that a program may choose as it likes: one for each, and none is in the way."""
import pathlib
import re
import subprocess
import tempfile

from folded_stacks import parse_folded
from harness import LiveTest, ProbingTest, record, scaler, workload
from test_sites import issuers
from test_symbols import SITES, SOURCE

THREADS = ["a;b c", "x 5", "tab\there", "nl\nline", "\x1b[31mred", "quo\"te\\", "", "--", "[jit];main 7"]
LONG = "long_" + "x" * 60000
WIDTH = 100
# Calls a library's function 100 times, for long enough that its calls are followed before the last.
LOAD = """
import ctypes, sys, time
function = getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])
for _ in range(100):
    function(1)
    time.sleep(0.005)
"""


class Libraries(ProbingTest):
    """One that is loaded while the program runs, whose function makes a system call."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def make(self, name, function):
        """Returns a command that uses it."""
        library, source = self.folder / name, self.folder / "source.c"
        source.write_text(f'#define SITE_NAME {function}\n#include "{SOURCE}"\n', encoding="ascii")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
        return ("--", SITES, "swap", "1", "10", library, function, library, function)

    def assert_named(self, name):
        """In all reports alike; the kernel's list of mappings has another form of it."""
        *_, library, function = self.make(name, "named")
        run, report = record("--calls=exports", "--lib", "libnamed*", "--report", "library,components,syscalls", "--overhead", "none", "--",
                             "/usr/bin/python3", "-c", LOAD, library, function)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({row["library"] for row in report["library_calls"] if row["symbol"] == "named"}, {name})
        self.assertIn(name, [row["name"] for row in report["components"]])
        self.assertEqual(issuers(report, "getppid"), {(name, "named"): 100})

    def test_newline(self):
        self.assert_named("libnamed\nsecond.so")

    def test_like_an_escape(self):
        self.assert_named("libnamed\\012second.so")

    def test_like_a_removed_one(self):
        self.assert_named("libnamed.so (deleted)")

    def test_long_function(self):
        """Whole as data; a table's rows stay rows."""
        command = self.make("liblong.so", LONG)
        run, report = record("--report", "syscalls", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(issuers(report, "getppid"), {("liblong.so", LONG[:4096]): 21})
        run = scaler("--report", "syscalls,functions,tree", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        shown = {name for name in re.findall(r"liblong\.so:(\S+)", run.stderr) if name.startswith("long_")}
        self.assertEqual({len(name) for name in shown}, {WIDTH})
        self.assertLess(max(map(len, run.stderr.splitlines())), 5 * WIDTH)


class Threads(LiveTest):
    def test_any(self):
        command = ("--", workload("names"), *THREADS)
        run, report = record("--report", "threads,tree", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({row["name"] for row in report["threads"]}, {"names", *THREADS})
        run = scaler("--folded", "-o", "/dev/stderr", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        roots = {line.split(";")[0] for line in run.stderr.splitlines()}
        self.assertEqual(roots, {"names", "a\\x3bb c", "x 5", "tab\\x09here", "nl\\x0aline", "\\x1b[31mred",
                                 "quo\"te\\x5c", "(no name)", "\\x2d-", "\\x5bjit]\\x3bmain 7"})
        self.assertTrue(parse_folded(run.stderr))
        run = scaler("--report", "tree", *command)
        rows = [line.split("  ")[-1].strip() for line in run.stderr.splitlines()]
        self.assertIn("thread:[jit];main 7", rows)
        self.assertIn("thread:nl\\x0aline", rows)
