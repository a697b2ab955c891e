"""What is asked for is probed, and nothing else: without such an option no instruction of a program is changed."""
import os
import re
import shutil
import subprocess
import tempfile

from harness import LIMITED, SCALER, ProbingTest, Tracer, Workload, call_counts, record, scaler, workload
from test_library_calls import ROUND, callers, rounds_of, rows

SECTIONS = ("\nLibrary calls: ", "\nCross flow: ")
HINT = "--calls (library calls, by probes)"


def changed_code(pid):
    """The bytes of code that a process no longer shares with its files: a breakpoint changes a page."""
    with open(f"/proc/{pid}/smaps", encoding="utf-8", errors="replace") as file:
        mappings = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", file.read(), flags=re.M)
    code = [text for text in mappings if re.match(r"\S+ ..x. \S+ \S+ [1-9]", text)]
    if not code:
        raise AssertionError("no code is mapped")
    return sum(int(re.search(r"^Anonymous: +(\d+) kB$", text, re.M)[1]) for text in code) * 1024


def differing_bytes(pid):
    """How many bytes of a process's code are not those of its files."""
    count = 0
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb") as memory:
        for line in maps:
            addresses, access, offset, _, inode, *path = line.split()
            if "x" not in access or inode == "0":
                continue
            start, end = (int(word, 16) for word in addresses.split("-"))
            memory.seek(start)
            with open(path[0], "rb") as file:
                file.seek(int(offset, 16))
                count += sum(a != b for a, b in zip(memory.read(end - start), file.read(end - start)))
    return count


class Untouched(ProbingTest):
    """The whole way of an attached process, and of what is to be seen of it in the report."""

    def look(self, look, *options):
        """What there is to see of a process before, while and after it is traced."""
        with Workload(workload("edges"), 4, "wait") as program:
            found = [look(program.child)]
            with Tracer("-p", program.child, *options) as tracer:
                found.append(look(program.child))
                tracer.process.terminate()
                tracer.finish()
            found.append(look(program.child))
        return found

    def test_default(self):
        for options in (["--report", "components,functions,cpu,syscalls,threads"], ["--no-probes"],
                        ["--blocking-report", "--func", "read"], ["--wait-chains"], ["--report", "tree"]):
            with self.subTest(options):
                self.assertEqual(self.look(changed_code, *options), [0, 0, 0])

    def test_asked_for(self):
        """So the test above would see a probe; and all are gone with the tracer."""
        for options in (["--calls"], ["--lib", "libc"], ["--func", "pthread_*"], ["--report", "library"]):
            with self.subTest(options):
                before, meanwhile, after = self.look(differing_bytes, *options)
                self.assertEqual((before, meanwhile > 0, after), (0, True, 0))
        self.assertGreater(self.look(changed_code, "--calls")[1], 0)

    def test_report(self):
        """The same system calls, and no library calls."""
        _, traced = record("--calls", "--", workload("edges"), 4)
        _, report = record("--no-probes", "--", workload("edges"), 4)
        self.assertTrue({"library_calls", "flow"}.isdisjoint(report))
        counts = [call_counts(one) for one in (report, traced)]
        for one in counts:
            one.pop("futex", None)  # as often as its threads meet at a lock
            one.pop("munmap", None)  # of stacks, if many are left over at once
        self.assertEqual(*counts)

    def test_text(self):
        run = scaler("--calls", "--report", "all", "--", "true")
        for section in SECTIONS:
            self.assertIn(section, run.stderr)
        self.assertNotIn(HINT, run.stderr)
        for options in (["--"], ["--no-probes", "--"]):
            plain = subprocess.run([*LIMITED, SCALER, *options, "true"], capture_output=True, text=True, check=True)
            for section in SECTIONS:
                self.assertNotIn(section, plain.stderr)
            self.assertIn(HINT, " ".join(plain.stderr.split()))
        self.assertNotIn(HINT, scaler("--report", "threads", "--", "true").stderr)
        self.assertNotIn(HINT, scaler("--duration", "0.1").stdout)


class AskedFor(ProbingTest):
    def assert_counts(self, report, out):
        """Of the functions that are known by construction; the C library's have rows too."""
        rounds, found = rounds_of(out), rows(report)
        for key, by_caller in ROUND.items():
            self.assertEqual(callers(found[key]), {name: calls * sum(rounds.values()) for name, calls in by_caller.items()})
        self.assertIn("libc.so.6", {row["library"] for row in report["library_calls"]})
        self.assertGreater(sum(row["calls"] for row in report["flow"] if row["called"] == "libedges_first.so"), 0)

    def test_command(self):
        run, report = record("--calls", "--overhead", "none", "--", workload("edges"), 4)
        self.assert_counts(report, run.stdout)

    def test_attached(self):
        with Workload(workload("edges"), 4, "wait") as program, \
                Tracer("--calls", "--overhead", "none", "--format", "json", "-p", program.child) as tracer:
            program.go()
            out = program.communicate()[0].replace("ready\n", "")
            self.assert_counts(tracer.finish_json(), out)

    def test_whole_system(self):
        self.assertNotIn("library_calls", record("--duration", "0.1")[1])
        run = scaler("--calls", "--duration", "0.1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--calls in the whole system needs --lib", run.stderr)

    def test_files_that_cannot_be_read(self):
        """They are no reason to fail if nothing is asked of them."""
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy("/bin/true", folder)
            os.chmod(folder, 0o755)
            os.chown(program, 65534, 65534)
            os.chmod(program, 0o711)
            words = [*LIMITED, "setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", SCALER,
                     "-o", "/dev/stderr"]
            run = subprocess.run([*words, "--", program], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("Recorded for ", run.stderr)
            run = subprocess.run([*words, "--calls", "--", program], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 1, run.stderr)
