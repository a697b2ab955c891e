"""CPU samples: running time by function, of programs that are known to spend it so."""
import collections
import pathlib
import re
import subprocess
import tempfile

from harness import LIMITED, LiveTest, Tracer, Workload, parse_report, read_build_id, record, scaler, workload

SHARES = {("libshares_first.so", "share_half"): 0.5, ("libshares_first.so", "share_third"): 0.3,
          ("libshares_second.so", "share_fifth"): 0.2}
LIBRARIES = sorted({component for component, _ in SHARES})
RUNS = 60


def by_function(report):
    """The {(component, function): row} of what ran in user space."""
    return {(row["function"]["component"], row["function"]["function"]): row
            for row in report["cpu"]["functions"] if row["function"] and not row["kernel"]}


class KnownShares(LiveTest):
    alone = "shares of a CPU are measured"

    def test_true_values_lie_within_the_intervals(self):
        """In recordings of 0.2 s some 95 % of each function's intervals hold the true value; below 80 %: never."""
        hits = collections.Counter()
        with Workload(workload("shares")) as program:
            program.go()
            with Tracer("-p", program.child, "--interval", 0.2, "--duration", 0.2 * (RUNS + 1), "--report", "cpu",
                        "--format", "json") as tracer:
                reports = [parse_report(line) for line in tracer.finish().splitlines()]
        self.assertGreaterEqual(len(reports), RUNS)
        for report in reports[:RUNS]:
            rows, running = by_function(report), report["cpu"]["running_ns"]
            for name, share in SHARES.items():
                hits[name] += name in rows and rows[name]["low_ns"] <= share * running <= rows[name]["high_ns"]
        self.assertGreaterEqual(min(hits[name] for name in SHARES), 0.8 * RUNS, hits)

    def test_as_perf_finds_them(self):
        """perf with copies of the stack, of the same program at the same time: the same functions, much the same shares."""
        with Workload(workload("shares")) as program, tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder) / "perf.data"
            program.go()
            with Tracer("-p", program.child, "--duration", 3, "--report", "cpu", "--format", "json") as tracer:
                subprocess.run([*LIMITED, "perf", "record", "-q", "-e", "cpu-clock", "-F", "199", "--call-graph",
                                "dwarf", "-p", str(program.child), "-o", data, "sleep", "2"],
                               stdin=subprocess.DEVNULL, capture_output=True, check=True)
                rows = by_function(tracer.finish_json())
            script = subprocess.run([*LIMITED, "perf", "script", "-i", data, "-G", "-F", "ip,sym,dso"],
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        found = collections.Counter(re.findall(r"(share_\w+)", script))
        self.assertEqual(set(found), {function for _, function in SHARES})
        samples = sum(row["samples"] for row in rows.values())
        for (_, function), row in ((name, rows[name]) for name in SHARES):
            theirs = found[function] / sum(found.values())
            self.assertLessEqual(abs(row["samples"] / samples - theirs), 0.15, (function, rows, found))


def running_ways(node, frames=()):
    """Yields (functions in user space from the outermost on, samples) of what ran below a node of the tree."""
    for child in node["children"]:
        if child["kind"] == "running":
            yield tuple(name for component, name in frames if component != "[kernel]"), child["sampled"]["samples"]
        elif child["kind"] == "function":
            function = child["function"]
            yield from running_ways(child, (*frames, (function["component"], function["function"])))
        else:
            yield from running_ways(child, frames)


class Attribution(LiveTest):
    WAY = ("_start", "__libc_start_main", "__libc_start_call_main", "main", "run_block", "run_turn")

    @classmethod
    def setUpClass(cls):
        with Workload(workload("shares")) as program:
            program.go()
            _, cls.report = record("-p", program.child, "--duration", 2, "--frequency", 997, "--report",
                                   "components,functions,cpu,threads,tree")

    def test_build_ids_of_components_without_system_calls(self):
        found = {row["name"]: row["build_id"] for row in self.report["components"] if row["name"] in LIBRARIES}
        self.assertEqual(found, {name: read_build_id(workload(name)) for name in LIBRARIES})

    def test_stacks(self):
        """The stack of each sample is exact, wherever in the function it fell."""
        ways = collections.Counter()
        for node in self.report["tree"]:
            for way, samples in running_ways(node):
                ways[tuple(name.split(".")[0] for name in way)] += samples
        expected = {(*self.WAY, function) for _, function in SHARES}
        self.assertEqual({way for way in ways if way[-1].startswith("share_")}, expected, ways)
        # Now and then one falls between two of them, or in rand().
        self.assertEqual({way[:4] for way in ways}, {self.WAY[:4]}, ways)
        self.assertGreater(sum(ways[way] for way in expected), 0.98 * sum(ways.values()))
        self.assertEqual([node for node in self.report["tree"] if node["kind"] == "cut"], [])

    def test_components_and_functions(self):
        """Running outside of calls is attributed as calls are; together it is the threads' running time."""
        running = sum(thread["running_ns"] for thread in self.report["threads"])
        for part in ("components", "functions"):
            rows = self.report[part]
            self.assertEqual(sum(row["running_ns"] for row in rows), running)
            self.assertEqual(rows[-1]["running_ns"], 0)
            self.assertEqual(sum(row["sampled"]["samples"] for row in rows[:-1]), self.report["cpu"]["samples"])
        functions = {(row["function"]["component"], row["function"]["function"]): row
                     for row in self.report["functions"] if row["function"]}
        for name, share in SHARES.items():
            sampled = functions[name]["sampled"]
            self.assertLess(abs(sampled["running_ns"] / running - share), 0.1)
            self.assertLessEqual(sampled["low_ns"], sampled["running_ns"])
            self.assertGreaterEqual(sampled["high_ns"], sampled["running_ns"])
            self.assertEqual([caller["caller"]["function"].split(".")[0] for caller in functions[name]["callers"]],
                             ["run_turn"])
        components = {row["name"]: row for row in self.report["components"]}
        self.assertLess(abs(components["libshares_first.so"]["running_ns"] / running - 0.8), 0.1)


class TracersOwn(LiveTest):
    """What the tracer takes of the threads' time is none of their functions'."""
    alone = "programs of other tracers would be looked at, too"

    def shares(self, *options, cheap):
        """Of a program that also calls a function that returns at once, so often a turn."""
        with Workload(workload("shares"), -1, cheap) as program:
            program.go()
            _, report = record("-p", program.child, "--duration", 2, "--frequency", 997, "--report",
                               "components,functions,cpu,threads,tree", *options)
        return report

    def check_shares(self, report):
        """The program's functions have their parts of what is not the tracer's."""
        rows = {(row["function"]["component"], row["function"]["function"]): row
                for row in report["functions"] if row["function"]}
        tracer, = (row for row in report["components"] if row["name"] == "[tracer]")
        own = sum(row["running_ns"] for row in report["functions"]) - tracer["running_ns"]
        theirs = sum(rows[name]["running_ns"] for name in SHARES)
        self.assertGreater(theirs, 0.6 * own, rows)
        for name, share in SHARES.items():
            self.assertLess(abs(rows[name]["running_ns"] / theirs - share), 0.15, (name, rows))
        cheap = rows.get(("libshares_first.so", "share_nothing"))
        # A timer that a hypervisor delivers late finds the function, where its trap returns to.
        self.assertLess(cheap["running_ns"] if cheap else 0, 0.2 * own, cheap)
        return tracer

    def test_probes(self):
        """Of a function that is called all the time, and whose probes take more time than all of the program."""
        for options in ([], ["--count-only"]):
            with self.subTest(options):
                report = self.shares("--lib", "libshares_first.so", "--overhead", "none", *options, cheap=40)
                tracer = self.check_shares(report)
                running = sum(thread["running_ns"] for thread in report["threads"])
                self.assertGreater(tracer["running_ns"], 0.3 * running)
                self.assertEqual(sum(thread["tracer_ns"] for thread in report["threads"]), tracer["running_ns"])
                # As the calibration has it, too.
                spent = report["tracer"]["probes_ns"]
                self.assertGreater(tracer["running_ns"], 0.6 * spent, report["tracer"])
                self.assertLess(tracer["running_ns"], 1.6 * spent, report["tracer"])
                rows = [row for row in report["cpu"]["functions"]
                        if row["function"] and row["function"]["component"] == "[tracer]"]
                self.assertEqual([row["kernel"] for row in rows], [None])
                self.assertEqual(rows[0]["samples"], tracer["sampled"]["samples"])

    def test_system_calls(self):
        """A program that does little else: no function of it has the tracer's programs beneath."""
        run, report = record("--frequency", 997, "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=500000")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = report["cpu"]["functions"]
        ours = [row for row in rows if row["kernel"] and "_scaler_" in (row["kernel"]["function"] or "")]
        self.assertEqual(ours, [])
        tracer = [row["samples"] for row in rows if row["function"] and row["function"]["component"] == "[tracer]"]
        self.assertGreater(sum(tracer), 0.01 * report["cpu"]["samples"], rows)


class WhatIsSampled(LiveTest):
    def test_running_time_is_the_threads(self):
        """The rows' samples add up, and the running time is the exact one. A timer can come late, and none twice."""
        run, report = record("--report", "cpu,threads", "--", workload("states"), "spin:400", "spin:400", "sleep:20")
        self.assertEqual(run.returncode, 0, run.stderr)
        cpu = report["cpu"]
        self.assertEqual(cpu["frequency"], 199)
        self.assertEqual(cpu["running_ns"], sum(row["running_ns"] for row in report["threads"]))
        self.assertEqual(cpu["samples"], sum(row["samples"] for row in cpu["functions"]))
        self.assertEqual(report["coverage"]["samples_lost"], 0)
        self.assertLess(cpu["samples"], 1.1 * cpu["running_ns"] / 1e9 * 199 + 5)
        self.assertGreater(cpu["samples"], 0.5 * cpu["running_ns"] / 1e9 * 199)

    def test_the_kernel_beneath(self):
        """A program that reads 16 MiB of zeros again and again is in the kernel, called from read()."""
        run, report = record("--report", "cpu", "--frequency", 997, "--", "dd", "if=/dev/zero", "of=/dev/null",
                             "bs=16M", "count=1250")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = [row for row in report["cpu"]["functions"] if row["kernel"] and row["function"] and
                (row["function"]["component"], row["function"]["function"]) == ("libc.so.6", "read")]
        samples = sum(row["samples"] for row in rows)
        self.assertGreater(samples, 0.8 * report["cpu"]["samples"], report["cpu"])
        for row in rows:
            self.assertEqual(row["kernel"]["component"], "[kernel]")
        names = {line.split()[2] for line in open("/proc/kallsyms", encoding="utf-8")}
        # BPF programs of other tracers may be gone by now, or have been as they were to be named.
        found = {row["kernel"]["function"] or "bpf_prog_" for row in rows}
        self.assertLessEqual({name for name in found if not name.startswith("bpf_prog_")}, names)
        self.assertGreater(len(found), 1)

    def test_threads_of_the_kernel_itself(self):
        """A whole system's samples: kernel threads run no functions of user space."""
        _, report = record("--report", "cpu", "--duration", 0.5)
        rows = report["cpu"]["functions"]
        # But for what programs that are gone again ran, whose files nobody can name.
        unknown = sum(row["samples"] for row in rows if not row["function"] and not row["kernel"])
        self.assertLess(unknown, 5 + sum(row["samples"] for row in rows) / 10, rows)

    def test_without_calls_or_stacks(self):
        for option in ("--no-syscalls", "--depth=0"):
            with self.subTest(option), Workload(workload("shares")) as program:
                program.go()
                _, report = record("-p", program.child, "--duration", 0.5, option)
                self.assertEqual(set(by_function(report)) & set(SHARES), set(SHARES))
                self.assertEqual(option == "--no-syscalls", "syscalls" not in report)

    def test_code_generated_at_run_time(self):
        run, report = record("--report", "cpu", "--frequency", 997, "--", workload("generated"), "named", 300000)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(report["cpu"]["samples"], 10)

    def test_none(self):
        with Workload(workload("shares")) as program:
            program.go()
            _, report = record("-p", program.child, "--no-samples", "--duration", 0.2)
        self.assertNotIn("cpu", report)
        self.assertEqual({row["sampled"] and row["sampled"]["samples"] for row in report["components"]}, {None})
        run = scaler("--no-samples", "--frequency", 99, "--", "true")
        self.assertEqual(run.returncode, 2)
        self.assertIn("exclude each other", run.stderr)
