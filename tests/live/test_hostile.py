"""What an unprivileged process can do to who traces it: the tracer ends in time, with all of everybody else, and in bounds."""
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from compiling import compile_with
from harness import LIMITED, SCALER, LiveTest, Tracer, Workload, children, comm, parse_report, state, wait_for, workload
from test_sites import issuers
from watching import Opens

WORKLOADS = pathlib.Path(__file__).resolve().parents[1] / "workloads"
NOBODY, COUNT, LONG = 65534, 50, 4096
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
IN_A_CONTAINER = ("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc")
MEMORY_KIB, SECONDS = 200 << 10, 10
# Runs a command and writes the most memory that one of its processes had, in KiB.
MEASURE = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[2:], close_fds=False); "
           "open(sys.argv[1], 'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)); sys.exit(status)")


def library_names(names):
    return {f"lib{kind}.so": name for kind, name in names.items()}


# What each of its libraries' function is called in reports; None: it has no name any more.
NAMES = library_names({"truncated": None, "became_fifo": "first_call", "became_device": "first_call", "long_common": "first_call",
                       "many_descriptions": "first_call", "long_names": "first_call",
                       "\x1b[2J\x1b]0;escape\x07": "first_call"})
ATTACKS = {(library, name): COUNT for library, name in NAMES.items()}
# And of its generated code; the map of one that has ended in a container is found by nobody.
GENERATED = {False: {("[jit]", f"{LONG} g"): COUNT}, True: {("[anonymous code]", None): COUNT}}


def for_everybody(test, name):
    """A copy of that program, where every user may read it, whatever folder the tests are in."""
    folder = test.enterContext(tempfile.TemporaryDirectory())
    os.chmod(folder, 0o755)
    return shutil.copy(WORKLOADS / "sources" / name, folder)


def short(name):
    """Of a long one of one letter how often, and the letter."""
    return f"{len(name)} {name[0]}" if name and len(name) > 100 and len(set(name)) == 1 else name


def running(pid, name):
    """The last of the processes below that one, once it has that name, and waits."""
    while children(pid):
        pid = children(pid)[0]
    return pid if comm(pid) == name and state(pid) == "S" else None


class Hostile(LiveTest):
    """One program with all attacks, and one that has nothing to do with it, under one tracer."""
    alone = "it is looked at how long the tracer takes"

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.program = for_everybody(self, "hostile.py")
        self.library = compile_with(self, "gcc", "-O2", "-shared", "-fPIC", "-Wl,--build-id=none", "-DSITE_NAME=first_call",
                                    WORKLOADS / "site_library.c", "-o", "{}")
        os.chmod(os.path.dirname(self.library), 0o755)
        os.chown(self.folder, NOBODY, NOBODY)
        os.mkfifo(f"{self.folder}/fifo", 0o666)
        os.mknod(f"{self.folder}/device", 0o666 | stat.S_IFCHR, os.makedev(1, 7))

    def tearDown(self):
        for path in pathlib.Path("/tmp").glob("perf-*.map"):
            if path.lstat().st_uid == NOBODY:
                path.unlink()

    def start(self, *words, **options):
        process = subprocess.Popen([*LIMITED, *map(str, words)], stdin=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def attacker(self, container):
        return [*AS_NOBODY, *container, "/usr/bin/python3", self.program, self.library, self.folder, COUNT]

    def harmless(self):
        """A program that waits for a byte, has its library call, and waits for the end of its input."""
        library = os.path.join(os.path.dirname(self.library), "libharmless.so")
        shutil.copy(self.library, library)
        return self.start(workload("sites"), "hold", COUNT, library, "first_call")

    def trace(self, *arguments, **options):
        """A tracer, and what is readable once it records."""
        ready, theirs = os.pipe()
        tracer = self.start(sys.executable, "-c", MEASURE, f"{self.folder}/memory", SCALER, "--overhead", "none", "--format", "json",
                            "-o", f"{self.folder}/report", "--report", "syscalls,functions,cpu,tree", "--ready-fd", theirs,
                            *arguments, pass_fds=[theirs], stderr=subprocess.PIPE, **options)
        os.close(theirs)
        self.assertEqual(os.read(ready, 1), b"\0")
        os.close(ready)
        return tracer

    def step(self, process, line):
        """The attacker has done that, and may go on."""
        self.assertEqual(process.stdout.readline(), f"{line}\n")
        process.stdin.write("\n")
        process.stdin.flush()

    def finish(self, tracer, expected):
        """The tracer writes its report, of which this is a part, in time and within its memory."""
        begun = time.monotonic()
        _, err = tracer.communicate()
        self.assertEqual((tracer.returncode, "\x1b" in err), (0, False), err)
        self.assertLess(time.monotonic() - begun, SECONDS)
        report = parse_report(pathlib.Path(self.folder, "report").read_text(encoding="utf-8"))
        found = {(component, short(name)): count for (component, name), count in issuers(report, "getppid").items()}
        self.assertEqual({key: found.get(key) for key in expected}, expected, found)
        self.assertIn(("liblong_names.so", f"{LONG} n"), [(component, short(name)) for component, name in issuers(report, "getuid")])
        self.assertLess(int(pathlib.Path(self.folder, "memory").read_text(encoding="ascii")), MEMORY_KIB)

    def attack(self, container, *arguments):
        """Of an attacker that the tracer finds, by these arguments or by its number, and of a harmless program."""
        attacker, harmless = self.start(*self.attacker(container), stdout=subprocess.PIPE), self.harmless()
        pids = [wait_for(lambda: running(attacker.pid, "python3")), wait_for(lambda: running(harmless.pid, "sites"))]
        with Opens(f"{self.folder}/fifo", f"{self.folder}/device") as opens:
            tracer = self.trace(*(arguments or ("-p", ",".join(map(str, pids)))))
            self.step(attacker, "ready")
            self.step(attacker, "called")
            self.assertEqual(attacker.stdout.readline(), "changed\n")
            harmless.communicate("xx")
            attacker.communicate()
            self.finish(tracer, {**ATTACKS, **GENERATED[bool(container)], ("libharmless.so", "first_call"): COUNT})
            self.assertEqual(opens.counts(), {})
        self.assertEqual((attacker.returncode, harmless.returncode), (0, 0))

    def test_process(self):
        self.attack(())

    def test_process_in_a_container(self):
        self.attack(IN_A_CONTAINER)

    def test_whole_system(self):
        self.attack((), "--duration", 3)

    def test_whole_system_with_a_container(self):
        self.attack(IN_A_CONTAINER, "--duration", 3)

    def attack_as_command(self, container):
        with Opens(f"{self.folder}/fifo", f"{self.folder}/device") as opens:
            tracer = self.trace("--", *self.attacker(container), stdout=subprocess.PIPE)
            for line in ("ready", "called"):
                self.step(tracer, line)
            self.assertEqual(tracer.stdout.readline(), "changed\n")
            self.finish(tracer, {**ATTACKS, **GENERATED[bool(container)]})
            self.assertEqual(opens.counts(), {})

    def test_command(self):
        self.attack_as_command(())

    def test_command_in_a_container(self):
        self.attack_as_command(IN_A_CONTAINER)


class Shares(LiveTest):
    """What all share is not one program's: another runs its library once there is no more room for files of the first."""
    ROOM = 1000

    def record(self, processes, *words):
        library = compile_with(self, "gcc", "-O2", "-shared", "-fPIC", "-DSITE_NAME=first_call", WORKLOADS / "site_library.c", "-o",
                               "{}")
        program = for_everybody(self, "many_files.py")
        with Workload(*words, "/usr/bin/python3", program, processes, self.ROOM) as attacker, \
                Tracer("--map-size", f"components={self.ROOM}", "--format", "json", "--report", "syscalls", "--syscalls", "getppid",
                       "--overhead", "none") as tracer:
            for line in ("ready", "called"):
                self.assertEqual(attacker.stdout.readline(), f"{line}\n")
                attacker.stdin.write("\n")
                attacker.stdin.flush()
            harmless = subprocess.run([*LIMITED, workload("sites"), "hold", str(COUNT), library, "first_call"], input="xx", text=True,
                                      check=False)
            tracer.process.send_signal(signal.SIGINT)
            report = tracer.finish_json()
        self.assertEqual(harmless.returncode, 0)
        found = issuers(report, "getppid")
        self.assertEqual(found.get(("compiled", "first_call")), COUNT)
        self.assertGreater(report["coverage"]["components_unknown"], 0)

    def test_process(self):
        """Of the same user as the other."""
        self.record(1)

    def test_user(self):
        self.record(4, *AS_NOBODY)

    def test_user_of_a_container(self):
        """In which it is root."""
        self.record(4, *AS_NOBODY, *IN_A_CONTAINER)


if __name__ == "__main__":
    import unittest
    unittest.main()


class Rights(LiveTest):
    """What a tracer that is made to do something could do: no more than tracing takes."""
    # By their numbers: include/uapi/linux/capability.h.
    KEPT = {"dac_override": 1, "dac_read_search": 2, "kill": 5, "setgid": 6, "setuid": 7, "sys_ptrace": 19, "sys_admin": 21, "sys_nice": 23,
            "sys_resource": 24, "syslog": 34, "perfmon": 38, "bpf": 39, "checkpoint_restore": 40}

    def test_capabilities(self):
        allowed = sum(1 << number for number in self.KEPT.values())
        with Workload(workload("sites"), "hold", COUNT, workload("libfirst.so"), "first_call") as program, \
                Tracer("-p", program.child, "--calls", "exports", "--lib", "libfirst.so") as tracer:
            threads = list(pathlib.Path(f"/proc/{tracer.process.pid}/task").iterdir())
            self.assertGreater(len(threads), 2)
            for thread in threads:
                status = dict(line.split(":\t") for line in (thread / "status").read_text(encoding="ascii").splitlines())
                for kind in ("CapPrm", "CapEff"):
                    self.assertEqual(int(status[kind], 16) & ~allowed, 0, (comm(thread.name), kind, status[kind]))

    def dumps_core(self, *words):
        """Whether a program that says that it is ready, and is ended by a fault then, leaves its memory in a file."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        ready, theirs = os.pipe()
        words = ("sh", "-c", 'ulimit -c unlimited && cd "$0" && exec "$@"', folder, *(word.format(ready=theirs) for word in words))
        pid = subprocess.Popen(words, pass_fds=[theirs], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid
        os.close(theirs)
        self.assertTrue(os.read(ready, 1))
        os.close(ready)
        os.kill(pid, signal.SIGSEGV)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.WTERMSIG(status), signal.SIGSEGV)
        return os.WCOREDUMP(status)

    def test_core_files(self):
        self.assertTrue(self.dumps_core("python3", "-c", "import os, time; os.write({ready}, b'x'); time.sleep(100)"))
        with Workload(workload("sleepers"), "turns", 20) as program:
            self.assertFalse(self.dumps_core(str(SCALER), "-p", str(program.child), "--ready-fd", "{ready}"))
