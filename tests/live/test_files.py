"""Programs and libraries whose files have no name, have lost it, or are not where the tracer sees a file of that name."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from folded_stacks import parse_folded
from harness import LIMITED, LiveTest, Tracer, Workload, workload
from test_following import FollowingTest, follows, load

# Executes a file that is in memory only.
UNNAMED = """
import os, sys
file = os.memfd_create("unnamed")
os.write(file, open(sys.argv[1], "rb").read())
{}
"""
EXECUTE = UNNAMED.format("os.execve(file, sys.argv[1:], os.environ)")
LOAD = UNNAMED.format("""
os.set_inheritable(file, True)
os.execv(sys.argv[2], [sys.argv[2], "load", f"/proc/self/fd/{file}", *sys.argv[3:]])
""")
NAMES = ("libedges_first.so", "libedges_second.so")


class Gone(LiveTest):
    """Its functions have names, though its process and all that led to the file are gone when they are looked for."""

    def assert_named(self, component, *command, prepare=lambda: None):
        with Workload(*command, 1, 0, 100, "wait") as program:
            prepare()
            with Tracer("-p", program.child, "--folded", "--sort", "calls") as tracer:
                program.go()
                stacks = parse_folded(tracer.finish())
        calls = {frames: count for (call, frames), count in stacks.items() if call == "getppid"}
        self.assertEqual(calls, {("libc.so.6`clone3", "libc.so.6`start_thread", f"{component}`run_thread",
                                  "libc.so.6`syscall"): 100})

    def test_program_in_memory(self):
        self.assert_named("memfd:unnamed", "/usr/bin/python3", "-c", EXECUTE, workload("calls"))

    def test_removed_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "removed")
            shutil.copy(workload("calls"), path)
            self.assert_named("removed", path, prepare=lambda: os.unlink(path))


class Elsewhere(FollowingTest):
    """Library calls are counted to the last one."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def copy(self, to):
        """The two libraries into a folder of that name; returns its path."""
        folder = self.folder / to
        folder.mkdir(parents=True)
        for name in NAMES:
            shutil.copy(workload(name), folder)
        return folder

    def test_library_in_memory(self):
        folder = os.path.dirname(workload(NAMES[0]))
        self.assert_followed("env", f"LD_LIBRARY_PATH={folder}", "/usr/bin/python3", "-c", LOAD, workload(NAMES[1]),
                             follows(), "pause", "outer", 5, caller="memfd:unnamed")

    def test_root_folder_of_the_program(self):
        """Of which the tracer has files of the same names: of other libraries."""
        root = self.copy("root")
        used = subprocess.run(["ldd", follows()], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        for path in {word for word in used if word.startswith("/")} | {follows()}:
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path[1:])
        self.assert_followed("chroot", root, follows(), "load", f"/{NAMES[1]}", "pause", "outer", 5)

    def test_mounted_over(self):
        """In one process's mount namespace, so that the path leads to different files."""
        outer, inner = self.copy("outer"), self.copy("inner")
        steps = f"{follows()} load {outer}/{NAMES[1]} pause outer"
        report = self.assert_followed(
            "sh", "-c", f"{steps} 5; unshare --mount sh -c 'mount --bind {inner} {outer} && {steps} 6'; {steps} 7")
        self.assertEqual(len(report["library_calls"]), 6)

    def test_overlay(self):
        """It shows other inodes than the kernel maps, which is looked at only once it runs."""
        lower, target = self.copy("lower"), self.folder / "target"
        target.mkdir()
        mount = f"mount -t overlay -o lowerdir={lower}:{self.folder}/none none {target}"
        (self.folder / "none").mkdir()
        run = subprocess.run([*LIMITED, "unshare", "--mount", "sh", "-c", mount], capture_output=True, text=True,
                             check=False)
        if run.returncode:
            self.skipTest(f"overlays cannot be mounted here: {run.stderr}")
        report = self.assert_followed(
            "unshare", "--mount", "sh", "-c",
            f"{mount} && exec {follows()} load {target}/{NAMES[1]} pause outer 5 pause outer 6", untimed=5)
        # The file that is opened and the one that is mapped are one.
        self.assertEqual(len(report["library_calls"]), 3)

    def test_user_namespace(self):
        if subprocess.run([*LIMITED, "unshare", "--user", "true"], capture_output=True, check=False).returncode:
            self.skipTest("no user namespace can be made here, as in a chroot")
        self.assert_followed("unshare", "--user", "--map-root-user", follows(), *load(), "pause",
                             "outer", 5)
