"""System calls charged to the library calls that they were made in: counts that are known, and that others find."""
import collections

from harness import ProbingTest, Tracer, Workload, call_counts, record, workload

LIBRARIES = ("--overhead", "none", "--lib", "libreturns_*", "--no-samples")
ROUNDS = 'sysread STDIN, $x, 1; pipe R, W; for (1 .. 1000) { syswrite W, "x"; sysread R, $x, 1 }'
FIGURES = ("calls", "errors", "total_ns", "running_ns", "runnable_ns", "blocked_ns")


def functions(report):
    return {row["symbol"]: row for row in report["library_syscalls"]["functions"]}


def count(row, name, key="figures"):
    """How often the function's calls made that system call."""
    return sum(call[key]["calls"] for call in row["syscalls"] if call["name"] == name) if row else 0


def walked(report):
    """By function: the system calls on whose stack it was."""
    counts = collections.Counter()

    def walk(nodes, above):
        for node in nodes:
            if node["kind"] == "syscall":
                counts.update({name: node["calls"] for name in above})
            walk(node["children"], above | {node["function"]["function"]} if node["function"] else above)

    walk(report["tree"], frozenset())
    return counts


class LibrarySyscalls(ProbingTest):
    def record_scene(self, *scene, options=()):
        run, report = record(*LIBRARIES, *options, "--", workload("returns"), *scene)
        self.assertEqual((run.returncode, run.stdout), (0, "done\n"))
        self.assert_adds_up(report)
        return report

    def assert_adds_up(self, report):
        """No call is lost and none is charged twice."""
        syscalls = report["library_syscalls"]
        for key in FIGURES:
            charged = sum(row["self"][key] for row in syscalls["functions"]) + syscalls["outside"][key]
            self.assertEqual(charged, syscalls["total"][key], key)
        for row in syscalls["functions"]:
            for key in FIGURES:
                for part in ("figures", "self"):
                    self.assertEqual(sum(call[part][key] for call in row["syscalls"]), row[part][key])
                self.assertLessEqual(row["self"][key], row["figures"][key])
        if "syscalls" in report:
            self.assertEqual(syscalls["total"]["calls"], sum(call_counts(report).values()))

    def test_nested(self):
        report = self.record_scene("times")
        found = functions(report)
        self.assertEqual(count(found["first_sleep"], "clock_nanosleep"), 30)
        self.assertEqual(count(found["first_sleep"], "clock_nanosleep", "self"), 30)
        self.assertEqual(count(found["second_sleep"], "clock_nanosleep"), 10)
        self.assertEqual(found["second_sleep"]["self"]["calls"], 0)
        self.assertEqual({call["category"] for call in found["second_sleep"]["syscalls"]}, {"time"})
        times = {row["symbol"]: row for row in report["library_calls"]}
        for symbol, row in found.items():
            self.assertLessEqual(row["figures"]["total_ns"], times[symbol]["total_ns"])
            self.assertEqual(row["figures"]["blocked_ns"], times[symbol]["blocked_ns"])

    def test_as_the_stacks_tell(self):
        report = self.record_scene("times", options=("--report", "library,syscalls,tree"))
        theirs = walked(report)
        for symbol, row in functions(report).items():
            self.assertEqual(row["figures"]["calls"], theirs[symbol], symbol)

    def test_joined(self):
        """Walked functions tell what probes on them counted, and threads what they were in for longest."""
        report = self.record_scene("times", options=("--report", "functions,library,syscalls,threads"))
        probed = {row["symbol"]: row for row in report["library_calls"]}
        walked = {row["function"]["function"]: row for row in report["functions"] if row["function"]}
        for symbol in ("first_sleep", "second_sleep"):
            row, found = walked[symbol], walked[symbol]["probed"]
            self.assertEqual(row["calls"], 20 if symbol == "first_sleep" else 10)
            self.assertEqual(found["calls"], 30 if symbol == "first_sleep" else 10)
            self.assertEqual(found, {key: probed[symbol][key] for key in found})
        self.assertIsNone(walked["__libc_start_main"]["probed"])
        top = report["threads"][0]["top_function"]
        self.assertEqual([top[end]["function"] for end in ("function", "innermost")],
                         ["first_sleep", "usleep"])
        self.assertEqual(top["total_ns"], walked["first_sleep"]["total_ns"])

    def test_recursion(self):
        """A function that is open many times has made a call once."""
        found = functions(self.record_scene("recursion", 20))
        self.assertEqual(count(found["first_call"], "clock_nanosleep"), 1)
        self.assertEqual(count(found["first_sleep"], "clock_nanosleep", "self"), 1)

    def test_left_by_jump(self):
        """What follows a longjmp() is not in the calls that it left."""
        found = functions(self.record_scene("longjmp"))
        self.assertEqual(count(found["first_sleep"], "clock_nanosleep"), 5)
        self.assertEqual(count(found["first_call"], "clock_nanosleep"), 5)

    def test_flow(self):
        flow = {(row["caller"], row["called"]): row for row in self.record_scene("times")["flow"]}
        self.assertEqual({ends: row["calls"] for ends, row in flow.items()},
                         {("returns", "libreturns_first.so"): 40, ("returns", "libreturns_second.so"): 10,
                          ("libreturns_second.so", "libreturns_first.so"): 10})
        within = flow["libreturns_second.so", "libreturns_first.so"]["total_ns"]
        outer = flow["returns", "libreturns_second.so"]
        self.assertEqual(outer["self"]["total_ns"], outer["total_ns"] - within)

    def test_attached(self):
        """As the stacks of system calls have it, of an interpreter that was attached to while it ran."""
        with Workload("perl", "-e", ROUNDS) as program:
            with Tracer("-p", program.child, "--func", "read,write", "--overhead", "none", "--no-samples",
                        "--report", "library,tree", "--format", "json") as tracer:
                program.go()
                report = tracer.finish_json()
        self.assert_adds_up(report)
        theirs, found = walked(report), functions(report)
        for symbol in ("read", "write"):
            self.assertEqual(found[symbol]["figures"]["calls"], 1000)
            self.assertEqual(theirs[symbol], 1000 + (symbol == "read"))  # the one that it was in to begin with
