"""The line that says on a terminal what a recording has seen so far, and where there is none."""
import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time

from harness import LIMIT_S, LIMITED, LiveTest, scaler_words, workload

WIDTH = 80
BEGIN = "\r\x1b[K"


class Terminal:
    """A terminal, with the tracer's outputs on it."""

    def __init__(self, *arguments, term="xterm"):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
        self.words, self.environment = [*LIMITED, *scaler_words(arguments)], {**os.environ, "TERM": term}

    def run(self):
        """Returns the exit status and all that was written."""
        with subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=self.slave, stderr=self.slave, env=self.environment) as tracer:
            os.close(self.slave)
            text, end = b"", time.monotonic() + LIMIT_S
            while time.monotonic() < end and select.select([self.master], [], [], LIMIT_S)[0]:
                # When nobody has the other side open, reading fails.
                with contextlib.suppress(OSError):
                    text += (piece := os.read(self.master, 65536))
                    continue
                break
        os.close(self.master)
        return tracer.returncode, text.decode()

    def run_stopped(self):
        """The same, of which the terminal shows nothing, as after Ctrl-S."""
        termios.tcflow(self.slave, termios.TCOOFF)
        with subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=self.slave, stderr=self.slave, env=self.environment) as tracer:
            tracer.wait(LIMIT_S)
        os.close(self.slave)
        os.close(self.master)
        return tracer.returncode


class Progress(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.enterClassContext(subprocess.Popen([*LIMITED, workload("convoy"), "4", "2000", "5"]))
        cls.addClassCleanup(cls.program.terminate)

    def test_line(self):
        """Names whom and what, fits the terminal, and leaves nothing of itself beside the report."""
        status, text = Terminal("--comm", "convoy", "--duration", "2.4").run()
        self.assertEqual(status, 0, text)
        lines = [piece.split("\r\n")[0] for piece in text.split(BEGIN)[1:]]
        shown = [line for line in lines if line.startswith("recording ")]
        self.assertRegex(shown[-1], r"^recording 2 s, \d+ waits, longest: member futex \d+\.\d s; Ctrl-C ends it$")
        self.assertIn("reading the symbols of ", text)
        self.assertEqual([line for line in lines if len(line) >= WIDTH and not line.startswith("Recorded")], [])
        report = text.split(BEGIN)[-1]
        self.assertRegex(report, r"^Recorded for 2\.\d+ s\r\n")
        self.assertNotIn("\r", report.replace("\r\n", ""))

    def test_terminal_that_cannot(self):
        status, text = Terminal("--comm", "convoy", "--duration", "0.3", term="dumb").run()
        self.assertEqual(status, 0, text)
        self.assertNotIn("\x1b", text)
        self.assertTrue(text.startswith("scaler-bpf: recording; Ctrl-C ends it\r\n"), text)

    def test_beside_what_a_command_writes(self):
        status, text = Terminal("--report", "threads", "--", "sh", "-c", "sleep 1.2; echo its own").run()
        self.assertEqual(status, 0, text)
        self.assertTrue(text.startswith("its own\r\n"), text)
        self.assertIsNone(re.search("recording [0-9]+ s", text))

    def test_stopped_terminal(self):
        """Nobody waits for it but what must be seen: the report is in a file."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            self.assertEqual(Terminal("--comm", "convoy", "--duration", "1.2", "-o", file.name).run_stopped(), 0)
            self.assertIn("Recorded for 1.2", file.read())
