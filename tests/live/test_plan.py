"""scaler-bpf --list: the call edges of real programs, beside what the dynamic linker and processes say."""
import bisect
import collections
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from harness import LIMITED, LiveTest, Workload, parse_json, read_build_id, scaler, workload

LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
PYTHON = "/usr/bin/python3"

# Prints its number, where strlen and memcpy begin, and what is mapped where; then waits.
TELL = """
import ctypes, os, sys
libc = ctypes.CDLL("libc.so.6")
print(os.getpid(), *(ctypes.cast(getattr(libc, name), ctypes.c_void_p).value for name in ("strlen", "memcpy")))
print(open("/proc/self/maps").read() + "end", flush=True)
sys.stdin.read()
"""


def plan(*arguments):
    run = scaler("--list", "--format", "json", *arguments)
    if run.returncode:
        raise AssertionError(run.stderr)
    return parse_json(run.stdout, "plan")


def paths_of(document):
    return [os.path.realpath(file["path"]) for file in document["files"]]


def edges(document):
    """(importer, exporter, the symbols of a function) as the plan has them."""
    paths = paths_of(document)
    return {(paths[importer], paths[function["file"]], frozenset(name["symbol"] for name in function["names"]))
            for function in document["functions"] for importer in function["importers"]}


def exported_functions(path):
    text = subprocess.run(["readelf", "-W", "--dyn-syms", path], capture_output=True, text=True,
                          check=True).stdout
    return {row[7].split("@")[0] for row in map(str.split, text.splitlines())
            if len(row) > 7 and row[3] in ("FUNC", "IFUNC") and row[6] != "UND"}


def instructions_that_leave(path):
    """{address: "ret" or "jmp"} of all of them, and {address of a function: its size}."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    leaving = {int(address, 16): name for address, name in
               re.findall(r"^ +([0-9a-f]+):\t(?:repz |bnd |notrack )*(ret|jmp)\b", text, re.M)}
    sizes = {int(row[1], 16): int(row[2], 0) for row in map(str.split, subprocess.run(
        ["readelf", "-W", "--dyn-syms", path], capture_output=True, text=True, check=True).stdout.splitlines())
             if len(row) > 7 and row[3] == "FUNC"}
    return leaving, sizes


@functools.cache
def imported_symbols(path):
    text = subprocess.run(["readelf", "-W", "-r", path], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^[0-9a-f]{16} .* [0-9a-f]{16} ([^\s@]+)", text, re.M))


def bindings(program, *arguments):
    """(importer, exporter, symbol) as the dynamic linker binds them; functions only, and not within a file."""
    run = subprocess.run([*LIMITED, "env", "LD_BIND_NOW=1", "LD_DEBUG=bindings", program, *arguments],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    functions, found = {}, set()
    for match in re.finditer(r"binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `(\S+)'", run.stderr):
        importer, exporter = (os.path.realpath(shutil.which(path) or path) for path in match.groups()[:2])
        if importer == exporter:
            continue
        if exporter not in functions:
            functions[exporter] = exported_functions(exporter)
        # The dynamic linker looks for malloc in the program's name.
        if match[3] in functions[exporter] and match[3] in imported_symbols(importer):
            found.add((importer, exporter, match[3]))
    return found


class Plan(LiveTest):
    def assert_same_edges(self, program, *arguments):
        """Every binding is an edge; and every edge a binding, but where several files export the name."""
        document = plan("--", program, *arguments)
        # Without the files that the program loads only when it runs.
        files, planned = set(paths_of(document)), edges(document)
        bound = {edge for edge in bindings(program, *arguments) if files.issuperset(edge[:2])}
        self.assertGreater(len(bound), 50)
        self.assertEqual(bound - {(*edge[:2], symbol) for edge in planned for symbol in edge[2]}, set())
        exporters = collections.Counter(symbol for path in paths_of(document) for symbol in exported_functions(path))
        self.assertEqual([edge for edge in planned if all(exporters[symbol] == 1 for symbol in edge[2]) and
                          not any((*edge[:2], symbol) in bound for symbol in edge[2])], [])

    def test_as_the_dynamic_linker_binds(self):
        self.assert_same_edges("sqlite3", "-version")
        self.assert_same_edges("curl", "--version")
        self.assert_same_edges("cmp", "--version")
        self.assert_same_edges(workload("objects"))

    def find_sites(self, environment, *arguments):
        """Where a process says that strlen and memcpy are in its libc's file, and where the plan has them."""
        with subprocess.Popen([*LIMITED, PYTHON, "-c", TELL], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env=dict(os.environ, **environment)) as process:
            lines = list(iter(process.stdout.readline, "end\n"))
            pid, *addresses = [int(word) for word in lines[0].split()]
            document = plan("-p", pid, "--lib", "libc", *arguments)
            process.stdin.close()
        told = []
        for address in addresses:
            for line in lines[1:]:
                match = re.match(r"(\w+)-(\w+) \S+ (\w+) .*libc\.so\.6$", line)
                if match and int(match[1], 16) <= address < int(match[2], 16):
                    told.append(address - int(match[1], 16) + int(match[3], 16))
        listed = [function["offset"] for symbol in ("strlen", "memcpy") for function in document["functions"]
                  if any((name["symbol"], name["is_default"]) == (symbol, True) for name in function["names"])]
        return told, listed, document

    def test_indirect_functions(self):
        told, listed, _ = self.find_sites({})
        self.assertEqual(len(told), 2)
        self.assertEqual(listed, told)

    def test_indirect_functions_of_a_library_that_only_the_process_has(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "libc.so.6"
            build_id = bytes.fromhex(read_build_id(LIBC))
            copy.write_bytes(pathlib.Path(LIBC).read_bytes().replace(build_id, build_id[::-1]))
            # Bound at the start, so that the process has the addresses in its tables.
            told, listed, document = self.find_sites({"LD_LIBRARY_PATH": folder, "LD_BIND_NOW": "1"},
                                                     "--calls", "exports")
        self.assertEqual(len(told), 2)
        self.assertEqual(listed, told)
        left_out = [function for function in document["functions"] if function["left_out"]]
        self.assertGreater(len(left_out), 0)
        self.assertTrue(any("indirect" in function["left_out"] for function in left_out))
        for function in left_out:
            self.assertRegex(function["left_out"], "indirect|does not probe|would not execute")

    def test_versions_and_aliases(self):
        document = plan("--lib", "libc", "--calls", "exports", "--func", "pthread_cond_wait,read,lseek*",
                        "--", "true")
        names = {function["offset"]: [(name["symbol"], name["version"], name["is_default"])
                                      for name in function["names"]] for function in document["functions"]}
        symbols = subprocess.run(["readelf", "-W", "--dyn-syms", LIBC], capture_output=True, text=True,
                                 check=True).stdout
        expected = collections.defaultdict(set)
        for row in map(str.split, symbols.splitlines()):
            if len(row) > 7 and row[3] == "FUNC":
                symbol, at, version = row[7].partition("@")
                expected[int(row[1], 16)].add((symbol, version.lstrip("@") or None, not at or version.startswith("@")))
        self.assertEqual({symbol for group in names.values() for symbol, _, _ in group} &
                         {"pthread_cond_wait", "read", "lseek"}, {"pthread_cond_wait", "read", "lseek"})
        # Two versions that are two functions, and one function with several names.
        self.assertEqual(sum(group[0][0] == "pthread_cond_wait" for group in names.values()), 2)
        # The text segment of this libc begins where its addresses do, at offset 0 of the file.
        for offset, group in names.items():
            self.assertEqual(set(group), expected[offset])

    def test_text(self):
        run = scaler("--list", "--lib", "libobjects,libstdc++", "--", workload("objects"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"(?m)^libobjects\.so +\d+ +\S+/libobjects\.so$")
        self.assertRegex(run.stdout, r"(?m)^libstdc\+\+\.so\.6\S* +__cxa_throw +0x[0-9a-f]+ +\w+ +\S*objects\S* +may return twice")
        self.assertRegex(run.stdout, r"(?m)^libstdc\+\+\.so\.6\S* +std::terminate +0x[0-9a-f]+ +\w+ +objects +\d+$")
        self.assertNotRegex(run.stdout, r"(?m)^libc\.so\.6 ")
        self.assertRegex(run.stdout, r"\n\d+ functions, 0 of them not probed; \d+ timed, \d+ only counted\n$")

    def test_exits_by_another_disassembler(self):
        """All instructions by which functions return, says binutils' objdump, by the dynamic symbols' sizes."""
        document = plan("--calls", "exports", "--lib", "libm.*,libsqlite3*", "--", "sqlite3")
        for number, path in enumerate(paths_of(document)):
            functions = [function for function in document["functions"] if function["file"] == number and function["exits"]]
            if not functions:
                continue
            self.assertGreater(len(functions), 0.9 * sum(function["file"] == number for function in document["functions"]))
            leaving, sizes = instructions_that_leave(path)
            exits = {offset for function in functions for offset in function["exits"]}
            # In these files, code lies where its addresses say.
            self.assertEqual({leaving.get(offset) for offset in exits}, {"ret", "jmp"})
            for function in functions:
                begin = function["offset"]
                # What an indirect function stands for need not have a symbol.
                end = begin + sizes.get(begin, 0)
                returns = {address for address in leaving if begin <= address < end and leaving[address] == "ret"}
                self.assertLessEqual(returns, set(function["exits"]), function["names"])

    def test_filters(self):
        def names(*arguments):
            return sorted(function["names"][0]["symbol"] for function in
                          plan(*arguments, "--", workload("sleepers"))["functions"])

        self.assertEqual(names("--lib", "libchain_outer.so"), ["outer_call"])
        self.assertEqual(names("--lib", "libchain_*", "--exclude", "libchain_inner,middle_*"), ["outer_call"])
        self.assertEqual(names("--func", "outer_call,pthread_create"), ["outer_call", "pthread_create"])
        self.assertEqual(names("--func", "no_such_function"), [])
        run = scaler("--list", "--func", "no_such_function", "--", "true")
        self.assertEqual(run.returncode, 0)
        self.assertIn("--calls exports", run.stderr)

    def test_system_wide_by_library(self):
        words = workload("sleepers"), "wait", 2
        with Workload(*words) as first, Workload(*words) as second:
            document = plan("--lib", "libchain_outer")
            self.assertEqual([(file["processes"], file["error"]) for file in document["files"]
                              if file["name"] == "libchain_outer.so"], [(2, None)])
            self.assertEqual([function["names"][0]["name"] for function in document["functions"]], ["outer_call"])
            by_comm = plan("--comm", "sleepers", "--func", "outer_call")
            self.assertEqual(len(by_comm["functions"]), 1)
            for process in (first, second):
                process.terminate()

    def test_scripts_and_programs_without_libraries(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script"
            script.write_text(f"#! {PYTHON} -s\n", encoding="ascii")
            script.chmod(0o755)
            self.assertIn(os.path.realpath(PYTHON), paths_of(plan("--", script)))
        document = plan("--calls", "exports", "--", workload("static_first"))
        self.assertEqual((len(document["files"]), document["functions"]), (1, []))

    def test_names_are_not_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "lib\x1b[31m.so"
            subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, "-xc", "-"], check=True, text=True,
                           input="void name_of_twelve(void) {}")
            library.write_bytes(library.read_bytes().replace(b"name_of_", b"f\x1b]0;x\x07_"))
            run = scaler("--list", "--calls", "exports", "--", "true",
                         env=dict(os.environ, LD_PRELOAD=str(library)))
            self.assertIn("lib\\x1b[31m.so", run.stdout)
            self.assertIn("f\\x1b]0;x\\x07_twelve", run.stdout)
            self.assertNotIn("\x1b", run.stdout)

    def test_wrong_usage(self):
        for words in (["--list"], ["--list", "--folded", "-p", "1"], ["--func", "read"], ["--calls", "exports"],
                      ["--list", "--calls", "some", "--", "true"], ["--list", "--func", "a,,b", "--", "true"]):
            run = scaler(*words)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), words)
        for words, text in ((["--list", "-p", 2**22 + 1], str(2**22 + 1)),
                            (["--list", "--", "no-such-command"], "no-such-command"),
                            (["--list", "--", "/etc/passwd"], "/etc/passwd")):
            run = scaler(*words)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), words)
            self.assertIn(text, run.stderr)
