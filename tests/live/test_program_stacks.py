"""The stacks of real programs: whole but for few, and as strace -k has them."""
import collections
import os
import re
import signal
import subprocess
import tempfile
import unittest

from folded_stacks import count_cut, folded, parse_folded
from harness import LIMITED, LiveTest, Tracer
from servers import http_answers, nginx, nginx_fetch, redis, redis_benchmark

PYTHON = ["/usr/bin/python3", "-I", "-B", "-c"]
# What strace sees otherwise: the call that begins a program, those that never return, and a new thread's.
STRACE_MISSES = {"execve", "exit", "exit_group", "clone3", "clone", "vfork", "rt_sigreturn"}


def components(stacks):
    """{(system call, components from the innermost frame on): calls}, without what strace misses."""
    counts = collections.Counter()
    for (call, frames), count in stacks.items():
        if call not in STRACE_MISSES:
            names = [re.split("[`+]", frame)[0] for frame in reversed(frames)]
            counts[call, tuple(names)] += count
    return dict(counts)


def strace_components(*command):
    """The same as strace -f -k has it: a call, then its frames."""
    with tempfile.NamedTemporaryFile("r", errors="replace") as log:
        subprocess.run([*LIMITED, "strace", "-f", "-k", "-o", log.name, *command],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        counts, call, names = collections.Counter(), None, []
        for line in [*log, "0 end()"]:
            frame = re.match(r" > (.+?)\(", line)
            ended = re.match(r"\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed>)", line)
            if frame:
                names.append(os.path.basename(frame[1]))
            elif ended and not line.endswith("<unfinished ...>\n"):
                if call and call not in STRACE_MISSES:
                    counts[call, tuple(names)] += 1
                call, names = ended[1], []
        return dict(counts)


class SameAsStrace(LiveTest):
    """Programs whose calls do not depend on timing or chance."""

    maxDiff = None

    def assert_same(self, *command):
        run, stacks = folded("--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(count_cut(stacks), 0)
        self.assertEqual(components(stacks), strace_components(*command))

    def test_ls(self):
        self.assert_same("ls", "-lR", "/etc/apt", "/usr/share/doc/libc6")

    def test_sqlite(self):
        self.assert_same("sqlite3", ":memory:", "create table a(b); insert into a values (1);")

    def test_git(self):
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"]
            subprocess.run([*git, "init", "-q"], check=True)
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "empty"], check=True)
            self.assert_same(*git, "log", "--stat")

    def test_curl(self):
        self.assert_same("curl", "-s", "-o", "/dev/null", "file:///etc/services")

    def test_bash(self):
        self.assert_same("bash", "-c", "for i in 1 2 3; do test -f /etc/fstab; cd /; done")


class NearlyAllWhole(LiveTest):
    """At least 99.5 % of the calls have a whole stack."""

    alone = "stacks are cut while the tracer, which needs a CPU for that, learns"

    def assert_whole(self, stacks, at_least):
        total = sum(stacks.values())
        self.assertGreater(total, at_least)
        self.assertLessEqual(count_cut(stacks), total * 0.005,
                             collections.Counter(frames[0] for _, frames in stacks))

    def assert_command_whole(self, at_least, *command):
        run, stacks = folded("--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assert_whole(stacks, at_least)
        return stacks

    def test_python(self):
        stacks = self.assert_command_whole(500, *PYTHON, "import ssl, zlib, json, decimal;"
                                           "ssl.create_default_context();"
                                           "zlib.compress(open('/etc/services', 'rb').read())")
        libraries = {frame.split("`")[0] for _, frames in stacks for frame in frames}
        self.assertLessEqual({"libssl.so.3", "libcrypto.so.3"}, libraries)

    def test_bash(self):
        self.assert_command_whole(1000, "bash", "-c", "for i in 1 2 3 4; do ls /etc | wc -l; done")

    def test_curl(self):
        with http_answers() as port:
            self.assert_command_whole(300, "curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{port}/")

    def test_node(self):
        if not os.path.exists("/usr/bin/node"):
            raise unittest.SkipTest("node is not installed")
        stacks = self.assert_command_whole(30_000, "/usr/bin/node", "-e",
                                           "for (let i = 0; i < 30_000; i++) require('fs').statSync('/etc')")
        generated = sum(count for (call, frames), count in stacks.items()
                        if call == "statx" and "[anonymous code]" in frames)
        self.assertGreater(generated, 1000)

    def test_node_with_names(self):
        if not os.path.exists("/usr/bin/node"):
            raise unittest.SkipTest("node is not installed")
        script = ("function askForStatus() { require('fs').statSync('/etc') };"
                  "console.log(process.pid); for (let i = 0; i < 3000; i++) askForStatus()")
        with tempfile.TemporaryDirectory() as folder:
            run, stacks = folded("--", "env", "-C", folder, "/usr/bin/node", "--perf-basic-prof",
                                 "--interpreted-frames-native-stack", "-e", script)
        os.unlink(f"/tmp/perf-{run.stdout.split()[0]}.map")
        named = sum(count for (call, frames), count in stacks.items()
                    if call == "statx" and any(re.match(r"\[jit\]`JS:.askForStatus ", frame) for frame in frames))
        self.assertTrue(2900 < named <= 3000, named)

    def traced(self, pid, load, *words):
        with Tracer("-p", pid, "--overhead", "none", "--folded", "--sort", "calls") as tracer:
            load(*words)
            tracer.process.send_signal(signal.SIGINT)
            return parse_folded(tracer.finish())

    def test_redis(self):
        with redis() as (pid, address):
            self.assert_whole(self.traced(pid, redis_benchmark, address, 20000), 80000)

    def test_nginx(self):
        with nginx() as (worker, port):
            self.assert_whole(self.traced(worker, lambda: [nginx_fetch(port) for _ in range(100)]), 800)
