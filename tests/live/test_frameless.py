"""Stacks through code that no table describes, and on stacks made by hand."""
from folded_stacks import count_cut, folded
from harness import LiveTest, record, scaler, workload

FRAMELESS = workload("frameless")
COUNT = 200


def of_getppid(stacks):
    """{its frames from main on, or from where the stack is cut}: calls."""
    found = {}
    for (call, frames), count in stacks.items():
        if call == "getppid":
            names = [frame.rpartition("`")[2] for frame in frames]
            start = names.index("main") if "main" in names else 0
            found[tuple(names[start:])] = found.get(tuple(names[start:]), 0) + count
    return found


class FramePointers(LiveTest):
    def test_caller_without_one(self):
        """rbp is that of a caller further up: to go on by it would leave out those between."""
        run, stacks = folded("--", FRAMELESS, "straight", str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(of_getppid(stacks), {("[cut: callers missing]", "ask", "getppid"): COUNT})

    def test_one_of_its_own(self):
        run, stacks = folded("--", FRAMELESS, "own", str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(of_getppid(stacks),
                         {("main", "straight", "wanted", "frameless_keeps", "getppid"): COUNT})

    def test_samples(self):
        run = scaler("--folded", "-o", "/dev/stdout", "--", FRAMELESS, "run", str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        running = [line for line in run.stdout.splitlines() if "`run" in line]
        self.assertTrue(running)
        for line in running:
            # At its first instructions, before anything is pushed, too.
            self.assertIn("[cut: callers missing];", line)

    def test_undecided(self):
        """The call that seems to lead to the function is by a pointer: said, not hidden."""
        run, report = record("--report", "tree", "--depth", "20", "--", FRAMELESS, "pointed", str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        coverage = report["coverage"]
        self.assertGreater(coverage["stacks_unsure"], 0)
        self.assertLess(coverage["stacks_unsure"], coverage["stacks"])
        run = scaler("--report", "tree", "--depth", "20", "--", FRAMELESS, "pointed", str(COUNT))
        self.assertRegex(run.stderr, r"note: \d+ of \d+ stacks may lack callers: code that no table describes")

    def test_decided(self):
        for way in ("own", "straight"):
            _, report = record("--report", "tree", "--depth", "20", "--", FRAMELESS, way, str(COUNT))
            self.assertEqual(report["coverage"]["stacks_unsure"], 0, way)


class Coroutines(LiveTest):
    PROGRAM = workload("coroutines")
    RESTS = 8

    def test_ends(self):
        """Their stacks end where the C library has put the function that follows them."""
        run, stacks = folded("--", self.PROGRAM, str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(count_cut(stacks), 0)
        calls = of_getppid(stacks)
        self.assertEqual(sum(calls.values()), COUNT)
        for frames in calls:
            self.assertEqual(frames[1:2] + frames[-2:], ("body", "ask", "getppid"))

    def test_calls_without_a_time(self):
        run, report = record("--calls", "--overhead", "none", "--no-samples", "--report", "library", "--",
                             self.PROGRAM, str(COUNT))
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = {row["function"]: row for row in report["library_calls"]}
        for name in ("qsort", "getppid"):
            self.assertEqual((rows[name]["calls"], rows[name]["untimed"]), (COUNT, COUNT))
        self.assertEqual(report["coverage"]["library_calls_on_other_stacks"], 2 * COUNT + self.RESTS)

    def test_text(self):
        run = scaler("--calls", "--overhead", "none", "--report", "library", "--", self.PROGRAM, str(COUNT))
        self.assertIn(f"lost: {2 * COUNT + self.RESTS} library calls without a time (on stacks that are not the thread's "
                      "own: coroutines', or those for signals)\n", run.stderr)
