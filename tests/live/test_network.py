"""Waits for the network: woken by an interrupt, and attributed to the task on this host that has sent."""
import collections
import shutil
import tempfile

from harness import LiveTest, record, workload
from known_waits import by, text

SENDS = ("sendto", "sendto", "send_all")


class Peers(LiveTest):
    def test_two_clients(self):
        """A server waits for both at once; each of its waits is ended by the one whose connection became ready."""
        ROUNDS = 5
        run, report = record("--blocking-report", "--", workload("clients"), 2, ROUNDS)
        clients = {f"[::1]:{port}": name for name, port in (line.split() for line in run.stdout.splitlines())}
        self.assertEqual(len(clients), 2)
        waits = [i for i in report["blocking"] if i["name"] == "server" and (i["syscall"] or {}).get("name") == "epoll_wait"]
        for wait in waits:
            wakeup = wait["wakeup"]
            self.assertEqual((wakeup["context"], wakeup["interrupt"]), ("softirq", "NET_RX"))
            self.assertEqual(wakeup["task"]["name"], clients[wait["resource"]["socket"]["remote"]])
            self.assertEqual(by(wakeup, "clients"), ("write", "write", "run_client"))
            self.assertLessEqual(wakeup["sent_ns"], wait["woken_ns"])
        counts = collections.Counter(wait["wakeup"]["task"]["name"] for wait in waits)
        # A busy machine can bring two of them at once.
        self.assertTrue(all(ROUNDS - 2 <= counts[name] <= ROUNDS for name in clients.values()), counts)

    def test_connecting(self):
        """An accept waits for whoever connects."""
        _, report = record("--blocking-report", "--", workload("clients"), 2, 1)
        waits = [i for i in report["blocking"] if i["name"] == "server" and (i["syscall"] or {}).get("name") == "accept"]
        self.assertTrue(waits)
        for wait in waits:
            self.assertEqual(by(wait["wakeup"], "clients"), ("connect", "connect", "run_client"))

    def delayed(self, command):
        """Datagrams over a device that lets one through each 51 ms: in a network of their own."""
        for tool in ("ip", "tc", "unshare"):
            if not shutil.which(tool):
                self.skipTest(f"there is no {tool} here")
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
            script.write(f"set -e\nip link set lo up\ntc qdisc add dev lo root tbf {command}\n"
                         f"exec {workload('datagrams')} 5 1400\n")
            script.flush()
            run, report = record("--blocking-report", "--", "unshare", "--net", "sh", script.name)
        self.assertEqual(run.returncode, 0, run.stderr)
        return [i for i in report["blocking"] if i["name"] == "waiter" and text(i["function"]) == "libc.so.6:recv"]

    def test_delay(self):
        """Nobody who runs when a delayed packet comes has sent it."""
        waits = self.delayed("rate 224kbit burst 1600 limit 1000000")
        self.assertGreaterEqual(len(waits), 4)
        for wait in waits:
            wakeup = wait["wakeup"]
            self.assertEqual((wakeup["context"], wakeup["task"]["name"], by(wakeup, "datagrams")),
                             ("softirq", "sender", SENDS))
        last = waits[-1]
        self.assertLess(last["wakeup"]["sent_ns"], last["start_ns"])
        self.assertGreater(last["woken_ns"] - last["wakeup"]["sent_ns"], 150_000_000)
