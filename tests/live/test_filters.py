"""What is recorded and printed: filters on system calls, parts of the report, sizes of maps."""
import os
import re
import subprocess
import tempfile
import unittest

from harness import LIMIT_S, SCALER, LiveTest, call_counts, needs_compat_calls, record, scaler, workload

CLASSES = ("file desc network net process signal ipc memory creds clock pure stat lstat fstat %stat "
           "statfs fstatfs %statfs").split()


def strace_calls(expression, *options):
    """The calls that strace picks of all there are."""
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["timeout", str(LIMIT_S), "strace", "-qq", "-e", "signal=none", "-e", expression,
                        "-o", log.name, workload("every_call"), *options], check=True)
        return {name for name in re.findall(r"^(\w+)\(", log.read(), re.M)
                if not name.startswith("syscall_")}


def our_calls(*lists):
    """The calls that a filter picks: the native ones and the 32-bit ones."""
    run = subprocess.run([SCALER, "syscalls", *lists], capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in run.stdout.splitlines()[1:]]
    return ({name for name in names if not name.startswith("i386:")},
            {name[5:] for name in names if name.startswith("i386:")})


@unittest.skipUnless(os.uname().machine == "x86_64", "the comparison knows x86-64's two tables")
class Classes(LiveTest):
    def test_classes_are_those_of_strace(self):
        known = strace_calls("trace=all")
        for name in CLASSES:
            with self.subTest(name):
                self.assertEqual(our_calls("%" + name)[0] & known, strace_calls(f"trace=%{name}"))

    @needs_compat_calls
    def test_compat_classes_are_those_of_strace(self):
        # The program itself begins with native calls, and strace calls umount2 and umount of the
        # 32-bit table the other way round.
        for name in CLASSES:
            native, compat = our_calls("%" + name)
            with self.subTest(name):
                self.assertEqual(strace_calls(f"trace=%{name}", "compat") - native - compat, set())


class Filters(LiveTest):
    COMMAND = ("ls", "-lR", "/etc/apt")

    def test_only_these(self):
        everything = call_counts(record("--", *self.COMMAND)[1])
        report = record("--syscalls", "%desc,getuid", "--", *self.COMMAND)[1]
        wanted = our_calls("%desc,getuid")[0]
        self.assertEqual(call_counts(report), {name: count for name, count in everything.items()
                                               if name in wanted})
        self.assertEqual(report["coverage"]["syscalls_filter"], "%desc,getuid")

    def test_all_but_these(self):
        counts = call_counts(record("--syscalls", "!%desc", "--", *self.COMMAND)[1])
        self.assertNotIn("openat", counts)
        self.assertEqual(counts["execve"], 1)

    def test_mappings_are_followed_all_the_same(self):
        report = record("--syscalls", "getppid", "--", workload("sites"), "swap", 20, 10,
                        workload("libfirst.so"), "first_call", workload("libsecond.so"),
                        "second_call")[1]
        self.assertEqual({row["issuer"]["component"]: row["count"] for row in report["syscalls"]},
                         {"libfirst.so": 200, "libsecond.so": 220})

    def test_no_syscalls(self):
        run, report = record("--no-syscalls", "--", workload("states"), "sleep:5", "spin:30")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("syscalls", report)
        self.assertEqual({row["name"] for row in report["threads"]},
                         {"states", "sleep:5", "spin:30"})
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"],
                             row["life_ns"])
            self.assertIsNone(row["top_blocking_call"])

    def test_no_syscalls_of_a_name(self):
        report = record("--no-syscalls", "--comm", "sleep", "--", "sh", "-c", "sleep 0.01; exit 0")[1]
        self.assertEqual([row["name"] for row in report["threads"]], ["sleep"])

    def test_parts_of_the_report(self):
        run, report = record("--report", "threads", "--", "true")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertLessEqual({"threads"}, set(report))
        self.assertFalse({"components", "syscalls"} & set(report))


class MapSizes(LiveTest):
    COMMAND = (workload("calls"), 0, 6, 100)  # threads would wait for each other now and then

    def test_calls_that_do_not_fit(self):
        everything = call_counts(record("--", *self.COMMAND)[1])
        report = record("--map-size", "calls=2", "--map-size", "errors=1", "--", *self.COMMAND)[1]
        self.assertEqual(sum(call_counts(report).values()) +
                         report["coverage"]["syscalls_not_recorded"], sum(everything.values()))
        run = scaler("--map-size", "calls=2", "--", *self.COMMAND)
        self.assertRegex(run.stderr, r"(?m)^lost: \d+ system calls not recorded .*--map-size calls=")

    def test_threads_that_do_not_fit(self):
        report = record("--map-size", "threads=3", "--", *self.COMMAND)[1]
        self.assertEqual(len(report["threads"]), 3)
        self.assertEqual(report["coverage"]["threads_without_times"], 4)

    def test_more_threads_than_by_default(self):
        self.assertEqual(scaler("--map-size", "threads=100000", "--", "true").returncode, 0)
