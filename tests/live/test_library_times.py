"""Library calls by probes on entries and exits: times, and all the ways in which calls can end."""
import subprocess

from harness import LIMITED, SLOWNESS, ProbingTest, record, workload
from test_library_calls import callers, rows

LIBRARIES = ("--overhead", "none", "--lib", "libreturns_*")
MS = 1000000


def reasons(report):
    """Why functions were not timed, by their names."""
    return {row["symbol"]: row["reason"] for row in report["coverage"]["functions_not_timed"]}


class TimedCase(ProbingTest):
    def record_scene(self, *scene, status=0):
        """The scene's rows by function; the program ends as it does untraced."""
        program = [workload("returns"), *map(str, scene)]
        untraced = subprocess.run([*LIMITED, *program], capture_output=True, text=True)
        run, report = record(*LIBRARIES, "--", *program)
        self.assertEqual((untraced.returncode, untraced.stdout), (status, "done\n"))
        self.assertEqual((run.returncode, run.stdout), (status, "done\n"))
        self.assertEqual(report["coverage"]["library_calls_not_counted"], 0)
        found = {row["symbol"]: row for row in report["library_calls"]}
        for row in found.values():
            self.assert_consistent(row)
        return found

    def assert_consistent(self, row):
        for figures in (row, *row["callers"], *row["threads"]):
            own = figures["self"]
            self.assertLessEqual(figures["runnable_ns"] + figures["blocked_ns"], figures["total_ns"])
            self.assertLessEqual(own["runnable_ns"] + own["blocked_ns"], own["total_ns"])
            self.assertLessEqual(figures["untimed"] + figures["partial"], figures["calls"])
        for part in (row["callers"], row["threads"]):
            for key in ("calls", "untimed", "partial", "total_ns", "blocked_ns"):
                self.assertEqual(sum(one[key] for one in part), row[key])

    def assert_calls(self, row, calls, untimed=0, partial=0):
        self.assertEqual((row["calls"], row["untimed"], row["partial"]), (calls, untimed, partial))

    def assert_time(self, time_ns, expected_ms, calls):
        """At least as long; and not longer than what a call may take besides on a busy machine."""
        self.assertGreaterEqual(time_ns, expected_ms * MS)
        self.assertLess(time_ns, 1.05 * expected_ms * MS + calls * 2 * MS)


class KnownTimes(TimedCase):
    alone = "others on the same CPUs would lengthen what takes a known time"

    def test_times(self):
        found = self.record_scene("times")
        sleep, spin, outer = found["first_sleep"], found["first_spin"], found["second_sleep"]
        self.assert_calls(sleep, 30)
        self.assert_calls(spin, 20)
        self.assert_calls(outer, 10)
        self.assertEqual(callers(sleep), {"returns": 20, "libreturns_second.so": 10})
        self.assert_time(sleep["total_ns"], 60, 30)
        self.assert_time(sleep["blocked_ns"], 55, 30)
        self.assert_time(sleep["p50_ns"], 1.9, 1)
        running_ns = spin["total_ns"] - spin["runnable_ns"] - spin["blocked_ns"]
        self.assertAlmostEqual(running_ns, 40 * MS, delta=0.05 * 40 * MS + 20 * 0.2 * MS)
        self.assert_time(outer["total_ns"], 20, 10)
        inner = next(caller for caller in sleep["callers"] if caller["component"] == "libreturns_second.so")
        self.assertEqual(outer["self"]["total_ns"], outer["total_ns"] - inner["total_ns"])
        self.assertEqual(outer["self"]["blocked_ns"], outer["blocked_ns"] - inner["blocked_ns"])
        for row in (sleep, spin, outer):
            self.assertLessEqual(row["p50_ns"], row["p99_ns"])
            self.assertLessEqual(row["p99_ns"], row["max_ns"])
            self.assertGreater(row["max_start_ns"], 0)

    def test_without_the_probes(self):
        """What probes take is in no call's time: the call that makes 20,000 of others took next to nothing itself."""
        count = 20000
        run, report = record(*LIBRARIES, "--", workload("returns"), "many", count)
        self.assertEqual(run.stdout, "done\n")
        found = {row["symbol"]: row for row in report["library_calls"]}
        outer, leaf = found["second_many"], found["first_leaf"]
        self.assert_calls(outer, 1)
        self.assert_calls(leaf, count)
        for row in (outer, leaf):
            self.assert_consistent(row)
        # What is left is by how much some of the probes took longer than they do at best.
        probes_ns = report["tracer"]["probes_ns"]
        self.assertGreater(probes_ns, count * 200)
        for row in (outer, leaf, outer["self"]):
            self.assertLess(row["total_ns"] - row["runnable_ns"] - row["blocked_ns"], 0.5 * probes_ns)


class Endings(TimedCase):
    def test_recursion(self):
        """Time within itself is no more time; deeper than 64 calls are counted only."""
        found = self.record_scene("recursion", 20)
        call, leaf, sleep = found["first_call"], found["first_leaf"], found["first_sleep"]
        self.assert_calls(call, 20)
        self.assert_calls(leaf, 21)
        self.assert_calls(sleep, 1)
        self.assertGreater(call["total_ns"], 5 * MS)
        self.assertEqual(call["total_ns"], call["max_ns"])
        # All is within the outermost first_call(), but the first first_leaf().
        own_ns = sum(row["self"]["total_ns"] for row in found.values())
        self.assertTrue(call["total_ns"] < own_ns <= call["total_ns"] + leaf["max_ns"])
        found = self.record_scene("recursion", 200)
        self.assert_calls(found["first_call"], 200, untimed=136)
        self.assert_calls(found["first_leaf"], 201, untimed=137)
        self.assert_calls(found["first_sleep"], 1, untimed=1)
        self.assertGreater(found["first_call"]["total_ns"], 5 * MS)

    def test_longjmp(self):
        found = self.record_scene("longjmp")
        self.assert_calls(found["first_call"], 10, partial=5)
        self.assert_calls(found["first_leaf"], 5)
        self.assert_calls(found["first_sleep"], 5)
        self.assertGreater(found["first_call"]["total_ns"], 10 * MS)
        self.assertGreater(found["first_call"]["blocked_ns"], 9 * MS)
        self.assertLess(found["first_call"]["total_ns"] - found["first_call"]["runnable_ns"], (10 + 5) * MS * SLOWNESS)
        self.assertEqual(found["first_sleep"]["self"]["total_ns"], found["first_sleep"]["total_ns"])

    def test_jump_to_another_library(self):
        """A function that does nothing but jump on to another library's has no end; that is called by who has called it."""
        found = self.record_scene("tail")
        self.assert_calls(found["second_jump"], 4, untimed=4)
        self.assert_calls(found["first_sleep"], 4)
        self.assertEqual(callers(found["first_sleep"]), {"returns": 4})
        self.assertGreaterEqual(found["first_sleep"]["total_ns"], 8 * MS)

    def test_signals(self):
        """On a stack for signals, above or below, calls are counted only."""
        found = self.record_scene("signals")
        self.assert_calls(found["first_call"], 10, untimed=5)
        self.assert_calls(found["first_leaf"], 5, untimed=5)

    def test_coroutines(self):
        found = self.record_scene("coroutines")
        self.assert_calls(found["first_call"], 40, untimed=20)
        self.assert_calls(found["first_leaf"], 58, untimed=38)

    def test_end_of_process(self):
        found = self.record_scene("exit", status=3)
        self.assert_calls(found["first_call"], 1, partial=1)
        self.assert_calls(found["first_sleep"], 1)
        self.assertGreaterEqual(found["first_call"]["total_ns"], 1 * MS)
        self.assertGreaterEqual(found["first_call"]["blocked_ns"], found["first_sleep"]["blocked_ns"])
        self.assertIsNone(found["first_call"]["max_ns"])

    def test_children(self):
        """What they do is theirs, if they have their probes in time."""
        found = self.record_scene("children")
        for name in ("first_call", "first_leaf"):
            threads = sorted(found[name]["threads"], key=lambda thread: -thread["calls"])
            self.assert_calls(threads[0], 5)
            self.assertEqual({thread["calls"] for thread in threads[1:]} - {1}, set(), threads)

    def test_another_program(self):
        found = self.record_scene("exec")
        self.assert_calls(found["first_call"], 1, partial=1)
        self.assert_calls(found["first_leaf"], 1)
        self.assert_calls(found["first_sleep"], 30)
        self.assertLess(found["first_call"]["total_ns"], found["first_sleep"]["total_ns"])

    def test_open_at_the_end(self):
        """A call that is not over when the recording ends."""
        _, report = record("--duration", 0.5 * SLOWNESS, "--func", "*nanosleep", "--", "sleep", SLOWNESS)
        row = report["library_calls"][0]
        self.assert_consistent(row)
        self.assert_calls(row, 1, partial=1)
        self.assertEqual(callers(row), {"sleep": 1})
        whole_ns = report["recording"]["end_ns"] - report["recording"]["start_ns"]
        self.assertGreater(row["blocked_ns"], 0.5 * row["total_ns"])
        self.assertLess(row["total_ns"], whole_ns)

    def test_functions_that_ask_for_their_caller(self):
        run, report = record("--lib", "libc,libreturns_*", "--", workload("returns"), "lookup")
        self.assertEqual(run.stdout, "done\n")
        row = rows(report)["dlsym", None]
        self.assert_calls(row, 2)
        untimed = reasons(report)
        self.assertNotIn("dlsym", untimed)
        self.assertIn("may return twice", untimed["swapcontext"])
        self.assertNotIn("write", untimed)

    def record_libc(self, name, functions, stdout):
        """Rows and the reasons for what is not timed of a program that prints the same traced as untraced."""
        command = [workload(name), "20"]
        untraced = subprocess.run([*LIMITED, *command], capture_output=True, text=True)
        run, report = record("--lib", "libc", "--func", functions, "--", *command)
        self.assertEqual((untraced.returncode, untraced.stdout), (0, stdout))
        self.assertEqual((run.returncode, run.stdout), (0, stdout))
        found = {symbol: row for (symbol, version), row in rows(report).items()}
        self.assertEqual(reasons(report), {})
        return found

    def test_cleanups_in_c(self):
        """Threads that end within timed calls: the C library cleans up what it would untraced."""
        found = self.record_libc("cleanups", "qsort,read,usleep", "40 cleaned up\n")
        self.assert_calls(found["qsort"], 20, partial=20)
        self.assert_calls(found["read"], 20, partial=20)
        self.assert_calls(found["usleep"], 20)

    def test_cleanups_that_unwind(self):
        """In C++, where exceptions and the ends of threads pass through them."""
        found = self.record_libc("unwinds", "qsort,read,usleep,calloc,pthread_join,pthread_create", "40 destroyed\n")
        for name in ("qsort", "read", "usleep", "pthread_join"):
            self.assert_calls(found[name], 20, partial=20 if name in ("qsort", "read") else 0)
        self.assert_calls(found["pthread_create"], 20)
        self.assert_calls(found["calloc"], found["calloc"]["calls"])
        self.assertGreaterEqual(found["calloc"]["calls"], 20)

    def test_program_that_unwinds(self):
        """A C++ program that throws."""
        run, report = record("--lib", "libobjects", "--", workload("objects"), 5, 2)
        self.assertGreater(len(report["library_calls"]), 0)
        for row in report["library_calls"]:
            self.assert_calls(row, row["calls"])
