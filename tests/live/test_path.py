"""Critical paths that are known by construction."""
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from harness import LiveTest, record, workload

MS = 1_000_000


def timers_ns(path, name, timeout_ms):
    """How long the threads of that name slept on the path, of those that asked for that time."""
    asked = {"least_ns": timeout_ms * MS, "most_ns": timeout_ms * MS}
    return sum(row["total_ns"] for row in path["sums"]
               if row["kind"] == "wait" and row["cause"]["kind"] == "timer" and
               row["name"] == name and row["timeout"] == asked)


class PathTest(LiveTest):
    def record_path(self, choice, *command):
        """Whose parts add up to the time and lie side by side."""
        run, report = record("--critical-path", choice, "--", *command)
        self.assertEqual(run.returncode, 0, run.stderr[:300])
        path = report["path"]
        self.said = run.stdout
        whole_ns = path["to_ns"] - path["from_ns"]
        self.assertEqual(sum(row["total_ns"] for row in path["sums"]), whole_ns)
        self.assertEqual(path["running_ns"] + path["runnable_ns"] + path["waiting_ns"], whole_ns)
        ends = path["from_ns"]
        for segment in path["segments"] if not path["left_out"] else []:
            self.assertEqual(segment["from_ns"], ends)
            self.assertGreater(segment["to_ns"], ends)
            ends = segment["to_ns"]
        self.assertEqual(ends, path["to_ns"] if not path["left_out"] else ends)
        return path


class ThreeThreads(PathTest):
    """One waits for a second that waits for a third, which sleeps for 50 ms: four times."""

    def test_process(self):
        path = self.record_path("..", workload("chains"), "4")
        self.assertTrue(path["is_process"])
        asked_ns, slept_ns = map(int, self.said.split())
        self.assertGreaterEqual(path["to_ns"] - path["from_ns"], asked_ns)
        nap = path["sums"][0]
        self.assertEqual((nap["name"], nap["cause"]["kind"], nap["count"]), ("sleeper", "timer", 4))
        self.assertEqual(nap["function"]["function"], "clock_nanosleep")
        # The first nap may have begun before it was waited for.
        self.assertGreaterEqual(nap["total_ns"], 150 * MS)
        self.assertLessEqual(nap["total_ns"], slept_ns)

    def test_thread_and_window(self):
        """It is made of naps, though it is not the sleeper's path, and of what lies between them."""
        path = self.record_path("middle@0.1..0.3", workload("chains"), "8")
        self.assertFalse(path["is_process"])
        self.assertEqual(path["to_ns"] - path["from_ns"], 200 * MS)
        self.assertGreaterEqual(timers_ns(path, "sleeper", 50), 150 * MS)

    def test_nobody(self):
        _, report = record("--critical-path", "nobody", "--", "true")
        self.assertIsNone(report["path"])


class NestedProcesses(PathTest):
    """Each generation sleeps and then runs two of the next one, one after the other: seven naps in a row."""

    SCRIPT = textwrap.dedent("""
        import os, sys, time
        time.sleep(0.06)
        for _ in range(2 if sys.argv[1] != "2" else 0):
            pid = os.fork()
            if not pid:
                os.execv(sys.executable, [sys.executable, "-S", "-E", sys.argv[0], str(int(sys.argv[1]) + 1)])
            os.waitpid(pid, 0)
        """)

    def test_all_naps(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "nested.py")
            with open(script, "w", encoding="ascii") as file:
                file.write(self.SCRIPT)
            path = self.record_path("..", sys.executable, "-S", "-E", script, "0")
        # It sleeps until a time that it has computed.
        naps = [segment for segment in path["segments"] if segment["kind"] == "wait" and
                segment["cause"]["kind"] == "timer" and 50 * MS < segment["timeout"]["most_ns"] <= 60 * MS]
        self.assertEqual(len(naps), 7)
        self.assertEqual(len({segment["thread"]["pid"] for segment in naps}), 7)
        self.assertGreaterEqual(sum(nap["to_ns"] - nap["from_ns"] for nap in naps), 7 * 50 * MS)


class Pipeline(PathTest):
    """Processes in a shell, of which the first one is slow: what the last one waits for is its sleep."""

    def test_slowest(self):
        path = self.record_path("tail", "sh", "-c",
                                "for i in 1 2 3 4 5; do sleep 0.04; echo $i; done | cat | cat | cat | tail")
        self.assertEqual(self.said.split(), ["1", "2", "3", "4", "5"])
        # The shell may still be starting the others while the first nap ends, and tail with the second one.
        self.assertGreaterEqual(timers_ns(path, "sleep", 40), 3 * 40 * MS)
        # What the last nap has ended goes through each of the stages.
        names = [segment["name"] for segment in path["segments"]]
        self.assertIn("cat", names[len(names) - names[::-1].index("sleep"):])


@unittest.skipUnless(shutil.which("make") and shutil.which("gcc"), "there is no make or no gcc")
class ParallelMake(PathTest):
    """A large file and a small one are compiled at once, then linked: the large one is what it takes."""

    MAKEFILE = textwrap.dedent("""
        program: large.s small.s
        \tgcc -o program large.s small.s
        large.s: large.c
        \t./large-cc1 -quiet -O2 large.c -o large.s
        small.s: small.c
        \t./small-cc1 -quiet small.c -o small.s
        """)

    def write(self, folder, name, text):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)

    def test_longest_dependency(self):
        compiler = subprocess.run(["gcc", "-print-prog-name=cc1"], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout.strip()
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, "Makefile", self.MAKEFILE)
            self.write(folder, "large.c", "".join(f"int f{i}(int a, int *b)\n{{\n\tfor (int i = 0; i < a; i++)\n"
                                                  f"\t\tb[i] = b[a - i] * {i};\n\treturn b[0];\n}}\n"
                                                  for i in range(400)))
            self.write(folder, "small.c", "int main(void)\n{\n\treturn 0;\n}\n")
            for name in ("large-cc1", "small-cc1"):
                os.symlink(compiler, os.path.join(folder, name))
            path = self.record_path("make", "make", "-j2", "-C", folder)
            self.assertTrue(os.path.exists(os.path.join(folder, "program")))
        spent_ns = {}
        for row in path["sums"]:
            spent_ns[row["name"]] = spent_ns.get(row["name"], 0) + row["total_ns"]
        # Longer than anything else, then what needs it: the assembler and the linker.
        self.assertEqual(max(spent_ns, key=spent_ns.get), "large-cc1")
        self.assertLessEqual({"as", "ld", "make", "gcc"}, set(spent_ns))
        self.assertLess(spent_ns.get("small-cc1", 0), spent_ns["large-cc1"] / 5)
