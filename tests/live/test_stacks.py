"""The stack of each system call: exact from the first call on, cut with a reason or complete, never wrong."""
import collections
import re
import tempfile

from folded_stacks import count_cut, folded, parse_folded
from harness import LiveTest, ProbingTest, Tracer, Workload, needs, record, scaler, workload
from other_tracers import bpftrace

CHAIN = workload("chain")
LIBRARIES = ["libchain_outer.so`outer_call", "libchain_middle.so`middle_call", "libchain_inner.so`inner_call"]
LEAF = ["chain`leaf", "libc.so.6`getppid"]


def calls_of(stacks, name):
    """{frames from main() on, or from the outermost: calls} of a system call."""
    counts = collections.Counter()
    for (call, frames), count in stacks.items():
        if call == name:
            start = frames.index("chain`main") + 1 if "chain`main" in frames else 0
            counts[frames[start:]] += count
    return dict(counts)


class Chains(LiveTest):
    """A program whose calls are made through three libraries, stripped and without frame pointers."""

    def trace(self, *words):
        """Few calls: their events fit in the ring buffer, however slowly they are taken out."""
        run, stacks = folded("--", CHAIN, *map(str, words))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return stacks

    def test_of_several_threads(self):
        run, stacks = folded("--", CHAIN, "threads", "3", "200")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        counts = calls_of(stacks, "getppid")
        self.assertEqual(sum(counts.values()), 600)
        self.assertEqual({frames[-6:] for frames in counts}, {("chain`run_thread", *LIBRARIES, *LEAF)})
        self.assertEqual(count_cut(stacks), 0)

    def trace_many(self, *words):
        """Many calls, of which those before all is learned may be cut."""
        run, stacks = folded("--overhead", "none", "--", CHAIN, *map(str, words))
        self.assertEqual(run.returncode, 0, run.stderr)
        return stacks

    def test_every_call_from_the_first_on(self):
        stacks = self.trace("once", 300)
        self.assertEqual(calls_of(stacks, "getppid"), {(*LIBRARIES, *LEAF): 300})
        self.assertEqual(count_cut(stacks), 0)

    def test_two_hundred_threads(self):
        stacks = self.trace("threads", 3, 200)
        start = ("libc.so.6`clone3", "libc.so.6`start_thread", "chain`run_thread")
        counts = calls_of(stacks, "getppid")
        self.assertEqual(sum(counts.values()), 600)
        self.assertEqual({frames[-6:] for frames in counts}, {("chain`run_thread", *LIBRARIES, *LEAF)})
        self.assertEqual({len(frames) for frames in counts}, {len(start) + 5}, counts)
        self.assertEqual(count_cut(stacks), 0)

    def test_signal_inside_a_call(self):
        (frames, count), = calls_of(self.trace("signal", 10), "getppid").items()
        self.assertEqual(count, 10)
        raised, handled = frames.index("chain`raise_signal"), frames.index("chain`handler")
        self.assertEqual(frames[raised - 3:raised], tuple(LIBRARIES))
        self.assertEqual(frames[handled + 1:], (*LIBRARIES, *LEAF))
        self.assertLess(raised, handled)

    def test_recursion(self):
        counts = calls_of(self.trace("recursion", 10, 40), "getppid")
        (frames, count), = counts.items()
        self.assertEqual((count, sum("recurse" in frame for frame in frames)), (10, 41))

    def test_recursion_beyond_the_limit(self):
        (frames, count), = calls_of(self.trace("recursion", 10, 300), "getppid").items()
        self.assertEqual((count, len(frames), frames[0]), (10, 128, "[cut: too many frames]"))
        self.assertEqual(frames[-5:], (*LIBRARIES, *LEAF))
        self.assertTrue(all("recurse" in frame for frame in frames[1:-5]))

    def test_large_stack(self):
        counts = calls_of(self.trace("buffer", 10, 200), "getppid")
        self.assertEqual(counts, {(*LIBRARIES, "chain`fill_stack", *LEAF): 10})

    def test_stack_larger_than_what_is_copied(self):
        # The first calls are cut; each teaches where to go on, until the stack is known.
        counts = calls_of(self.trace_many("buffer", 100000, 400), "getppid")
        cut = [frames for frames in counts if frames[0].startswith("[cut: ")]
        self.assertEqual(sum(counts.values()), 100000)
        self.assertLessEqual({frames[0] for frames in cut}, {"[cut: learning]", "[cut: not known]"})
        self.assertGreater(counts[*LIBRARIES, "chain`fill_stack", *LEAF], 50000)

    def test_alternative_stack(self):
        counts = calls_of(self.trace_many("altstack", 100000), "getppid")
        self.assertEqual(sum(counts.values()), 100000)
        whole = {frames: count for frames, count in counts.items() if not frames[0].startswith("[cut: ")}
        (frames, count), = whole.items()
        raised = frames.index("chain`raise_signal")
        self.assertEqual(frames[raised - 3:raised], tuple(LIBRARIES))
        self.assertEqual(frames[-6:], ("chain`handler", *LIBRARIES, *LEAF))
        self.assertGreater(count, 50000)

    def test_counts_and_times_as_without_stacks(self):
        run, stacks = folded("--", CHAIN, "once", "100")
        self.assertEqual(run.returncode, 0, run.stderr)
        _, report = record("--", CHAIN, "once", "100")
        calls = collections.Counter()
        for (call, _), count in stacks.items():
            calls[call] += count
        self.assertEqual(calls, {row["name"]: row["count"] + row["partial"]["count"]
                                 for row in report["syscalls"]} | calls)


class Objects(LiveTest):
    """A program in C++ and a stripped library, without frame pointers, with an exception on its way through both."""

    def test_every_call_from_the_first_on(self):
        run, stacks = folded("--", workload("objects"), "10", "4")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(count_cut(stacks), 0)
        leaf = ("objects`(anonymous namespace)::leaf<long>::operator()", "libc.so.6`getppid")
        call, attempt = "libobjects.so`objects::retrying::call", "libobjects.so`objects::retrying::attempt"
        # Where exceptions are dealt with is a part of the function that lies elsewhere and has lost its name; but the
        # program's own call says what it has called.
        unnamed = "libobjects.so+"
        counts = collections.Counter()
        for (name, frames), count in stacks.items():
            if name == "getppid":
                start, *inner = frames[:3], *frames[4:]
                self.assertEqual(start[:2], ("libc.so.6`clone3", "libc.so.6`start_thread"))
                self.assertEqual(frames[3], "objects`(anonymous namespace)::work")
                counts[tuple(unnamed if frame.startswith(unnamed) else frame for frame in inner)] += count
        self.assertEqual(counts, {(call, attempt, *leaf): 40,
                                  (call, unnamed, "libobjects.so`objects::guard::~guard", *leaf): 40,
                                  (call, *leaf): 40})


class Places(LiveTest):
    def test_library_unloaded_and_another_in_its_place(self):
        first, second = workload("libfirst.so"), workload("libsecond.so")
        run, stacks = folded("--", workload("sites"), "swap", 20, 10, first, "first_call", second, "second_call")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        counts = {frames[-2:]: count for (call, frames), count in stacks.items() if call == "getppid"}
        self.assertEqual(counts, {("sites`main", "libfirst.so`first_call"): 200,
                                  ("sites`main", "libsecond.so`second_call"): 220})
        self.assertEqual(count_cut(stacks), 0)

    def test_call_that_began_before_the_recording(self):
        first = workload("libfirst.so")
        with Workload(workload("sites"), "hold", 10, first, "first_call") as program:
            with Tracer("-p", program.child, "--folded", "--sort", "calls") as tracer:
                program.go()
                program.stdin.close()
                stacks = parse_folded(tracer.finish())
        counts = {frames[-2:]: count for (call, frames), count in stacks.items() if call == "getppid"}
        self.assertEqual(counts, {("sites`main", "libfirst.so`first_call"): 10})
        reads = [frames for call, frames in stacks if call == "read"]
        self.assertEqual({frames[-2:] for frames in reads}, {("sites`main", "libc.so.6`read")})


class ReplacedReturnAddresses(ProbingTest):
    """Probes on returns of functions put something else in the place of their return addresses."""

    def test_of_another_tracer(self):
        chain = workload("chain")
        probes = " ".join(f"uretprobe:{workload(f'libchain_{name}.so')}:{name}_call {{ @{name} = count(); }}"
                          for name in ("outer", "inner"))
        with bpftrace(probes) as returned:
            run, stacks = folded("--no-probes", "--", chain, "once", "300")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(returned, {"outer": 1, "inner": 1})
        self.assertEqual(calls_of(stacks, "getppid"), {(*LIBRARIES, *LEAF): 300})
        self.assertEqual(count_cut(stacks), 0)

    @needs("uprobe_multi")
    def test_of_our_own_in_children_that_are_not_followed_yet(self):
        """What xargs calls on the way to a program: fork, and then open, dup2, close and execve."""
        numbers = self.enterContext(tempfile.NamedTemporaryFile("w"))
        numbers.write("1\n" * 30)
        numbers.flush()
        run, report = record("--calls", "exports", "--lib", "libc", "--overhead", "none", "--", "xargs", "-n1", "-a",
                             numbers.name, "/bin/true")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({row["name"]: row["count"] for row in report["syscalls"]}["execve"], 31)
        self.assertEqual([row for row in report["components"] if row["cut"] == "no code" and row["calls"]], [])


class WithAndWithoutTemplates(LiveTest):
    """What templates stand for is what a walk finds."""

    def assert_same(self, at_least, *command):
        """A stack's frames, and how often it was found."""
        stacks = []
        for options in ([], ["--no-templates"]):
            # There is room for all that is sent before all is learned.
            run, found = folded(*options, "--overhead", "none", "--map-size", f"events={1 << 26}", "--", *map(str, command))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            # How often a thread waits for another, and who frees its memory, is another matter each time.
            stacks.append({key: count for key, count in found.items() if key[0] not in ("futex", "munmap")})
        self.assertGreater(sum(stacks[0].values()), at_least)
        self.assertEqual(stacks[0].items() - stacks[1].items(), stacks[1].items() - stacks[0].items())

    def test_recursion(self):
        self.assert_same(5000, CHAIN, "recursion", 5000, 60)

    def test_signals(self):
        self.assert_same(1000, CHAIN, "signal", 1000)

    def test_threads(self):
        self.assert_same(5000, CHAIN, "threads", 50, 100)

    def test_sqlite(self):
        self.assert_same(1000, "sqlite3", "", "pragma cache_size=1; create table a(b, c);" + "".join(
            f"insert into a values ({i}, hex(zeroblob(5000))); select count(*) from a;" for i in range(300)))

    def test_git(self):
        self.assert_same(50, "git", "--no-pager", "help", "-a")


class Learning(LiveTest):
    """
    Stacks that were learned once are not sent again, also if one could not be learned to its end. A busy machine learns
    late, so that a few are sent more than once; what is never learned is sent each time.
    """

    def count_learned(self, *words):
        """So many stacks were sent because something in them was not known."""
        with tempfile.NamedTemporaryFile() as file:
            run = scaler("-v", "--blocking-report", "--report", "waits", "-o", file.name, *words)
        self.assertEqual(run.returncode, 0)
        return int(re.search(r"unwind rules and (\d+) stacks were learned", run.stderr)[1])

    def test_no_code(self):
        """The kernel cannot look at mappings where a thread blocks; user space says that there is no code."""
        self.assertLess(self.count_learned("--depth", "6", "--", workload("bogus"), 20000), 5000)

    def test_mappings_while_forking(self):
        """What is listed of mappings while a process forks is a part of them."""
        self.assertLess(self.count_learned("--", workload("forks"), 20, 3000), 5000)
