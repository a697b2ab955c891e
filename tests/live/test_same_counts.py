"""Library calls are counted as ltrace, uftrace and bpftrace count them."""
import collections
import os
import pathlib
import re
import subprocess
import tempfile

from harness import LIMITED, ProbingTest, Tracer, kernel_has, record
from other_tracers import bpftrace
from servers import redis, redis_benchmark

# One code with two names, which a report has once.
ALIASES = {"memmove": "memcpy", "fopen64": "fopen", "lseek64": "lseek", "open64": "open", "fseeko64": "fseeko",
           "ftello64": "ftello", "strtoumax": "strtoul"}
# Tools that see calls as they return do not count them.
NEVER_RETURN = {"exit", "_exit", "abort", "__longjmp_chk"}
# sort's comparison of months, that libc calls, jumps to it: it returns to libc. What is seen at the call has it.
RETURNS_ELSEWHERE = {"strcmp"}
ROWS = "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'one'), (2, 'two'); SELECT * FROM t WHERE a > 1;"


def read_counts(text, pattern):
    counts = collections.Counter()
    for calls, name in re.findall(pattern, text, re.M):
        counts[ALIASES.get(name, name)] += int(calls)
    return counts


def ltrace(command):
    with tempfile.NamedTemporaryFile("r") as table:
        subprocess.run([*LIMITED, "ltrace", "-c", "-o", table.name, *command], stdin=subprocess.DEVNULL,
                       capture_output=True, check=True)
        return read_counts(table.read(), r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) (\w+)$")


def uftrace(command):
    with tempfile.TemporaryDirectory() as folder:
        words = [*LIMITED, "uftrace", "-d", folder + "/data", "--no-pager"]
        subprocess.run([*words, "record", "--force", *command], stdin=subprocess.DEVNULL, capture_output=True, check=True)
        table = subprocess.run([*words, "report", "-f", "call"], capture_output=True, text=True, check=True).stdout
    return read_counts(table, r"^ *(\d+) +(\w+)$")


class SameCounts(ProbingTest):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def assert_same(self, count, *command, least, but=frozenset()):
        """The program itself calls every function as often, least of them at least; but those are not compared."""
        if not kernel_has("uprobe_multi"):
            self.skipTest("without uprobe_multi there cannot be so many probes")
        command = [*map(str, command)]
        run, report = record("--overhead", "none", "--report", "library", "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        ours = collections.Counter()
        for row in report["library_calls"]:
            for caller in row["callers"]:
                if caller["component"] == command[0]:
                    ours[row["symbol"]] += caller["calls"]
        left_out = {row["symbol"] for row in report["coverage"]["functions_left_out"]}
        theirs = count(command)
        names = {name for name in theirs if name not in left_out | NEVER_RETURN | but}
        self.assertEqual({name: ours[name] for name in names}, {name: theirs[name] for name in names})
        self.assertGreaterEqual(len(names), least)

    def text(self):
        path = self.folder / "text"
        path.write_text("".join(f"{i * 7919 % 300} line\n" for i in range(300)))
        return path

    def test_ls_as_ltrace(self):
        self.assert_same(ltrace, "ls", "-l", "/usr/share/doc/libc6", least=25)

    def test_sort_as_ltrace(self):
        self.assert_same(ltrace, "sort", "--parallel=1", self.text(), least=35, but=RETURNS_ELSEWHERE)

    def test_sqlite3_as_ltrace(self):
        self.assert_same(ltrace, "sqlite3", ":memory:", ROWS, least=30)

    def test_gzip_as_uftrace(self):
        self.assert_same(uftrace, "gzip", "-c", self.text(), least=12)

    def test_sqlite3_as_uftrace(self):
        self.assert_same(uftrace, "sqlite3", ":memory:", ROWS, least=30)

    def test_redis_as_bpftrace(self):
        """Of functions that it calls for its clients only; others it calls ten times a second, too."""
        functions = ("write", "accept4", "epoll_ctl", "setsockopt")
        library = os.path.join(os.environ["LD_LIBRARY_PATH"], "libc.so.6")
        with redis() as (pid, address):
            # Its -p does not keep other processes out, of which the load is one.
            probes = [f"uprobe:{library}:{name} /pid == {pid}/ {{ @{name} = count(); }}" for name in functions]
            with Tracer("-p", pid, "--overhead", "none", "--lib", "libc", "--func", ",".join(functions), "--no-samples",
                        "--report", "library", "--format", "json") as tracer:
                with bpftrace(" ".join(probes), "-p", str(pid)) as theirs:
                    redis_benchmark(address, 2000)
                tracer.process.terminate()
                rows = tracer.finish_json()["library_calls"]
        self.assertEqual({row["symbol"]: row["calls"] for row in rows}, theirs)
        self.assertGreaterEqual(theirs["write"], 4000)
