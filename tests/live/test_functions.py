"""The library functions that calls are attributed to: as strace -k has them, and in sums that match."""
import collections
import os
import re
import subprocess
import tempfile

from harness import LIMITED, LiveTest, ProbingTest, record, scaler, workload
from test_callers import RUNTIME
from test_program_stacks import STRACE_MISSES

CHAIN = workload("chain")
SERVER = workload("server")


def strace_frames(*command):
    """Of each call of a program with one thread: its name and frames, [(component, function)...]."""
    with tempfile.NamedTemporaryFile("r", errors="replace") as log:
        subprocess.run([*LIMITED, "strace", "-k", "-o", log.name, *command],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        calls = []
        for line in log:
            frame = re.match(r" > (.+?)\((?:(.+)\+0x\w+)?\)", line)
            call = re.match(r"(\w+)\(", line)
            if frame:
                calls[-1][1].append((os.path.basename(frame[1]), frame[2]))
            elif call:
                calls.append((call[1], []))
        return [(call, frames) for call, frames in calls if call not in STRACE_MISSES]


def path(frames, application):
    """The frames that the issue is attributed to: entered, innermost, caller; the last None if there is none."""
    names = [component for component, _ in frames]
    edges = [i for i in range(len(names) - 1) if names[i] != names[i + 1]]
    caller = names.index(application) if application in names else edges[-1] + 1 if edges else 0
    if not caller:
        return frames[0], frames[0], None
    return frames[caller - 1], frames[min([i for i in edges if i < caller])], frames[caller]


def comparable(functions, names):
    """
    Only those names are compared that both have. Where no symbol covers an address, strace takes the one before; it does
    not look for the C library's, which lie in its debug file; and it shows the function that another went on to, where
    we have the one that was called.
    """
    return tuple(function and (function[0], function[1] if function in names and
                               not function[0].startswith(RUNTIME) else None) for function in functions)


def named(place):
    return place and (place["component"], place["function"])


def by_path(report):
    """{(entered, innermost, caller): calls}."""
    counts = collections.Counter()
    for row in report["functions"][:-1]:
        for caller in row["callers"] or [{"caller": None, "calls": row["calls"]}]:
            counts[named(row["function"]), named(row["innermost"]), named(caller["caller"])] += caller["calls"]
    return counts


class SameAsStrace(LiveTest):
    maxDiff = None

    def assert_same(self, *command):
        run, report = record("--report", "functions", "--syscalls", "!" + ",".join(sorted(STRACE_MISSES)),
                             "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = by_path(report)
        paths = [path(frames, os.path.basename(command[0])) for _, frames in strace_frames(*command)]
        names = ({function for functions in counts for function in functions} &
                 {function for functions in paths for function in functions})
        ours, theirs = collections.Counter(), collections.Counter()
        for functions, count in counts.items():
            ours[comparable(functions, names)] += count
        for functions in paths:
            theirs[comparable(functions, names)] += 1
        self.assertEqual((ours - theirs, theirs - ours), (collections.Counter(), collections.Counter()))
        return counts

    def test_sqlite(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/data"
            subprocess.run(["sqlite3", file, "create table a(b); insert into a values (1);"], check=True)
            counts = self.assert_same("sqlite3", file, "select b from a")
        self.assertIn((("libsqlite3.so.0.8.6", "sqlite3_step"), ("libc.so.6", "pread"), ("sqlite3", None)), counts)

    def test_curl(self):
        counts = self.assert_same("curl", "-s", "-o", "/dev/null", "file:///etc/services")
        self.assertIn((("libcurl.so.4.8.0", "curl_easy_perform"), ("libc.so.6", "read"), ("curl", None)),
                      {(*key[:2], (key[2][0], None)) for key in counts if key[2]})

    def test_chain(self):
        counts = self.assert_same(CHAIN, "once", "100")
        self.assertEqual(counts[("libc.so.6", "getppid"), ("libc.so.6", "getppid"), ("chain", "leaf")], 100)


class NamesOfCallers(ProbingTest):
    """Functions have the names that the call instructions lead to, as library calls have them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.done, cls.report = record("--report", "functions,library,tree", "--calls", "--overhead", "none", "--",
                                     workload("hidden"))
        cls.rows = {row["function"]["function"]: row for row in cls.report["functions"]
                    if row["function"] and row["function"]["component"] == "libc.so.6"}

    def test_who_goes_on_to_another(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        for name in ("sem_wait", "pthread_join"):
            row = self.rows[name]
            self.assertGreater(row["blocked_ns"], 50e6, row)
            self.assertEqual([caller["caller"]["function"] for caller in row["callers"]], ["main"])

    def test_through_addresses(self):
        """Where the instruction does not tell what it calls, the function has its own name."""
        for name in ("read", "write"):
            self.assertIn(("hidden", "main"), [(caller["caller"]["component"], caller["caller"]["function"])
                                               for caller in self.rows[name]["callers"]], name)

    def test_library_calls_have_the_same_names(self):
        """Each function in which the program was found, and that it called, has the count of its probes."""
        counts = {row["function"]: row["calls"] for row in self.report["library_calls"]
                  if row["library"] == "libc.so.6"}
        for name in ("sem_wait", "pthread_join", "sem_init", "pthread_create", "usleep", "pipe"):
            self.assertIn(name, counts)
            if name in self.rows:
                self.assertEqual(self.rows[name]["probed"]["calls"], counts[name], name)
        self.assertEqual((self.rows["sem_wait"]["probed"]["calls"], self.rows["usleep"]["probed"]["calls"]), (1, 2))


class Sums(LiveTest):
    def assert_adds_up(self, report):
        """To the threads' lives, and to the calls."""
        rows = report["functions"]
        for figure in ("running_ns", "runnable_ns", "blocked_ns"):
            self.assertEqual(sum(row[figure] for row in rows), sum(row[figure] for row in report["threads"]), figure)
        for row in rows:
            self.assertEqual(row["total_ns"], row["running_ns"] + row["runnable_ns"] + row["blocked_ns"])
            for figure in ("calls", "total_ns", "blocked_ns"):
                parts = [*row["categories"].values()]
                sampled = row["sampled"]["running_ns"] if row["sampled"] and figure == "total_ns" else 0
                if parts or row["function"]:
                    self.assertEqual(sum(part[figure] for part in parts) + sampled, row[figure])
                if row["callers"]:
                    self.assertEqual(sum(part[figure] for part in row["callers"]), row[figure])
        self.assertEqual(sum(row["calls"] for row in rows),
                         sum(row["count"] + row["partial"]["count"] for row in report["syscalls"]))
        self.assertEqual(sum(row["errors"] for row in rows), sum(row["errors"] for row in report["syscalls"]))

    def test_server(self):
        _, report = record("--", SERVER, "4", "200")
        self.assert_adds_up(report)
        rows = {row["function"]["function"]: row for row in report["functions"] if row["calls"]}
        self.assertEqual({named(caller["caller"]) for caller in rows["recv"]["callers"]},
                         {("server", "serve"), ("server", "request")})
        self.assertEqual(rows["recv"]["categories"].keys(), {"network"})
        self.assertEqual(rows["fdatasync"]["categories"].keys(), {"file-io"})

    def test_cut_stacks_have_rows_of_their_own(self):
        _, report = record("--depth", "1", "--", CHAIN, "once", "100")
        self.assert_adds_up(report)
        cut = {row["cut"]: row["calls"] for row in report["functions"] if row["cut"] and row["calls"]}
        self.assertEqual(cut.keys(), {"too many frames"})
        self.assertGreater(cut["too many frames"], 100)


class Without(LiveTest):
    """Without stacks there is no such report, and who asks for it is told."""

    def test_depth_0(self):
        run, report = record("--depth", "0", "--", "true")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("functions", report)
        run = scaler("--depth", "0", "--report", "functions", "--", "true")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertIn("--report functions", run.stderr)
