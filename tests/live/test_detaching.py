"""
Taking out probes while a call is open whose return is probed, and its thread goes on making others: the kernel would
wait for all of that call to be over. Untraced, the calls here take seconds, and with a probe on each a quarter of an hour.
"""
import subprocess
import unittest

from harness import LIMIT_S, LIMITED, ProbingTest, Tracer, record, state, wait_for, workload
from test_library_calls import rows

LIBRARIES = ("--lib", "libreturns_*")
MANY = 1_000_000_000


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


class OpenCalls(ProbingTest):
    def test_over_budget(self):
        """Functions of several libraries at different times, all within one call."""
        rows_of_table = 1_500_000
        run, report = record("--", "sqlite3", ":memory:",
                             "create table t(a); with recursive c(x) as (select 1 union all select x + 1 from c "
                             f"where x < {rows_of_table}) insert into t select x from c; select count(*) from t")
        self.assertEqual((run.returncode, run.stdout), (0, f"{rows_of_table}\n"))
        found = {symbol: row for (symbol, _), row in rows(report).items()}
        hot, outer = found["malloc"], found["sqlite3_step"]
        self.assertTrue(hot["unhooked_ns"] and hot["calls"] < rows_of_table / 10, hot["calls"])
        # What is called seldom goes last, if at all: where probes are dear.
        self.assertTrue(not outer["unhooked_ns"] or outer["unhooked_ns"] >= hot["unhooked_ns"], outer)

    def test_end_of_recording(self):
        run, report = record("--duration", 0.5, "--overhead", "none", *LIBRARIES, "--", workload("returns"), "many", MANY)
        self.assertEqual((run.returncode, run.stdout), (0, "done\n"))
        many = rows(report)["second_many", None]
        self.assertEqual((many["calls"], many["partial"]), (1, 1))

    def test_killed(self):
        tracer = self.enterContext(
            Tracer("--overhead", "none", *LIBRARIES, "--", workload("returns"), "many", MANY))
        pid = wait_for(tracer.command)
        self.addCleanup(subprocess.run, [*LIMITED, "kill", "-9", str(pid)], stderr=subprocess.DEVNULL, check=False)
        wait_for(lambda: cpu_ticks(pid) > 20)
        tracer.process.kill()
        tracer.process.wait(LIMIT_S / 2)
        wait_for(lambda: state(pid) in ("", "Z"))


if __name__ == "__main__":
    unittest.main()
