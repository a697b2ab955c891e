"""Programs that people run, on a machine that has no CPU to spare: whatever is traced of them, they get on and do the same."""
import hashlib
import pathlib
import shlex
import subprocess
import tempfile
import time

import everyday
from harness import SCALER, busy_loops
from test_probe_windows import OwnCache

# A part of what they do in "make bench". Untraced, beside the loops, each takes a second at most.
SIZE = 0.03
STUCK_S = 30


class Everyday(OwnCache):
    alone = "three busy loops are beside it"

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.programs = everyday.programs(self.folder, SIZE)
        self.enterContext(busy_loops(3))

    def result(self, name, options=None):
        """What it prints, and the object file or the table that it makes, as one sum."""
        words = self.programs[name]
        if options is not None:
            words = [SCALER, "-o", "/dev/null", *shlex.split(options), "--", *words]
        began = time.monotonic()
        run = subprocess.run(["timeout", "-k", "5", str(STUCK_S), *words], stdin=subprocess.DEVNULL, capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 0, (name, options, time.monotonic() - began, run.stderr))
        out = self.folder / "many.o"
        made = out.read_bytes() if name == "gcc" else b""
        out.unlink(missing_ok=True)
        # When a file was read last differs from run to run.
        printed = b"\n".join(line for line in run.stdout.split(b"\n") if not line.startswith(b"Access: 2"))
        return hashlib.sha256(printed + made).hexdigest()

    def check_program(self, name):
        untraced = self.result(name)
        # What costs much is known in the second run with probes.
        for options in ("", "--calls", "--calls"):
            with self.subTest(options):
                self.assertEqual(self.result(name, options), untraced)

    def test_python(self):
        self.check_program("python")

    def test_sqlite(self):
        self.check_program("sqlite")

    def test_gzip(self):
        self.check_program("gzip")

    def test_gcc(self):
        self.check_program("gcc")

    def test_shell(self):
        self.check_program("shell")

    def test_stat(self):
        self.check_program("stat")
