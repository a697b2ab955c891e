"""However a program is linked: the counts of its library calls, or that it has none."""
import os
import pathlib
import tempfile
import unittest.mock

from compiling import SOURCES, WORKLOADS, compile_with, needs_program
from harness import LiveTest, ProbingTest, needs_compat_calls, record, scaler, workload
from test_library_calls import LIBRARIES, ROUND, callers, rounds_of, rows
from test_sites import issuers

STATIC = "is linked statically: its system calls and its threads are recorded, library calls it has none\n"


class Dynamic(ProbingTest):
    THREADS = 4

    def link(self, *options):
        """The workload "edges" with these options of the compiler."""
        folder = os.path.dirname(workload("edges"))
        return compile_with(self, "gcc", "-O2", "-fno-builtin", "-pthread", *options, WORKLOADS / "edges.c",
                            *(workload(f"libedges_{name}.so") for name in ("first", "second")), f"-Wl,-rpath,{folder}",
                            "-o", "{}")

    def assert_round(self, program, expected=None, name="compiled"):
        """What a thread of the workload calls in one of its rounds; returns the report."""
        run, report = record(*LIBRARIES, "--", program, self.THREADS)
        rounds = sum(rounds_of(run.stdout).values())
        self.assertEqual({key: callers(row) for key, row in rows(report).items()},
                         {key: {caller.replace("edges", name) if caller == "edges" else caller: calls * rounds
                                for caller, calls in counts.items()} for key, counts in (expected or ROUND).items()})
        return report

    def test_bound_at_once(self):
        self.assert_round(self.link("-Wl,-z,now"))

    def test_without_linkage_table(self):
        self.assert_round(self.link("-fno-plt"))

    def test_stripped(self):
        self.assert_round(self.link("-s"))

    def test_where_it_is_linked_to_be(self):
        """Not position-independent: the address of an imported function is that of its entry in the linkage table."""
        self.assert_round(self.link("-no-pie", "-fno-pie"))

    def test_old_hash_table(self):
        """Of a library, too, of whose exports nothing else tells how many there are."""
        name = "libedges_first.so"
        library = compile_with(self, "gcc", "-O2", "-shared", "-fPIC", "-nostartfiles", f"-Wl,-soname,{name}",
                               "-Wl,--hash-style=sysv", f"-Wl,--version-script={WORKLOADS / 'edges.map'}", WORKLOADS / "edges_library.c", "-o", "{}")
        os.rename(library, os.path.join(os.path.dirname(library), name))
        with unittest.mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": os.path.dirname(library)}):
            self.assert_round(self.link("-Wl,--hash-style=sysv"))

    def test_interposer(self):
        """What is preloaded comes first, and calls the next of that name."""
        library = compile_with(self, "gcc", "-O2", "-shared", "-fPIC", "-D_GNU_SOURCE", SOURCES / "interposer.c", "-o", "{}")
        leaf = ROUND["first_leaf", None]
        expected = {**ROUND, ("first_leaf", None): {"compiled": sum(leaf.values()) + 2}}
        with unittest.mock.patch.dict(os.environ, {"LD_PRELOAD": library}):
            report = self.assert_round(workload("edges"), expected, name="edges")
        self.assertEqual({row["library"] for row in report["library_calls"]}, {"libedges_first.so", "libedges_second.so"})

    def test_data_of_a_library(self):
        """It is copied into a program that is not position-independent, and is no function."""
        source = "extern unsigned first_calls; void first_leaf(void); int main(void) { first_leaf(); return (int)first_calls; }"
        path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "data.c")
        with open(path, "w", encoding="ascii") as file:
            file.write(source)
        library = workload("libedges_first.so")
        program = compile_with(self, "gcc", "-O2", "-no-pie", "-fno-pie", path, library,
                               f"-Wl,-rpath,{os.path.dirname(library)}", "-o", "{}")
        run, report = record(*LIBRARIES, "--", program)
        self.assertEqual(run.returncode, 1)
        self.assertEqual({key: callers(row) for key, row in rows(report).items()}, {("first_leaf", None): {"compiled": 1}})

    def test_kernels_own_library(self):
        """A call that the vdso answers is none of the system."""
        clock = pathlib.Path("/sys/devices/system/clocksource/clocksource0/current_clocksource").read_text(encoding="ascii")
        if clock.strip() in ("acpi_pm", "hpet", "jiffies", "refined-jiffies"):
            self.skipTest(f"the vdso cannot read this machine's clock, {clock.strip()}")
        _, report = record("--overhead", "none", "--func", "clock_gettime", "--", workload("clocks"))
        self.assertEqual(callers(rows(report)["clock_gettime", None])["clocks"], 1000)
        self.assertEqual(issuers(report, "clock_gettime"), {})


class Static(LiveTest):
    """Has no library to call, which is said; its system calls and threads are recorded as any other's."""

    def assert_recorded(self, *words):
        program = compile_with(self, *words, WORKLOADS / "calls.c", "-o", "{}")
        run, report = record("--overhead", "none", "--lib", "*", "--", program, 2, 1, 100)
        self.assertEqual((run.returncode, run.stderr), (0, f"scaler-bpf: '{program}' {STATIC}"))
        self.assertEqual(issuers(report, "getppid"), {("compiled", "syscall"): 300})
        self.assertEqual(report["library_calls"], [])
        self.assertEqual(len(report["threads"]), 4)

    def test_static(self):
        self.assert_recorded("gcc", "-O2", "-static")

    def test_position_independent(self):
        self.assert_recorded("gcc", "-O2", "-static-pie")

    @needs_program("musl-gcc")
    def test_musl(self):
        self.assert_recorded("musl-gcc", "-O2", "-static")

    def test_listed(self):
        program = compile_with(self, "gcc", "-O2", "-static", WORKLOADS / "calls.c", "-o", "{}")
        self.assertIn(f"scaler-bpf: '{program}' {STATIC}", scaler("--list", "--", program).stderr)


class OtherLibraries(ProbingTest):
    @needs_program("musl-gcc")
    def test_musl(self):
        """Its library is its dynamic linker, too, and nothing in it describes its frames."""
        program = compile_with(self, "musl-gcc", "-O2", WORKLOADS / "calls.c", "-o", "{}")
        run, report = record("--overhead", "none", "--func", "syscall,pthread_create", "--", program, 2, 0, 100)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual({key: callers(row) for key, row in rows(report).items()},
                         {("syscall", None): {"compiled": 200}, ("pthread_create", None): {"compiled": 2}})
        self.assertEqual(issuers(report, "getppid"), {("libc.so", "syscall"): 200})

    @needs_compat_calls
    def test_other_machine(self):
        program = compile_with(self, "gcc", "-m32", "-O1", "-static", "-nostdlib", "-ffreestanding", "-fno-pie", "-no-pie",
                               "-fno-stack-protector", "-I/usr/include/x86_64-linux-gnu", SOURCES / "compat.c", "-o", "{}")
        run, report = record("--lib", "*", "--", program)
        self.assertEqual(run.stderr, f"scaler-bpf: '{program}' runs 32-bit code: its system calls and its threads are "
                                     "recorded, not its library calls\n")
        self.assertEqual(issuers(report, "i386:getppid"), {("compiled", "make_calls"): 100})
        self.assertEqual(issuers(report, "i386:nanosleep"), {("compiled", "_start"): 1})
        thread, = report["threads"]
        self.assertGreater(thread["blocked_ns"], 20_000_000)
