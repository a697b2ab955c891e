"""What probes cost stays within a budget: a function that is called too often has none but in windows, all others keep theirs."""
import subprocess
import unittest

from harness import LIMITED, SCALER, Tracer, Workload, estimate_holds, record, scaler, workload
from test_library_calls import callers, rows
from test_probe_windows import OwnCache

LIBRARIES = ("--lib", "libedges_*")
HOT, TURNS = 300_000_000, 80


class HotCase(OwnCache):
    def assert_others(self, found, hot, turns):
        made = {"second_outer": ("hot", turns), "first_inner": ("libedges_second.so", 2 * turns),
                "first_versioned": ("libedges_second.so", turns)}
        self.assertEqual(found.keys(), made.keys())
        for name, row in found.items():
            caller, count = made[name]
            self.assertEqual(callers(row).keys(), {caller})
            self.assertTrue(estimate_holds(row, "calls", count), (row, count))
            self.assertTrue(row["unhooked_ns"] is None or row["unhooked_ns"] >= hot["unhooked_ns"], (row, hot))


class HotFunctions(HotCase):
    def assert_unhooked(self, report):
        """The hot one, in time and first; the others, which go on meanwhile, are counted exactly, or said not to be."""
        found = {symbol: row for (symbol, version), row in rows(report).items()}
        hot = found.pop("first_leaf")
        start_ns, end_ns = report["recording"]["start_ns"], report["recording"]["end_ns"]
        self.assertTrue(start_ns < hot["unhooked_ns"] < end_ns)
        # What is called every other nanosecond cannot be estimated by hits of a microsecond.
        self.assertIn(hot["counted"], ("sampled", "share_only"))
        self.assertTrue(256 <= callers(hot)["hot"] <= HOT, callers(hot))
        self.assert_others(found, hot, TURNS)
        tracer = report["tracer"]
        self.assertTrue(0 < tracer["probes_ns"] < tracer["running_ns"])

    def test_counted(self):
        run, report = record(*LIBRARIES, "--", workload("hot"), HOT, TURNS)
        self.assertEqual(run.stdout, "done\n")
        self.assert_unhooked(report)

    def test_timed(self):
        run, report = record(*LIBRARIES, "--", workload("hot"), HOT, TURNS)
        self.assertEqual(run.stdout, "done\n")
        self.assert_unhooked(report)

    def test_running_process(self):
        with Workload(workload("hot"), HOT, TURNS, "wait") as program, \
                Tracer(*LIBRARIES, "--format", "json", "-p", program.child) as tracer:
            program.go()
            out = program.communicate()[0]
            report = tracer.finish_json()
        self.assertEqual(out, "done\n")
        self.assert_unhooked(report)

    def test_without_limit(self):
        _, report = record(*LIBRARIES, "--overhead", "none", "--", workload("hot"), 100_000, 1)
        row = rows(report)["first_leaf", None]
        self.assertEqual((callers(row)["hot"], row["unhooked_ns"]), (100_000, None))
        self.assertGreater(report["tracer"]["probes_ns"], 100_000 * 100)

    def test_text(self):
        run = scaler(*LIBRARIES, "--report", "library", "--", workload("hot"), HOT // 10, 1)
        self.assertRegex(run.stderr, r"LIBRARY +FUNCTION +COUNTED +CALLS ")
        self.assertRegex(run.stderr, r"first_leaf +(until|~ after) \d+\.\d+ ms +(~|>=)\d+ ")
        self.assertRegex(run.stderr, r"(not counted to the end|~): calls of 1 function ")
        self.assertRegex(run.stderr, r"overhead: .*, probes \S+ ms\n")

    def test_wrong_usage(self):
        for word in ("0", "-1", "5%%", "1001", "some", ""):
            run = subprocess.run([*LIMITED, SCALER, "--overhead", word, "--", "true"], capture_output=True, text=True,
                                 check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""), word)
            self.assertIn("--overhead takes percents", run.stderr)


if __name__ == "__main__":
    unittest.main()
