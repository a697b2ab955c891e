"""Time namespaces, whose clocks count from another moment: of the tracer and of what it traces."""
from harness import LiveTest, record, workload

ROUNDS = 3
# Called with the moment when they end: the machine's clock would make it a day, or no time at all.
MOMENTS = ["clock_nanosleep"] * 3 + ["futex"]


def uptime_s():
    with open("/proc/uptime", encoding="ascii") as file:
        return float(file.read().split()[0])


def inside(monotonic_s, boottime_s):
    return ["unshare", "--time", "--monotonic", str(monotonic_s), "--boottime", str(boottime_s), "--fork"]


class TimeNamespaces(LiveTest):
    # Its clocks cannot be set to before their beginning.
    OFFSETS = ((86400, 700), (int(-uptime_s() / 2), int(-uptime_s() / 3)))

    def check(self, *command, **options):
        run, report = record("--report", "blocking,threads", "--", *command, workload("moments"), ROUNDS, **options)
        self.assertEqual(run.returncode, 0, run.stderr)
        # Outside of calls it may wait for a page of its file.
        waits = [interval for interval in report["blocking"] if interval["name"] == "moments" and interval["syscall"]]
        self.assertEqual([interval["syscall"]["name"] for interval in waits], (MOMENTS + ["read"]) * ROUNDS)
        for interval in waits:
            self.assertTrue(15e6 < interval["blocked_ns"] < 300e6, interval)
            if interval["syscall"]["name"] != "read":
                self.assertTrue(0 < interval["resource"]["timeout_ns"] <= 20e6, interval)
        [thread] = [thread for thread in report["threads"] if thread["name"] == "moments"]
        self.assertGreaterEqual(thread["blocked_ns"], ROUNDS * 5 * 19e6)
        return report

    def test_target_inside(self):
        for offsets in self.OFFSETS:
            self.check(*inside(*offsets))

    def test_tracer_inside(self):
        for offsets in self.OFFSETS:
            recording = self.check(within=inside(*offsets))["recording"]
            self.assertTrue(ROUNDS * .1e9 < recording["end_ns"] - recording["start_ns"] < 20e9, recording)
            self.assertLess(recording["end_ns"], uptime_s() * 1e9)
