"""Real programs that a tracer attaches to again and again while they work, every other time to be killed: they go on as
if there had been none."""
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import zlib

from harness import LIMIT_S, LIMITED, ProbingTest, Tracer, children, state, wait_for
from servers import nginx, nginx_fetch, redis, redis_benchmark

# How often each is attached to; with SCALER_TIMES=20 and SCALER_LIMIT_S=400 that takes five minutes.
TIMES = int(os.environ.get("SCALER_TIMES", "2"))
# The first two go on until a file is there that says stop, and then print how often they went round and what came of it.
PYTHON = """
import hashlib, json, os, sys, threading, zlib
text, count = b"", 0
def work():
    global text
    text = hashlib.sha256(zlib.compress(json.dumps([count, text.hex()]).encode())).digest()
while not os.path.exists(sys.argv[1]):
    count += 1
    thread = threading.Thread(target=work); thread.start(); thread.join()
    try: open("/no/such/file")
    except OSError: pass
print(count, text.hex())
"""
CMAKE = """
set(count 0)
set(text "")
while(NOT EXISTS ${STOP})
  math(EXPR count "${count} + 1")
  string(REGEX REPLACE "[0-9]+" "x" line "${count}${text}")
  string(SHA256 text "${count}${text}")
  file(READ ${CMAKE_CURRENT_LIST_FILE} content LIMIT 100)
endwhile()
message("${count} ${text}")
"""


def python_result(count):
    text = b""
    for i in range(1, count + 1):
        text = hashlib.sha256(zlib.compress(json.dumps([i, text.hex()]).encode())).digest()
    return text.hex()


def cmake_result(count):
    text = ""
    for i in range(1, count + 1):
        text = hashlib.sha256(f"{i}{text}".encode()).hexdigest()
    return text


QUERY = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
         "SELECT count(*), max(hex(i)), sum(length(printf('%05d', i)) + (i % 2)) FROM n;\n")


class Unharmed(ProbingTest):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.stop = self.folder / "stop"

    def start(self, *words):
        """A program, which timeout(1) ends at the latest; returns it and its PID."""
        program = subprocess.Popen([*LIMITED, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.addCleanup(program.communicate)
        self.addCleanup(program.terminate)
        [pid] = wait_for(lambda: children(program.pid))
        comm = pathlib.Path(f"/proc/{pid}/comm")
        wait_for(lambda: comm.read_text(encoding="utf-8") != "timeout\n")
        # Its libraries are loaded, so that there is something to probe.
        maps = pathlib.Path(f"/proc/{pid}/maps")
        wait_for(lambda: "/libm.so" in maps.read_text(encoding="utf-8"))
        return program, pid

    def attach(self, pid, is_killed):
        """The tracer comes, records and goes."""
        with Tracer("-p", pid, "--format", "json") as tracer:
            # Functions that cost too much at once have windows by then.
            time.sleep(0.5)
            if is_killed:
                tracer.process.kill()
                tracer.process.wait(LIMIT_S)
                return
            tracer.process.terminate()
            self.assertTrue(tracer.finish_json()["library_calls"])

    def attach_often(self, pid):
        for i in range(TIMES):
            self.attach(pid, i % 2)
            self.assertNotIn(state(pid), ("", "Z"))

    def attach_under_load(self, pid, work):
        """Has work() done again and again meanwhile."""
        done, failures = [], []

        def repeat():
            try:
                while not self.stop.exists():
                    work()
                    done.append(True)
            except Exception as error:  # pylint: disable=broad-exception-caught
                failures.append(repr(error))

        thread = threading.Thread(target=repeat)
        thread.start()
        try:
            wait_for(lambda: done or failures)
            self.attach_often(pid)
        finally:
            self.stop.touch()
            thread.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(done), TIMES)

    def assert_result(self, program, expected):
        self.stop.touch()
        count, text = program.communicate()[0].split()
        self.assertEqual((text, program.returncode), (expected(int(count)), 0))
        self.assertGreater(int(count), TIMES)

    def test_redis(self):
        with redis() as (pid, address):
            self.attach_under_load(pid, lambda: redis_benchmark(address, 1000))

    def test_nginx(self):
        with nginx() as (pid, port):
            self.attach_under_load(pid, lambda: nginx_fetch(port))

    def test_sqlite3(self):
        shell, pid = self.start("stdbuf", "-oL", "sqlite3", ":memory:")

        def query():
            shell.stdin.write(QUERY)
            shell.stdin.flush()
            self.assertEqual(shell.stdout.readline(), "5000|393939|27500\n")

        self.attach_under_load(pid, query)

    def test_python(self):
        program, pid = self.start("/usr/bin/python3", "-I", "-c", PYTHON, self.stop)
        self.attach_often(pid)
        self.assert_result(program, python_result)

    def test_cmake(self):
        """It is C++, and catches what it throws."""
        (self.folder / "loop.cmake").write_text(CMAKE)
        program, pid = self.start("cmake", f"-DSTOP={self.stop}", "-P", self.folder / "loop.cmake")
        self.attach_often(pid)
        self.assert_result(program, cmake_result)
