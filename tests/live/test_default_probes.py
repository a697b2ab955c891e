"""What is recorded by probes if nothing is said about them: the library calls of a target, and not those of a system."""
import os
import shutil
import subprocess
import tempfile

from harness import LIMITED, SCALER, ProbingTest, Tracer, Workload, call_counts, record, scaler, workload
from test_library_calls import ROUND, callers, rounds_of, rows

SECTIONS = ("\nLibrary calls: ", "\nCross flow: ")


class Default(ProbingTest):
    def assert_counts(self, report, out):
        """Of the functions that are known by construction; the C library's have rows too."""
        rounds, found = rounds_of(out), rows(report)
        for key, by_caller in ROUND.items():
            self.assertEqual(callers(found[key]), {name: calls * sum(rounds.values()) for name, calls in by_caller.items()})
        self.assertIn("libc.so.6", {row["library"] for row in report["library_calls"]})
        self.assertGreater(sum(row["calls"] for row in report["flow"] if row["called"] == "libedges_first.so"), 0)

    def test_command(self):
        run, report = record("--overhead", "none", "--", workload("edges"), 4)
        self.assert_counts(report, run.stdout)

    def test_attached(self):
        with Workload(workload("edges"), 4, "wait") as program, \
                Tracer("--overhead", "none", "--format", "json", "-p", program.child) as tracer:
            program.go()
            out = program.communicate()[0].replace("ready\n", "")
            self.assert_counts(tracer.finish_json(), out)

    def test_without(self):
        """The same system calls, and no library calls."""
        _, traced = record("--", workload("edges"), 4)
        _, report = record("--no-probes", "--", workload("edges"), 4)
        self.assertTrue({"library_calls", "flow"}.isdisjoint(report))
        counts = [call_counts(one) for one in (report, traced)]
        for one in counts:
            one.pop("futex", None)  # as often as its threads meet at a lock
            one.pop("munmap", None)  # of stacks, if many are left over at once
        self.assertEqual(*counts)
        self.assertNotIn("library_calls", record("--report", "threads", "--", "true")[1])

    def test_whole_system(self):
        self.assertNotIn("library_calls", record("--duration", "0.1")[1])

    def test_text(self):
        run = scaler("--", "true")
        for section in SECTIONS:
            self.assertIn(section, run.stderr)
        run = scaler("--no-probes", "--", "true")
        for section in SECTIONS:
            self.assertNotIn(section, run.stderr)

    def test_files_that_cannot_be_read(self):
        """What is not asked for is no reason to fail."""
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy("/bin/true", folder)
            os.chmod(folder, 0o755)
            os.chown(program, 65534, 65534)
            os.chmod(program, 0o711)
            words = [*LIMITED, "setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", SCALER,
                     "-o", "/dev/stderr"]
            run = subprocess.run([*words, "--", program], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("scaler-bpf: going on without library calls", run.stderr)
            self.assertIn("\nSystem calls\n", run.stderr)
            run = subprocess.run([*words, "--lib", "libc", "--", program], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 1, run.stderr)
