"""Functions that begin with vector instructions, which the kernel takes for others: where that does harm is no probe."""
import platform
import subprocess
import unittest

from harness import LIMITED, ProbingTest, record, workload


@unittest.skipUnless(platform.machine() == "x86_64", "has the vector instructions of x86-64")
class FirstInstructions(ProbingTest):
    def check(self, *options):
        program = workload("vectors")
        untraced = subprocess.run([*LIMITED, program], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in untraced.splitlines()]
        if not any(name.startswith("mistaken") for name in names):
            self.skipTest("this CPU has no AVX2")
        run, report = record("--overhead", "none", "--lib", "libvectors.so", *options, "--", program)
        self.assertEqual((run.returncode, run.stdout), (0, untraced), run.stderr)
        calls = {row["symbol"]: row["calls"] for row in report["library_calls"]}
        left_out = {row["symbol"]: row["reason"] for row in report["coverage"]["functions_left_out"]}
        self.assertEqual(calls, {name: 1 for name in names if name.startswith("counted")})
        for name in names:
            reason = {"refused": "does not probe", "mistaken": "not execute"}.get(name.split("_", maxsplit=1)[0])
            if reason:
                self.assertIn(reason, left_out.get(name, ""), name)

    def test_at_returns(self):
        self.check()

    def test_counted_only(self):
        self.check("--count-only")
