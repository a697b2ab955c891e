"""Many threads and processes: nothing is lost with the default sizes, and tables stay short and add up."""
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from harness import (LIMITED, SCALER, LiveTest, ProbingTest, Tracer, Workload, call_counts, children, comm, needs, parse_report, record, record_each,
                     scaler, state, wait_for, workload)

# More than the kernel side's maps have room for: a process that does nothing leaves some 45 rows of 65,536.
PROCESSES = 3000
UNIT_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def spawn(count):
    return "sh", "-c", f"i=0; while [ $i -lt {count} ]; do /bin/true; i=$((i+1)); done"


def losses(report):
    return {name: value for name, value in report["coverage"].items()
            if re.search("_lost|_missed|_not_|_without_|unknown", name) and isinstance(value, int) and value}


class Churn(LiveTest):
    def test_threads(self):
        run, report = record("--overhead", "none", "--", workload("calls"), 5000, 0, 100)
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual((counts["getppid"], counts["exit"]), (500_000, 5000))
        self.assertEqual(len(report["threads"]), 5001)
        self.assertEqual(losses(report), {})

    def test_processes(self):
        """Rows of ended processes are taken out while others come; what they made is known by their names."""
        run, report = record("--overhead", "none", "--report", "syscalls,threads,tree", "--", *spawn(PROCESSES))
        self.assertEqual(run.returncode, 0, run.stderr)
        counts = call_counts(report)
        self.assertEqual((counts["execve"], counts["exit_group"]), (PROCESSES + 1, PROCESSES + 1))
        self.assertEqual(losses(report), {})
        self.assertGreater(report["coverage"]["threads_grouped"], PROCESSES / 4)
        # Each has its times, and they add up.
        self.assertEqual(len(report["threads"]), PROCESSES + 1)
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"], row["life_ns"])
        outermost = {node["name"]: node for node in report["tree"] if node["kind"] == "threads"}
        self.assertEqual(set(outermost), {"true", "sh"})
        self.assertEqual(sum(node["calls"] for node in outermost.values()), sum(counts.values()))

    def test_intervals(self):
        """The same with readings between, of which each takes out the rows that it has."""
        run, reports = record_each(0.1, "--overhead", "none", "--report", "syscalls,threads", "--", *spawn(1000))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(reports), 1)
        calls = sum(row["count"] for report in reports for row in report["syscalls"] if row["name"] == "execve")
        self.assertEqual(calls, 1000 + 1)
        ended = collections.Counter(row["tid"] for report in reports for row in report["threads"] if row["exited"])
        self.assertEqual(len(ended), 1000 + 1)
        for report in reports:
            self.assertEqual(losses(report), {})


class Build(LiveTest):
    """A compiler's processes, several at once, as make starts them: each runs others under names of its own."""
    FILES = 20

    def make(self, *tracer):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(self.FILES):
                with open(os.path.join(folder, f"part{i}.c"), "w", encoding="ascii") as file:
                    file.write(f"#include <stdio.h>\nint part{i}(void) {{ return puts(\"{i}\"); }}\n")
            with open(os.path.join(folder, "Makefile"), "w", encoding="ascii") as file:
                file.write("parts.so: $(patsubst %.c,%.o,$(wildcard *.c))\n\t$(CC) -shared -o $@ $^\n"
                           "%.o: %.c\n\t@echo $@; $(CC) -fPIC -c -o $@ $<\n")
            command = ["make", "-j2", "CC=/usr/bin/gcc", "-s", "-C", folder]
            run = subprocess.run([*LIMITED, *tracer, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertTrue(os.path.exists(os.path.join(folder, "parts.so")))

    def test_same_as_strace(self):
        with tempfile.TemporaryDirectory() as folder:
            # Each process has a file of its own, in which no line is in two parts.
            self.make("strace", "-ff", "-qq", "-e", "trace=execve", "-o", os.path.join(folder, "process"))
            text = "".join(path.read_text() for path in pathlib.Path(folder).iterdir())
        executed = collections.Counter(re.findall(r'^execve\("(?:[^"]*/)?([^"/]+)".* = 0$', text, re.M))
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            self.make(SCALER, "--overhead", "none", "--format", "json", "-o", file.name, "--report", "syscalls,threads,tree", "--")
            report = parse_report(file.read())
        self.assertGreaterEqual(executed["cc1"], self.FILES)
        self.assertEqual(losses(report), {})
        succeeded = sum(row["count"] - row["errors"] for row in report["syscalls"] if row["name"] == "execve")
        self.assertEqual(succeeded, sum(executed.values()))
        # A thread is named after what it executed last.
        named = collections.Counter(row["name"] for row in report["threads"])
        for name in ("cc1", "as", "collect2", "ld"):
            self.assertEqual(named[name], executed[name], name)


class Sizes(LiveTest):
    """Maps have room for the target that there is: so many rows of threads that all live are more than the defaults'."""
    THREADS, VARIETY = 4000, 27

    def record(self, *options):
        with Workload(workload("variety"), self.THREADS) as program:
            wait_for(lambda: len(os.listdir(f"/proc/{program.child}/task")) == self.THREADS + 1)
            with Tracer("--format", "json", "--report", "syscalls,threads", "--overhead", "none", "--depth", 0, *options,
                        "-p", program.child) as tracer:
                program.go()
                report = tracer.finish_json()
        counts = call_counts(report)
        return sum(count >= self.THREADS for count in counts.values()), report

    def test_of_a_process(self):
        complete, report = self.record()
        self.assertEqual(losses(report), {})
        self.assertGreaterEqual(complete, self.VARIETY)
        # A row takes 1.2 KiB, and as much again while it is read.
        cost = report["tracer"]
        rows = self.THREADS * (self.VARIETY + 4)
        self.assertLess(cost["kernel_bytes"] + cost["resident_bytes"], (96 << 20) + rows * 3072, cost)

    def test_too_small(self):
        _, report = self.record("--map-size", "calls=65536")
        self.assertEqual(set(losses(report)), {"syscalls_not_recorded"})


class AtOnce(ProbingTest):
    """Without stacks, of which there would be more at once than are learned while others have the CPUs."""
    COUNT, CALLS = 300, 100

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.named = os.path.join(self.folder, "calls-named")
        shutil.copy(workload("calls"), self.named)

    def start(self):
        """So many processes of that name, which wait for a byte each, and then start a thread that makes the calls."""
        words = f"exec 3<&0; i=0; while [ $i -lt {self.COUNT} ]; do {self.named} 1 0 {self.CALLS} wait <&3 & i=$((i+1)); done; wait"
        shell = self.enterContext(subprocess.Popen([*LIMITED, "sh", "-c", words], stdin=subprocess.PIPE))
        parent = wait_for(lambda: children(shell.pid))[0]
        wait_for(lambda: len(children(parent)) == self.COUNT and
                 all(comm(pid) == "calls-named" and state(pid) == "S" for pid in children(parent)))
        return shell

    def finish(self, shell, tracer):
        shell.communicate(b"x" * self.COUNT)
        self.assertEqual(shell.returncode, 0)
        tracer.process.send_signal(signal.SIGINT)
        report = tracer.finish_json()
        self.assertEqual(call_counts(report)["getppid"], self.COUNT * self.CALLS)
        self.assertEqual({row["name"] for row in report["threads"]}, {"calls-named"})
        self.assertEqual(len(report["threads"]), 2 * self.COUNT)
        self.assertEqual(losses(report), {})
        return report

    @needs("uprobe_multi")
    def test_found(self):
        shell = self.start()
        with Tracer("--format", "json", "--comm", "calls-named", "--lib", "libc.so.6", "--func", "syscall",
                    "--overhead", "none", "--depth", 0) as tracer:
            report = self.finish(shell, tracer)
        row, = report["library_calls"]
        self.assertEqual((row["symbol"], row["calls"]), ("syscall", self.COUNT * self.CALLS))
        self.assertEqual(len(row["threads"]), self.COUNT)

    def test_that_come_later(self):
        with Tracer("--format", "json", "--comm", "calls-named", "--overhead", "none", "--depth", 0) as tracer:
            self.finish(self.start(), tracer)


class Tables(LiveTest):
    """With --top the rows that are shown, and the others, are the total."""

    def figures(self, lines, column, width):
        """The column's numbers, of the rows before the total, and of that."""
        values = []
        for line in lines:
            found = re.search(r"([\d.]+)( (?:ns|us|ms|s))?$", line[:column + width].rstrip())
            values.append(float(found[1]) * UNIT_NS[(found[2] or " ns").strip()] if found else 0)
        return values

    def check(self, text, title, header):
        lines = text[text.index(f"\n{title}"):].splitlines()[2:]
        lines = lines[1:] if not lines[0] else lines
        column, width = lines[0].index(header), len(header)
        table = lines[1:[line.startswith("total") for line in lines].index(True) + 1]
        self.assertTrue(any("others)" in line for line in table), table)
        self.assertLessEqual(len(table), 5 + 2)
        *parts, total = self.figures(table, column, width)
        self.assertAlmostEqual(sum(parts), total, delta=0.005 * total + 1)

    def test_others(self):
        run = scaler("--top", 5, "--report", "threads,syscalls", "--", workload("calls"), 200, 20, 10)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.check(run.stderr, "Threads: 221 of 21 processes", "VOLUNTARY")
        self.check(run.stderr, "Threads: 221 of 21 processes", "LIFE")
        self.check(run.stderr, "System calls\n", "CALLS")
