"""The call tree: the same ways to the same calls as the folded stacks, in sums that match."""
from folded_stacks import folded
from harness import LiveTest, record, scaler, workload

CHAIN = workload("chain")
FIGURES = ("calls", "errors", "total_ns", "running_ns", "runnable_ns", "blocked_ns")


def frame(node):
    """As --folded writes it."""
    if node["kind"] == "cut":
        return f"[cut: {node['name']}]"
    place = node["function"]
    if place["function"]:
        return f"{place['component']}`{place['function']}"
    return f"{place['component']}+{place['offset']:#x}" if place["offset"] else place["component"]


def ways(node, frames=()):
    """Yields (system call, frames), calls below a node."""
    for child in node["children"]:
        if child["kind"] == "syscall":
            yield (child["name"], frames), child["calls"]
        elif child["kind"] != "running":
            yield from ways(child, (*frames, frame(child)))


class Tree(LiveTest):
    def assert_adds_up(self, node):
        for child in node["children"]:
            self.assert_adds_up(child)
        for figure in FIGURES if node["children"] else ():
            self.assertEqual(sum(child[figure] for child in node["children"]), node[figure])
        self.assertEqual(bool(node["children"]), node["kind"] not in ("syscall", "running", "outside"))
        samples = [child["sampled"]["samples"] for child in node["children"] if child["sampled"]]
        if samples:
            self.assertEqual(sum(samples), node["sampled"]["samples"])

    def test_sums(self):
        _, report = record("--report", "tree,threads", "--", workload("server"), "4", "200")
        self.assertEqual({node["name"] for node in report["tree"]},
                         {thread["name"] for thread in report["threads"]} | {None})
        for node in report["tree"]:
            self.assert_adds_up(node)
        for figure in FIGURES[3:]:
            self.assertEqual(sum(node[figure] for node in report["tree"]),
                             sum(thread[figure] for thread in report["threads"]), figure)

    def test_sorted(self):
        _, report = record("--report", "tree", "--sort", "calls", "--", workload("server"), "2", "50")
        nodes = [{"children": report["tree"][:-1]}]
        for node in nodes:
            calls = [child["calls"] for child in node["children"]]
            self.assertEqual(calls, sorted(calls, reverse=True))
            nodes += node["children"]
        self.assertGreater(len(nodes), 50)

    def test_same_as_folded(self):
        run, stacks = folded("--", CHAIN, "recursion", "20", "10")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run, report = record("--report", "tree", "--", CHAIN, "recursion", "20", "10")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        (threads, _) = report["tree"]
        self.assertEqual(threads["name"], "chain")
        self.assertEqual(dict(ways(threads)), stacks)

    def test_text(self):
        run = scaler("--report", "tree", "--no-samples", "--", CHAIN, "once", "100")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stderr.splitlines()
        start = next(i for i, line in enumerate(lines) if line.endswith("- chain:main"))
        # The figures stand where the way branches off; what is below has the same.
        self.assertEqual(lines[start].split()[7:9], ["100", "0"])
        self.assertEqual([line.split()[-1] for line in lines[start + 1:start + 7]],
                         ["libchain_outer.so:outer_call", "libchain_middle.so:middle_call",
                          "libchain_inner.so:inner_call", "chain:leaf", "libc.so.6:getppid", "syscall:getppid"])
