"""Functions whose probes would cost too much have them in windows, and what these stand for is estimated."""
import json
import os
import tempfile
import unittest
import unittest.mock

from harness import ProbingTest, estimate_holds, parse_json, record, record_each, scaler, workload

LIBRARY = ("--lib", "libshares_*")


def run_paced(*arguments):
    """Returns how often the workload called each function, and its row, by the function."""
    run, report = record(*LIBRARY, "--", workload("paced"), *arguments)
    words = run.stdout.split()
    made = {words[at]: int(words[at + 1]) + int(words[at + 2]) for at in (0, 3)}
    return made, {row["symbol"]: row for row in report["library_calls"]}


class OwnCache(ProbingTest):
    """With a cache of its own: what was costly in some other test is not known."""
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": folder.name})
        patch.start()
        self.addCleanup(patch.stop)


class Estimates(OwnCache):
    def test_within_the_budget_all_is_exact(self):
        for rate in (500, 2000):
            made, rows = run_paced(rate, 500)
            self.assertEqual({name: (row["calls"], row["counted"], row["sampled"]) for name, row in rows.items()},
                             {name: (count, "exact", None) for name, count in made.items()})

    def check_ranges(self, rate, runs):
        """Both functions have the same windows, so that a run is what succeeds or fails. A range should hold the number in 95
        of 100 runs, and of so short a run it holds it in 80 (this took 25): a third of them fails in one run of 600."""
        held = narrow = 0
        for _ in range(runs):
            made, rows = run_paced(rate, 1000)
            for row in rows.values():
                self.assertEqual((row["counted"], bool(row["sampled"])),
                                 ("sampled", True) if row["unhooked_ns"] else ("exact", False))
            held += all(estimate_holds(row, "calls", made[name]) for name, row in rows.items())
                        # Of few windows, where a probe is so dear that there are no more, it is said that they tell little.
            bounded = [row for row in rows.values() if not row["sampled"] or row["sampled"]["count"]["high"]]
            narrow += all(made[row["symbol"]] / 3 < row["calls"] < made[row["symbol"]] * 3 for row in bounded)
        self.assertGreaterEqual(held, runs / 3)
        self.assertGreaterEqual(narrow, runs / 3)

    def list_costly(self):
        run = scaler("--list", "--format", "json", *LIBRARY, "--", workload("paced"))
        functions = parse_json(run.stdout, "plan")["functions"]
        return {function["names"][0]["symbol"] for function in functions if function["was_costly"]}

    def test_what_cost_too_much_is_kept(self):
        run_paced(1000, 200)
        self.assertEqual(self.list_costly(), set())
        for _ in range(2):
            made, rows = run_paced(300_000, 600)
            self.assertEqual({row["counted"] for row in rows.values()}, {"sampled"})
            self.assertEqual(self.list_costly(), set(made))

    def test_what_costs_little_this_time_is_counted_again(self):
        run_paced(300_000, 600)
        made, rows = run_paced(300, 1500)
        self.assertEqual(self.list_costly(), set(made))
        for name, row in rows.items():
            self.assertEqual((row["unhooked_ns"], bool(row["since_ns"])), (None, True), row)
            self.assertEqual(row["counted"], "sampled" if row["sampled"] else "exact")
            self.assertTrue(made[name] * .8 < row["calls"] < made[name] * 1.3, (made, row))

    def test_often(self):
        self.check_ranges(200_000, 4)

    def test_all_the_time(self):
        self.check_ranges(1_000_000, 4)

    def test_parts_add_up(self):
        _, rows = run_paced(300_000, 600)
        for row in rows.values():
            self.assertEqual(row["counted"], "sampled")
            for parts in (row["callers"], row["threads"]):
                self.assertEqual(sum(part["calls"] for part in parts), row["calls"])
                self.assertEqual([part["sampled"] for part in parts], [row["sampled"]])

    def run_phases(self, first, second):
        """How often share_half() was called in each second of two phases of 2 s, by the reports of the intervals."""
        run, reports = record_each(0.5, *LIBRARY, "--report", "library", "--", workload("paced"), first, 2000, second)
        counts = [sum(row["calls"] for row in report["library_calls"] if row["symbol"] == "share_half") for report in reports]
        return counts, [int(word) for word in run.stdout.split()[1:3]]

    def assert_phase(self, counts, made):
        """By the intervals that had a window; there are some without, as a window may cost more than what is allowed of an interval."""
        seen = [count for count in counts if count]
        self.assertTrue(seen, counts)
        self.assertTrue(made / 4 < sum(seen) / len(seen) * len(counts) < made * 4, (counts, made))

    def test_more_often_is_noticed(self):
        """Within 2 s, and both phases are reported."""
        counts, made = self.run_phases(2000, 200_000)
        self.assertLess(max(counts[:3]), made[0])
        self.assertTrue(made[1] / 12 < max(counts[4:]), (counts, made))
        self.assert_phase(counts[4:8], made[1])

    def test_less_often_is_noticed(self):
        counts, made = self.run_phases(200_000, 2000)
        self.assertLess(counts[7], max(counts[:4]) / 10, (counts, made))
        self.assert_phase(counts[:4], made[0])

    def test_text(self):
        run = scaler(*LIBRARY, "--report", "library", "--", workload("paced"), 1_000_000, 700)
        self.assertRegex(run.stderr, r"share_half +~ after \d+\.\d+ ms +(~|>=)\d+ +(~|>=)\d+ +(~|>=)\d+")
        self.assertRegex(run.stderr, r"\n~: calls of 2 functions are estimated from \d+ windows?, because to count every one would "
                                     r"cost more than --overhead allows; --format json has the 95% ranges\n")


if __name__ == "__main__":
    unittest.main()
