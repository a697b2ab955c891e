"""Recording files: they give the reports that are printed as it is recorded, whatever ends them, to anybody."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

from harness import LIMIT_S, LIMITED, SCALER, LiveTest, parse_report, scaler, waits_in, workload

REPORTS = (
    ("--report", "all,path,bottlenecks,chains,waits,locks,blocking,latency"),
    ("--report", "all,path,bottlenecks,chains,waits,locks,blocking,latency", "--format", "json"),
    ("--folded",), ("--folded", "--wait-chains"), ("--sort", "calls", "--report", "syscalls,functions"),
    ("--blocking-report", "--min-duration", "1ms"), ("--wait-chains", "--chain-depth", "2"),
)
# So that there are several chunks, and processes that come and go.
COMMAND = workload("convoy"), "3", "40", "10"
# It ends by itself, as what traces it is killed.
SLEEPER = "import time\nprint('go', flush=True)\nend = time.monotonic() + 6\nwhile time.monotonic() < end: time.sleep(0.01)"


class Recordings(LiveTest):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.file = self.folder / "a.trace"

    def report(self, *options, file=None, **how):
        run = scaler("report", *options, file or self.file, **how)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def report_json(self, *options, file=None):
        return parse_report(self.report("--format", "json", *options, file=file))

    def record(self, *options, command=COMMAND):
        run = scaler("record", "-o", self.file, *options, "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f"in '{self.file}'", run.stderr)

    def test_same_as_live(self):
        """Each byte of each report is that of the one that was printed when it was recorded."""
        live = self.folder / "live"
        for options in REPORTS:
            with self.subTest(options=options):
                run = scaler("--save", self.file, "-o", live, *options, "--", *COMMAND)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(self.report(*options), live.read_text(encoding="utf-8"))

    def test_library_calls(self):
        """They are in the file if they were asked for, and a report of them is refused if they were not."""
        live = self.folder / "live"
        options = "--report", "all,flow"
        run = scaler("--save", self.file, "-o", live, *options, "--func", "pthread_mutex_*", "--", *COMMAND)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = live.read_text(encoding="utf-8")
        self.assertIn("pthread_mutex_lock", text)
        self.assertEqual(self.report(*options), text)
        self.record("--no-syscalls")
        run = scaler("report", "--report", "flow", self.file)
        self.assertEqual(run.returncode, 1)
        self.assertIn("needs calls of library functions", run.stderr)
        run = scaler("report", self.file, "--report", "syscalls")
        self.assertEqual(run.returncode, 1)
        self.assertIn("needs system calls", run.stderr)
        self.assertIn("convoy", self.report())

    def test_default(self):
        """Without any option: the file of that name, and one screen that names the culprit."""
        run = scaler("record", "--", *COMMAND, cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.folder / "scaler-bpf.trace").stat().st_mode & 0o777, 0o600)
        run = scaler("report", cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("pthread_mutex_lock", run.stdout)
        self.assertLessEqual(len(run.stdout.splitlines()), 45)

    def test_intervals(self):
        """Their figures add up to those of the whole."""
        self.record("--overhead", "none", command=("python3", "-c", "import time\nfor i in range(300): time.sleep(0.01)"))
        whole = self.report_json()
        parts = [parse_report(line) for line in self.report("--interval", "1", "--format", "json").splitlines()]
        self.assertGreaterEqual(len(parts), 3)
        calls = [sum(row["count"] for row in part["syscalls"] if row["name"] == "clock_nanosleep") for part in parts]
        self.assertEqual(sum(calls), 300)
        for key in ("running_ns", "blocked_ns", "runnable_ns"):
            self.assertEqual(sum(row[key] for part in parts for row in part["threads"]), sum(row[key] for row in whole["threads"]))

    def test_anybody(self):
        """Without root, and without anything of the program that was traced."""
        program = self.folder / "program"
        shutil.copy(workload("convoy"), program)
        self.record(command=(program, *COMMAND[1:]))
        program.unlink()
        tool = self.folder / "tool"
        shutil.copy(SCALER, tool)
        self.folder.chmod(0o755)
        self.file.chmod(0o644)
        run = subprocess.run([*LIMITED, tool, "report", self.file], user=65534, group=65534, extra_groups=[],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("waits for lock program:lock in pthread_mutex_lock", run.stdout)

    def test_killed(self):
        """What was saved before a kill can be reported: it ends then, and has no call that was not made."""
        for _ in range(5):
            start = time.monotonic()
            with subprocess.Popen([SCALER, "record", "-o", self.file, "--overhead", "none", "--",
                                   "python3", "-c", SLEEPER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tracer:
                tracer.stdout.readline()
                began = time.monotonic()
                time.sleep(2 + 2 * random.random())
                tracer.send_signal(signal.SIGKILL)
                end = time.monotonic()
            report = self.report_json()
            recorded_s = (report["recording"]["end_ns"] - report["recording"]["start_ns"]) / 1e9
            self.assertLessEqual(recorded_s, end - start)
            sleeps = sum(row["count"] for row in report["syscalls"] if row["name"] == "clock_nanosleep")
            self.assertLessEqual(sleeps, recorded_s / 0.01 + 1)
            # It is saved each second, if the machine lets it.
            self.assertGreaterEqual(recorded_s, end - began - 1.9)
            self.assertGreater(sleeps, 0)

    def test_marks(self):
        """Regions and moments are in the file, and in the report as they were in the one that was printed."""
        live = self.folder / "live"
        script = (f"exec 3<>{self.folder}/ctl; printf 'mark BEGIN warm\nmark here\nmark END warm\nmark BEGIN late\n' >&3; "
                  f"{SCALER} --save {self.file} -o {live} --control fd:3 --report threads,syscalls -- {' '.join(COMMAND)}")
        os.mkfifo(self.folder / "ctl")
        run = subprocess.run([*LIMITED, "sh", "-c", script], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = live.read_text(encoding="utf-8")
        self.assertIn("late", text)
        self.assertIn("here", text)
        self.assertEqual(self.report("--report", "threads,syscalls"), text)

    def test_kept(self):
        """A flight recorder has the last seconds, each of them whole; SIGUSR2 saves what there is by then."""
        with subprocess.Popen([SCALER, "record", "-o", self.file, "--keep", "2s,64M", "--overhead", "none", "--",
                               "python3", "-c", SLEEPER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tracer:
            tracer.stdout.readline()
            time.sleep(1.5)
            tracer.send_signal(signal.SIGUSR2)
            self.assertEqual(tracer.wait(LIMIT_S), 0)
        early, late = self.report_json(file=str(self.file) + ".1"), self.report_json()
        self.assertGreater(late["recording"]["start_ns"], early["recording"]["end_ns"])
        for report in early, late:
            recorded_ns = report["recording"]["end_ns"] - report["recording"]["start_ns"]
            self.assertLessEqual(recorded_ns, 4.5e9)
            sleeps = sum(row["count"] for row in report["syscalls"] if row["name"] == "clock_nanosleep")
            self.assertLessEqual(sleeps, recorded_ns / 1e7 + 1)
            self.assertGreater(sleeps, recorded_ns / 1e7 / 4)

    def test_save_when(self):
        """What a flight recorder saves after a long wait has that wait, and what followed it."""
        naps = "import time\nfor i in range(200): time.sleep(0.3 if i == 100 else 0.01)\ntime.sleep(2.5)"
        run = scaler("record", "-o", self.file, "--keep", "3s", "--save-when", "wait>250ms func=*sleep* task=python*",
                     "--", "python3", "-c", naps)
        self.assertEqual(run.returncode, 0, run.stderr)
        waits = json.loads(self.report("--report", "blocking", "--min-duration", "250ms", "--format", "json",
                                       file=str(self.file) + ".1"))["blocking"]
        naps = [row for row in waits_in(waits, "clock_nanosleep") if 300e6 <= row["blocked_ns"] < 500e6]
        self.assertEqual(len(naps), 1, waits)
        run = scaler("record", "--save-when", "wait>1s", "--", "true")
        self.assertEqual(run.returncode, 2)
        self.assertIn("needs --keep", run.stderr)
        for word in "x", "5M,2s,3s", "":
            self.assertEqual(scaler("record", "--keep", word, "--", "true").returncode, 2, word)

    def test_no_end(self):
        """It is said, and where; and what is damaged in between is counted as lost."""
        self.record(command=("sleep", "3.2"))
        data = self.file.read_bytes()
        starts = [found.start() for found in re.finditer(rb"\x9bscalr\r\n", data)]
        # Byte 10 is the type: chunks are of type 2.
        middle = [start for start in starts if data[start + 10] == 2][1]
        self.file.write_bytes(data[:starts[-1] - 5])
        run = scaler("report", self.file)
        self.assertEqual(run.returncode, 0)
        self.assertIn("has no end", run.stderr)
        self.file.write_bytes(data[:middle + 90] + b"?" + data[middle + 91:])
        run = scaler("report", "--format", "json", self.file)
        self.assertEqual(run.returncode, 0)
        self.assertIn(f"a block is damaged (at byte {middle}); 1 blocks are missing", run.stderr)
        report = parse_report(run.stdout)
        self.assertEqual(report["coverage"]["file_blocks_lost"], 1)
        self.assertGreater(report["recording"]["paused_ns"], 0.9e9)

    def test_full_disk(self):
        """The recording ends with an error, what is there can be reported, and the program goes on to its end."""
        fill = (f"sleep 1.5; dd if=/dev/zero of={self.folder}/filler bs=4k 2>/dev/null; i=0; "
                "while test $((i += 1)) -le 200; do /bin/true; done; sleep 1.5; echo all done")
        script = (f"mount -t tmpfs -o size=1m none {self.folder} && {SCALER} record -o {self.file} -- sh -c '{fill}'; "
                  f"echo status $?; {SCALER} report --format json {self.file}")
        run = subprocess.run([*LIMITED, "unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False)
        self.assertIn("No space left on device", run.stderr)
        self.assertIn("scaler-bpf report can read", run.stderr)
        self.assertTrue(run.stdout.startswith("all done\nstatus 1\n"), run.stdout[:200])
        parse_report(run.stdout.split("status 1\n")[1])

    def test_refused(self):
        other = self.folder / "other"
        other.write_text("#!/bin/sh\n", encoding="utf-8")
        for words, message in (((other,), "is no recording of scaler-bpf"), ((self.folder / "none",), "scaler-bpf record makes one"),
                               ((self.folder,), "is no regular file")):
            run = scaler("report", *words)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertIn(message, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1)
        for words in (("report", "a", "b"), ("report", "-p", "1", "a"), ("record", "--report", "all", "--", "true"),
                      ("--save", "a", "--interval", "1", "--", "true"), ("record", "-o", "", "--", "true")):
            run = scaler(*words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
        run = scaler("record", "-o", "/dev/null", "--", "true")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no regular file", run.stderr)
