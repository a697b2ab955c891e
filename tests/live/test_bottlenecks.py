"""Bottlenecks: the weights of waiting events, anew from the chains of the same recording."""
import collections
import re

from harness import LiveTest, record, workload

MS = 1_000_000
OF_THREADS = {"wait", "not created", "running", "runnable", "CPU quota"}
DELAYS = {"runnable": ("cpu", None, None), "CPU quota": ("cpu_quota", None, None)}


def group_name(row):
    """Of threads by name, of root causes by kind."""
    if row["kind"] in OF_THREADS:
        return "threads", re.sub("[0-9]+", "#", row["name"]), None
    name = re.sub("[0-9]+", "#", row["name"]) if row["kind"] == "not traced" else None
    return row["kind"], name, row["interrupt"] if row["kind"] in ("device", "interrupt") else None


class Weights(LiveTest):
    def sum_edges(self, rows, edges, is_top=True):
        """Adds the weights between each two groups, and those of the waits themselves."""
        for row in rows:
            waiter = group_name(row)
            if is_top and row["kind"] in DELAYS:
                edges[waiter, DELAYS[row["kind"]]] += collections.Counter(weight_ns=row["total_ns"], own_ns=row["total_ns"])
            for cause in row["causes"]:
                delay_ns = cause["total_ns"] - cause["idle_ns"]
                pairs = [(waiter, group_name(cause), delay_ns if is_top else 0)]
                if cause["kind"] in DELAYS:
                    pairs.append((group_name(cause), DELAYS[cause["kind"]], 0))
                for one, other, own_ns in pairs if delay_ns else []:
                    edges[one, other] += collections.Counter(weight_ns=delay_ns, own_ns=own_ns)
            self.sum_edges(row["causes"], edges, False)

    def check(self, *command):
        run, report = record("--bottlenecks", "--wait-chains", "--", *command)
        self.assertEqual(run.returncode, 0)
        bottlenecks = report["bottlenecks"]
        groups = [(group["kind"], group["name"], group["interrupt"]) for group in bottlenecks["groups"]]
        self.assertEqual(len(set(groups)), len(groups))
        wanted, found = (collections.defaultdict(collections.Counter) for _ in range(2))
        self.sum_edges(report["chains"], wanted)
        for event in bottlenecks["events"]:
            found[groups[event["waiter"]], groups[event["ender"]]] += collections.Counter(
                weight_ns=event["weight_ns"], own_ns=event["own_ns"])
        self.assertEqual(found, wanted)
        total_ns = sum(row["total_ns"] - row["idle_ns"] for row in report["chains"])
        self.assertEqual(bottlenecks["total_ns"], total_ns)
        self.assertEqual(sum(group["root_ns"] for group in bottlenecks["groups"]), total_ns)
        return dict(zip(groups, bottlenecks["groups"])), found

    def test_convoy(self):
        groups, edges = self.check(workload("convoy"), "4", "5", "10")
        member, timer = ("threads", "member", None), ("timer", None, None)
        # All the others wait until one of them has slept: in turn, so that more is delayed than passes.
        self.assertGreaterEqual(edges[member, timer]["weight_ns"], 3 * edges[member, timer]["own_ns"])
        self.assertGreaterEqual(edges[member, member]["own_ns"], 300 * MS)
        self.assertEqual(groups[timer]["knot"], 1)
        self.assertIsNone(groups[member]["knot"])

    def test_three_threads(self):
        _, edges = self.check(workload("chains"), "5")
        middle, sleeper, timer = ("threads", "middle", None), ("threads", "sleeper", None), ("timer", None, None)
        # The waits of the two others for its sleep, which by itself is its own choice.
        nap = edges[sleeper, timer]
        self.assertEqual(nap["own_ns"], 0)
        self.assertGreaterEqual(nap["weight_ns"], 0.95 * 2 * 250 * MS)
        self.assertGreater(edges[middle, sleeper]["weight_ns"], edges[middle, sleeper]["own_ns"])

    def test_idle(self):
        groups, edges = self.check(workload("offers"))
        dispatcher = ("threads", "dispatcher", None)
        self.assertEqual(edges[dispatcher, ("timer", None, None)]["own_ns"], 0)
        # It delays the one that wants the lock.
        self.assertGreaterEqual(edges[dispatcher, ("timer", None, None)]["weight_ns"], 150 * MS)
        self.assertGreaterEqual(groups["threads", "dispatcher", None]["awaited_ns"], 150 * MS)
