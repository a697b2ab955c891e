"""What make install leaves behind: a tracer that runs, a man page and a completion that know all options."""
import pathlib
import re
import subprocess
import tempfile
import unittest

from harness import BUILD, LiveTest, scaler

ROOT = pathlib.Path(__file__).resolve().parents[2]


def options():
    """All options that --help has, in their short and long forms."""
    heads = re.findall(r"^  (.{2}[ ,] --[a-z-]+)", scaler("--help").stdout, re.M)
    return {word for head in heads for word in re.findall(r"--?[A-Za-z][a-z-]*", head)}


class Install(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run(["timeout", "60", "make", "-s", "-C", ROOT, "install", "-o", "all", f"BUILD={BUILD}",
                        f"DESTDIR={cls.folder.name}", "PREFIX=/usr"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.prefix = pathlib.Path(cls.folder.name) / "usr"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scaler_bpf
                    printf '%s\n' "${COMPREPLY[@]}" """
        run = subprocess.run(["timeout", "20", "bash", "-c", script, "bash",
                              self.prefix / "share/bash-completion/completions/scaler-bpf",
                              self.prefix / "sbin/scaler-bpf", *words],
                             capture_output=True, text=True, check=True)
        return run.stdout.split()

    def test_tracer_runs(self):
        run = subprocess.run([self.prefix / "sbin/scaler-bpf", "--version"], capture_output=True,
                             text=True, check=True)
        self.assertEqual(run.stdout, scaler("--version").stdout)

    def test_man_page(self):
        page = self.prefix / "share/man/man8/scaler-bpf.8"
        run = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww", page], capture_output=True,
                             text=True, check=True)
        self.assertEqual(run.stderr, "")
        words = set(re.findall(r"(?<![\w-])--?[A-Za-z][a-z-]*", run.stdout))
        self.assertGreaterEqual(len(options()), 25)
        self.assertLessEqual(options(), words)

    def test_completion(self):
        self.assertLessEqual(options() | {"doctor", "syscalls", "--"}, set(self.complete("")))
        self.assertEqual(set(self.complete("--no-")), {"--no-probes", "--no-samples", "--no-syscalls",
                                                       "--no-templates"})
        self.assertEqual(self.complete("--syscalls", "read,%de"), ["read,%desc"])
        self.assertEqual(self.complete("--format", "j"), ["json"])
        self.assertIn("1", self.complete("-p", ""))


if __name__ == "__main__":
    unittest.main()
