"""What a process can do that is confined as the tracer's parser, and what becomes of a recording when it is attacked."""
import collections
import os
import signal
import subprocess
import time
import unittest

from folded_stacks import parse_folded
from harness import LIMITED, LiveTest, Tracer, Workload, comm, workload

AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
KILLS = ("open", "connect", "trace", "execute", "fork", "kill", "write", "map_file", "make_code", "load_program")


class Confined(LiveTest):
    """Started by root, and by who has no rights to give up."""

    def run_way(self, way):
        statuses = {subprocess.run([*LIMITED, *user, workload("parser_confined"), way], check=False, stdout=subprocess.PIPE).returncode
                    for user in ((), AS_NOBODY)}
        self.assertEqual(len(statuses), 1, (way, statuses))
        return statuses.pop()

    def test_what_it_can(self):
        for way in ("read", "grow"):
            self.assertEqual(self.run_way(way), 0, way)

    def test_what_ends_it(self):
        for way in KILLS:
            # As timeout(1) has it: it ends as the command did.
            self.assertIn(self.run_way(way), (-signal.SIGSYS, 128 + signal.SIGSYS), way)

    def test_its_memory_has_an_end(self):
        self.assertEqual(self.run_way("grow_on"), 1)

# Runs on in its libraries while it calls.
CALLS = 300
TARGET = f"""
import os
os.read(0, 1)
for i in range({CALLS}):
    os.getppid()
    sum(range(20000))
"""


def parsers(tracer):
    """PIDs; each is a child of the thread that needed it."""
    found = []
    for thread in os.listdir(f"/proc/{tracer}/task"):
        with open(f"/proc/{tracer}/task/{thread}/children", encoding="ascii") as file:
            found += [pid for pid in map(int, file.read().split()) if comm(pid) == "scaler-parser"]
    return found


class Attacked(LiveTest):
    """Whatever becomes of that process, the recording ends, and its report has what is known without it."""

    def trace(self, attack):
        """({outermost frame: calls}, seconds until the report was there)"""
        with Workload("/usr/bin/python3", "-c", TARGET) as target:
            with Tracer("-p", target.child, "--folded", "--sort", "calls", "--overhead", "none") as tracer:
                found = parsers(tracer.process.pid)
                self.assertTrue(found)
                for parser in found:
                    os.kill(parser, attack)
                target.go()
                begun = time.monotonic()
                stacks = parse_folded(tracer.finish())
                seconds = time.monotonic() - begun
        calls = collections.Counter()
        for (call, frames), count in stacks.items():
            if call == "getppid":
                self.assertEqual(frames[-1], "libc.so.6`getppid")
                calls[frames[0]] += count
        self.assertEqual(sum(calls.values()), CALLS)
        return calls, seconds

    def test_killed(self):
        """It is started again."""
        calls, _ = self.trace(signal.SIGKILL)
        self.assertEqual(set(calls), {"python3.11`_start"})

    def test_stopped(self):
        """It is given up after 10 s, with one file's rules."""
        _, seconds = self.trace(signal.SIGSTOP)
        self.assertLess(seconds, 30)


if __name__ == "__main__":
    unittest.main()
