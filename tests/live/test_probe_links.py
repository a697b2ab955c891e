"""Library calls on kernels without links for many probes: the same counts and times."""
import contextlib
import pathlib
import re
import subprocess
import unittest

from harness import LIMITED, SCALER, LiveTest, ProbingTest, Tracer, Workload, call_counts, record, workload
from test_following import OUTER, calls_of
from test_library_calls import LIBRARIES, ROUND, callers, rounds_of, rows
from test_library_times import MS, reasons
from test_overhead import HotCase

HOT, TURNS = 200_000_000, 50


def links_of(pid):
    """The kinds of the links that the process has."""
    kinds = []
    for path in pathlib.Path(f"/proc/{pid}/fdinfo").iterdir():
        kinds += re.findall(r"^link_type:\t(\w+)", path.read_text(encoding="ascii"), re.M)
    return kinds


class WithoutMulti(HotCase):
    def assert_counts(self, report, rounds):
        self.assertEqual({key: callers(row) for key, row in rows(report).items()},
                         {key: {name: calls * sum(rounds.values()) for name, calls in by_caller.items()}
                          for key, by_caller in ROUND.items()})

    def test_counts(self):
        run, report = record("--without", "uprobe-multi", *LIBRARIES, "--", workload("edges"), 100)
        self.assert_counts(report, rounds_of(run.stdout))
        for row in report["library_calls"]:
            self.assertEqual((row["untimed"], row["partial"]), (0, 0), row["symbol"])
        self.assertEqual(reasons(report), {})

    def test_times(self):
        run, report = record("--without", "uprobe-multi", "--overhead", "none", "--func", "first_sleep,first_spin", "--",
                             workload("returns"), "times")
        self.assertEqual(run.stdout, "done\n")
        sleep, spin = (rows(report)[name, None] for name in ("first_sleep", "first_spin"))
        self.assertEqual((sleep["calls"], sleep["untimed"], spin["calls"], spin["untimed"]), (30, 0, 20, 0))
        self.assertGreaterEqual(sleep["total_ns"], 60 * MS)
        self.assertGreaterEqual(sleep["blocked_ns"], 55 * MS)
        self.assertGreaterEqual(spin["total_ns"] - spin["runnable_ns"] - spin["blocked_ns"], 38 * MS)

    def test_two_processes(self):
        """Each probe is a link, and no other process of the same program is probed; killed, the tracer leaves nothing."""
        options = ("--without", "uprobe-multi", "--overhead", "none", "--count-only", "--func", "first_*")
        with contextlib.ExitStack() as stack:
            programs = [stack.enter_context(Workload(workload("edges"), count, "wait")) for count in (2, 3, 4)]
            pids = [program.child for program in programs]
            killed = stack.enter_context(Tracer(*options, "-p", pids[0]))
            links = links_of(killed.process.pid)
            # Four functions, and what measures a probe's cost.
            self.assertGreaterEqual(links.count("perf"), 4)
            self.assertNotIn("uprobe_multi", links)
            killed.process.kill()
            killed.process.wait()
            tracer = stack.enter_context(
                Tracer(*options, "--format", "json", "-p", ",".join(map(str, pids[:2]))))
            for program in programs:
                program.go()
            out = [program.communicate()[0].replace("ready\n", "") for program in programs]
            report = tracer.finish_json()
        rounds = rounds_of(out[0] + out[1])
        found = rows(report)
        self.assertEqual(callers(found["first_leaf", None]),
                         {name: calls * sum(rounds.values()) for name, calls in ROUND["first_leaf", None].items()})
        self.assertEqual({thread["pid"] for row in report["library_calls"] for thread in row["threads"]}, set(pids[:2]))
        self.assertEqual([program.returncode for program in programs], [0, 0, 0])

    def test_followed(self):
        run, report = record("--without", "uprobe-multi", "--overhead", "none", "--count-only", "--func", "first_*",
                             "--", workload("follows"), "load", workload("libedges_second.so"), "pause", "outer", 5)
        (calls,) = calls_of(run.stdout).values()
        self.assertEqual({symbol: row["calls"] for (symbol, _), row in rows(report).items()},
                         {name: times * calls for name, times in OUTER.items()})

    def test_hot_function(self):
        """Its probe is taken out first; the others stay, or are said not to."""
        run, report = record("--without", "uprobe-multi", "--count-only", "--lib", "libedges_*", "--",
                             workload("hot"), HOT, TURNS)
        self.assertEqual(run.stdout, "done\n")
        found = {symbol: row for (symbol, _), row in rows(report).items()}
        hot = found.pop("first_leaf")
        self.assertTrue(hot["unhooked_ns"] and callers(hot)["hot"] < HOT / 10, callers(hot))
        self.assert_others(found, hot, TURNS)

    def test_too_many(self):
        run = subprocess.run([*LIMITED, SCALER, "--without", "uprobe-multi", "--lib", "libc", "--calls", "exports", "--",
                              "true"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"\Ascaler-bpf: cannot probe library functions: without uprobe_multi \(Linux 6\.6\) "
                                     r"there can be 200 probes, [^\n]+--func[^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
