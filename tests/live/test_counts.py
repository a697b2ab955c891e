"""System calls are counted exactly: by construction, and as strace counts them."""
import collections
import re
import subprocess
import tempfile

from harness import LIMIT_S, LiveTest, Tracer, Workload, call_counts, record, workload


def strace_counts(*command):
    """Two dicts of strace -f -c, calls and errors; it does not see calls that never return."""
    with tempfile.NamedTemporaryFile("r") as table:
        subprocess.run(["timeout", str(LIMIT_S), "strace", "-f", "-c", "-o", table.name, *command],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:(\d+) +)?(\w+)$", table.read(),
                          re.M)
    rows = [row for row in rows if row[2] != "total"]
    return ({name: int(count) for count, _, name in rows},
            {name: int(errors) for _, errors, name in rows if errors})


def error_counts(report):
    counts = collections.Counter()
    for row in report["syscalls"]:
        counts[row["name"]] += row["errors"]
    return {name: count for name, count in counts.items() if count}


class Counts(LiveTest):
    def test_command_with_threads_and_children(self):
        run, report = record("--", workload("calls"), 4, 3, 1000)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual(counts["getppid"], 7 * 1000)
        self.assertEqual(counts["execve"], 1)
        self.assertEqual(counts["exit"], 4)
        self.assertEqual(counts["exit_group"], 4)

    def test_running_process(self):
        with Workload(workload("calls"), 4, 3, 1000, "wait") as program:
            with Tracer("-p", program.child, "--format", "json") as tracer:
                program.go()
                counts = call_counts(tracer.finish_json())
            self.assertEqual(program.wait(), 0)
        self.assertEqual(counts["getppid"], 7 * 1000)

    def test_same_as_strace(self):
        command = ["ls", "-lR", "/etc/apt", "/usr/share/doc/libc6"]
        run, report = record("--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        ours = call_counts(report)
        ours.pop("exit_group")
        calls, errors = strace_counts(*command)
        self.assertEqual(ours, calls)
        self.assertEqual(error_counts(report), errors)
        self.assertIn("openat", errors)
