"""Probes follow: into what is forked, executed and loaded, with counts that are known by construction."""
import contextlib
import os
import shutil
import signal
import tempfile
import time

from harness import SLOWNESS, ProbingTest, Tracer, Workload, parse_report, record, scaler, workload
from test_library_calls import rows

LIBRARIES = ("--overhead", "none", "--lib", "libedges_*")
# What second_outer() calls in the other library each time; it is itself imported by nobody.
OUTER = {"first_leaf": 1, "first_inner": 2, "first_versioned": 1}
MS = 1_000_000


def follows():
    return workload("follows")


def library():
    return workload("libedges_second.so")


def load():
    return "load", library()


def calls_of(text):
    """What the workload prints: how often each process called second_outer()."""
    calls = {}
    for pid, times in (map(int, line.split()) for line in text.splitlines()):
        calls[pid] = calls.get(pid, 0) + times
    return calls


class FollowingTest(ProbingTest):
    def assert_counts(self, report, calls, caller="libedges_second.so", untimed=0):
        found = {}
        for row in report["library_calls"]:
            by_pid = found.setdefault(row["symbol"], {})
            for thread in row["threads"]:
                by_pid[thread["pid"]] = by_pid.get(thread["pid"], 0) + thread["calls"]
            self.assertEqual([one["component"] for one in row["callers"]], [caller])
            # Probes that come later than the first calls leave these without a time.
            self.assertLessEqual(row["untimed"], (untimed if SLOWNESS == 1 else sum(calls.values())) * OUTER[row["symbol"]])
            self.assertEqual(row["partial"], 0)
        self.assertEqual(found, {name: {pid: times * count for pid, count in calls.items()}
                                 for name, times in OUTER.items()})
        self.assertEqual(report["coverage"]["processes_not_followed"], 0)

    def assert_followed(self, *steps, options=(), **known):
        """Of a program that does so; returns its report."""
        run, report = record(*LIBRARIES, *options, "--", *steps)
        self.assertEqual(run.returncode, 0, run.stderr)
        calls = calls_of(run.stdout)
        self.assertTrue(calls)
        self.assert_counts(report, calls, **known)
        return report


class Following(FollowingTest):
    def test_loaded(self):
        report = self.assert_followed(follows(), *load(), "pause", "outer", 5)
        start_ns = report["recording"]["start_ns"]
        for row in report["library_calls"]:
            self.assertGreater(row["since_ns"], start_ns)
        followed = report["coverage"]["library_calls_followed"]
        self.assertEqual(followed["processes"], 0)
        self.assertGreater(followed["latest_ns"], 0)

    def test_loaded_again(self):
        """At another address, perhaps: the probes are the file's."""
        self.assert_followed(follows(), *load(), "pause", "outer", 5, "unload", *load(), "outer", 7, "unload", *load(),
                             "outer", 2)

    def test_forked(self):
        report = self.assert_followed(follows(), *load(), "pause", "outer", 5, "fork", "pause", "outer", 7, "fork",
                                      "pause", "outer", 11)
        self.assertEqual(report["coverage"]["library_calls_followed"]["processes"], 2)

    def test_executed(self):
        """By itself, by a shell, which is static perhaps, by a script's interpreter; and what these fork."""
        self.assert_followed(follows(), "exec", follows(), *load(), "pause", "outer", 3, "fork", "pause", "exec", follows(),
                             *load(), "pause", "outer", 4)
        self.assert_followed("env", follows(), *load(), "pause", "outer", 3)
        line = f"{follows()} load {library()} pause outer 3; {follows()} load {library()} pause outer 4; true"
        self.assert_followed("sh", "-c", line)

    def test_executed_by_children(self):
        """Of vfork() and posix_spawn(): these share their parent's memory until they have another program."""
        steps = (follows(), *load(), "pause", "outer", 3)
        for call in ("vfork", "posix_spawn"):
            with self.subTest(call):
                report = self.assert_followed(follows(), *load(), "pause", "outer", 2, call, *steps, call, *steps)
                self.assertEqual(sorted(sum(thread["calls"] for thread in row["threads"])
                                        for row in report["library_calls"]), [2 + 3 + 3, 2 + 3 + 3, 2 * (2 + 3 + 3)])
                self.assertEqual(report["coverage"]["library_calls_followed"]["processes"], 2)

    def test_borrowed_memory(self):
        """A child with its parent's memory that executes nothing; on a stack that is not its own, to us."""
        self.assert_followed(follows(), *load(), "pause", "outer", 2, "borrow", 3, untimed=3)

    def test_gone_when_looked_at(self):
        """What was unloaded again before anybody had looked has its probes when it comes back."""
        run, report = record(*LIBRARIES, "--", follows(), *load(), "outer", 5, "unload", "pause", *load(), "outer", 7, "unload")
        pid, = calls_of(run.stdout)
        self.assert_counts(report, {pid: 7})
        self.assertEqual(report["coverage"]["library_calls_followed"]["libraries_missed"], 0)
        for row in report["library_calls"]:
            self.assertGreater(row["since_ns"], report["recording"]["start_ns"])

    def test_gone_for_good(self):
        """What a process had loaded just before it ended is said, if it has not got its probes in time."""
        run, report = record(*LIBRARIES, "--", follows(), *load(), "outer", 5)
        probed = {row["library"] for row in report["library_calls"]}
        self.assertEqual(report["coverage"]["library_calls_followed"]["libraries_missed"], 2 - len(probed))
        self.assertRegex(scaler(*LIBRARIES, "--", follows(), *load(), "outer", 5).stderr,
                         "not counted: calls of [12] librar(y|ies) that a process had loaded just before it")

    def test_without_syscalls(self):
        """What is loaded is noticed by calls, then: of what the first function's file exports, another calls some."""
        self.assert_followed("env", follows(), *load(), "pause", "outer", 3, options=["--no-syscalls"])

    def test_attached(self):
        """To a process that loads and forks only then."""
        with Workload("sh", "-c", f"read x; exec {follows()} load {library()} pause outer 5 fork pause outer 6") as program:
            with Tracer("--format", "json", *LIBRARIES, "-p", str(program.child)) as tracer:
                program.go()
                out, _ = program.communicate()
                self.assert_counts(tracer.finish_json(), calls_of(out))

    def test_attached_to_several(self):
        """Two have the same libraries, and a third has others of the same names."""
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            for name in ("libedges_first.so", "libedges_second.so"):
                shutil.copy(workload(name), folder)
            paths = [library(), os.path.join(folder, "libedges_second.so"), library()]
            programs = [stack.enter_context(Workload("sh", "-c", f"read x; exec {follows()} load {path} pause outer {times}"))
                        for times, path in enumerate(paths, 5)]
            tracer = stack.enter_context(Tracer("--format", "json", *LIBRARIES, "-p",
                                                ",".join(str(program.child) for program in programs)))
            for program in programs:
                program.go()
            calls = calls_of("".join(program.communicate()[0] for program in programs))
            report = tracer.finish_json()
        self.assertEqual(sorted(calls.values()), [5, 6, 7])
        self.assert_counts(report, calls)
        leaves = [row for row in report["library_calls"] if row["symbol"] == "first_leaf"]
        self.assertEqual(sorted(row["calls"] for row in leaves), [6, 12])

    def test_by_name(self):
        """Processes that begin only during the recording, and others that are not meant."""
        with tempfile.TemporaryDirectory() as folder:
            named = os.path.join(folder, "follows-named")
            shutil.copy(follows(), named)
            with Tracer("--format", "json", *LIBRARIES, "--comm", "follows-named") as tracer:
                words = [*map(str, (*load(), "pause", "outer", 3, "fork", "pause", "outer", 2))]
                texts = []
                for program in (named, follows()):
                    with Workload(program, *words) as one:
                        texts.append(one.communicate()[0])
                tracer.process.send_signal(signal.SIGINT)
                self.assert_counts(tracer.finish_json(), calls_of(texts[0]))

    def test_not_asked_for(self):
        _, report = record(*LIBRARIES, "--follow", "none", "--", follows(), *load(), "pause", "outer", 5)
        self.assertEqual(report["library_calls"], [])

    def test_children_not_asked_for(self):
        """What the process executes and loads is followed all the same."""
        run, report = record(*LIBRARIES, "--follow", "threads", "--", "env", follows(), *load(), "pause", "outer", 5, "fork",
                             "outer", 7)
        parent, child = (int(line.split()[0]) for line in run.stdout.splitlines())
        self.assertNotEqual(parent, child)
        self.assert_counts(report, {parent: 5})
        self.assertEqual({row["pid"] for row in report["threads"]}, {parent})

    def test_replaced(self):
        """A library that is replaced on disk while it runs, as by an upgrade: each process's own has rows."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libedges_first.so", "libedges_second.so"):
                shutil.copy(workload(name), folder)
            steps = f"load {folder}/libedges_second.so pause pause outer"
            script = (f"{follows()} {steps} 5 & sleep 0.3; "
                      f"for f in {folder}/lib*; do cp $f $f.new; mv $f.new $f; done; {follows()} {steps} 6; wait")
            report = self.assert_followed("sh", "-c", script)
        self.assertEqual(len(report["library_calls"]), 2 * len(OUTER))

    def test_many_short_ones(self):
        """Get no probes, and nothing of them stays."""
        most, limit_s = 0, time.monotonic() + 30
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            with Tracer("--format", "json", "-o", file.name, "--overhead", "none", "--func", "usleep", "--", follows(),
                        "spawn", 2000, "pause", "pause") as tracer:
                while tracer.process.poll() is None and time.monotonic() < limit_s:
                    with contextlib.suppress(OSError):
                        most = max(most, len(os.listdir(f"/proc/{tracer.process.pid}/fd")))
                    time.sleep(0.05)
                tracer.finish()
            report = parse_report(file.read())
        self.assertEqual(rows(report)["usleep", None]["calls"], 2)
        followed = report["coverage"]["library_calls_followed"]
        self.assertGreaterEqual(followed["processes"] + followed["processes_ended"], 1900)
        self.assertLess(followed["processes"], 400)
        self.assertLess(most, 1000)

    def test_text(self):
        run = scaler(*LIBRARIES, "--report", "library", "--", follows(), *load(), "pause", "outer", 5, "fork", "pause",
                     "outer", 1)
        self.assertRegex(run.stderr, r"first_leaf +from \d+\.\d+ ms +6 ")
        self.assertRegex(run.stderr, r"library calls were followed into 1 process that began later and 3 functions of "
                                     r"code that was loaded later: \d+\.\d+ ms after that at most\n")
