"""Cgroups that a test makes for itself."""
import contextlib
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import wait_for


def mounts(kind):
    """The mounts of that type of file system: their folders and options."""
    lines = [line.split() for line in pathlib.Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    return [(pathlib.Path(line[1]), line[3].split(",")) for line in lines if line[2] == kind]


@contextlib.contextmanager
def unified():
    """The folder of the cgroup v2 hierarchy, which is mounted for the while if it is not."""
    found = mounts("cgroup2")
    if found:
        yield found[0][0]
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "cgroup2", "none", folder], check=True)
        try:
            yield pathlib.Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


@contextlib.contextmanager
def cgroup(parent):
    """A new one below that one, removed as soon as its last process has been reaped."""
    path = parent / f"scaler-test-{os.getpid()}"
    path.mkdir()
    try:
        yield path
    finally:
        wait_for(lambda: not (path / "cgroup.procs").read_text(encoding="ascii"))
        path.rmdir()


class Quota:
    """A cgroup whose members may use so much of a CPU in each 50 ms; "path" is its folder."""

    PERIOD_US = 50_000

    def __init__(self, path, share):
        self.path, self.is_first = path, (path / "cpu.cfs_quota_us").exists()
        quota_us = int(share * self.PERIOD_US)
        if self.is_first:
            (path / "cpu.cfs_period_us").write_text(str(self.PERIOD_US), encoding="ascii")
            (path / "cpu.cfs_quota_us").write_text(str(quota_us), encoding="ascii")
        else:
            (path / "cpu.max").write_text(f"{quota_us} {self.PERIOD_US}", encoding="ascii")

    def throttled_ns(self):
        """What the kernel says: for how long its CPUs were kept from it, each by itself."""
        lines = (self.path / "cpu.stat").read_text(encoding="ascii").splitlines()
        figures = {name: int(value) for name, value in map(str.split, lines)}
        return figures["throttled_time"] if self.is_first else figures["throttled_usec"] * 1000


@contextlib.contextmanager
def with_quota(share):
    """A Quota."""
    parents = [path for path, options in mounts("cgroup") if "cpu" in options]
    parents += [path for path, _ in mounts("cgroup2")
                if "cpu" in (path / "cgroup.subtree_control").read_text(encoding="ascii").split()]
    if not parents:
        raise unittest.SkipTest("no cgroup hierarchy has a controller of the CPUs")
    with cgroup(parents[0]) as path:
        yield Quota(path, share)
