"""Who woke whom, how often: as the tracepoint has it that perf reads."""
import collections
import json
import os
import pathlib
import re
import tempfile

from harness import SCALER, LiveTest, workload
from test_latency import perf

WAKING = re.compile(r"\s*(?P<waker>\d+) .*sched_waking:.* pid=(?P<woken>\d+) ")


class WakerPairs(LiveTest):
    """Of threads of one run by each other; perf does not tell who was only interrupted, as others are by its timers."""

    def count_pairs(self, *command):
        """By (waker, woken): ours, of tasks that ended a wait, and all of perf's that woke one of our threads."""
        with tempfile.TemporaryDirectory() as folder:
            data, out = pathlib.Path(folder) / "perf.data", pathlib.Path(folder) / "report"
            perf("record", "-a", "-q", "-m", "16M", "-e", "sched:sched_waking", "-o", data, "--", SCALER, "--report",
                 "blocking", "--format", "json", "-o", out, "--", *command)
            # A schema takes its time for so many.
            report = json.loads(out.read_text(encoding="utf-8"))
            wakings = [*filter(None, map(WAKING.match, perf("script", "-i", data, "-F", "tid,event,trace").splitlines()))]
        ours = collections.Counter((row["wakeup"]["task"]["tid"], row["tid"]) for row in report["blocking"]
                                   if row["wakeup"] and row["wakeup"]["context"] == "task" and row["wakeup"]["task"])
        woken = {row["tid"] for row in report["blocking"]}
        wakers = woken | {waker for waker, _ in ours}
        theirs = collections.Counter((int(waking["waker"]), int(waking["woken"])) for waking in wakings
                                     if int(waking["woken"]) in woken and int(waking["waker"]) in wakers)
        self.assertEqual(report["coverage"]["blocking_intervals_lost"], 0)
        return ours, theirs

    def check(self, ours, theirs):
        """That none is made up, and that only those are missing that woke nobody: who had not gone to sleep yet."""
        self.assertEqual({pair: count for pair, count in ours.items() if count > theirs[pair]}, {})
        self.assertGreaterEqual(sum(ours.values()), 0.85 * sum(theirs.values()))

    def test_taking_turns(self):
        cpu = str(max(os.sched_getaffinity(0)))
        ours, theirs = self.count_pairs("taskset", "-c", cpu, "perf", "bench", "sched", "pipe", "-l", "5000")
        self.check(ours, theirs)
        pairs = dict(ours.most_common(2))
        self.assertGreaterEqual(sum(pairs.values()), 5000)
        self.assertEqual(pairs, {pair: theirs[pair] for pair in pairs})

    def test_many_to_many(self):
        ours, theirs = self.count_pairs("perf", "bench", "sched", "messaging", "-g", "1", "-l", "50", "-t")
        self.check(ours, theirs)
        self.assertGreaterEqual(len(ours), 40)

    def test_convoy(self):
        ours, theirs = self.count_pairs(workload("convoy"), "6", "20", "1")
        self.check(ours, theirs)
        self.assertGreaterEqual(sum(ours.values()), 100)
