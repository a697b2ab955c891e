"""Who called for the system calls: components beside strace -k, stacks as far up as is asked."""
import collections
import subprocess
import tempfile

from folded_stacks import folded
from harness import LiveTest, record, scaler, workload
from test_program_stacks import STRACE_MISSES, strace_components

CHAIN = workload("chain")
RUNTIME = ("libc.so.", "ld-linux-")


def calling(names):
    """Of components from the innermost frame on: the first that is not the C library or the loader."""
    return next((name for name in names if not name.startswith(RUNTIME)), names[0])


class Components(LiveTest):
    def assert_same_as_strace(self, *command):
        run, report = record("--report", "components", "--syscalls", "!" + ",".join(sorted(STRACE_MISSES)),
                             "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(report["component_of"], "calling")
        theirs = collections.Counter()
        for (_, names), count in strace_components(*command).items():
            theirs[calling(names)] += count
        self.assertEqual({row["name"]: row["calls"] for row in report["components"] if row["calls"]}, theirs)
        return theirs

    def test_sqlite(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/data"
            subprocess.run(["sqlite3", file, "create table a(b); insert into a values (1);"], check=True)
            counts = self.assert_same_as_strace("sqlite3", file, "select b from a")
        self.assertGreater(counts["libsqlite3.so.0.8.6"], 10, counts)

    def test_curl(self):
        counts = self.assert_same_as_strace("curl", "-s", "-o", "/dev/null", "file:///etc/services")
        self.assertGreater(len(counts), 4, counts)

    def test_issuing(self):
        for options in (["--component-of", "issuing"], ["--depth", "0"]):
            run, report = record(*options, "--", CHAIN, "once", "10")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(report["component_of"], "issuing")
            self.assertEqual({row["name"] for row in report["components"] if row["calls"]},
                             {"libc.so.6", "ld-linux-x86-64.so.2"})


class Depth(LiveTest):
    def frames(self, depth):
        run, stacks = folded("--depth", depth, "--", CHAIN, "once", "100")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        (frames, count), = [(frames, count) for (call, frames), count in stacks.items() if call == "getppid"]
        self.assertEqual(count, 100)
        return frames

    def test_to_the_application(self):
        self.assertEqual(self.frames("app"), ("chain`leaf", "libc.so.6`getppid"))

    def test_frames(self):
        for depth, innermost in ((1, ()), (2, ("chain`leaf",)), (3, ("libchain_inner.so`inner_call", "chain`leaf"))):
            self.assertEqual(self.frames(depth), ("[cut: too many frames]", *innermost, "libc.so.6`getppid"))

    def test_whole(self):
        self.assertEqual(self.frames(127)[-5:], self.frames(6)[-5:])
        self.assertEqual(self.frames(127)[-6], "chain`main")

    def test_text_names_what_is_told(self):
        run = scaler("--report", "components", "--", CHAIN, "once", "10")
        self.assertIn("by who called for the system call", run.stderr)
        run = scaler("--report", "components", "--depth", "0", "--", CHAIN, "once", "10")
        self.assertIn("by who issued the system call", run.stderr)
