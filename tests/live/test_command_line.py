"""What a user meets at the command line: exit statuses, errors, ways to end a recording."""
import fcntl
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

from harness import (LIMIT_S, LIMITED, SCALER, LiveTest, Tracer, Workload, children, comm, parse_report, scaler, scaler_words,
                     state, wait_for, workload)


class CommandLine(LiveTest):
    def assert_one_line(self, run, status, *words):
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def test_status_of_command_is_passed_on(self):
        self.assertEqual(scaler("--", "sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(scaler("--", "sh", "-c", "kill -9 $$").returncode, 128 + 9)

    def test_output_of_command_is_its_own(self):
        run = scaler("--report", "all", "--", "echo", "hello")
        self.assertEqual(run.stdout, "hello\n")
        self.assertRegex(run.stderr, r"(?m)^write +\w+ +\S+ +1 ")

    def test_missing_command(self):
        self.assert_one_line(scaler("--", "no-such-command"), 127, "no-such-command")

    def test_command_not_executable(self):
        self.assert_one_line(scaler("--", "/etc/passwd"), 126, "/etc/passwd")
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write("neither a program nor a script")
        os.chmod(file.name, 0o755)
        self.assert_one_line(scaler("--", file.name), 126, file.name)
        os.unlink(file.name)

    def test_missing_process(self):
        self.assert_one_line(scaler("-p", 2**22 + 1), 1, str(2**22 + 1))

    def test_wrong_usage(self):
        for words in (["-p", "x"], ["--no-such"], ["ls"], ["-p", "1", "--", "ls"],
                      ["-p", "1", "--cgroup", "/"]):
            self.assert_one_line(scaler(*words), 2)

    def test_without_root(self):
        # The binary is copied, because its folder may be closed to other users.
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = os.path.join(folder, "scaler-bpf")
            subprocess.run(["install", "-m", "755", SCALER, copy], check=True)
            run = subprocess.run(["timeout", "30", "setpriv", "--reuid=65534", "--regid=65534",
                                  "--clear-groups", copy, "--", "true"], capture_output=True,
                                 text=True, check=False)
        self.assert_one_line(run, 1, "CAP_BPF and CAP_PERFMON are missing", "sudo")

    def test_root_without_capabilities(self):
        for missing, named in (("bpf,-sys_admin", "CAP_BPF is missing"),
                               ("perfmon,-sys_admin", "CAP_PERFMON is missing")):
            run = subprocess.run(["timeout", "30", "setpriv", f"--bounding-set=-{missing}",
                                  f"--inh-caps=-{missing}", SCALER, "--", "true"],
                                 capture_output=True, text=True, check=False)
            self.assert_one_line(run, 1, named, "sudo")

    def test_capabilities_instead_of_root(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = os.path.join(folder, "scaler-bpf")
            subprocess.run(["install", "-m", "755", SCALER, copy], check=True)
            run = subprocess.run(["timeout", "30", "setpriv", "--reuid=65534", "--regid=65534",
                                  "--clear-groups", "--inh-caps=-all,+bpf,+perfmon",
                                  "--ambient-caps=-all,+bpf,+perfmon", copy, "--report", "all", "--", "true"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"(?m)^execve ")

    def test_report_to_full_device(self):
        self.assert_one_line(scaler("-o", "/dev/full", "--", "true"), 1, "/dev/full")

    def test_report_to_full_file_system(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(
                ["timeout", "30", "unshare", "--mount", "sh", "-c",
                 f"mount -t tmpfs -o size=4k none {folder} && exec {SCALER} --report all -o {folder}/report -- ls /"],
                capture_output=True, text=True, check=False)
        self.assert_one_line(run, 1, "/report", "No space left")
        self.assertIn("usr", run.stdout)

    def close_descriptors(self, closed, *arguments):
        """Runs the tracer with these of its standard descriptors closed, as the shell writes it."""
        return subprocess.run([*LIMITED, "sh", "-c", f'exec "$@" {closed}', "sh", *scaler_words(arguments)],
                              capture_output=True, text=True, check=False)

    def test_standard_output_is_closed(self):
        for arguments in (["--help"], ["--version"], ["doctor"], ["syscalls"], ["--list", "--", "true"],
                          ["--duration", "0.2", "--report", "threads"]):
            self.assert_one_line(self.close_descriptors("1>&-", *arguments), 1, "cannot write", "Bad file descriptor")
            self.assert_one_line(self.close_descriptors("1>/dev/full", *arguments), 1, "cannot write", "No space left")

    def test_descriptors_of_the_command_are_as_they_were(self):
        """None of the tracer's files is there instead of one that is closed, for itself or for the command."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            for closed, left in (("0>&-", {"1", "2"}), ("2>&-", {"0", "1"}), ("0>&- 2>&-", {"1"})):
                run = self.close_descriptors(closed, "-o", file.name, "--", "ls", "/proc/self/fd")
                # The folder that ls reads has a number too: the first that is free.
                free = min({"0", "1", "2", "3"} - left)
                self.assertEqual((run.returncode, set(run.stdout.split())), (0, left | {free}))
                self.assertIn("Recorded for ", file.read())
                file.seek(0)
        run = self.close_descriptors("0>&- 2>&-", "--report", "threads", "--", "echo", "hello")
        self.assertEqual((run.returncode, run.stdout), (1, "hello\n"))

    def test_report_to_where_there_is_no_folder(self):
        run = scaler("-o", "/no/such/report", "--", "echo", "hello")
        self.assert_one_line(run, 1, "/no/such/report")
        self.assertEqual(run.stdout, "")

    def test_memory_is_its_own(self):
        """Not that of what ran before in its process."""
        words = scaler_words(["--format", "json", "-o", "/dev/fd/2", "--", "true"])
        script = "import os, sys; kept = bytearray(600 << 20); os.execv(sys.argv[1], sys.argv[1:])"
        run = subprocess.run([*LIMITED, sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
        self.assertTrue(5 << 20 < parse_report(run.stderr)["tracer"]["resident_bytes"] < 300 << 20)

    def test_help_and_version(self):
        self.assertIn("--duration", scaler("--help").stdout)
        self.assertRegex(scaler("--version").stdout, r"^scaler-bpf \d")


class Ending(LiveTest):
    alone = "counts all tracers' programs in the kernel"

    def test_signals_end_with_report(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with Workload(workload("calls"), 1, 0, 10, "wait") as program:
                with Tracer("-p", program.child) as tracer:
                    tracer.process.send_signal(number)
                    self.assertIn("Recorded for ", tracer.finish())
                program.go()
                self.assertEqual(program.wait(), 0)

    def test_ignored_hangup_stays_ignored(self):
        """As nohup leaves it to the tracer and its command; others end a recording."""
        for begin, is_ignored in ((["nohup"], True), ([], False)):
            with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file, subprocess.Popen(
                    [*begin, SCALER, "-o", file.name, "--", workload("calls"), "1", "0", "10", "wait"], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tracer:
                command, = wait_for(lambda: [pid for pid in children(tracer.pid) if comm(pid) == "calls"])
                wait_for(lambda: state(command) == "S")
                tracer.send_signal(signal.SIGHUP)
                if is_ignored:
                    time.sleep(0.3)
                    self.assertIsNone(tracer.poll())
                    tracer.stdin.write(b"go\n")
                    tracer.stdin.flush()
                self.assertEqual(tracer.wait(30), 0 if is_ignored else 128 + signal.SIGHUP)
                self.assertIn("Recorded for ", file.read())

    def test_duration_ends_with_report(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            run = scaler("-p", program.child, "--duration", 0.2)
            self.assertEqual(run.returncode, 0)
            self.assertIn("Recorded for ", run.stdout)

    def test_signal_is_passed_on_to_command(self):
        with Tracer("--", "sleep", 50) as tracer:
            wait_for(lambda: tracer.command() and state(tracer.command()) == "S")
            tracer.process.send_signal(signal.SIGTERM)
            _, err = tracer.process.communicate(timeout=30)
            self.assertEqual(tracer.process.returncode, 128 + signal.SIGTERM)
            self.assertIn("nanosleep", err)

    def write_to_idle_reader(self, *arguments):
        """A tracer whose report is longer than the pipe that it goes to, which nobody reads: it waits."""
        process = subprocess.Popen([*LIMITED, SCALER, "--no-probes", "--format", "json", *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
        tracer = wait_for(lambda: children(process.pid))[0]
        wait_for(lambda: select.select([process.stdout], [], [], 0)[0])
        return process, tracer

    def test_report_waits_for_its_reader(self):
        process, tracer = self.write_to_idle_reader("--duration", "0.2")
        time.sleep(1.2)
        self.assertEqual(state(tracer), "S")
        report = parse_report(process.communicate(timeout=30)[0])
        self.assertEqual(process.returncode, 0)
        self.assertGreater(len(json.dumps(report)), 2 * 4096)

    def test_report_that_nobody_reads_gives_way_to_a_signal(self):
        for number, *arguments in ((signal.SIGTERM, "--duration", "0.2"), (signal.SIGINT, "--interval", "0.2")):
            process, tracer = self.write_to_idle_reader(*arguments)
            self.assertEqual(state(tracer), "S")
            os.kill(tracer, number)
            self.assertEqual(process.wait(timeout=30), 1)
            self.assertEqual(process.stderr.read(), "scaler-bpf: cannot write the report: "
                                                    "its reader has stopped to read, and a signal has come\n")

    def test_second_signal_ends_it_at_once(self):
        """While it waits for the report's reader, which the first one lets it do for a second."""
        process, tracer = self.write_to_idle_reader("--duration", "0.2")
        os.kill(tracer, signal.SIGINT)
        time.sleep(0.4)
        self.assertEqual(state(tracer), "S")
        os.kill(tracer, signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), -signal.SIGINT)
        self.assertEqual(process.stderr.read(), "scaler-bpf: a second signal (Interrupt) ends the tracer before it is done\n")

    def test_signals_of_service_managers_are_one(self):
        with Workload(workload("calls"), 1, 0, 10, "wait") as program:
            with Tracer("-p", program.child) as tracer:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTERM):
                    tracer.process.send_signal(number)
                self.assertIn("Recorded for ", tracer.finish())

    def test_report_that_becomes_too_large(self):
        with tempfile.TemporaryDirectory() as folder:
            run = scaler("--no-probes", "--format", "json", "-o", f"{folder}/report", "--", "sh", "-c", "ulimit -f", within=("prlimit", "--fsize=4096"))
            self.assertEqual((run.returncode, run.stdout, os.stat(f"{folder}/report").st_size), (1, "8\n", 4096))
            self.assertEqual(run.stderr, f"scaler-bpf: cannot write the report to {folder}/report: File too large\n")

    def test_report_in_a_folder_of_others(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o1777)
            os.symlink("/etc/passwd", f"{folder}/report")
            size = os.stat("/etc/passwd").st_size
            for option in ("-o", "--pidfile"):
                run = scaler(option, f"{folder}/report", "--", "true")
                self.assertEqual((run.returncode, os.stat("/etc/passwd").st_size), (1, size))
                self.assertRegex(run.stderr, r"\Ascaler-bpf: cannot write [^\n]*report': it is a link, and others may write to "
                                             r"its folder; name the file itself\n\Z")

    def test_duration_ends_before_command(self):
        with tempfile.NamedTemporaryFile("r") as file, \
                Tracer("--duration", 0.1, "-o", file.name, "--", "sh", "-c",
                       "sleep 50 & trap 'kill $!; exit 5' TERM; wait") as tracer:
            # The report is there while the command goes on; then signals are still passed on to it.
            wait_for(lambda: "tracer:" in pathlib.Path(file.name).read_text(encoding="ascii"))
            self.assertIsNone(tracer.process.poll())
            tracer.process.send_signal(signal.SIGTERM)
            tracer.finish(status=5)

    def test_killed_tracer_leaves_nothing(self):
        with Workload(workload("calls"), 2, 0, 1000, "wait") as program:
            with Tracer("-p", program.child) as tracer:
                self.assertTrue(self.programs())
                tracer.process.kill()
            wait_for(lambda: not self.programs())
            self.assertEqual(state(program.child), "S")
            program.go()
            self.assertEqual(program.wait(), 0)

    def test_killed_at_any_moment(self):
        with Workload(workload("calls"), 2, 0, 1000, "wait") as program:
            for delay_ms in range(0, 300, 15):
                with subprocess.Popen([SCALER, "-p", str(program.child)], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL) as tracer:
                    time.sleep(delay_ms / 1000)
                    tracer.kill()
            wait_for(lambda: not self.programs())
            program.go()
            self.assertEqual(program.wait(), 0)

    def test_command_of_killed_tracer(self):
        with Tracer("--", "sleep", 50) as tracer:
            command = wait_for(lambda: tracer.command() and state(tracer.command()) == "S" and
                               tracer.command())
            tracer.process.kill()
            tracer.process.wait()
            wait_for(lambda: not self.programs())
            self.assertEqual(state(command), "S")
            os.kill(command, signal.SIGKILL)

    def test_command_of_tracer_killed_too_early(self):
        """As soon as it has a child, which never runs the program, and does not stay behind."""
        with tempfile.TemporaryDirectory() as folder:
            held = [*LIMITED, "strace", "-o", "/dev/null", "-e", "inject=clone:delay_exit=1000000", "-e", "trace=clone",
                    SCALER, "--", "touch", f"{folder}/begun"]
            # A child that stays behind has the other ends of these.
            with subprocess.Popen(held, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
                # strace has children of its own as it begins.
                strace, = wait_for(lambda: children(run.pid))
                tracer = wait_for(lambda: [pid for pid in children(strace) if comm(pid) == "scaler-bpf"])[0]
                wait_for(lambda: children(tracer))
                os.kill(tracer, signal.SIGKILL)
                self.assertEqual(run.communicate(timeout=LIMIT_S)[0], "")
            self.assertEqual(os.listdir(folder), [])

    @staticmethod
    def programs():
        """The BPF programs of the tracer that the kernel holds."""
        run = subprocess.run(["/usr/sbin/bpftool", "prog", "show"], capture_output=True, text=True,
                             check=True)
        return [line for line in run.stdout.splitlines() if "scaler_sys_ente" in line]
