"""System calls are counted exactly: by construction, and as strace counts them."""
import re
import subprocess
import tempfile

from harness import LIMIT_S, LiveTest, Tracer, Workload, call_counts, record, workload


def strace_counts(*command):
    """The {system call: count} of strace -f -c, which does not see calls that never return."""
    with tempfile.NamedTemporaryFile("r") as table:
        subprocess.run(["timeout", str(LIMIT_S), "strace", "-f", "-c", "-o", table.name, *command],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?(\w+)$", table.read(), re.M)
    return {name: int(count) for count, name in rows if name != "total"}


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
        self.assertEqual(ours, strace_counts(*command))
