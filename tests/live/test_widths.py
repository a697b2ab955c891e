"""No line of a report is wider than the terminal, whatever programs call themselves, their threads and their files."""
import os

from harness import LiveTest, ProbingTest, scaler, workload

REPORTS = "all,summary,path,bottlenecks,chains,waits,locks,blocking,latency,tree"


def wide_lines(text, width):
    return [line for line in text.splitlines() if len(line) > width]


def reports(width, *words):
    """The reports of a command on a terminal of that width."""
    run = scaler(*words, env=dict(os.environ, COLUMNS=str(width)))
    if run.returncode:
        raise AssertionError(run.stderr)
    return run.stderr


class Widths(LiveTest):
    def check(self, *command):
        for width in (80, 120):
            text = reports(width, "--report", REPORTS, "--", *command)
            self.assertIn("\nnarrow: ", text)
            self.assertEqual(wide_lines(text, width), [], text)

    def test_names(self):
        """Escapes, control characters, other scripts, and names as long as they can be."""
        self.check(workload("names"))

    def test_pipeline(self):
        self.check("sh", "-c", "seq 20000 | sort -n | /usr/bin/python3 -c 'import sys; print(len(list(sys.stdin)))'")

    def test_deep_chains(self):
        self.check(workload("chains"), "5")

    def test_live(self):
        text = reports(80, "live", "--", workload("chains"), "5")
        self.assertGreater(len(text.splitlines()), 20)
        self.assertEqual(wide_lines(text, 80), [], text)

    def test_wide(self):
        """All of it where that is asked for."""
        text = reports(80, "--wide", "--report", REPORTS, "--", workload("names"))
        self.assertNotIn("\nnarrow: ", text)
        self.assertTrue(wide_lines(text, 120))


class LibraryCalls(ProbingTest):
    def test_tables(self):
        text = reports(80, "--calls", "--report", "library,flow,functions", "--", workload("chains"), "5")
        self.assertEqual(wide_lines(text, 80), [], text)
