"""What the live tests share: starting the built tracer and workloads, each under a time limit."""
import collections
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

import jsonschema

BUILD = pathlib.Path(os.environ.get("SCALER_BUILD") or
                     pathlib.Path(__file__).resolve().parents[2] / "build")
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "include/scaler"
SCALER = str(BUILD / "scaler-bpf")
LIMIT_S = int(os.environ.get("SCALER_LIMIT_S", "60"))
# How many times as long as on a real machine everything takes.
SLOWNESS = int(os.environ.get("SCALER_SLOWNESS", "1"))
LIMITED = ["timeout", "-k", "5", str(LIMIT_S)]
# Tables have all of their columns, unless a test says what it shows them on.
os.environ["COLUMNS"] = "4000"


def workload(name):
    return os.path.join(os.environ.get("SCALER_WORKLOADS") or BUILD / "tests/workloads", name)


# Options that say something about probes, or choose reports; and subcommands.
ABOUT_PROBES = {"--lib", "--func", "--exclude", "--calls", "--list", "--no-probes", "--report", "--folded",
                "--no-syscalls", "--blocking-report", "--wait-chains", "--live", "doctor", "syscalls"}
TARGETS = {"-p", "-t", "--comm", "--cgroup", "--"}


@functools.cache
def kernel_has(feature):
    """Whether "scaler-bpf doctor" finds it; who believes that is test_doctor.py."""
    run = subprocess.run([*LIMITED, SCALER, "doctor", "--format", "json"], capture_output=True, text=True, check=True)
    return any(row["name"] == feature and row["available"] for row in json.loads(run.stdout)["features"])


def needs(feature):
    """Skips a test or class where the kernel has it not."""
    return unittest.skipUnless(kernel_has(feature), f"this kernel has no {feature.replace('_', ' ')}")


@functools.cache
def runs_compat_calls():
    """Whether the machine takes calls by the 32-bit entry, as a program finds without a tracer."""
    return subprocess.run([*LIMITED, workload("descriptors"), "compat"], check=False).returncode == 0


def needs_compat_calls(test):
    """Skips a test where the machine has no such entry: that of some hypervisors has none."""
    @functools.wraps(test)
    def checked(self):
        if not runs_compat_calls():
            self.skipTest("this machine takes no 32-bit system calls")
        test(self)
    return checked


def scaler_words(arguments):
    """The tracer's command line, with --calls in tests of probes that say nothing else."""
    words = [*map(str, arguments)]
    own = words[:words.index("--")] if "--" in words else words
    probes = "SCALER_PROBES" in os.environ and ABOUT_PROBES.isdisjoint(own) and not TARGETS.isdisjoint(words)
    return [SCALER, *["--calls"] * probes, *words]


def scaler(*arguments, within=(), **options):
    """Runs the tracer to its end, by the command "within" if there is one; returns the completed process with text output."""
    return subprocess.run([*LIMITED, *within, *scaler_words(arguments)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, **options)


def record(*arguments, **options):
    """Runs the tracer to its end; returns the completed process and its report, which fits the schema."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = scaler("--format", "json", "-o", file.name, *arguments, **options)
        text = file.read()
    if not text:
        raise AssertionError("no report: " + run.stderr)
    return run, parse_report(text)


def record_each(interval_s, *arguments, **options):
    """The same with --interval; returns the completed process and its reports."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = scaler("--interval", interval_s, "--format", "json", "-o", file.name, *arguments, **options)
        return run, [parse_report(line) for line in file]


def read_build_id(path):
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"Build ID: (\w+)", notes)[1]


@functools.lru_cache(maxsize=None)
def validator(name, definition=None):
    """Of what one of the documented schemas, or of its definitions, describes; made once, as that takes 0.3 s."""
    if name == "report":
        schema = json.loads(scaler("columns", "--format", "json").stdout)
    else:
        schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    if definition:
        schema = {"$defs": schema["$defs"], "$ref": "#/$defs/" + definition}
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def parse_json(text, name, definition=None):
    document = json.loads(text)
    validator(name, definition).validate(document)
    return document


# What the kernel has not told of in the recordings of the test that is running: the coverage's counts that are not 0.
UNSEEN = collections.Counter()
# All that the coverage of its last report tells of, to be printed should it fail.
LACKING = {}


def parse_report(text):
    report = parse_json(text, "report")
    LACKING.clear()
    LACKING.update({key: value for key, value in report["coverage"].items() if value and key != "stacks"})
    UNSEEN.update({key: report["coverage"][key] for key in ("wakeups_unseen", "switches_repaired") if report["coverage"][key]})
    return report


def waits_in(rows, *calls):
    """The waits in one of these system calls; a thread may wait in none, for a page of its file say."""
    return [row for row in rows if row["syscall"] and row["syscall"]["name"] in calls]


def estimate_holds(row, key, made):
    """Whether a row's figure is what was made, or its 95 % range holds that."""
    if not row["sampled"]:
        return row[key] == made
    low, high = row["sampled"]["count"]["low"], row["sampled"]["count"]["high"]
    return low <= made and (high is None or made <= high)


class Tracer:
    """A tracer in the background, recording when the constructor returns; a context manager."""

    def __init__(self, *arguments):
        ready, theirs = os.pipe()
        self.process = subprocess.Popen(
            scaler_words(["--ready-fd", theirs, *arguments]), pass_fds=[theirs],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(theirs)
        began = os.read(ready, 1)
        os.close(ready)
        if not began:
            raise AssertionError("the tracer did not begin: " + self.process.communicate()[1])

    def command(self):
        """The PID of the tracer's command once it runs its own program, else None."""
        pids = [pid for pid in children(self.process.pid)
                if comm(pid) not in ("", "scaler-parser") and program_of(pid) not in ("", os.path.realpath(SCALER))]
        return pids[0] if pids else None

    def finish(self, status=0):
        """Waits for the tracer's own end; returns its report."""
        # Not by communicate(), which passes over what a readline() has left in the buffer.
        limit = threading.Timer(LIMIT_S, self.process.kill)
        limit.start()
        out, err = self.process.stdout.read(), self.process.stderr.read()
        self.process.wait()
        limit.cancel()
        if self.process.returncode != status:
            raise AssertionError(f"the tracer ended with {self.process.returncode}: {err}")
        return out

    def finish_json(self, status=0):
        return parse_report(self.finish(status))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Workload(subprocess.Popen):
    """A workload in the background that waits for go(); ended with the context at the latest."""

    def __init__(self, *words):
        super().__init__([*LIMITED, *map(str, words)],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.child = wait_for(lambda: children(self.pid))[0]
        wait_for(lambda: state(self.child) == "S")

    def go(self):
        self.stdin.write("x")
        self.stdin.flush()

    def __exit__(self, *details):
        if self.poll() is None:
            self.terminate()
        return super().__exit__(*details)


def wait_for(condition, limit_s=LIMIT_S / 3):
    """Polls until the condition is true; returns its value."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError("waited in vain")


@contextlib.contextmanager
def busy_loops(count):
    """That number of processes that want a CPU all the time."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            busy = stack.enter_context(subprocess.Popen(["timeout", "500", "sh", "-c", "while :; do :; done"]))
            stack.callback(busy.terminate)
        yield


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def program_of(pid):
    """The file that the process executes, or nothing if it is gone."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def comm(pid):
    """The process's name, or "" if it is gone."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().rstrip("\n")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def state(pid):
    """The letter of the process's state, or "" if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_channel(tid):
    """Where in the kernel a thread sleeps, in the kernel's own word."""
    with open(f"/proc/{tid}/wchan", encoding="ascii") as file:
        return file.read()


def call_counts(report):
    """The {system call: count} of a report, calls that the recording cut short included."""
    counts = collections.Counter()
    for row in report["syscalls"]:
        counts[row["name"]] += row["count"] + row["partial"]["count"]
    return dict(counts)


class LiveTest(unittest.TestCase):
    """Base of all live tests; without root they would test nothing, so they fail."""

    # CI shows what a test prints, and no more.
    maxDiff = None

    # Why the tests of a class bear no other tests beside them, if so.
    alone = None

    @classmethod
    def setUpClass(cls):
        if os.geteuid():
            raise AssertionError("live tests need root: run sudo make check")


# What the workloads and the programs of the tests that probe libraries have in common.
SHARED_LIBRARIES = ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")


class ProbingTest(LiveTest):
    """Base of the tests that probe libraries, of which every program gets a copy of its own: tracers heed each other's
    probes on the same file."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        libraries, workloads = os.path.join(folder, "libraries"), os.path.join(folder, "workloads")
        os.mkdir(libraries)
        for name in SHARED_LIBRARIES:
            path = subprocess.run(["gcc", "-print-file-name=" + name], stdout=subprocess.PIPE, text=True, check=True).stdout
            shutil.copy(path.strip(), libraries)
        shutil.copytree(BUILD / "tests/workloads", workloads)
        cls.enterClassContext(unittest.mock.patch.dict(
            os.environ, {"SCALER_WORKLOADS": workloads, "LD_LIBRARY_PATH": libraries, "SCALER_PROBES": "1",
                         "XDG_CACHE_HOME": folder}))
