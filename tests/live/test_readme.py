"""The README's commands do what it says, as they stand but for how long they record."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from harness import LIMIT_S, LIMITED, SCALER, ProbingTest, children, wait_for, workload

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
COMMAND = re.compile(r"^    (?:sudo )?(scaler-bpf .*)$", re.M)
LINES = 130


class Readme(ProbingTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.commands = COMMAND.findall(README.read_text(encoding="utf-8"))

    def run_as_it_stands(self, command, pid, folder):
        words = re.sub(r"\bPID\b", str(pid), command.replace("--duration 10", "--duration 0.3"))
        path = os.path.dirname(SCALER) + os.pathsep + os.environ["PATH"]
        return subprocess.run([*LIMITED, "sh", "-c", words], cwd=folder, env={**os.environ, "PATH": path},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_commands(self):
        self.assertGreaterEqual(len(self.commands), 15)
        with (tempfile.TemporaryDirectory() as folder,
              subprocess.Popen(["timeout", str(LIMIT_S * 2), workload("server"), "4", "1000000"],
                               stdout=subprocess.DEVNULL) as limited):
            try:
                pid = wait_for(lambda: children(limited.pid))[0]
                wait_for(lambda: children(pid))
                for command in self.commands:
                    run = self.run_as_it_stands(command, pid, folder)
                    self.assertEqual(run.returncode, 0, (command, run.stderr[:300]))
                    if command.startswith("scaler-bpf record"):
                        continue
                    self.assertNotIn("scaler-bpf: ", run.stderr, command)
                    output = re.search(r" -o (\S+)", command)
                    report = pathlib.Path(folder, output[1]).read_text(encoding="utf-8") if output else run.stdout + run.stderr
                    self.assertGreater(report.count("\n"), 0, command)
                    if "-p PID" in command and "--list" not in command:
                        self.assertIn("libc.so.6", report, command)
            finally:
                limited.send_signal(signal.SIGTERM)

    def test_short_enough_to_be_read(self):
        self.assertLessEqual(len(README.read_text(encoding="utf-8").splitlines()), LINES)

    def test_links(self):
        """What it and the pages below doc/ refer to is there."""
        root = README.parent
        for page in [README, *sorted((root / "doc").glob("*.md"))]:
            text = page.read_text(encoding="utf-8")
            for name in re.findall(r"\]\(([^)#:]+)\)", text):
                self.assertTrue((page.parent / name).exists(), (page.name, name))
            for name in re.findall(r"`((?:tests|user|include|scripts|bpf)/[\w/.-]+)`", text):
                self.assertTrue((root / name).exists(), (page.name, name))


if __name__ == "__main__":
    unittest.main()
