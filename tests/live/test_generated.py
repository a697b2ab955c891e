"""Code generated at run time has the names that its process gives it in perf's map files."""
import os
import signal

from harness import LiveTest, Tracer, Workload, children, comm, parse_report, record, state, wait_for, workload
from test_sites import component
from test_tree import ways

GENERATED = workload("generated")
COUNT, PAUSE_US = 100, 1000  # what is sent to be learned, all of it, has room in the ring buffer
INNER, OUTER = "[jit]`inner;of [JIT]", "[jit]`outer\x1b <T>"
NAMED = {("getppid", (OUTER, INNER)): COUNT, ("getpgrp", (INNER,)): COUNT}
NOBODYS = "[anonymous code]"
UNNAMED = {("getppid", (NOBODYS, NOBODYS)): COUNT, ("getpgrp", (NOBODYS,)): COUNT}
NOBODY = 65534


def generated_frames(report):
    """{(system call, generated frames from the outermost on): calls}."""
    threads, _ = report["tree"]
    found = {}
    for (call, frames), calls in ways(threads):
        frames = tuple(name for name in frames if name.startswith(("[jit]", NOBODYS)))
        if frames:
            found[call, frames] = found.get((call, frames), 0) + calls
    return found


def waiting_program(pid):
    """The PID of the program below a process once it waits for input, else None."""
    while comm(pid) != "generated":
        below = children(pid)
        if not below:
            return None
        pid = below[0]
    return pid if state(pid) == "S" else None


def map_path(pid):
    """Its map as the process sees /tmp, from here."""
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        inner, = [line.split()[-1] for line in file if line.startswith("NSpid:")]
    return f"/proc/{pid}/root/tmp/perf-{inner}.map"


class Generated(LiveTest):
    alone = "stacks are cut while the tracer, which needs a CPU for that, learns"

    def record(self, kind, change=lambda path: None, command=(), at_end=False, late=False):
        """The report of a process whose map was changed so, while it lives or at its end; a late tracer rests."""
        with Workload(*command, GENERATED, kind, COUNT, PAUSE_US) as program:
            pid = wait_for(lambda: waiting_program(program.pid))
            path = map_path(pid)
            self.assertEqual(os.path.exists(path), kind == "named")
            try:
                with Tracer("-p", pid, "--report", "components,tree", "--format", "json") as tracer:
                    if late:
                        tracer.process.send_signal(signal.SIGSTOP)
                        wait_for(lambda: state(tracer.process.pid) == "T")
                    program.go()
                    self.assertEqual(program.stdout.readline(), "called\n")
                    tracer.process.send_signal(signal.SIGCONT)
                    change(path)
                    if at_end:
                        path = os.path.join("/tmp", os.path.basename(path))
                        program.stdin.close()
                    else:
                        tracer.process.send_signal(signal.SIGINT)
                    return parse_report(tracer.finish())
            finally:
                if os.path.exists(path):
                    os.unlink(path)

    def assert_refused(self, report, problem):
        self.assertEqual(generated_frames(report), UNNAMED)
        self.assertIn(problem, component(report, NOBODYS)["symbols_missing"])

    def test_names(self):
        report = self.record("named")
        self.assertEqual(generated_frames(report), NAMED)
        self.assertIsNone(component(report, "[jit]")["symbols_missing"])

    def test_names_when_all_calls_are_learned_late(self):
        self.assertEqual(generated_frames(self.record("named", late=True)), NAMED)

    def test_names_when_the_process_is_gone(self):
        self.assertEqual(generated_frames(self.record("named", at_end=True)), NAMED)

    def check_command(self, **options):
        run, report = record("--report", "tree", "--", "sh", "-c",
                             'echo $$ && exec "$@" < /etc/passwd', "sh", GENERATED, "named", COUNT, PAUSE_US, **options)
        os.unlink(f"/tmp/perf-{run.stdout.split()[0]}.map")
        self.assertEqual(generated_frames(report), NAMED)

    def test_names_when_nobody_has_waited_for_the_command_yet(self):
        self.check_command()

    def test_names_in_a_time_namespace(self):
        self.check_command(within=("unshare", "--time", "--boottime", "86400", "--fork"))

    def test_names_in_a_container(self):
        # The program may lie below the folder that is hidden.
        inside = ("env", "-C", os.path.dirname(GENERATED), "unshare", "--mount", "--pid", "--fork",
                  "--kill-child", "sh", "-c",
                  'mount -t tmpfs -o size=1m none /tmp && shift && exec ./generated "$@"', "sh")
        self.assertEqual(generated_frames(self.record("named", command=inside)), NAMED)

    def test_no_map(self):
        self.assert_refused(self.record("unnamed"), "no /tmp/perf-PID.map")

    def test_map_of_another_user(self):
        self.assert_refused(self.record("named", lambda path: os.chown(path, NOBODY, -1)), "no file of the")

    def test_map_that_is_older_than_the_process(self):
        self.assert_refused(self.record("named", lambda path: os.utime(path, (1, 1))), "older than the process")

    def test_map_that_is_no_file(self):
        def replace(path):
            os.unlink(path)
            os.mkfifo(path)
        self.assert_refused(self.record("named", replace), "no file of the")

    def test_map_that_is_a_link(self):
        def replace(path):
            there = os.path.join("/tmp", "there." + os.path.basename(path))
            os.rename(os.path.join("/tmp", os.path.basename(path)), there)
            os.symlink(there, path)
            self.addCleanup(os.unlink, there)
        self.assert_refused(self.record("named", replace), "no file of the")

