"""What make install leaves behind: a tracer that runs, a man page and a completion that know all options."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from harness import BUILD, LiveTest, scaler

ROOT = pathlib.Path(__file__).resolve().parents[2]


SUBCOMMANDS = ["trace", "live", "record", "report", "list", "syscalls", "columns", "doctor"]


def options(*subcommand):
    """All options that --help of it has, in their short and long forms."""
    heads = re.findall(r"^  (.{2}[ ,] --[a-z-]+)", scaler(*subcommand, "--help").stdout, re.M)
    return {word for head in heads for word in re.findall(r"--?[A-Za-z][a-z-]*", head)}


class Install(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run(["timeout", "60", "make", "-s", "-C", ROOT, "install", "-o", "all", f"BUILD={BUILD}",
                        f"DESTDIR={cls.folder.name}", "PREFIX=/usr"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.prefix = pathlib.Path(cls.folder.name) / "usr"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scaler_bpf
                    printf '%s\n' "${COMPREPLY[@]}" """
        run = subprocess.run(["timeout", "20", "bash", "-c", script, "bash",
                              self.prefix / "share/bash-completion/completions/scaler-bpf",
                              self.prefix / "sbin/scaler-bpf", *words],
                             capture_output=True, text=True, check=True)
        return run.stdout.split()

    def test_tracer_runs(self):
        run = subprocess.run([self.prefix / "sbin/scaler-bpf", "--version"], capture_output=True,
                             text=True, check=True)
        self.assertEqual(run.stdout, scaler("--version").stdout)

    def page(self, name):
        """A man page as text, which groff has nothing to complain about."""
        section = name[-1]
        path = self.prefix / f"share/man/man{section}/{name}"
        run = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww", "-rHY=0", path], capture_output=True,
                             text=True, check=True)
        self.assertEqual(run.stderr, "")
        return run.stdout

    def test_man_pages(self):
        """One for each subcommand with all its options, which others may explain; all that are named are there."""
        names = {path.name for path in self.prefix.glob("share/man/man*/*")}
        pages = {name: self.page(name) for name in names}
        self.assertEqual(names, {"scaler-bpf.8", "scaler-bpf-figures.7", *(f"scaler-bpf-{name}.8" for name in SUBCOMMANDS)})
        self.assertGreaterEqual(len(options("trace")), 50)
        for subcommand in SUBCOMMANDS:
            text = pages[f"scaler-bpf-{subcommand}.8"]
            words = set(re.findall(r"(?<![\w-])--?[A-Za-z][a-z-]*", text))
            general = set() if subcommand == "trace" else options("syscalls") & options("doctor")
            self.assertEqual(options(subcommand) - general - words, set(), subcommand)
        named = {f"{name}.{section}" for text in pages.values()
                 for name, section in re.findall(r"(scaler-bpf[a-z-]*)\(([78])\)", text)}
        self.assertEqual(named, names)

    def test_help(self):
        """Each has what is listed in the help of all, in no line that is wider than a terminal."""
        for words in ([], *([name] for name in SUBCOMMANDS)):
            lines = scaler(*words, "--help").stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), 100)
            self.assertEqual([line for line in lines if line != line.rstrip()], [])
        head = scaler("--help").stdout
        self.assertLessEqual(len(head.splitlines()), 60)
        self.assertEqual(re.findall(r"^  ([a-z]+)  ", head, re.M), SUBCOMMANDS)
        self.assertLessEqual(options(), options("trace"))
        self.assertNotIn("--map-size", options("trace"))
        self.assertNotIn("--sort", options("live"))

    def test_completion(self):
        self.assertEqual(set(self.complete("")), options("trace") | {*SUBCOMMANDS, "--"})
        self.assertEqual(set(self.complete("--no-")), {"--no-probes", "--no-samples", "--no-syscalls"})
        self.assertEqual(set(self.complete("doctor", "--")), {word for word in options("doctor") if word[1] == "-"})
        self.assertEqual(self.complete("live", "-p", "1", "--sta"), ["--state"])
        self.assertEqual(self.complete("--report", "waits,lo"), ["waits,locks"])
        self.assertEqual(self.complete("syscalls", "openat2"), ["openat2"])
        self.assertEqual(self.complete("--map-size", "ev"), ["events="])
        self.assertEqual(self.complete("--syscalls", "read,%de"), ["read,%desc"])
        self.assertEqual(self.complete("--format", "j"), ["json"])
        self.assertIn("1", self.complete("-p", ""))

    def test_columns(self):
        """Of the tables that are named, in no line that is wider than a terminal; those of JSON are in its schema."""
        lines = scaler("columns").stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        tables = [line.split(":")[0] for line in lines if line.startswith("--report ")]
        self.assertGreaterEqual(len(tables), 11)
        self.assertTrue(set(tables) < {"--report " + word for word in self.complete("--report", "")})
        waits = scaler("columns", "waits").stdout
        self.assertRegex(waits, r"\n  P99 +p99_ns +of the intervals")
        schema = json.loads(scaler("columns", "--format", "json").stdout)
        self.assertIn("p99_ns", schema["$defs"]["waits"]["items"]["properties"])
        run = scaler("columns", "nothing")
        self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (2, "", 1))


if __name__ == "__main__":
    unittest.main()
