"""Programs that people run, each of another kind, to see what tracing does to them."""
import os
import pathlib

QUEUE = """import threading, queue, hashlib, time
todo, lock = queue.Queue(maxsize=4), threading.Lock()
def produce():
    for _ in range({count}):
        todo.put(b'x' * 20000)
    for _ in range(3):
        todo.put(None)
def consume():
    while (data := todo.get()) is not None:
        with lock:
            hashlib.sha256(data).hexdigest()
            time.sleep(0.0002)
threads = [threading.Thread(target=produce)] + [threading.Thread(target=consume) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""

INSERTS = """PRAGMA synchronous=OFF;
CREATE TABLE t(a, b);
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {count}) INSERT INTO t SELECT x, hex(x * x * 7919) FROM c;
CREATE INDEX i ON t(b);
SELECT count(*) FROM t WHERE b LIKE '%AB%';
"""

# Each time anew, as for a program that nobody has built before.
FUNCTION = "int f{0}(int *a, int n) {{ int s = 0; for (int i = 0; i < n; i++) s += a[i] * {0}; return s; }}\n"


def programs(folder, size=1.0):
    """Their commands by name, with what they read below a folder; with size 1 each takes one to five seconds of a CPU."""
    folder = pathlib.Path(folder)

    def count(whole):
        return max(1, int(whole * size))

    (folder / "pool.py").write_text(QUEUE.format(count=count(20_000)), encoding="ascii")
    (folder / "inserts.sql").write_text(INSERTS.format(count=count(2_000_000)), encoding="ascii")
    (folder / "many.c").write_text("".join(FUNCTION.format(i) for i in range(count(800))), encoding="ascii")
    with open(folder / "numbers", "w", encoding="ascii") as file:
        file.writelines(f"{i} {i * i % 7919}\n" for i in range(count(3_000_000)))
    return {
        "python": ["/usr/bin/python3", f"{folder}/pool.py"],
        "sqlite": ["sh", "-c", f"rm -f {folder}/db; sqlite3 {folder}/db < {folder}/inserts.sql"],
        "gzip": ["gzip", "-c", "-6", f"{folder}/numbers"],
        "gcc": ["gcc", "-O2", "-c", f"{folder}/many.c", "-o", f"{folder}/many.o"],
        "shell": ["sh", "-c", f"i=0; while [ $i -lt {count(300)} ]; do /bin/true; i=$((i + 1)); done"],
        "stat": ["sh", "-c", f"find /usr/share /usr/lib -type f -print0 | head -z -n {count(100_000)} | xargs -0 -n 500 stat"],
    }


def timed(words, out):
    """A command that leaves its elapsed time and its CPU time there, in seconds, and its exit status."""
    return ["bash", "-c", 'TIMEFORMAT="%3R %3U %3S"; { time "$@" >/dev/null 2>&1; } 2>"$0"; echo $? >>"$0"', os.fspath(out),
            *words]


def read_times(out):
    """Returns the elapsed time and the CPU time that timed() has left."""
    *times, status = pathlib.Path(out).read_text(encoding="ascii").split()
    if status != "0":
        raise AssertionError(f"a program ended with {status}")
    elapsed, user, system = map(float, times)
    return elapsed, user + system
