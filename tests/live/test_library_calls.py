"""Library calls by probes: counts that are known by construction, for every function, caller and thread."""
import collections
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

from harness import LIMITED, LIMIT_S, ProbingTest, Tracer, Workload, parse_report, record, record_each, scaler, workload

LIBRARIES = ("--overhead", "none", "--lib", "libedges_*")
REFUSED = ["first_halting", "first_locked"]
# How often a thread of the workload calls each function, by caller, in one of its rounds.
ROUND = {("first_leaf", None): {"edges": 3, "libedges_second.so": 1},
         ("first_inner", None): {"libedges_second.so": 2},
         ("first_versioned", None): {"edges": 1, "libedges_second.so": 1},
         ("first_versioned", "EDGES_1"): {"edges": 1},
         ("second_outer", None): {"edges": 1}}


def rows(report):
    """The report's rows by symbol and version."""
    return {(row["symbol"], row["version"]): row for row in report["library_calls"]}


def callers(row):
    return {caller["component"]: caller["calls"] for caller in row["callers"]}


def threads(row):
    return {thread["tid"]: thread["calls"] for thread in row["threads"]}


def rounds_of(text):
    """What the workload prints: how often each of its threads did all."""
    return {int(tid): int(rounds) for tid, rounds in map(str.split, text.splitlines())}


class LibraryCalls(ProbingTest):
    def assert_counts(self, report, rounds, expected=None):
        found, expected = rows(report), expected or ROUND
        self.assertEqual(found.keys(), expected.keys())
        for key, by_caller in expected.items():
            row, a_round = found[key], sum(by_caller.values())
            self.assertEqual(callers(row), {name: calls * sum(rounds.values())
                                            for name, calls in by_caller.items()}, key)
            self.assertEqual(threads(row), {tid: calls * a_round for tid, calls in rounds.items()}, key)
            self.assertEqual(row["calls"], a_round * sum(rounds.values()))
            self.assertEqual(row["component"], row["library"])
        self.assertEqual(report["coverage"]["library_calls_not_counted"], 0)

    def test_command(self):
        run, report = record(*LIBRARIES, "--", workload("edges"), 4)
        self.assert_counts(report, rounds_of(run.stdout))
        self.assertEqual([row["symbol"] for row in report["coverage"]["functions_left_out"]], REFUSED)

    def test_many_threads(self):
        run, report = record(*LIBRARIES, "--", workload("edges"), 1000)
        rounds = rounds_of(run.stdout)
        self.assertEqual(len(rounds), 1000)
        self.assert_counts(report, rounds)

    def test_indirect_functions(self):
        run, report = record("--func", "strlen,memcpy", "--", workload("edges"), 3)
        rounds = rounds_of(run.stdout)
        for name in ("strlen", "memcpy"):
            row = rows(report)[name, None]
            self.assertEqual(callers(row)["edges"], 2 * sum(rounds.values()))
            self.assertEqual({tid: calls for tid, calls in threads(row).items() if tid in rounds},
                             {tid: 2 * count for tid, count in rounds.items()})

    def test_two_running_processes(self):
        """Which have the libraries at different addresses; a third one of the same program is not traced."""
        with contextlib.ExitStack() as stack:
            programs = [stack.enter_context(Workload(workload("edges"), count, "wait")) for count in (2, 3, 4)]
            tracer = stack.enter_context(
                Tracer("--format", "json", *LIBRARIES, "-p", ",".join(str(p.child) for p in programs[:2])))
            for program in programs:
                program.go()
            out = [program.communicate()[0].replace("ready\n", "") for program in programs]
            report = tracer.finish_json()
        self.assert_counts(report, rounds_of(out[0] + out[1]))
        self.assertEqual({thread["pid"] for row in report["library_calls"] for thread in row["threads"]},
                         {program.child for program in programs[:2]})
        self.assertEqual([row["symbol"] for row in report["coverage"]["functions_left_out"]], REFUSED)

    def test_whole_system(self):
        """A library that nobody else has: in every process that maps it, also one that begins later."""
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            for name in ("edges", "libedges_first.so", "libedges_second.so"):
                shutil.copy(workload(name), folder)
            program = os.path.join(folder, "edges")
            first = stack.enter_context(Workload(program, 2, "wait"))
            tracer = stack.enter_context(Tracer("--format", "json", *LIBRARIES))
            later = subprocess.run([*LIMITED, program, "3"], capture_output=True, text=True, check=True)
            first.go()
            out = first.communicate()[0].replace("ready\n", "") + later.stdout
            tracer.process.send_signal(signal.SIGINT)
            text, notes = tracer.process.communicate(timeout=LIMIT_S)
        self.assert_counts(parse_report(text), rounds_of(out))
        self.assertRegex(notes, r"\d functions of libedges_first\.so are probed in every process; 1 have it mapped now")

    def test_intervals_add_up(self):
        run, reports = record_each(0.1, *LIBRARIES, "--", workload("edges"), 2500)
        rounds, found = rounds_of(run.stdout), collections.Counter()
        self.assertGreater(len(reports), 2)
        for report in reports:
            for row in report["library_calls"]:
                for caller in row["callers"]:
                    found[row["symbol"], row["version"], caller["component"]] += caller["calls"]
        self.assertEqual(found, {(*key, name): calls * sum(rounds.values())
                                 for key, by_caller in ROUND.items() for name, calls in by_caller.items()})

    def test_program_lives_on_without_the_tracer(self):
        """Killed while it counts: the probes go with it, and the program does not notice."""
        with Workload(workload("edges"), 200, "wait") as program:
            with Tracer(*LIBRARIES, "-p", program.child) as tracer:
                program.go()
                tracer.process.kill()
            out = program.communicate()[0].replace("ready\n", "")
        self.assertEqual((len(rounds_of(out)), program.returncode), (200, 0))

    def test_samples_of_probed_functions(self):
        """What its probe has the CPU do is the tracer's, and not the function's or that of another without a name."""
        _, report = record(*LIBRARIES, "--frequency", 1000, "--report", "cpu", "--", workload("edges"), 0, 50000)
        self.assertEqual(rows(report)["first_leaf", None]["calls"], 50000)
        samples = collections.Counter()
        for row in report["cpu"]["functions"]:
            samples[row["function"] and row["function"]["function"]] += row["samples"]
        tracer = sum(row["samples"] for row in report["cpu"]["functions"]
                     if row["function"] and row["function"]["component"] == "[tracer]")
        self.assertGreater(tracer, 0.7 * report["cpu"]["samples"])
        self.assertEqual([row for row in report["cpu"]["functions"]
                          if row["function"] and row["function"]["component"] == "[uprobes]"], [])
        self.assertGreater(samples["first_leaf"] + tracer, 0.9 * report["cpu"]["samples"], samples)

    def test_text(self):
        run = scaler("--report", "library", "--count-only", "--lib", "libedges_*", "-o", "/dev/stderr", "--", workload("edges"), 1)
        self.assertRegex(run.stderr, r"libedges_first\.so +first_leaf +4 +edges 75\.0%, libedges_second\.so 25\.0%\n")
        self.assertRegex(run.stderr, r"libedges_first\.so +first_versioned@EDGES_1 +1 +edges\n")
        self.assertRegex(run.stderr, r"total +10\n")
        self.assertIn("not counted: calls of first_halting, first_locked: the kernel does not probe its first instruction\n", run.stderr)
