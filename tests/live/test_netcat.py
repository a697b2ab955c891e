"""A client and a server of netcat, over a network that takes 100 ms each way: what each waited for, for how long."""
import shutil
import subprocess
import tempfile

from harness import LIMITED, LiveTest, SLOWNESS, parse_report, scaler

DELAY_NS = 100_000_000
# The server listens before the client is started; what comes from it comes after three ways: to, fro, and to.
SCRIPT = """set -e
ip link set lo up
tc qdisc add dev lo root netem delay 100ms
echo answer | nc -n -N -l 127.0.0.1 5000 &
until ss -ltn | grep -q :5000; do :; done
echo question | nc -n -N 127.0.0.1 5000
wait
"""


class Netcat(LiveTest):
    def trace(self, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
            script.write(SCRIPT)
            script.flush()
            return scaler("--blocking-report", "--task", "nc", *options, "--", "unshare", "--net", "sh", script.name)

    def setUp(self):
        for tool in ("ip", "tc", "ss", "unshare", "nc"):
            if not shutil.which(tool):
                self.skipTest(f"there is no {tool} here")
        add = "ip link set lo up && tc qdisc add dev lo root netem delay 1ms"
        if subprocess.run([*LIMITED, "unshare", "--net", "sh", "-c", add], check=False, capture_output=True).returncode:
            self.skipTest("this kernel has no netem")

    def check_about(self, wait, ways):
        """That it lasted so many ways through the network."""
        self.assertGreater(wait["blocked_ns"], (ways - 0.1) * DELAY_NS)
        self.assertLess(wait["blocked_ns"], (ways + 0.1 * SLOWNESS) * DELAY_NS)

    def test_two_programs(self):
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as report:
            run = self.trace("--format", "json", "-o", report.name)
            waits = [w for w in parse_report(report.read())["blocking"] if w["syscall"]]
        self.assertEqual((run.returncode, sorted(run.stdout.split())), (0, ["answer", "question"]), run.stderr)
        [server] = {w["tid"] for w in waits if w["syscall"]["name"].startswith("accept")}
        [client] = {w["tid"] for w in waits if w["tid"] != server}
        print(self.trace().stderr)

        def waits_of(tid, *calls):
            return [w for w in waits if w["tid"] == tid and w["syscall"]["name"] in calls]

        [accepting] = waits_of(server, "accept", "accept4")
        # Before it connects it may wait for files that it reads, and after it for what it is to ask.
        [connecting] = [w for w in waits_of(client, "connect", "pselect6") if w["wakeup"]["context"] == "softirq"]
        asking = max(waits_of(client, "poll"), key=lambda wait: wait["blocked_ns"])
        # It had been waiting for a client to come, too.
        self.check_about({"blocked_ns": accepting["woken_ns"] - connecting["start_ns"]}, 3)
        self.check_about(connecting, 2)
        self.check_about(asking, 2)
        for wait, cause in ((accepting, client), (connecting, None), (asking, server)):
            wakeup = wait["wakeup"]
            self.assertEqual(wakeup["context"], "softirq")
            self.assertIn(wakeup["interrupt"], ("NET_RX", "TIMER"))
            if wait is not connecting: # which the other end's kernel answers
                self.assertEqual(wakeup["task"]["tid"], cause, wakeup)
