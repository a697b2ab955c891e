"""The documented targets, in a copy of the sources that nobody has built anything in, below a folder with a space in its name.

That all can be built from nothing, "make check" itself shows.
"""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from harness import BUILD, LiveTest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Checkout(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.root = folder / "some folder" / "scaler-bpf"
        shutil.copytree(ROOT, cls.root, symlinks=True, ignore=lambda at, names: {"build", ".git"} & set(names))

    @classmethod
    def make(cls, *words):
        run = subprocess.run(["timeout", "-k", "5", "200", "make", "-s", *words], cwd=cls.root, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, check=False)
        if run.returncode:
            raise AssertionError(f"make {words}: {run.stderr}")
        return run.stdout

    def targets(self):
        return [line.split()[1] for line in self.make("help").splitlines()]

    def test_all_are_there(self):
        """What each would run, and all that it needs first, can be made."""
        self.assertGreaterEqual(set(self.targets()), {"all", "check", "check-vm", "demo", "bench", "install", "lint"})
        for target in ("all", "run-tests", "run-vm", "run-demo", "run-bench", "format", "clean"):
            with self.subTest(target):
                self.make("-n", target)

    def test_build(self):
        """A program of both sides: what is for the kernel, its skeleton, what loads it."""
        self.make("build/tests/bench/empty_pair", "build/user/control/ending.o")

    def test_bench_has_its_programs(self):
        steps = self.make("-n", "run-bench")
        for path in (self.root / "tests/bench").glob("*.c"):
            if not path.name.endswith(".bpf.c"):
                self.assertIn(f"-o build/tests/bench/{path.stem}", steps)

    def test_bench_names_its_parts(self):
        run = subprocess.run(["tests/bench/run", "build", "nothing"], cwd=self.root, capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=100, check=False)
        self.assertIn("\n  programs ", run.stderr)

    def test_install(self):
        """Into a folder with a space, from where it runs."""
        folder = self.root / "where it goes"
        self.make("install", f"BUILD={BUILD}", "-o", "all", f"DESTDIR={folder}", "PREFIX=/usr")
        installed = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        pages = {path for path in installed if path.startswith("usr/share/man/")}
        self.assertLessEqual({"usr/share/man/man8/scaler-bpf.8", "usr/share/man/man7/scaler-bpf-figures.7"}, pages)
        self.assertEqual(installed - pages, {"usr/sbin/scaler-bpf", "usr/share/bash-completion/completions/scaler-bpf"})
        run = subprocess.run([folder / "usr/sbin/scaler-bpf", "--version"], capture_output=True, text=True, check=True)
        self.assertRegex(run.stdout, r"^scaler-bpf \S+")


if __name__ == "__main__":
    unittest.main()
