"""Programs that people run, on a machine that has no CPU to spare: whatever is traced of them, they get on and do the same."""
import pathlib
import shlex
import subprocess
import tempfile

import everyday
from harness import SCALER, busy_loops
from test_probe_windows import OwnCache

# A part of what they do in "make bench". Untraced, beside the loops, all together take some five seconds.
SIZE = 0.03
STUCK_S = 50


def one_script(folder, programs):
    """All of them, one after the other; it prints a sum of what each printed or made, and how it ended."""
    for name, words in programs.items():
        # When a file was read last differs from run to run.
        yield f"out=$({shlex.join(words)} 2>&1 | sed '/^Access: 2/d' | md5sum; echo $PIPESTATUS)"
        yield f"echo {name} $out"
    yield f"md5sum <{folder}/many.o"


class Everyday(OwnCache):
    alone = "three busy loops are beside it"

    def test_none_is_stuck(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = everyday.programs(folder, SIZE)
        script = "\n".join(one_script(folder, programs))
        self.enterContext(busy_loops(3))

        def run(*words):
            return subprocess.run(["timeout", "-k", "5", str(STUCK_S), *words, "bash", "-c", script], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, check=False)

        untraced = run()
        self.assertEqual(untraced.stdout.count(" 0\n"), len(programs), untraced)
        # What costs much is known in the second run with probes.
        for options in ((), ("--calls",), ("--calls",)):
            traced = run(SCALER, "-o", "/dev/null", *options, "--")
            self.assertEqual((traced.returncode, traced.stdout), (0, untraced.stdout), (options, traced.stderr))
