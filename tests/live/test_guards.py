"""Programs that read, translate or watch what has probes: they behave as untraced."""
import os
import shutil
import subprocess
import tempfile
import unittest

from harness import LIMITED, ProbingTest, Tracer, Workload, needs, record, scaler, wait_for, workload

WAYS = (("--no-probes",), ("--calls",), ("--calls", "exports"))
READ, LOADED, TRANSLATED = "to read it", "loads libraries by itself", "translates code"
CALLS = 1000


def libc():
    return os.path.join(os.environ["LD_LIBRARY_PATH"], "libc.so.6")


def refused(report):
    return {(row["program"], row["library"]): (row["reason"], row["processes"])
            for row in report["coverage"]["processes_without_probes"]}


class GuardTest(ProbingTest):
    def assert_refused(self, report, program, library, reason, processes=1):
        rows = refused(report)
        self.assertEqual(list(rows), [(program, library)])
        text, count = rows[program, library]
        self.assertIn(reason, text)
        self.assertEqual(count, processes)

    def assert_getenv(self, report, times):
        calls = [caller["calls"] for row in report["library_calls"] if row["symbol"] == "getenv"
                 for caller in row["callers"] if caller["component"] == "readers"]
        self.assertEqual(calls, [times * CALLS])


class Readers(GuardTest):
    """The C library's file, mapped to be read."""

    def attach(self, steps, *options):
        with (Workload(workload("readers"), libc(), steps) as program,
              Tracer("--format", "json", "--overhead", "none", *options, "-p", program.child) as tracer):
            program.go()
            out = program.communicate()[0]
            return program.returncode, out, tracer.finish_json()

    def test_mapped_before(self):
        for way in WAYS:
            status, out, report = self.attach("mwcr", *way)
            self.assertEqual((status, out), (0, "0\n"), way)
            if way != WAYS[0]:
                self.assert_refused(report, "readers", "libc.so.6", READ)
                self.assertFalse([row for row in report["library_calls"] if row["library"] == "libc.so.6"])

    def test_mapped_then_gone(self):
        """What is unmapped harms nobody."""
        status, out, report = self.attach("muwcr"[:-1], "--calls")
        self.assertEqual((status, out, refused(report)), (0, "0\n", {}))
        self.assert_getenv(report, 1)

    def test_mapped_later(self):
        for way in WAYS:
            status, out, report = self.attach("wcmpcr", *way)
            self.assertEqual((status, out), (0, "0\n"), way)
            if way != WAYS[0]:
                self.assert_refused(report, "readers", "libc.so.6", READ)
                self.assert_getenv(report, 1)

    def test_command(self):
        for way in WAYS:
            run, report = record("--overhead", "none", *way, "--", workload("readers"), libc(), "cmpr")
            self.assertEqual((run.returncode, run.stdout), (0, "0\n"), way)
            if way != WAYS[0]:
                self.assert_refused(report, "readers", "libc.so.6", READ)
                self.assert_getenv(report, 1)

    @needs("task_work")
    def test_read_at_once(self):
        """It is held until the probes are gone."""
        for way in WAYS:
            run, report = record("--overhead", "none", *way, "--", workload("readers"), libc(), "cmrmrc")
            self.assertEqual((run.returncode, run.stdout), (0, "0\n"), way)
            if way != WAYS[0]:
                self.assert_refused(report, "readers", "libc.so.6", READ)

    @needs("task_work")
    def test_overlay(self):
        """Its files' mappings are of another file system's."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "target", "none":
                os.mkdir(os.path.join(folder, name))
            target = os.path.join(folder, "target")
            mount = f"mount -t overlay -o lowerdir={os.path.dirname(libc())}:{folder}/none none {target}"
            run = subprocess.run([*LIMITED, "unshare", "--mount", "sh", "-c", mount], capture_output=True, text=True,
                                 check=False)
            if run.returncode:
                self.skipTest(f"overlays cannot be mounted here: {run.stderr}")
            command = (f"{mount} && export LD_LIBRARY_PATH={target} && "
                       f"exec {workload('readers')} {target}/libc.so.6 cpcmrmrc")
            for way in WAYS:
                run, report = record("--overhead", "none", *way, "--", "unshare", "--mount", "sh", "-c", command)
                self.assertEqual((run.returncode, run.stdout), (0, "0\n"), way)
                if way != WAYS[0]:
                    self.assertIn(("readers", "libc.so.6"), refused(report), way)

    def test_another_file(self):
        """It has no probes, so that those of others stay."""
        run, report = record("--overhead", "none", "--calls", "--", workload("readers"), workload("readers"), "cmprc")
        self.assertEqual((run.returncode, run.stdout, refused(report)), (0, "0\n", {}))
        self.assert_getenv(report, 2)


class Translators(GuardTest):
    def test_no_dynamic_linker(self):
        """It could be valgrind, which translates what it maps."""
        for words in (), ("env",), ("sh", "-c", '"$@"; exit $?', "sh"):
            run, report = record("--calls", "exports", "--", *words, workload("readers_static"), libc(), "mpr")
            self.assertEqual((run.returncode, run.stdout), (0, "0\n"), words)
            if words:
                self.assert_refused(report, "readers_static", None, LOADED)
            else:
                self.assertEqual(refused(report), {}) # nothing would have had any

    def test_by_name(self):
        translator = os.path.join(os.path.dirname(workload("readers")), "qemu-mine")
        shutil.copy(workload("readers"), translator)
        run, report = record("--calls", "exports", "--", translator, libc(), "mrpc")
        self.assertEqual((run.returncode, run.stdout), (0, "0\n"))
        self.assert_refused(report, "qemu-mine", None, TRANSLATED)
        self.assertEqual(report["library_calls"], [])

    def test_attached(self):
        with (Workload(workload("readers_static"), libc(), "mwr") as program,
              Tracer("--format", "json", "--calls", "-p", program.child) as tracer):
            program.go()
            self.assertEqual(program.communicate()[0], "0\n")
            self.assertEqual(tracer.finish_json()["library_calls"], [])

    def test_linker_as_program(self):
        """It names no other, and runs what it is given as ever."""
        linker = "/lib64/ld-linux-x86-64.so.2"
        run, report = record("--overhead", "none", "--calls", "--", linker, workload("readers"), linker, "pcc")
        self.assertEqual((run.returncode, refused(report)), (0, {}))
        self.assertTrue([row for row in report["library_calls"] if row["symbol"] == "getenv"])

    def test_valgrind(self):
        for way in WAYS:
            for words in (), ("sh", "-c", '"$@"; exit $?', "sh"):
                run = scaler("-o", os.devnull, *way, "--", *words, "valgrind", "-q", "--tool=none",
                             "/bin/sh", "-c", "exit 7")
                self.assertEqual((run.returncode, run.stderr), (7, ""), (way, words))


class Traced(GuardTest):
    """By ptrace: nobody sees a system call that is not the program's."""

    def test_sandbox(self):
        program = workload("readers"), libc(), "ppppc"
        shell = "sh", "-c", '"$@"; exit $?', "sh"
        for way, words in (WAYS[0], ()), (WAYS[1], ()), (WAYS[2], shell):
            run, report = record("--overhead", "none", *way, "--", *words, workload("sandbox"), *program)
            self.assertEqual((run.returncode, run.stdout), (0, "0\n"), way)
            if way != WAYS[0]:
                self.assertIn("ptrace", {row["symbol"] for row in report["library_calls"]})
                self.assert_getenv(report, 1)

    def attach_both(self, first):
        """Beside strace, of which one attaches first; returns what it counts, and the report."""
        with Workload(workload("readers"), libc(), "wcpcwc") as program:
            summary = os.path.join(os.path.dirname(libc()), "summary")
            words = [*LIMITED, "strace", "-f", "-c", "-o", summary, "-p", str(program.child)]
            status = f"/proc/{program.child}/status"

            def watch():
                process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                wait_for(lambda: "\nTracerPid:\t0\n" not in open(status, encoding="utf-8").read())
                return process

            strace = watch() if first == "strace" else None
            with Tracer("--format", "json", "--overhead", "none", "--calls", "-p", program.child) as tracer:
                strace = strace or watch()
                program.go()
                program.go()
                self.assertEqual(program.communicate()[0], "0\n")
                self.assertEqual(strace.wait(), 0)
                with open(summary, encoding="utf-8") as file:
                    return file.read(), tracer.finish_json()

    def check(self, first):
        """No system call is seen that the program has not made, as probes on returns would make some."""
        summary, report = self.attach_both(first)
        self.assertNotIn("0x14f", summary)
        self.assertNotIn("uretprobe", summary)
        self.assert_getenv(report, 3)

    def test_after_strace(self):
        self.check("strace")

    def test_before_strace(self):
        self.check("scaler-bpf")


if __name__ == "__main__":
    unittest.main()
