"""The blocking report's --paths: the files that threads wait on are named as the kernel names them in /proc/PID/fd."""
import json
import os
import subprocess
import tempfile
import unittest

from harness import LIMITED, LiveTest, record, scaler, waits_in

# Waits for a lock of each of the files that the steps open, and says how the kernel names it at that time.
PROGRAM = r"""
import fcntl, json, os, sys, threading, time
names, waiter = [], f"/proc/self/task/{threading.get_native_id()}/syscall"

def release(holder):
    while open(waiter).read().split()[0] != sys.argv[3]:
        time.sleep(0.001)
    fcntl.flock(holder, fcntl.LOCK_UN)

def wait(descriptor):
    holder = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    thread = threading.Thread(target=release, args=(holder,))
    thread.start()
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    thread.join()
    names.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(holder)

def make(path, flags=os.O_RDWR | os.O_CREAT):
    return os.open(path, flags, 0o600)

os.chdir(sys.argv[1])
exec(sys.argv[2])
json.dump(names, sys.stdout)
"""
PYTHON = ["/usr/bin/python3", "-I", "-B", "-c", PROGRAM]
FLOCK = {"x86_64": 73, "aarch64": 32}[os.uname().machine]


def as_the_kernel(resource):
    """As in /proc/PID/fd, whose memory files seem to be in the root folder, and to be deleted."""
    if not resource["path"].startswith("/"):
        return f"/{resource['path']} (deleted)"
    return resource["path"] + " (deleted)" * resource["is_deleted"]


class Paths(LiveTest):
    """One way to have a name a test."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def record(self, steps, *way, options=("--paths",)):
        """What was waited on in the steps, and how the kernel named it."""
        run, report = record("--blocking-report", *options, "--", *way, *PYTHON, self.folder, steps, FLOCK)
        resources = [interval["resource"] for interval in waits_in(report["blocking"], "flock")]
        return resources, json.loads(run.stdout), report

    def check(self, steps, *way, count=1):
        """Each wait is named like the kernel does, and has no other name there."""
        resources, names, report = self.record(steps, *way)
        self.assertEqual([as_the_kernel(resource) for resource in resources], names)
        self.assertEqual(len(names), count)
        self.assertEqual(report["coverage"]["paths_unknown"], 0)
        return resources

    def test_regular(self):
        """Renamed, deleted, and another in its place, which has the same name; the inode is as before, or may be."""
        steps = r"""
file = make("first\n\033[2J"); wait(file); wait(file)
os.rename("first\n\033[2J", "second \\"); wait(file)
os.mkdir("other"); os.rename("second \\", "other/third"); wait(file)
os.unlink("other/third"); wait(file)
wait(make("other/third"))
"""
        resources = self.check(steps, count=6)
        self.assertEqual(len({resource["inode"] for resource in resources[:5]}), 1)
        self.assertEqual([resource["is_deleted"] for resource in resources], [False] * 4 + [True, False])

    def test_no_utf8(self):
        """In JSON, which has no other text, bytes that are none are escaped."""
        resources, _, _ = self.record(r'wait(make(b"\xff.log"))')
        self.assertEqual([os.path.basename(resource["path"]) for resource in resources], [r"\xff.log"])

    def test_folders(self):
        resources = self.check('wait(make(".", os.O_RDONLY)); wait(make("/", os.O_RDONLY))', count=2)
        self.assertEqual([resource["path"] for resource in resources], [self.folder, "/"])

    def test_memory(self):
        resources = self.check('wait(os.memfd_create("shared")); wait(os.open(".", os.O_RDWR | os.O_TMPFILE))', count=2)
        self.assertEqual(resources[0]["path"], "memfd:shared")

    def test_devices(self):
        steps = """
master, terminal = os.openpty(); wait(terminal); wait(make("/dev/null", os.O_RDWR))
os.mkfifo("fifo"); wait(make("fifo", os.O_RDWR)); wait(os.pipe()[0])
"""
        resources, names, _ = self.record(steps)
        self.assertEqual([resource["path"] for resource in resources], [*names[:3], None])
        self.assertEqual([resource["type"] for resource in resources], ["tty", "character", "pipe", "pipe"])

    def test_depths(self):
        """Folders whose names fill what is kept; of more of them the inner ones are known."""
        resources, names, _ = self.record("""
for _ in range(4):
    os.mkdir("n" * 255); os.chdir("n" * 255); wait(make("file"))
""")
        whole, cut = resources[0]["path"], resources[-1]["path"]
        self.assertEqual(whole, names[0])
        self.assertTrue(cut.startswith(".../") and names[-1].endswith(cut[3:]), cut)

    def test_other_mounts(self):
        """In a mount namespace of the program's own, below a folder that is another's here."""
        mount = f"mount -t tmpfs none {self.folder} && exec \"$0\" \"$@\""
        if subprocess.run([*LIMITED, "unshare", "--mount", "true"], capture_output=True, check=False).returncode:
            self.skipTest("no mount namespace can be made here")
        resources = self.check('os.mkdir("a"); wait(make("a/b"))', "unshare", "--mount", "sh", "-c", mount)
        self.assertEqual(resources[0]["path"], f"{self.folder}/a/b")

    def test_root_folder_of_the_program(self):
        """From the tracer's root, as with the files of code: the program itself sees less of it."""
        resources, names, _ = self.record("""
os.mkdir("root"); os.mkdir("root/proc"); os.system("mount --bind /proc root/proc")
os.chroot("root"); os.chdir("/"); wait(make("/inner"))
""", "unshare", "--mount")
        self.assertEqual((resources[0]["path"], names), (f"{self.folder}/root/inner", ["/inner"]))

    def test_text(self):
        run = scaler("--blocking-report", "--paths", "--", *PYTHON, self.folder, r'wait(make("a\033b"))', FLOCK)
        self.assertIn(rf" {self.folder}/a\x1bb ", run.stderr)

    def test_without(self):
        resources, _, _ = self.record('wait(make("file"))', options=())
        self.assertEqual([resource["path"] for resource in resources], [None])

    def test_many(self):
        """More than there is room for: which have no path is said, and nothing else is lost."""
        steps = "for i in range(8): wait(make(str(i)))"
        resources, names, report = self.record(steps, options=("--paths", "--map-size", "paths=4"))
        known = [resource["path"] for resource in resources if resource["path"]]
        self.assertEqual(len(resources), 8)
        self.assertEqual(known, names[:len(known)])
        self.assertLess(len(known), 8)
        # It may have waited to read files, too.
        unknown = [interval["resource"] for interval in report["blocking"] if interval["resource"]
                   and "path" in interval["resource"] and not interval["resource"]["path"]]
        self.assertGreaterEqual(report["coverage"]["paths_unknown"], 8 - len(known))
        self.assertLessEqual(report["coverage"]["paths_unknown"], len(unknown))


if __name__ == "__main__":
    unittest.main()
