"""Who is traced: processes, threads, names, cgroups, the whole system, and what becomes of their kin."""
import collections
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from cgroups import unified
from harness import (LIMIT_S, SCALER, LiveTest, Tracer, Workload, call_counts, children, comm, parse_report,
                     record, scaler, state, wait_for, workload)
from test_sites import issuers


def threads_by_name(process):
    """The {name: TID} of a process's threads."""
    return {pathlib.Path(f"/proc/{process}/task/{tid}/comm").read_text(encoding="utf-8").strip():
            int(tid) for tid in os.listdir(f"/proc/{process}/task")}


def run(*words):
    subprocess.run(["timeout", "-k", "5", str(LIMIT_S), *map(str, words)], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, check=True)


class Targets(LiveTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def named(self, name):
        """The workload "calls" under another name."""
        path = os.path.join(self.folder, name)
        shutil.copy(workload("calls"), path)
        return path

    def finish(self, tracer):
        """Ends a recording that has no end of its own."""
        tracer.process.send_signal(signal.SIGINT)
        return tracer.finish_json()

    def test_thread(self):
        with Workload(workload("states"), "wait:15000", "sleep:500") as program:
            tids = wait_for(lambda: len(threads_by_name(program.child)) == 3 and
                            threads_by_name(program.child))
            report = record("-t", tids["sleep:500"])[1]
            # The recording has ended with the thread, though its process goes on.
            self.assertIsNone(program.poll())
        self.assertEqual([(row["tid"], row["pid"], row["name"]) for row in report["threads"]],
                         [(tids["sleep:500"], program.child, "sleep:500")])

    def test_follow(self):
        """Four threads and three children make 1000 calls each."""
        for follow, calls, processes, threads in (("none", 0, 1, 1), ("threads", 4000, 1, 5), ("children", 7000, 4, 8)):
            with self.subTest(follow), Workload(workload("calls"), 4, 3, 1000, "wait") as program:
                with Tracer("-p", program.child, "--follow", follow, "--format", "json") as tracer:
                    program.go()
                    report = tracer.finish_json()
                self.assertEqual(call_counts(report).get("getppid", 0), calls)
                self.assertEqual(len({row["pid"] for row in report["threads"]}), processes)
                self.assertEqual(len(report["threads"]), threads)
                self.assertIn("read", call_counts(report))

    def test_no_newcomers(self):
        with Tracer("--comm", "alpha", "--follow", "threads", "--duration", 1, "--format", "json") as tracer:
            run(self.named("alpha"), 2, 1, 100)
            self.assertEqual(tracer.finish_json()["threads"], [])

    def test_name_of_processes_that_start_later(self):
        with Tracer("--comm", "alpha", "--format", "json") as tracer:
            run(self.named("alpha"), 2, 1, 100)
            run(self.named("beta"), 2, 1, 100)
            report = self.finish(tracer)
        self.assertEqual(call_counts(report)["getppid"], 300)
        self.assertEqual({row["name"] for row in report["threads"]}, {"alpha"})

    def test_name_of_running_process(self):
        with Workload(self.named("gamma"), 2, 1, 100, "wait") as program:
            with Tracer("--comm", "gamma", "--format", "json") as tracer:
                program.go()
                program.wait()
                report = self.finish(tracer)
        self.assertEqual(call_counts(report)["getppid"], 300)

    def test_name_within_command(self):
        script = f"{self.named('alpha')} 0 2 100; {self.named('beta')} 0 2 10; exit 3"
        done, report = record("--comm", "alpha", "--", "sh", "-c", script)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(call_counts(report)["getppid"], 200)
        self.assertEqual({row["name"] for row in report["threads"]}, {"alpha"})

    def test_whole_system(self):
        with Tracer("--overhead", "none", "--format", "json") as tracer:
            run(workload("calls"), 2, 2, 500)
            report = self.finish(tracer)
        self.assertEqual(sum(row["name"] == "calls" for row in report["threads"]), 5)
        self.assertGreaterEqual(call_counts(report)["getppid"], 4 * 500)
        self.assertNotIn(tracer.process.pid, {row["pid"] for row in report["threads"]})
        self.assertIn(os.getpid(), {row["pid"] for row in report["threads"]})
        for row in report["threads"]:
            self.assertEqual(row["running_ns"] + row["runnable_ns"] + row["blocked_ns"], row["life_ns"])

    def test_kernel_thread(self):
        done, report = record("-p", 2, "--duration", 0.1)
        self.assertEqual(done.returncode, 0)
        self.assertIn("kernel thread", done.stderr)
        self.assertEqual([row["name"] for row in report["threads"]], ["kthreadd"])
        self.assertEqual(report["syscalls"], [])

    def test_zombie(self):
        child = subprocess.Popen(["true"])
        wait_for(lambda: state(child.pid) == "Z")
        done = scaler("-p", child.pid)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\A[^\n]*zombie[^\n]*\n\Z")
        child.wait()

    def test_main_thread_ended(self):
        script = ("import ctypes, threading, time\n"
                  "threading.Thread(target=time.sleep, args=(3,)).start()\n"
                  "ctypes.CDLL(None).syscall(60, 0)\n")
        with subprocess.Popen(["timeout", str(LIMIT_S), "/usr/bin/python3", "-c", script]) as shell:
            child = wait_for(lambda: children(shell.pid))[0]
            wait_for(lambda: state(child) == "Z")
            done, report = record("-p", child, "--duration", 0.2)
            os.kill(child, signal.SIGKILL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(report["threads"])

    def test_thread_given_as_process(self):
        with Workload(workload("states"), "wait:3000") as program:
            tids = wait_for(lambda: len(threads_by_name(program.child)) == 2 and
                            threads_by_name(program.child))
            done = scaler("-p", tids["wait:3000"])
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"-p {program.child}", done.stderr)


class Cgroups(LiveTest):
    def setUp(self):
        self.name = f"scaler-test-{os.getpid()}"
        self.outer = self.enterContext(unified()) / self.name
        self.inner = self.outer / "inner"
        self.inner.mkdir(parents=True)
        self.addCleanup(self.remove)

    def remove(self):
        """A cgroup can be removed as soon as its last process has been reaped."""
        for path in (self.inner, self.outer):
            wait_for(lambda path=path: not (path / "cgroup.procs").read_text())
            path.rmdir()

    def test_members_newcomers_and_outsiders(self):
        with Workload(workload("calls"), 1, 1, 100, "wait") as program:
            (self.inner / "cgroup.procs").write_text(str(program.child))
            with Tracer("--cgroup", self.outer, "--format", "json") as tracer:
                program.go()
                program.wait()
                run("sh", "-c", f"echo $$ > {self.outer}/cgroup.procs; "
                                f"exec {workload('calls')} 0 1 10")
                run(workload("calls"), 1, 1, 1000)
                tracer.process.send_signal(signal.SIGINT)
                report = tracer.finish_json()
        self.assertEqual(call_counts(report)["getppid"], 200 + 10)

    def test_path_below_the_root(self):
        done = scaler("--cgroup", f"/{self.name}/inner", "--duration", 0.1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 threads of 0 processes", done.stdout)

    def test_missing(self):
        done = scaler("--cgroup", f"/{self.name}/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\A[^\n]*nowhere[^\n]*\n\Z")


class Namespaces(LiveTest):
    def test_seen_from_outside(self):
        with Workload("unshare", "--pid", "--fork", "--kill-child", workload("calls"), 1, 1, 100,
                      "wait") as program:
            inner = wait_for(lambda: children(program.child))[0]
            wait_for(lambda: comm(inner) == "calls" and state(inner) == "S")
            with Tracer("-p", inner, "--format", "json") as tracer:
                program.go()
                report = tracer.finish_json()
        self.assertEqual(call_counts(report)["getppid"], 200)
        self.assertIn((inner, inner), {(row["pid"], row["tid"]) for row in report["threads"]})

    def inside(self, script):
        """The report of a tracer in a PID namespace of its own, $report its file."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            run("env", f"report={file.name}", "unshare", "--pid", "--fork", "--mount-proc",
                "--kill-child", "sh", "-c", script)
            return parse_report(file.read())

    def test_seen_from_inside(self):
        report = self.inside(f"sleep 20 & {SCALER} -p $! --duration 0.2 --format json -o $report; "
                             "kill $!")
        self.assertEqual([(row["pid"], row["tid"], row["name"]) for row in report["threads"]],
                         [(2, 2, "sleep")])
        # Found by /proc of the namespace.
        self.assertEqual([row["issuer"]["component"] for row in report["syscalls"]], ["libc.so.6"])

    def test_root_folder_of_the_tracer(self):
        """Files are found by their paths from there."""
        with tempfile.TemporaryDirectory() as root, tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            run("unshare", "--mount", "sh", "-c",
                f"mount --rbind / {root} && exec chroot {root} {SCALER} --no-probes --format json -o {file.name}"
                f" -- {workload('calls')} 1 0 100")
            report = parse_report(file.read())
        self.assertEqual(issuers(report, "getppid"), {("libc.so.6", "syscall"): 100})

    def test_system_inside_is_the_namespace(self):
        report = self.inside(f"sleep 20 & {SCALER} --duration 0.2 --format json -o $report; kill $!")
        self.assertEqual(collections.Counter(row["name"] for row in report["threads"]),
                         {"sh": 1, "sleep": 1})
