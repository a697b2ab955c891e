"""The summary: one screen that names the culprit first, of programs whose bottleneck is known."""
import os
import re
import tempfile

from cgroups import with_quota
from harness import LiveTest, record, scaler, workload
from known_waits import needs_disk

MS = 1_000_000
WIDTHS = (80, 120, 200)
# One that computes for a second with four threads, for which there is one CPU.
CROWD = """
import hashlib, threading, time
end = time.monotonic() + 1
def crunch():
    while time.monotonic() < end:
        hashlib.sha256(bytes(1 << 20)).digest()
threads = [threading.Thread(target=crunch) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
# Of three programs the last one is slow: the others wait until it has read what fills the pipe.
PIPELINE = "yes | cat | while read -r line && test $((i += 1)) -lt 40; do sleep 0.02; done"


def place(found):
    return found["function"] if found else None


class Summary(LiveTest):
    def summarize(self, *command, options=(), **how):
        run, report = record("--report", "summary", *options, "--", *command, **how)
        self.assertEqual(run.returncode, 0, run.stderr)
        summary = report["summary"]
        for group in summary["groups"]:
            times = [group[f"{state}_ns"] for state in ("running", "runnable", "waiting", "idle")]
            self.assertEqual(sum(times), group["life_ns"])
        for wait in summary["waits"]:
            self.assertLessEqual(sum(part["total_ns"] for part in wait["meanwhile"]), wait["total_ns"])
        self.assertEqual(sum(wait["total_ns"] for wait in summary["waits"]), summary["waits_ns"])
        return summary

    def sentences(self, *command, width=120, within=()):
        """The sentences of a screen of that width, largest waits first."""
        run = scaler("--report", "summary", "--", *command, within=within, env=dict(os.environ, COLUMNS=str(width)))
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stderr.splitlines()
        self.assertLessEqual(len(lines), 40, run.stderr)
        self.assertLessEqual(max(map(len, lines)), width, run.stderr)
        return re.findall("=> (.*)", run.stderr)

    def test_convoy(self):
        """Four threads want one lock at once, and each sleeps for 10 ms while it has it."""
        command = workload("convoy"), "4", "10", "10"
        # At the barrier they wait as long for the last one.
        wait = next(wait for wait in self.summarize(*command)["waits"][:2] if place(wait["function"]) == "pthread_mutex_lock")
        self.assertEqual((wait["kind"], wait["name"], place(wait["resource"]["variable"])), ("wait", "member", "lock"))
        # Two wait for one, one for two, and for three the last: (1 + 2 + 3) x 10 ms ten times.
        self.assertGreaterEqual(wait["total_ns"], 0.95 * 600 * MS)
        nap = wait["meanwhile"][0]
        self.assertEqual((nap["kind"], nap["name"], place(nap["caller"])), ("wait", "member", "hold"))
        self.assertGreaterEqual(nap["total_ns"], 0.5 * wait["total_ns"])
        for width in WIDTHS:
            self.assertIn("member holds the lock convoy:lock through", " ".join(self.sentences(*command, width=width)[:2]))

    def test_pool(self):
        wait = self.summarize(workload("pool"), "4", "40")["waits"][0]
        self.assertEqual((wait["name"], place(wait["resource"]["variable"]), place(wait["caller"])),
                         ("worker-1..4", "queue", "take_job"))
        self.assertEqual(place(wait["meanwhile"][0]["caller"]), "look_up")

    def test_disk_behind_a_lock(self):
        """Who holds the lock through a write to the disk is named, and what for; not those that queue."""
        needs_disk(self, "/var/tmp")
        with tempfile.NamedTemporaryFile(dir="/var/tmp") as file:
            command = workload("index"), "8", "150", file.name
            wait = next(wait for wait in self.summarize(*command)["waits"]
                        if wait["resource"] and place(wait["resource"]["variable"]) == "lock")
            self.assertEqual((wait["name"], place(wait["function"]), place(wait["caller"])),
                             ("get-0..7", "pthread_mutex_lock", "find"))
            # Beside it who holds the lock may be kept from a CPU, on a busy machine for longer.
            disk = next(part for part in wait["meanwhile"] if part["kind"] == "wait")
            self.assertEqual((disk["name"], place(disk["function"]), place(disk["caller"])), ("saver", "fdatasync", "save_page"))
            self.assertTrue([sentence for sentence in self.sentences(*command) if re.match(
                r"\S+ holds? the lock index:lock (through fdatasync|while \w+ .*); get-0\.\.7 queue behind it", sentence)])

    def test_cpus(self):
        """What has too few CPUs waits for one that others of its kind have."""
        summary = self.summarize("/usr/bin/python3", "-c", CROWD, within=("taskset", "-c", "0"))
        wait = summary["waits"][0]
        self.assertEqual((wait["kind"], wait["name"]), ("runnable", "python3"))
        self.assertEqual(wait["meanwhile"][0]["name"], "python3")
        if os.cpu_count() > 1:
            sentence = self.sentences("/usr/bin/python3", "-c", CROWD, within=("taskset", "-c", "0"))[0]
            self.assertRegex(sentence, rf"^python3 waits? for .*; (it|they) may run on 1 of {os.cpu_count()} CPUs$")

    def test_pipeline(self):
        """Those before the slow one wait for it to read."""
        waits = [wait for wait in self.summarize("sh", "-c", PIPELINE)["waits"] if wait["name"] in ("yes", "cat")]
        self.assertEqual((waits[0]["resource"]["type"], place(waits[0]["function"])), ("pipe", "write"))

    def test_sleep_is_idle(self):
        """Nobody waits for who sleeps because it has asked to."""
        summary = self.summarize("/usr/bin/python3", "-c", "import time; [time.sleep(0.01) for _ in range(50)]")
        self.assertEqual([wait for wait in summary["waits"] if place(wait["function"]) == "clock_nanosleep"], [])
        self.assertGreaterEqual(summary["groups"][0]["idle_ns"], 500 * MS)

    def test_quota(self):
        """A thread whose cgroup has used up its quota waits for that."""
        with with_quota(0.2) as quota:
            join = ("sh", "-c", f"echo $$ > {quota.path}/cgroup.procs; exec \"$@\"", "sh")
            summary = self.summarize(*join, "/usr/bin/python3", "-c", CROWD)
        wait = next(wait for wait in summary["waits"] if wait["name"] == "python3")
        self.assertEqual(wait["kind"], "CPU quota")

    def test_names(self):
        """Names that do not fit are cut; one that a terminal would act on is escaped."""
        run = scaler("--report", "summary", "--", workload("names"), env=dict(os.environ, COLUMNS="80"))
        self.assertLessEqual(max(map(len, run.stderr.splitlines())), 80, run.stderr)
        self.assertTrue(run.stderr.isascii() and run.stderr.replace("\n", "").isprintable())
