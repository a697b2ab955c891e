"""Real programs: counted as strace counts them, servers traced under load and not harmed by it."""
import collections
import pathlib
import re
import signal
import subprocess
import tempfile

from harness import LIMITED, LiveTest, Tracer, call_counts, record, workload
from servers import http_answers, nginx, nginx_fetch, redis, redis_benchmark


def strace_counts(*command):
    """Two dicts of strace -f -c, calls and errors; it does not see calls that never return."""
    with tempfile.NamedTemporaryFile("r") as table:
        subprocess.run([*LIMITED, "strace", "-f", "-c", "-o", table.name, *command],
                       stdin=subprocess.DEVNULL, capture_output=True, check=True)
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:(\d+) +)?(\w+)$", table.read(),
                          re.M)
    rows = [row for row in rows if row[2] != "total"]
    return ({name: int(count) for count, _, name in rows},
            {name: int(errors) for _, errors, name in rows if errors})


def error_counts(report):
    counts = collections.Counter()
    for row in report["syscalls"]:
        counts[row["name"]] += row["errors"]
    return {name: count for name, count in counts.items() if count}


class SameAsStrace(LiveTest):
    """Programs whose calls do not depend on timing, at fixed addresses so that malloc does the same."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, lines):
        path = self.folder / name
        path.write_text("".join(f"{i * 7919 % lines:08d} line {i}\n" for i in range(lines)))
        return str(path)

    def assert_same(self, *command, varying=()):
        """The calls in varying depend on timing or chance after all."""
        command = ["setarch", "-R", *command]
        run, report = record("--overhead", "none", "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        ours = call_counts(report)
        calls, errors = strace_counts(*command)
        for name in ("exit", "exit_group", *varying):
            ours.pop(name, None)
            calls.pop(name, None)
        self.assertEqual(ours, calls)
        self.assertEqual(error_counts(report), errors)
        return calls, errors

    def test_ls(self):
        _, errors = self.assert_same("ls", "-lR", "/etc/apt", "/usr/share/doc/libc6")
        self.assertIn("openat", errors)

    def test_sort(self):
        # The names of its files are random numbers, drawn again if they are too large.
        self.assert_same("sort", "--parallel=1", "-S", "64K", "-T", self.folder,
                         self.file("unsorted", 20000), varying=("getrandom",))

    def test_gzip(self):
        self.assert_same("gzip", "-9", "-c", self.file("text", 20000))

    def test_sqlite3(self):
        script = ("DROP TABLE IF EXISTS t; CREATE TABLE t(a, b); BEGIN;"
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                  "INSERT INTO t SELECT i, hex(i * i) FROM n; COMMIT;"
                  "SELECT count(*), max(b) FROM t; DELETE FROM t WHERE a % 3 = 0; VACUUM;")
        path = self.folder / "data"
        # The second run and the third meet the same file.
        subprocess.run(["sqlite3", path, script], stdout=subprocess.DEVNULL, check=True)
        self.assert_same("sqlite3", path, script)

    def test_python(self):
        self.assert_same("env", "PYTHONHASHSEED=0", "/usr/bin/python3", "-I", "-B", "-c",
                         "import json, subprocess; json.dumps(list(range(100)));"
                         "open('/proc/self/status').read();"
                         "subprocess.run(['/bin/true'], check=True)")

    def test_curl(self):
        with http_answers() as port:
            # How often it polls, and each time sets its handler of SIGPIPE.
            self.assert_same("curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/",
                             varying=("poll", "rt_sigaction"))

    def test_signals(self):
        calls, errors = self.assert_same(workload("signals"), "20")
        self.assertEqual(calls["rt_sigreturn"], 40)
        self.assertEqual(errors["rt_sigsuspend"], 20)


class Redis(LiveTest):
    def commands_processed(self, address):
        info = subprocess.run(["redis-cli", "-s", address, "info", "stats"], capture_output=True,
                              text=True, check=True).stdout
        return int(re.search(r"total_commands_processed:(\d+)", info)[1])

    def test_under_load(self):
        with redis() as (pid, address):
            before = self.commands_processed(address)
            with Tracer("-p", pid, "--overhead", "none", "--format", "json") as tracer:
                redis_benchmark(address, 20000)
                tracer.process.send_signal(signal.SIGINT)
                report = tracer.finish_json()
            # Of the two "info" the second one's figure has the first.
            served = self.commands_processed(address) - before - 1
        self.assertGreaterEqual(served, 40000)
        writes = sum(row["count"] for row in report["syscalls"]
                     if (row["name"], row["descriptor"]) == ("write", "unix"))
        # The benchmark begins with two commands at once, which are answered with one write.
        self.assertEqual(writes, served - 1)
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                             row["life_ns"])


class Nginx(LiveTest):
    def test_under_load(self):
        with nginx() as (worker, port):
            with Tracer("-p", worker, "--format", "json") as tracer:
                for _ in range(50):
                    nginx_fetch(port)
                tracer.process.send_signal(signal.SIGINT)
                report = tracer.finish_json()
            nginx_fetch(port)
        counts = call_counts(report)
        self.assertEqual(counts["accept4"] - self.errors(report, "accept4"), 50)
        self.assertEqual(counts["sendfile"], 50)

    @staticmethod
    def errors(report, name):
        return sum(row["errors"] for row in report["syscalls"] if row["name"] == name)
