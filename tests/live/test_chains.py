"""Wait-for chains whose links and root causes are known by construction."""
import os
import subprocess
import sys
import tempfile
import textwrap
import time

from harness import SLOWNESS, LiveTest, Tracer, Workload, record, scaler, waits_in, workload
from known_waits import needs_disk

CHAINS = workload("chains")
MS = 1_000_000


def place(where):
    return where and where["function"]


def find(rows, **wanted):
    """The largest of the rows that are so."""
    for row in rows:
        found = {"kind": row["kind"], "name": row["name"], "function": place(row["function"]),
                 "caller": place(row["caller"]), "syscall": row["syscall"] and row["syscall"]["name"]}
        if all(found[key] == value for key, value in wanted.items()):
            return row
    raise AssertionError(f"no {wanted} among {[(r['kind'], r['name'], place(r['function'])) for r in rows][:12]}")


class ChainTest(LiveTest):
    def check_sums(self, rows):
        """What explains a wait adds up to it, at all depths; only waits are explained."""
        for row in rows:
            if row["kind"] in ("wait", "not created"):
                self.assertEqual(sum(cause["total_ns"] for cause in row["causes"]), row["total_ns"])
                self.assertEqual(sum(cause["idle_ns"] for cause in row["causes"]), row["idle_ns"])
            else:
                self.assertEqual(row["causes"], [])
            self.assertLessEqual(row["max_ns"], row["total_ns"])
            self.check_sums(row["causes"])

    def check_longest(self, rows):
        """The segments of one depth lie side by side, and those below a wait fill it."""
        for row in rows:
            longest = row["longest"]
            self.assertEqual(longest["to_ns"] - longest["from_ns"], row["max_ns"])
            if row["kind"] != "wait":
                self.assertEqual((row["kind"] in ("runnable", "CPU quota"), longest["segments"]), (True, []))
                continue
            ends = {1: longest["from_ns"]}
            for segment in longest["segments"] if not longest["left_out"] else []:
                self.assertEqual(segment["from_ns"], ends[segment["depth"]])
                ends[segment["depth"]] = segment["to_ns"]
                ends[segment["depth"] + 1] = segment["from_ns"]
            self.assertEqual(ends[1], longest["to_ns"] if not longest["left_out"] else ends[1])

    def record_chains(self, *command, options=()):
        run, report = record("--wait-chains", *options, "--", *command)
        self.assertEqual(run.returncode, 0)
        self.check_sums(report["chains"])
        self.check_longest(report["chains"])
        self.said, self.report = run.stdout, report
        self.bottlenecks = report.get("bottlenecks")
        return report["chains"]


class ThreeThreads(ChainTest):
    """A waits on a condition variable for B, which waits on a pipe for C, which sleeps."""

    def test_root_cause(self):
        rows = self.record_chains(CHAINS, "1")
        asker = find(rows, kind="wait", name="asker", function="pthread_cond_wait", caller="ask", syscall="futex")
        middle = find(asker["causes"], kind="wait", name="middle", function="read", caller="take_byte", syscall="read")
        sleeper = find(middle["causes"], kind="wait", name="sleeper", function="clock_nanosleep", caller="take_nap")
        (timer,) = sleeper["causes"]
        self.assertEqual((asker["count"], middle["count"], sleeper["count"]), (1, 1, 1))
        self.assertEqual(middle["resource"]["type"], "pipe")
        self.assertEqual(place(asker["resource"]["variable"]).partition("+")[0], "answered")
        self.assertEqual(sleeper["timeout"], {"least_ns": 50 * MS, "most_ns": 50 * MS})
        self.assertEqual(timer["kind"], "timer")
        asked_ns, slept_ns = map(int, self.said.split())
        self.assertEqual(timer["total_ns"], sleeper["total_ns"])
        # It had begun to sleep when it was asked for, and so a little earlier or later than the asker began to wait.
        self.assertGreaterEqual(timer["total_ns"], 25 * MS)
        self.assertLessEqual(sleeper["total_ns"], slept_ns)
        self.assertLessEqual(timer["total_ns"], asker["total_ns"])
        self.assertLessEqual(asker["total_ns"], asked_ns)
        find(asker["causes"], kind="running", name="middle", caller="answer")

    def test_merging(self):
        rows = self.record_chains(CHAINS, "20")
        middle = find(rows, kind="wait", name="middle", caller="take_byte")
        self.assertEqual(middle["count"], 20)
        sleeper = find(middle["causes"], kind="wait", name="sleeper", caller="take_nap")
        self.assertEqual(sleeper["count"], 20)
        self.assertGreaterEqual(sleeper["total_ns"], 19 * 50 * MS)
        # The condition variable has two words that are waited on in turn.
        askers = [row for row in rows if row["name"] == "asker" and place(row["caller"]) == "ask"
                  and place(row["resource"]["variable"]).startswith("answered")]
        self.assertEqual(sum(row["count"] for row in askers), 20)


class Chosen(ChainTest):
    """Waits in some functions, with the first levels of what explains them."""

    def test_functions(self):
        rows = self.record_chains(CHAINS, "5", options=("--func", "take_b*,clock_nanosleep"))
        self.assertEqual({place(row["caller"]) for row in rows}, {"take_byte", "take_nap"})
        middle = find(rows, kind="wait", name="middle", caller="take_byte")
        self.assertEqual(middle["count"], 5)
        find(find(middle["causes"], kind="wait", caller="take_nap")["causes"], kind="timer", name=None)

    def test_levels(self):
        run, report = record("--wait-chains", "--chain-depth", "2", "--", CHAINS, "5")
        self.assertEqual(run.returncode, 0)
        middle = find(report["chains"], kind="wait", name="middle", caller="take_byte")
        sleeper = find(middle["causes"], kind="wait", name="sleeper", caller="take_nap")
        self.assertEqual(sleeper["causes"], [])
        self.assertEqual(sum(row["total_ns"] for row in middle["causes"]), middle["total_ns"])
        self.assertEqual({segment["depth"] for segment in middle["longest"]["segments"]}, {1})


class NestedProcesses(ChainTest):
    """A process sleeps and starts itself again, twice in a row, and these do so too: to the third generation."""

    SCRIPT = textwrap.dedent("""
        import ctypes, os, sys, time
        libc, depth = ctypes.CDLL(None), int(sys.argv[1])
        libc.prctl(15, b"depth%d" % depth)
        time.sleep(0.1)
        for _ in range(2 if depth < 2 else 0):
            pid = os.fork()
            if not pid:
                os.execv(sys.executable, [sys.executable, "-S", "-E", sys.argv[0], str(depth + 1)])
            os.waitpid(pid, 0)
        """)

    def test_waits(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "nested.py")
            with open(script, "w", encoding="ascii") as file:
                file.write(self.SCRIPT)
            rows = self.record_chains(sys.executable, "-S", "-E", script, "0")
        nap = find(rows, kind="wait", name="depth0", syscall="clock_nanosleep")
        self.assertEqual(nap["count"], 1)
        top = find(rows, kind="wait", name="depth0", syscall="wait4")
        self.assertEqual((top["count"], top["resource"]["kind"]), (2, "child"))
        self.assertGreaterEqual(top["total_ns"], 600 * MS)
        child_nap = find(top["causes"], kind="wait", name="depth1", syscall="clock_nanosleep")
        child_wait = find(top["causes"], kind="wait", name="depth1", syscall="wait4")
        self.assertEqual((child_nap["count"], child_wait["count"]), (2, 4))
        self.assertGreaterEqual(child_nap["total_ns"], 200 * MS)
        self.assertGreaterEqual(child_wait["total_ns"], 400 * MS)
        grandchild_nap = find(child_wait["causes"], kind="wait", name="depth2", syscall="clock_nanosleep")
        self.assertEqual(grandchild_nap["count"], 4)
        self.assertEqual([cause["kind"] for cause in grandchild_nap["causes"]], ["timer"])
        # All that is not sleep is what starting an interpreter takes.
        find(top["causes"], kind="running", name="depth1", syscall="exit_group")


class Wakers(ChainTest):
    """A waker sleeps for 50 ms and then ends a wait, each time in another way: the chain goes on with its sleep."""

    def check(self, way, syscall, function):
        rows = self.record_chains(workload("waits"), way)
        wait = find(rows, kind="wait", name="waiter", syscall=syscall, function=function)
        self.assertEqual(wait["count"], 1)
        nap = find(wait["causes"], kind="wait", name="waker", function="nanosleep", caller="pause_for_waiter")
        self.assertEqual([cause["kind"] for cause in nap["causes"]], ["timer"])
        self.assertGreaterEqual(nap["total_ns"], 25 * MS / SLOWNESS)
        find(wait["causes"], kind="running", name="waker")
        return wait

    def test_mutex(self):
        wait = self.check("mutex", "futex", "pthread_mutex_lock")
        self.assertEqual(place(wait["resource"]["variable"]), "lock")

    def test_condition(self):
        self.check("condition", "futex", "pthread_cond_wait")

    def test_join(self):
        wait = self.check("join", "futex", "__pthread_clockjoin_ex")
        find(wait["causes"], kind="running", name="waker", syscall="exit")

    def test_eventfd(self):
        self.assertEqual(self.check("eventfd", "read", "read")["resource"]["type"], "eventfd")

    def test_socketpair(self):
        self.assertEqual(self.check("socketpair", "read", "read")["resource"]["type"], "unix")

    def test_tcp(self):
        """An interrupt wakes, on behalf of who has sent: the chain goes on with the sender."""
        wait = self.check("tcp", "read", "read")
        self.assertEqual(wait["resource"]["socket"]["protocol"], "tcp")

    def test_sleep(self):
        """A sleep ends itself."""
        rows = self.record_chains(workload("waits"), "sleep")
        nap = find(rows, kind="wait", name="waiter", syscall="clock_nanosleep")
        self.assertEqual([cause["kind"] for cause in nap["causes"]], ["timer"])
        self.assertEqual(nap["causes"][0]["total_ns"], nap["total_ns"])


class Workqueue(ChainTest):
    """What is written to a terminal is handed on by a thread of the kernel's, which no thread of the program wakes it by."""
    alone = "the kernel's thread does what others have asked for in between, and then has waited for these"

    def is_explained(self, waits):
        """Whether the waker's pause explains nearly all of the read."""
        sleep = find(waits, kind="wait", name="waker", syscall="clock_nanosleep")
        return sleep["total_ns"] > 0.8 * self.read["total_ns"]

    def test_program(self):
        """Of which the kernel's thread is none."""
        chains = self.record_chains(workload("waits"), "terminal")
        self.read = find(chains, kind="wait", name="waiter", syscall="read", caller="read_some")
        self.assertEqual(sum(cause["kind"] == "work" for cause in self.read["causes"]), 1)
        self.assertEqual(find(self.read["causes"], kind="work")["name"], "waker")
        self.assertTrue(self.is_explained(self.read["causes"]))

    def test_whole_system(self):
        """What the kernel's thread did is told by itself, as is for whom it did that, unless others have kept it busy."""
        self.assertTrue(any(self.record_whole_system() for _ in range(5)))

    def record_whole_system(self):
        with Workload(workload("waits"), "terminal") as program:
            with Tracer("--wait-chains", "--task", "waiter", "--duration", 0.5, "--format", "json") as tracer:
                program.go()
                program.wait()
                report = tracer.finish_json()
        self.read = find(report["chains"], kind="wait", name="waiter", syscall="read", caller="read_some")
        [worker] = [c for c in self.read["causes"] if c["kind"] == "wait" and c["name"].startswith("kworker/")]
        self.assertIn(("running", "flush_to_ldisc"), [(c["kind"], place(c["function"])) for c in self.read["causes"]])
        return self.is_explained(worker["causes"])


class NotTraced(LiveTest):
    def test_how_to_see_further(self):
        """A task that is not traced has ended the wait: its process is named, in the summary and in the chains."""
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as cat:
            with Tracer("--report", "summary,chains", "-p", cat.pid) as tracer:
                time.sleep(0.2)
                cat.stdin.close()
                text = tracer.finish()
        self.assertRegex(text, rf"\(not traced: -p {os.getpid()}\)")
        self.assertRegex(" ".join(text.split()), rf"which is not traced: add -p {os.getpid()}, or trace the whole system")


class Disk(ChainTest):
    """A file's content is written to a disk, which each of the waits for it comes down to."""

    def test_name(self):
        needs_disk(self)
        chains = self.record_chains(workload("waits"), "sync", options=("--report", "chains,blocking,bottlenecks"))
        names = {i["wakeup"]["request"]["name"] for i in self.report["blocking"] if i["wakeup"] and i["wakeup"]["request"]}
        self.assertEqual(len(names), 1)
        causes = [cause for row in waits_in(chains, "fsync") for cause in row["causes"]]
        devices = [cause for cause in causes if cause["kind"] == "device"]
        self.assertEqual(({cause["device"] for cause in devices}, {cause["interrupt"] for cause in devices}), (names, {None}))
        self.assertEqual({group["device"] for group in self.bottlenecks["groups"] if group["kind"] == "device"}, names)


class Producers(ChainTest):
    """A consumer waits for each of the items that a producer makes in 5 ms of sleep."""
    ITEMS = 10

    def check(self, way):
        rows = self.record_chains(workload("producer"), way, self.ITEMS)
        wait = find(rows, kind="wait", name="consumer", function="read", caller="consume", syscall="read")
        self.assertEqual(wait["count"], self.ITEMS)
        nap = find(wait["causes"], kind="wait", name="producer", function="nanosleep", caller="produce")
        self.assertEqual(nap["count"], self.ITEMS)
        self.assertEqual([cause["kind"] for cause in nap["causes"]], ["timer"])
        # The first one may have begun before it was waited for.
        self.assertGreaterEqual(nap["total_ns"], (self.ITEMS - 1) * 5 * MS)
        find(wait["causes"], kind="running", name="producer", function="write", syscall="write")
        return wait

    def test_eventfd(self):
        self.assertEqual(self.check("eventfd")["resource"]["type"], "eventfd")

    def test_socketpair(self):
        self.assertEqual(self.check("socketpair")["resource"]["type"], "unix")

    def test_tcp(self):
        self.assertEqual(self.check("tcp")["resource"]["socket"]["protocol"], "tcp")


class Broadcast(ChainTest):
    """Threads wait on a condition variable until one that has slept tells all of them at once."""

    def test_waker(self):
        rows = self.record_chains(workload("broadcast"), "8")
        wait = find(rows, kind="wait", name="waiter", function="pthread_cond_wait", caller="wait_condition")
        self.assertEqual(wait["count"], 8)
        nap = find(wait["causes"], kind="wait", name="waker", function="usleep", caller="main")
        self.assertEqual([cause["kind"] for cause in nap["causes"]], ["timer"])
        self.assertGreaterEqual(nap["total_ns"], 8 * 15 * MS)
        find(wait["causes"], kind="running", name="waker", function="pthread_cond_broadcast")


class Pool(ChainTest):
    """Four workers take jobs from one queue: 3 ms with its lock to take one, and 1 ms for the job."""

    def naps_ns(self, rows):
        return sum(row["total_ns"] if place(row["caller"]) == "look_up" else self.naps_ns(row["causes"])
                   for row in rows)

    def delays_ns(self, rows):
        return sum(row["total_ns"] if row["kind"] == "runnable" else self.delays_ns(row["causes"]) for row in rows)

    def test_queue(self):
        rows = self.record_chains(workload("pool"), "4", "40", options=("--bottlenecks",))
        waits = [row for row in rows if row["kind"] == "wait" and place(row["caller"]) == "take_job"]
        locked_ns = 0
        for wait in waits:
            self.assertEqual((place(wait["resource"]["variable"]), place(wait["function"])),
                             ("queue", "pthread_mutex_lock"))
            self.assertEqual(wait["idle_ns"], 0)
            locked_ns += wait["total_ns"]
        # Three of the four wait for the lock nearly all the time, that they do no job.
        self.assertGreaterEqual(locked_ns, 40 * 3 * MS)
        self.assertGreaterEqual(self.naps_ns(waits), 0.9 * (locked_ns - self.delays_ns(waits)))
        groups, events = (self.bottlenecks[part] for part in ("groups", "events"))
        self.assertEqual(groups[0]["kind"], "timer")
        worst = next(event for event in events if groups[event["ender"]]["kind"] == "threads")
        self.assertEqual((groups[worst["waiter"]]["name"], groups[worst["ender"]]["name"]), ("worker-#", "worker-#"))
        self.assertEqual((place(worst["function"]), place(worst["caller"])), ("pthread_mutex_lock", "take_job"))
        # One wait may have been ended by another group than the rest: its event is one of its own.
        of_lock = [event["own_ns"] for event in events
                   if (place(event["function"]), place(event["caller"])) == ("pthread_mutex_lock", "take_job")]
        self.assertEqual(sum(of_lock), locked_ns)
        self.assertGreaterEqual(worst["own_ns"], 0.95 * locked_ns)


class Inversion(ChainTest):
    """One waits for a lock whose holder is ready to go on, but a third has its CPU."""

    def test_culprit(self):
        rows = self.record_chains(workload("inversion"))
        wait = find(rows, kind="wait", name="high", function="pthread_mutex_lock", caller="main")
        self.assertEqual(place(wait["resource"]["variable"]), "lock")
        delays = {cause["cpu_had_by"]: cause["total_ns"] for cause in wait["causes"] if cause["kind"] == "runnable"}
        # Its 5 x 40 ms of CPU time, and that of others, who may have had it longer at a stretch, but hardly each time.
        self.assertGreaterEqual(sum(delays.values()), 180 * MS)
        self.assertGreater(delays.get("medium", 0), 0)
        find(wait["causes"], kind="running", name="low")


class Convoy(ChainTest):
    """Four threads want one lock at once, and each sleeps for 10 ms while it has it."""

    def test_holders(self):
        rows = self.record_chains(workload("convoy"), "4", "5", "10")
        wait = find(rows, kind="wait", name="member", function="pthread_mutex_lock")
        self.assertEqual((wait["count"], place(wait["resource"]["variable"])), (15, "lock"))
        # The second waits for the first one's sleep, and the third for the second's wait, and so on.
        nap = find(wait["causes"], kind="wait", name="member", caller="hold")
        again = find(wait["causes"], kind="wait", name="member", function="pthread_mutex_lock")
        third = find(again["causes"], kind="wait", name="member", function="pthread_mutex_lock")
        self.assertEqual((nap["count"], again["count"], third["count"]), (15, 10, 5))
        find(third["causes"], kind="wait", name="member", caller="hold")


class Offers(ChainTest):
    """Waits for work that nobody offers are told apart from those that delay something."""

    def test_idle(self):
        rows = self.record_chains(workload("offers"))
        poll = find(rows, kind="wait", name="dispatcher", syscall="poll", caller="wait_for_client")
        self.assertEqual((poll["count"], poll["side"]), (3, "server"))
        self.assertEqual(poll["idle_ns"], sum(row["total_ns"] for row in poll["causes"] if row["kind"] == "timer"))
        self.assertGreaterEqual(poll["idle_ns"], 170 * MS)
        # The worker waits for as long as that, but for the time that its jobs take.
        takes = [row for row in rows if row["name"] == "worker" and place(row["caller"]) == "take_job"]
        self.assertGreaterEqual(sum(row["idle_ns"] for row in takes), 100 * MS)
        # All that keeps a lock delays those that wait for it.
        locked = find(rows, kind="wait", name="locked", function="pthread_mutex_lock")
        self.assertGreaterEqual(locked["total_ns"], 150 * MS)
        self.assertEqual(locked["idle_ns"], 0)
        below = find(locked["causes"], kind="wait", name="dispatcher", syscall="poll")
        self.assertEqual(below["idle_ns"], 0)
        # Nobody waits for the one that sleeps because it has asked to.
        nap = find(rows, kind="wait", name="worker", caller="do_job")
        self.assertEqual(nap["idle_ns"], nap["total_ns"])
        # Idle ones stand behind those that delay more.
        self.assertLess(rows.index(locked), rows.index(poll))
        delaying = [row["total_ns"] - row["idle_ns"] for row in rows]
        self.assertEqual(delaying, sorted(delaying, reverse=True))

    def test_counting_it(self):
        rows = self.record_chains(workload("offers"), options=("--count-idle",))
        self.assertEqual({row["idle_ns"] for row in rows}, {0})
        totals = [row["total_ns"] for row in rows]
        self.assertEqual(totals, sorted(totals, reverse=True))


class LongRecording(ChainTest):
    """Chains are made while it is recorded: no wait is lost by that, and none is there twice."""

    def test_sums(self):
        cpu = str(max(os.sched_getaffinity(0)))
        run, report = record("--wait-chains", "--report", "threads,waits", "--history", "0.5", "--", "taskset", "-c", cpu,
                             "perf", "bench", "sched", "pipe", "-l", "300000")
        self.assertEqual(run.returncode, 0)
        self.check_sums(report["chains"])
        chains, waits = report["chains"], report["waits"]
        blocked = [row for row in chains if row["kind"] == "wait"]
        self.assertGreaterEqual(sum(row["count"] for row in blocked), 290_000)
        self.assertEqual(sum(row["count"] for row in blocked), sum(row["waits"] for row in waits))
        self.assertEqual(sum(row["total_ns"] for row in blocked), sum(row["blocked_ns"] for row in waits))
        delays = [row for row in chains if row["kind"] in ("runnable", "CPU quota")]
        runnable_ns = sum(thread["runnable_ns"] for thread in report["threads"])
        self.assertAlmostEqual(sum(row["total_ns"] for row in delays) / runnable_ns, 1, delta=0.01)
        # Of two that take turns, each is explained by the other.
        turns = find(chains, kind="wait", name="sched-pipe")
        find(turns["causes"], kind="running", name="sched-pipe")


class Folded(LiveTest):
    """Wait-for stacks: from the frames of the thread that waits on to those of the ones that it waits for."""

    def test_three_threads(self):
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
            scaler("--wait-chains", "--folded", "-o", file.name, "--", CHAINS, "5")
            lines = file.read().splitlines()
        wanted = ["asker", "chains`main", "chains`ask", "libc.so.6`pthread_cond_wait", "futex_[k]", "--",
                  "middle", "chains`middle", "chains`take_byte", "libc.so.6`read", "read_[k]", "--",
                  "sleeper", "chains`take_nap", "clock_nanosleep_[k]", "--", "[timer]"]
        naps_ns = 0
        for line in lines:
            stack, _, time_ns = line.rpartition(" ")
            frames = iter(stack.split(";"))
            if all(frame in frames for frame in wanted) and not list(frames):
                naps_ns += int(time_ns)
        self.assertGreaterEqual(naps_ns, 5 * 25 * MS)

    def test_bad_words(self):
        for words in (["--bottlenecks"], ["--wait-chains", "--blocking-report"], ["--critical-path", "1"]):
            run = scaler("--folded", *words, "--", "true")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("give --wait-chains and no other report", run.stderr)
