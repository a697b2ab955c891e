"""Two thousand threads that block and wake each other as fast as the machine can: every interval is told, or counted as
lost. The kernel's own count of each thread's voluntary switches knows how many there are."""
from harness import SLOWNESS, LiveTest, record, workload

PAIRS = 1000


class FullRate(LiveTest):
    def record(self, turns, *options):
        run, report = record("--report", "waits,threads", *options, "--", workload("states"), *[f"turns:{turns}"] * PAIRS)
        self.assertEqual(run.returncode, 0, run.stderr)
        lost, told = report["coverage"]["blocking_intervals_lost"], sum(row["waits"] for row in report["waits"])
        self.assertEqual(len(report["threads"]), 2 * PAIRS + 1)
        # What of a switch the kernel did not tell may be one more of the tracer's.
        more = told + lost - sum(thread["voluntary_switches"] for thread in report["threads"])
        self.assertTrue(0 <= more <= report["coverage"]["switches_repaired"], (more, told, lost))
        return report, told, lost

    def test_nothing_is_lost(self):
        """With the buffer as it is: for some seconds."""
        report, told, lost = self.record(300 // SLOWNESS)
        self.assertEqual(lost, 0)
        # Where the other end is ready already, nobody waits.
        self.assertGreater(told, PAIRS * 300 // SLOWNESS)
        self.assertEqual(sum(row["blocked_ns"] for row in report["waits"]),
                         sum(thread["blocked_ns"] for thread in report["threads"]))

    def test_loss_is_counted(self):
        _, told, lost = self.record(50, "--map-size", "events=4096")
        self.assertGreater(lost, 0)
        self.assertGreater(told, 0)
