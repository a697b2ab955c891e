"""Wait-for chains of programs that others wrote, whose root causes are known from what they are made to do."""
import os
import subprocess
import tempfile
import textwrap

from harness import Tracer, waits_in
from servers import pgbench, postgres
from test_chains import ChainTest, find, place

MS = 1_000_000


def total_ns(rows, **wanted):
    """Of the rows that have these values, and of none below one of them."""
    sum_ns = 0
    for row in rows:
        is_it = all(row[key] == value for key, value in wanted.items())
        sum_ns += row["total_ns"] if is_it else total_ns(row["causes"], **wanted)
    return sum_ns


class Redis(ChainTest):
    """One connection, so that client and server take turns."""

    SCRIPT = textwrap.dedent("""
        ln -s /usr/bin/redis-check-rdb redis-server
        ./redis-server --port 0 --unixsocket socket --save '' >log &
        until redis-cli -s socket ping >/dev/null 2>&1; do sleep 0.02; done
        redis-benchmark -s socket -n 5000 -c 1 -t set -q >/dev/null
        redis-cli -s socket shutdown nosave
        wait
        """)

    def test_both_sides(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = self.record_chains("sh", "-c", f"cd {folder}; {self.SCRIPT}",
                                      options=("--task", "redis-benchmark,redis-server"))
        client = find(rows, kind="wait", name="redis-benchmark", function="epoll_wait", syscall="epoll_wait")
        self.assertEqual((client["resource"]["type"], client["idle_ns"]), ("unix", 0))
        # The server may preempt who has woken it, and then the answer is there before it is waited for.
        self.assertGreaterEqual(client["count"], 20)
        answer = find(client["causes"], kind="running", name="redis-server", function="write", syscall="write")
        self.assertEqual(answer["caller"]["component"], "redis-check-rdb")
        self.assertGreaterEqual(total_ns(client["causes"], name="redis-server"), 0.9 * client["total_ns"])
        # A server waits for its clients, and so for what they do.
        server = find(rows, kind="wait", name="redis-server", function="epoll_wait", syscall="epoll_wait")
        self.assertGreaterEqual(server["count"], 500)
        question = find(server["causes"], kind="running", name="redis-benchmark", syscall="sendto")
        self.assertEqual(question["caller"]["component"], "redis-benchmark")
        self.assertGreaterEqual(question["count"], 500)


class Sqlite(ChainTest):
    """Each insert is a transaction, which is not over before it is on the disk."""

    def test_device(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("SCALER_BUILD") or ".") as folder:
            kind = subprocess.run(["stat", "-f", "-c", "%T", folder], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout.strip()
            if kind == "tmpfs":
                self.skipTest("a tmpfs is no disk to wait for")
            rows = self.record_chains("sqlite3", f"{folder}/database", "create table numbers (number);" +
                                      "insert into numbers values (1);" * 40)
        syncs = waits_in(rows, "fdatasync")
        self.assertGreaterEqual(sum(row["count"] for row in syncs), 40)
        for row in syncs:
            self.assertEqual((place(row["function"]), row["name"]), ("sqlite3_step", "sqlite3"))
        sync_ns = sum(row["total_ns"] for row in syncs)
        # The kernel's threads that write for it are not traced.
        device_ns, kernel_ns = (total_ns(syncs, kind=kind) for kind in ("device", "not traced"))
        self.assertGreaterEqual(device_ns, sync_ns / 4)
        self.assertGreaterEqual(device_ns + kernel_ns, 0.9 * sync_ns)


class Postgres(ChainTest):
    """Two clients want the same row, which a transaction has while it sleeps for 10 ms."""

    TABLE = "create table counters (id int primary key, value int); insert into counters values (1, 0);\n"
    HOLD = "begin;\nupdate counters set value = value + 1 where id = 1;\nselect pg_sleep(0.01);\nend;\n"
    COUNT = 20

    def test_lock(self):
        with postgres() as folder:
            pgbench(folder, self.TABLE, 1, 1)
            with Tracer("--wait-chains", "--task", "pgbench", "--format", "json") as tracer:
                pgbench(folder, self.HOLD, 2, self.COUNT)
                tracer.process.terminate()
                rows = tracer.finish_json()["chains"]
        self.check_sums(rows)
        client = find(rows, kind="wait", name="pgbench", function="ppoll", syscall="ppoll")
        self.assertEqual((client["resource"]["type"], client["idle_ns"]), ("unix", 0))
        # Of the two, the one waits for the lock while the other has it.
        self.assertGreaterEqual(client["total_ns"], 2 * self.COUNT * 10 * MS)
        locked = find([row for row in client["causes"] if (row["resource"] or {}).get("type") == "signalfd"],
                      kind="wait", name="postgres", syscall="epoll_wait", function="epoll_wait",
                      caller="WaitEventSetWait")
        self.assertGreaterEqual(locked["count"], self.COUNT)
        holder = find(locked["causes"], kind="wait", name="postgres", syscall="epoll_wait")
        self.assertGreaterEqual(holder["total_ns"], self.COUNT * 9 * MS)
        self.assertGreaterEqual(total_ns(holder["causes"], kind="timer"), 0.8 * holder["total_ns"])
        self.assertLessEqual({cause["kind"] for cause in holder["causes"]}, {"timer", "not seen"})
        find(locked["causes"], kind="running", name="postgres", syscall="kill", caller="ProcLockWakeup")
        self.assertGreaterEqual(total_ns(client["causes"], kind="timer"), 0.8 * client["total_ns"])
