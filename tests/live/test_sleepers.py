"""Calls that threads were in before the recording and after it: placed from outside, while the threads sleep."""
import glob

from folded_stacks import parse_folded
from harness import LiveTest, Tracer, Workload, record, record_each, state, wait_for, workload

SLEEPERS = workload("sleepers")
LIBRARIES = ("libchain_outer.so`outer_call", "libchain_middle.so`middle_call", "libchain_inner.so`inner_call")
THREAD = ("libc.so.6`clone3", "libc.so.6`start_thread", "sleepers`run_thread")
READ = ("libc.so.6`__libc_start_main", "libc.so.6`__libc_start_call_main", "sleepers`main", "libc.so.6`read")


def own_frames(frames, first):
    """Without those of libc that surround the sleep."""
    return frames[:next((i for i in range(first, len(frames)) if frames[i].startswith("libc.so.6")), None)]


class AsleepAllTheTime(LiveTest):
    def start(self, threads):
        program = Workload(SLEEPERS, "wait", threads)
        tasks = wait_for(lambda: self.all_asleep(program.child, threads + 1))
        self.assertEqual(len(tasks), threads + 1)
        return program

    @staticmethod
    def all_asleep(pid, count):
        tasks = glob.glob(f"/proc/{pid}/task/*")
        return tasks if len(tasks) == count and all(state(path[6:]) == "S" for path in tasks) else None

    def test_stacks(self):
        with self.start(200) as program:
            with Tracer("-p", program.child, "--duration", 0.2, "--folded", "--sort", "calls") as tracer:
                stacks = parse_folded(tracer.finish())
        self.assertEqual({call: count for (call, _), count in stacks.items()}, {"clock_nanosleep": 200, "read": 1})
        for call, frames in stacks:
            if call == "read":
                self.assertEqual(frames[-4:], READ)
            else:
                self.assertEqual(own_frames(frames, 2), (*THREAD, *LIBRARIES, "sleepers`nap"))

    def test_components_of_each_interval(self):
        with self.start(5) as program:
            run, reports = record_each(0.1, "-p", program.child, "--duration", 0.25, "--no-samples")
        self.assertEqual((run.returncode, len(reports)), (0, 3), run.stderr)
        for report in reports:
            self.assertEqual([(row["name"], row["calls"]) for row in report["components"]],
                             [("sleepers", 6), (None, 0)])

    def test_sites_without_stacks(self):
        with self.start(5) as program:
            _, report = record("-p", program.child, "--duration", 0.1, "--depth", 0)
        self.assertEqual({row["name"]: row["issuer"]["component"] for row in report["syscalls"]},
                         {"clock_nanosleep": "libc.so.6", "read": "libc.so.6"})


class AwakeNowAndThen(LiveTest):
    """What a thread sleeps in when it is looked at is what it slept in when the recording ended, or is not told."""

    def test_no_stack_is_of_another_call(self):
        seen = 0
        with Workload(SLEEPERS, "turns", 50) as program:
            for _ in range(10):
                with Tracer("-p", program.child, "--duration", 0.002, "--folded", "--sort", "calls") as tracer:
                    stacks = parse_folded(tracer.finish())
                for call, frames in stacks:
                    if call == "read" or frames[0].startswith("[cut: "):
                        continue
                    chain = (*LIBRARIES, "sleepers`nap") if call == "clock_nanosleep" else ("sleepers`doze",)
                    self.assertEqual(own_frames(frames, 2), (*THREAD, *chain), call)
                    seen += 1
        self.assertGreater(seen, 5)
