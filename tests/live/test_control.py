"""Commands to a tracer that runs: what they do is complete when they are acknowledged, and counts exactly."""
import os
import pathlib
import select
import signal
import socket
import subprocess
import tempfile
import time

from harness import LIMIT_S, LIMITED, SCALER, LiveTest, ProbingTest, Tracer, Workload, call_counts, parse_report, scaler, wait_for
from servers import redis

ENDS = 100


class Control:
    """The other end of --control: FIFOs in a folder of their own; a context manager."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.commands, self.answers = (f"{self.folder.name}/{name}" for name in ("commands", "answers"))
        for path in (self.commands, self.answers):
            os.mkfifo(path)
        self.option = f"--control=fifo:{self.commands},{self.answers}"
        # For both directions, so that neither end waits for the other to open.
        self.write_fd, self.read_fd = (os.open(path, os.O_RDWR) for path in (self.commands, self.answers))

    def ask(self, command, end="\n"):
        """Sends a command; returns the answer to it, without its end."""
        os.write(self.write_fd, (command + end).encode())
        return self.answer(command)

    def answer(self, command):
        answer = b""
        while not answer.endswith(b"\0"):
            if not select.select([self.read_fd], [], [], 20)[0]:
                raise AssertionError(f"no answer to {command}")
            answer += os.read(self.read_fd, 1)
        if not answer.endswith(b"\n\0"):
            raise AssertionError(f"an answer without its end: {answer}")
        return answer[:-2].decode()

    def tell(self, *commands):
        """Sends commands that must be acknowledged."""
        for command in commands:
            answer = self.ask(command)
            if answer != "ack":
                raise AssertionError(f"{command}: {answer}")

    def stop(self, tracer):
        """Returns all reports, by region; that of the whole has the key None."""
        os.write(self.write_fd, b"stop\n")
        reports = [parse_report(line) for line in tracer.finish().splitlines()]
        assert self.answer("stop") == "ack"
        by_region = {report["recording"]["region"] and report["recording"]["region"]["name"]: report
                     for report in reports}
        assert len(by_region) == len(reports)
        return by_region

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_fd)
        os.close(self.read_fd)
        self.folder.cleanup()


def work(shell, writes):
    """Has the shell's child write so many times, and returns when it is gone."""
    shell.stdin.write(f"dd if=/dev/zero of=/dev/null bs=1 count={writes} 2>&-; echo done\n")
    shell.stdin.flush()
    assert shell.stdout.readline() == "done\n"


def writes_of_dd(report):
    """By threads of dd, whose writes to a device are only those."""
    return sum(row["count"] for row in report["syscalls"]
               if row["name"] == "write" and row["descriptor"] == "character")


class Commands(LiveTest):
    def recorded_ns(self, report):
        recording = report["recording"]
        return recording["end_ns"] - recording["start_ns"] - recording["paused_ns"]

    def assert_sums(self, report):
        """No thread lived longer than was recorded, and its states are its life."""
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"], row["life_ns"], row)
            self.assertLess(row["life_ns"], self.recorded_ns(report) + 1_000_000, row)

    def test_regions(self):
        """Each has what happened in it, all times together, and the whole has everything."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "--overhead", "none", "--format", "json") as tracer:
            work(shell, 1)
            control.tell("mark BEGIN first")
            work(shell, 20)
            control.tell("mark BEGIN <\x1b[31m>")
            work(shell, 300)
            control.tell("mark END first", "mark at last")
            work(shell, 4000)
            control.tell("mark END <\x1b[31m>", "mark BEGIN first")
            work(shell, 50000)
            reports = control.stop(tracer)
        self.assertEqual({name: writes_of_dd(report) for name, report in reports.items()},
                         {"first": 50320, "<\x1b[31m>": 4300, None: 54321})
        self.assertEqual(reports["first"]["recording"]["region"]["times"], 2)
        self.assertEqual([mark["name"] for mark in reports[None]["recording"]["marks"]], ["at last"])
        for report in reports.values():
            self.assert_sums(report)

    def test_disabled(self):
        """What happens then counts neither in the whole nor in a region, and counts that go on are not doubled."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "-D", "-1", "--format", "json") as tracer:
            work(shell, 1)
            control.tell("mark BEGIN region", "enable", "enable")
            work(shell, 20)
            control.tell("disable", "disable")
            work(shell, 300)
            time.sleep(0.3)
            control.tell("enable")
            work(shell, 4000)
            control.tell("mark END region", "disable")
            work(shell, 50000)
            reports = control.stop(tracer)
        self.assertEqual({name: writes_of_dd(report) for name, report in reports.items()},
                         {"region": 4020, None: 4020})
        self.assertGreater(reports[None]["recording"]["paused_ns"], 300_000_000)
        for report in reports.values():
            self.assert_sums(report)
            # The one read() that the shell waits in is there once.
            [row] = [row for row in report["threads"] if row["tid"] == shell.child]
            self.assertGreater(row["life_ns"], 0.99 * self.recorded_ns(report) - 1_000_000)

    def test_snapshots(self):
        """Each has what has come since the one before."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "--format", "json") as tracer:
            for writes in (30, 2, 100):
                work(shell, writes)
                control.tell("snapshot")
                report = parse_report(tracer.process.stdout.readline())
                self.assertEqual(writes_of_dd(report), writes)
            work(shell, 7)
            tracer.process.send_signal(signal.SIGINT)
            self.assertEqual(writes_of_dd(tracer.finish_json()), 7)

    def test_delay(self):
        """What happens in the first moments is not recorded."""
        with Workload("sh") as shell, Tracer("-p", shell.child, "-D", "500", "--format", "json") as tracer:
            work(shell, 33)
            time.sleep(1)
            work(shell, 5)
            tracer.process.send_signal(signal.SIGINT)
            self.assertEqual(writes_of_dd(tracer.finish_json()), 5)

    def test_never_enabled(self):
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "-D", "-1") as tracer:
            control.tell("mark BEGIN region", "snapshot", "stop")
            self.assertEqual(tracer.finish(), "")

    def test_answers(self):
        """Of what was asked for wrongly; a NUL ends commands too."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option) as tracer:
            self.assertEqual(control.ask("ping"), "ack")
            self.assertEqual(control.ask("ping", end="\0"), "ack")
            self.assertEqual(control.ask("pong"),
                             "nack unknown command; there are enable, disable, ping, stop, snapshot, save "
                             "[FILE], mark [BEGIN|END] NAME")
            self.assertEqual(control.ask("save"), "nack nothing is kept to be saved: give record --keep")
            self.assertEqual(control.ask("mark END x"), "nack no region of that name has begun")
            control.tell("mark BEGIN x")
            self.assertEqual(control.ask("mark BEGIN x"), "nack a region of that name has begun already")
            self.assertEqual(control.ask("mark BEGIN"), control.ask("pong"))
            self.assertEqual(control.ask("mark " + 600 * "x"), "nack the command is too long")
            os.write(control.write_fd, b"ping\nping\0\nmark a\nstop\n")
            answers = b""
            while answers.count(b"\0") < 4:
                answers += os.read(control.read_fd, 100)
            self.assertEqual(answers, 4 * b"ack\n\0")
            text = tracer.finish()
        self.assertRegex(text, r"^Region x: 1 time, [\d.]+ m?s\n")
        self.assertRegex(text, r"\n\nRecorded for [\d.]+ m?s\nmark at [\d.]+ m?s: a\n")

    def test_stacks_of_regions(self):
        """Folded, each has a root of its own."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "--folded") as tracer:
            control.tell("mark BEGIN a;b")
            work(shell, 2000)
            os.write(control.write_fd, b"stop\n")
            lines = tracer.finish().splitlines()
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"^a.{1,4}b;")

    def test_what_pauses_nothing(self):
        """Wait chains need all of a recording."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "--wait-chains", "--format", "json") as tracer:
            self.assertEqual(control.ask("disable"),
                             "nack wait chains, bottlenecks and critical paths need all of a recording")
            control.tell("mark BEGIN region")
            work(shell, 10)
            reports = control.stop(tracer)
        self.assertEqual(set(reports), {"region", None})
        self.assertIn("chains", reports[None])
        self.assertNotIn("chains", reports["region"])

    def test_blocking_intervals(self):
        """Those of a region alone, and no longer than it."""
        with Control() as control, Workload("sh") as shell, \
                Tracer("-p", shell.child, control.option, "--blocking-report", "--format", "json") as tracer:
            time.sleep(0.2)
            control.tell("mark BEGIN region")
            work(shell, 1)
            time.sleep(0.05)
            control.tell("mark END region")
            time.sleep(0.2)
            report = control.stop(tracer)["region"]
        recorded_ns = self.recorded_ns(report)
        self.assertLess(recorded_ns, 180_000_000)
        waits = [row for row in report["blocking"] if row["tid"] == shell.child]
        self.assertGreaterEqual(len(waits), 2)
        self.assertTrue(waits[0]["is_lower_bound"] and waits[-1]["is_lower_bound"])
        blocked_ns = sum(row["blocked_ns"] for row in waits)
        [thread] = [row for row in report["threads"] if row["tid"] == shell.child]
        self.assertLess(abs(blocked_ns - thread["blocked_ns"]), 1_000_000)


class Places(LiveTest):
    def test_descriptors(self):
        """A command that is traced does not inherit them, and goes on when the recording stops."""
        commands, ours = os.pipe()
        answers, theirs = os.pipe()
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            run = subprocess.Popen(
                [*LIMITED, SCALER, "--no-probes", "--format", "json", "-o",
                 file.name, "--control", f"fd:{commands},{theirs}", "--", "sh", "-c",
                 "sleep 0.5; ls /proc/self/fd; exit 7"],
                pass_fds=[commands, theirs], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            os.close(commands)
            os.close(theirs)
            os.write(ours, b"stop\n")
            answer = os.read(answers, 100)
            state = run.poll()
            report = parse_report(file.read())
            os.close(ours)
            out, err = run.communicate()
            os.close(answers)
        self.assertEqual((answer, state, err), (b"ack\n\0", None, ""))
        self.assertEqual((run.returncode, out.split()), (7, ["0", "1", "2", "3"]))
        self.assertLess(sum(row["count"] for row in report["syscalls"] if row["name"] == "exit_group"), 1)

    def test_nobody_answers(self):
        """Commands are obeyed without acknowledgements, and until the last writer has gone."""
        commands, ours = os.pipe()
        with Workload("sh") as shell:
            tracer = subprocess.Popen([*LIMITED, SCALER, "--no-probes", "--control", f"fd:{commands}", "-p",
                                       str(shell.child)], pass_fds=[commands], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
            os.close(commands)
            os.write(ours, b"mark END x\nping\nmark BEGIN y\n")
            os.close(ours)
            self.assertEqual(tracer.stderr.readline(),
                             "scaler-bpf: --control: no region of that name has begun\n")
            time.sleep(0.3)
            self.assertIsNone(tracer.poll())
            shell.terminate()
            out, err = tracer.communicate()
        self.assertEqual((tracer.returncode, err), (0, ""))
        self.assertRegex(out, "^Region y: 1 time, ")

    def test_garbage(self):
        """It is said how much there was, and what comes behind it is obeyed."""
        with tempfile.TemporaryDirectory() as folder, Workload("sh") as shell:
            os.mkfifo(f"{folder}/control")
            with Tracer("--no-probes", "--control", f"fifo:{folder}/control", "-p", shell.child) as tracer:
                with open(f"{folder}/control", "wb") as control:
                    control.write(b"\x1b[2J garbage\n" * 50000 + b"x" * 1_000_000 + b"\nmark BEGIN y\nstop\n")
                out, err = tracer.process.communicate(timeout=LIMIT_S)
        self.assertRegex(out, "^Region y: 1 time, ")
        self.assertNotIn("\x1b", err)
        self.assertLess(len(err), 100_000)
        self.assertRegex(err, r"\d+ more notes came too fast to be printed\n")

    def test_refused(self):
        for option, message in (("fifo:/nowhere/x", "cannot open '/nowhere/x' for --control: No such file or "
                                                     "directory; mkfifo makes one"),
                                ("fifo:/dev/null", "cannot use '/dev/null' for --control: it is no FIFO; mkfifo "
                                                   "makes one"),
                                ("fd:99", "cannot use descriptor 99 for --control: Bad file descriptor")):
            run = scaler("--control", option, "--", "true")
            self.assertEqual((run.returncode, run.stderr), (1, f"scaler-bpf: {message}\n"))
        for options in (["--control", "x"], ["-D", "-2"], ["-D", "-1"]):
            self.assertEqual(scaler(*options, "--", "true").returncode, 2)

    def test_pidfile(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "pid")
            with Tracer("-p", os.getpid(), "--pidfile", path) as tracer:
                self.assertEqual(path.read_text(encoding="ascii"), f"{tracer.process.pid}\n")
                tracer.process.send_signal(signal.SIGTERM)
                tracer.finish()
            self.assertFalse(path.exists())
            run = scaler("--pidfile", f"{folder}/none/pid", "-p", os.getpid())
            self.assertEqual((run.returncode, run.stderr),
                             (1, f"scaler-bpf: cannot write --pidfile '{folder}/none/pid': No such file or "
                                 "directory\n"))

    def test_systemd(self):
        """It is told as it tells its services to."""
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.bind(f"{folder}/notify")
            told.settimeout(20)
            run = scaler("--", "true", env={**os.environ, "NOTIFY_SOCKET": f"{folder}/notify"})
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual([told.recv(100), told.recv(100)], [b"READY=1", b"STOPPING=1"])


def changed_code(pid):
    """The files whose code the process has other than in the file: where a breakpoint is."""
    changed = set()
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            addresses, access, offset, _, _, *path = line.split(None, 5)
            if "x" not in access or not path or not path[0].startswith("/"):
                continue
            start, end = (int(word, 16) for word in addresses.split("-"))
            memory.seek(start)
            with open(path[0].rstrip("\n"), "rb") as file:
                file.seek(int(offset, 16))
                code = file.read(end - start)
            if memory.read(end - start)[:len(code)] != code:
                changed.add(path[0].rstrip("\n"))
    return changed


class Benchmarks(ProbingTest):
    def requests(self, address, count):
        subprocess.run([*LIMITED, "redis-benchmark", "-s", address, "-n", str(count), "-c", "1", "-t", "ping_mbulk",
                        "-q"], stdout=subprocess.DEVNULL, check=True)

    def assert_exact(self, reports, counts):
        """The server writes once a request, and once for each of what redis-benchmark asks for before."""
        writes = {name: call_counts(report).get("write", 0) for name, report in reports.items()}
        others = {writes[name] - count for name, count in counts.items()}
        self.assertEqual(len(others), 1, writes)
        self.assertLess(others.pop(), 5)
        self.assertEqual(writes[None], sum(writes[name] for name in counts))

    def test_enabled_and_disabled(self):
        """Forty times around a benchmark, with a region of its own each time, and probes on library functions."""
        counts = {f"run {i}": 20 + i for i in range(40)}
        with redis() as (pid, address), Control() as control, \
                Tracer("-p", pid, control.option, "-D", "-1", "--overhead", "none", "--report", "syscalls,library",
                       "--format", "json") as tracer:
            for name, count in counts.items():
                control.tell(f"mark BEGIN {name}", "enable")
                self.requests(address, count)
                control.tell("disable", f"mark END {name}")
                self.requests(address, 1)
            reports = control.stop(tracer)
            self.assertEqual(changed_code(pid), set())
        self.assert_exact(reports, counts)

    def test_started_and_stopped(self):
        """The tracer itself, each time with one region."""
        with redis() as (pid, address):
            for i in range(5):
                with Control() as control, Tracer("-p", pid, control.option, "--overhead", "none", "--format", "json") as tracer:
                    wait_for(lambda: changed_code(pid))
                    control.tell("mark BEGIN run")
                    self.requests(address, 100 + i)
                    control.tell("mark END run")
                    reports = control.stop(tracer)
                    self.assertEqual(changed_code(pid), set())
                self.assert_exact(reports, {"run": 100 + i})
