"""Which requests to a disk were waited for, and how long those took: as bpftrace has it."""
import os
import pathlib
import tempfile

from harness import SLOWNESS, LiveTest, parse_report, scaler
from other_tracers import bpftrace

# Large: a disk whose answer is there before the thread has fallen asleep is not waited for.
BLOCK = 8 << 20
BLOCKS = 16
SECTOR = 512
PROGRAM = """
tracepoint:block:block_rq_issue { @issued[args->dev, args->sector] = nsecs; }
tracepoint:block:block_rq_complete /@issued[args->dev, args->sector]/ {
    @served[args->dev, args->sector, args->nr_sector] = nsecs - @issued[args->dev, args->sector];
}"""


class BlockRequests(LiveTest):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path, self.report = (pathlib.Path(folder) / name for name in ("file", "report"))
        with open(self.path, "wb") as file:
            file.write(os.urandom(BLOCKS * BLOCK))
            os.fsync(file.fileno())
            device = os.fstat(file.fileno()).st_dev
        self.device = os.major(device) << 20 | os.minor(device) # as the kernel itself counts
        if not pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").exists():
            self.skipTest("no block device is beneath the folder for temporary files")

    def test_direct_reads(self):
        """There is a wait for each block, whose request is one of those that the kernel has served."""
        with bpftrace(PROGRAM) as served:
            run = scaler("--report", "blocking", "--format", "json", "-o", self.report, "--", "dd", f"if={self.path}",
                         "of=/dev/null", f"bs={BLOCK}", "iflag=direct", "status=none")
        self.assertEqual(run.returncode, 0, run.stderr)
        waits = parse_report(self.report.read_text(encoding="utf-8"))["blocking"]
        reads = [wait for wait in waits if wait["resource"] and wait["resource"].get("inode") == self.path.stat().st_ino]
        self.assertGreaterEqual(len(reads), BLOCKS * 0.75)
        missed = 0
        # One that was over as the thread left the CPU says of none that it was waited for.
        for wait in filter(lambda wait: wait["blocked_ns"] > 1000, reads):
            with self.subTest(wait=wait):
                request = wait["wakeup"]["request"]
                self.assertEqual((wait["state"], wait["wakeup"]["task"], request["operation"]), ("D", None, "read"))
                served_ns = served.get(f"served[{self.device}, {request['sector']}, {request['bytes'] // SECTOR}]")
                if served_ns is None:
                    missed += 1
                else:
                    self.assertAlmostEqual(request["served_ns"], served_ns, delta=max(served_ns * 0.02, 300_000 * SLOWNESS))
        # The kernel leaves out a program of bpftrace's kind where it has interrupted another one.
        self.assertLess(missed, BLOCKS * 0.1)
