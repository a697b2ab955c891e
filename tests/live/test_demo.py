"""The demonstration: what its server and clients do, by construction, is what the report has; and it runs."""
import collections
import pathlib
import subprocess
import unittest

from harness import BUILD, LIMIT_S, LiveTest, record, workload

DEMO = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "demo"
CLIENTS, REQUESTS = 4, 60


class Demo(LiveTest):
    def test_server_and_clients(self):
        run, report = record("--overhead", "none", "--", workload("server"), CLIENTS, REQUESTS)
        self.assertEqual((run.returncode, run.stdout), (0, f"{CLIENTS * REQUESTS} entries\n"), run.stderr)
        counts = collections.Counter()
        categories = {}
        for row in report["syscalls"]:
            counts[row["name"], row["descriptor"]] += row["count"]
            categories[row["name"], row["descriptor"]] = row["category"]
        all_requests = CLIENTS * REQUESTS
        expected = {
            ("recvfrom", "socket"): (2 * all_requests + CLIENTS, "network"),
            ("sendto", "socket"): (2 * all_requests, "network"),
            ("accept", "socket"): (CLIENTS, "network"),
            ("connect", "socket"): (CLIENTS, "network"),
            ("write", "regular"): (all_requests, "file-io"),
            ("fdatasync", ""): (all_requests // 10, "file-io"),
            ("clock_nanosleep", ""): (all_requests // 10, "time"),
        }
        for key, (count, category) in expected.items():
            with self.subTest(key):
                self.assertEqual((counts[key], categories.get(key)), (count, category),
                                 [row for row in counts if row[0] == key[0]])
        names = collections.Counter(row["name"].rstrip("1234") for row in report["threads"])
        self.assertEqual(names, {"worker-": CLIENTS, "client-": CLIENTS, "server": 2})

    def test_it_runs(self):
        run = subprocess.run(["timeout", "-k", "5", str(LIMIT_S), DEMO, BUILD], capture_output=True,
                             stdin=subprocess.DEVNULL, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        for text in ("\n10 threads of 2 processes, ", "\nPROCESSES ", " waits for ", "\nFUNCTION ", "\ntracer: "):
            self.assertIn(text, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
