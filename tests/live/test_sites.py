"""Each call is attributed to the function and component that issued it, whatever becomes of the mapping."""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import LIMIT_S, LiveTest, Tracer, Workload, record, workload

SITES = workload("sites")
FIRST, SECOND = workload("libfirst.so"), workload("libsecond.so")


def issuers(report, name):
    """{(component, function): calls} of one system call."""
    counts = collections.Counter()
    for row in report["syscalls"]:
        if row["name"] == name:
            key = (row["issuer"]["component"], row["issuer"]["function"])
            counts[key] += row["count"] + row["partial"]["count"]
    return dict(counts)


def component_counts(report):
    """{(system call, component): calls}."""
    counts = collections.Counter()
    for row in report["syscalls"]:
        counts[row["name"], row["issuer"]["component"]] += row["count"]
    return +counts


def strace_component_counts(*command):
    """The same, as strace -k unwinds it: the first frame of each call."""
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["timeout", str(LIMIT_S), "strace", "-f", "-k", "-o", log.name, *command],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        counts, call = collections.Counter(), None
        for line in log:
            entry = re.match(r"\d+ +(\w+)\(", line)
            frame = re.match(r" > (\S+?)\(", line)
            if entry:
                call = entry[1]
            elif frame and call:
                counts[call, os.path.basename(frame[1])] += 1
                call = None
    return counts


def component(report, name):
    row, = [row for row in report["components"] if row["name"] == name]
    return row


class Sites(LiveTest):
    options = []
    # What the C library does before there is a program is its own.
    components = {"scaler-bpf", "dash", "true", "libc.so.6", "ld-linux-x86-64.so.2", None}

    def record(self, *arguments):
        return record(*self.options, *arguments)

    def record_sites(self, *words):
        run, report = self.record("--", SITES, *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run, report

    def test_libraries_that_take_each_other_s_place(self):
        run, report = self.record_sites("swap", 20, 10, FIRST, "first_call", SECOND, "second_call")
        self.assertEqual(run.stdout, "20\n", "they did not lie at the same address")
        self.assertEqual(issuers(report, "getppid"), {("libfirst.so", "first_call"): 20 * 10,
                                                      ("libsecond.so", "second_call"): 20 * 11})

    def test_variables_that_take_each_other_s_place(self):
        run, report = record("--blocking-report", "--", SITES, "words", 20, FIRST, "first_call_word", SECOND, "second_call_word")
        self.assertEqual(run.stdout, "20\n", "they did not lie at the same address")
        waits = collections.Counter((row["resource"]["variable"]["component"], row["resource"]["variable"]["function"])
                                    for row in report["blocking"] if row["resource"] and row["resource"]["variable"])
        self.assertEqual(waits, {("libfirst.so", "first_call_word"): 20, ("libsecond.so", "second_call_word"): 20})

    def test_stripped_function_is_where_it_begins(self):
        _, report = self.record_sites("swap", 1, 1, FIRST, "first_call", SECOND, "second_call")
        self.assertEqual(issuers(report, "getuid"), {("libfirst.so", None): 1,
                                                     ("libsecond.so", None): 1})
        offset, = {row["issuer"]["offset"] for row in report["syscalls"] if row["name"] == "getuid"}
        frames = subprocess.run(["readelf", "--debug-dump=frames", FIRST], stdout=subprocess.PIPE, text=True,
                                check=True).stdout
        ranges = [[int(address, 16) for address in pair] for pair in re.findall(r" pc=(\w+)\.\.(\w+)", frames)]
        end, = [end for start, end in ranges if start == offset]
        table = subprocess.run(["objdump", "-d", FIRST, f"--start-address={offset}", f"--stop-address={end}"],
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(len(re.findall(r"syscall *\n", table)), 1)

    def test_exec_of_other_code_at_the_same_address(self):
        first, second = workload("static_first"), workload("static_second")
        run, report = self.record("--", first, 10, second, 11, first, 12)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(issuers(report, "getppid"), {("static_first", "first_call"): 22,
                                                      ("static_second", "second_call"): 11})
        self.assertEqual(len(report["threads"]), 1)

    def test_generated_code(self):
        _, report = self.record_sites("generated", 10)
        self.assertEqual(issuers(report, "getppid"), {("[anonymous code]", None): 10})

    def test_processes_that_are_gone(self):
        run, report = self.record("--no-samples", "--", "sh", "-c",
                                  "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done")
        self.assertEqual(run.returncode, 0, run.stderr)
        names = {row["name"] for row in report["components"] if row["name"] != "[kernel]"}
        self.assertEqual(names, self.components)
        self.assertEqual(issuers(report, "execve"), {("libc.so.6", "execve"): 11})

    def test_same_components_as_strace(self):
        command = ["ls", "-lR", "/etc/apt", "/usr/share/doc/libc6"]
        run, report = self.record("--", *command)
        self.assertEqual(run.returncode, 0, run.stderr)
        ours, theirs = component_counts(report), strace_component_counts(*command)
        # The execve comes from the one that starts it; strace has no stack of a call that never returns.
        for counts in (ours, theirs):
            for name in ("execve", "exit_group"):
                for key in [key for key in counts if key[0] == name]:
                    del counts[key]
        self.assertEqual(ours, theirs)
        self.assertGreater(len({key[1] for key in ours}), 1)

    def test_components_add_up(self):
        run, report = self.record("--", workload("states"), "sleep:10", "wait:50", "spin:20")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assert_components_add_up(report)
        with Workload(SITES, "hold", 10, FIRST, "first_call") as program:
            with Tracer(*self.options, "-p", program.child, "--format", "json") as tracer:
                program.go()
                program.stdin.close()
                self.assert_components_add_up(tracer.finish_json())

    def assert_components_add_up(self, report):
        rows = report["components"]
        for name in ("running_ns", "runnable_ns", "blocked_ns"):
            self.assertEqual(sum(row[name] for row in rows),
                             sum(row[name] for row in report["threads"]), name)
        for row in rows:
            self.assertEqual(row["total_ns"],
                             row["running_ns"] + row["runnable_ns"] + row["blocked_ns"])
            if row["name"]:
                self.assertEqual(sum(row["blocked_ns_by_category"].values()), row["blocked_ns"])


class SitesWithoutStacks(Sites):
    """Found by the instruction alone, as on kernels that cannot walk."""

    options = ["--depth", "0"]
    components = {"libc.so.6", "ld-linux-x86-64.so.2", None}


class Files(LiveTest):
    """The library's file changes behind the program's back."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.library = str(pathlib.Path(folder.name) / "libcopy.so")
        shutil.copy(FIRST, self.library)

    def record_hold(self, change, lives):
        """Records the calls of a program whose library is changed once it is loaded."""
        with Workload(SITES, "hold", 10, self.library, "first_call") as program:
            with Tracer("-p", program.child, "--format", "json", "--duration",
                        1 if lives else 30) as tracer:
                change()
                program.go()
                if not lives:
                    program.stdin.close()
                return tracer.finish_json()

    def test_call_under_way_all_the_time(self):
        with Workload(SITES, "hold", 10, self.library, "first_call") as program:
            with Tracer("-p", program.child, "--format", "json", "--duration", 0.2) as tracer:
                report = tracer.finish_json()
        self.assertEqual(issuers(report, "read"), {("libc.so.6", "read"): 1})

    def test_deleted_file_of_a_living_process(self):
        report = self.record_hold(lambda: os.unlink(self.library), lives=True)
        self.assertEqual(issuers(report, "getppid"), {("libcopy.so", "first_call"): 10})

    def test_another_file_in_its_place(self):
        def replace():
            os.unlink(self.library)
            shutil.copy(SECOND, self.library)
        report = self.record_hold(replace, lives=False)
        missing = component(report, "libcopy.so")["symbols_missing"]
        # The one that it had is held open from when it is seen to be mapped, if the process then still is there.
        self.assertIn(missing, (None, "another file is in its place"))
        self.assertEqual(issuers(report, "getppid"), {("libcopy.so", None if missing else "first_call"): 10})

    def test_truncated_file(self):
        # Without a build-id, the inode tells that it is the same file, and it is broken.
        subprocess.run(["objcopy", "--remove-section", ".note.gnu.build-id", FIRST, self.library],
                       check=True)
        command = f"{SITES} swap 1 10 {self.library} first_call {SECOND} second_call && " \
                  f"truncate -s 1000 {self.library}"
        run, report = record("--", "sh", "-c", command)
        self.assertEqual(run.returncode, 0, run.stderr)
        row = component(report, "libcopy.so")
        self.assertIsNotNone(row["symbols_missing"])
        self.assertEqual(issuers(report, "getppid")["libcopy.so", None], 10)
