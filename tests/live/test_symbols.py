"""The names of functions of stripped libraries: from debug files here and elsewhere, and demangled."""
import functools
import http.server
import os
import pathlib
import signal
import socketserver
import subprocess
import tempfile
import threading

from harness import LIMIT_S, LiveTest, read_build_id, record, scaler_words, workload
from test_sites import issuers

SITES = workload("sites")
SOURCE = pathlib.Path(__file__).resolve().parents[1] / "workloads" / "site_library.c"
MANGLED = "_ZN3net6socket4pollEi"


class Names(LiveTest):
    """A library whose function makes getppid calls, and has a hidden one make a getuid call."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.library = self.folder / "libnames.so"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-Wl,--build-id=sha1", f"-DSITE_NAME={MANGLED}", SOURCE,
                        "-o", self.library], check=True)
        self.build_id = read_build_id(self.library)

    def move_debug_file(self, path):
        path.parent.mkdir(parents=True)
        subprocess.run(["objcopy", "--only-keep-debug", self.library, path], check=True)
        subprocess.run(["strip", self.library], check=True)

    def issuers(self, *options):
        run, report = record("--report", "syscalls", "--syscalls", "getppid,getuid", *options, "--",
                             SITES, "swap", "1", "10", self.library, MANGLED, self.library, MANGLED)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(issuers(report, "getppid"), {("libnames.so", "net::socket::poll"): 21})
        (component, function), = issuers(report, "getuid")
        self.assertEqual(component, "libnames.so")
        return function

    def test_own_table(self):
        self.assertEqual(self.issuers(), "hidden_call")

    def test_folder(self):
        debug = self.folder / "debug"
        self.move_debug_file(debug / ".build-id" / self.build_id[:2] / f"{self.build_id[2:]}.debug")
        self.assertIsNone(self.issuers())
        self.assertEqual(self.issuers("--symbols", debug), "hidden_call")

    def test_debug_file_of_another_library(self):
        debug = self.folder / "debug"
        file = debug / ".build-id" / self.build_id[:2] / f"{self.build_id[2:]}.debug"
        self.move_debug_file(file)
        subprocess.run(["objcopy", "--only-keep-debug", workload("chain"), file], check=True)
        self.assertIsNone(self.issuers("--symbols", debug))

    def test_server(self):
        self.move_debug_file(self.folder / "buildid" / self.build_id / "debuginfo")
        handler = functools.partial(QuietHandler, directory=self.folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            os.environ["DEBUGINFOD_URLS"] = f"http://127.0.0.1:{server.server_port}"
            os.environ["DEBUGINFOD_CACHE_PATH"] = str(self.folder / "cache")
            try:
                self.assertEqual(self.issuers(), "hidden_call")
            finally:
                del os.environ["DEBUGINFOD_URLS"], os.environ["DEBUGINFOD_CACHE_PATH"]
                server.shutdown()
                thread.join()


class SilentServer(socketserver.ThreadingTCPServer):
    """Takes connections and never answers, until it is shut down."""

    def __init__(self):
        self.asked, self.over = threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), None)

    def finish_request(self, *_):
        self.asked.set()
        self.over.wait()

    def __enter__(self):
        threading.Thread(target=self.serve_forever).start()
        return super().__enter__()

    def __exit__(self, *details):
        self.over.set()
        self.shutdown()
        return super().__exit__(*details)


class Waiting(LiveTest):
    """What does not answer is given up, and the report is written."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def servers(self, server):
        return {**os.environ, "DEBUGINFOD_URLS": f"http://127.0.0.1:{server.server_address[1]}",
                "DEBUGINFOD_CACHE_PATH": str(self.folder / "cache")}

    def test_silent_server(self):
        with SilentServer() as server:
            run, report = record("--report", "functions", "--", "ls", "/", env=self.servers(server))
            self.assertTrue(server.asked.is_set())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("DEBUGINFOD_URLS were given up", report["coverage"]["symbols_given_up"])
        self.assertTrue(report["functions"])

    def test_signal(self):
        """It ends the waiting, not the report."""
        with SilentServer() as server:
            path = self.folder / "report"
            words = scaler_words(["--report", "functions", "-o", path, "--", "ls", "/"])
            with subprocess.Popen(words, env=self.servers(server), stdout=subprocess.DEVNULL) as tracer:
                self.assertTrue(server.asked.wait(LIMIT_S))
                tracer.send_signal(signal.SIGINT)
                self.assertEqual(tracer.wait(LIMIT_S), 0)
        self.assertIn("symbols may be missing: a signal ended the search", path.read_text(encoding="utf-8"))

    def test_debug_file_that_does_not_answer(self):
        """A FIFO that nobody writes to, where the library says that its debug file is."""
        library, debug = self.folder / "libnames.so", self.folder / "libnames.so.debug"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-DSITE_NAME=first_call", SOURCE, "-o", library], check=True)
        debug.write_bytes(b"")
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", library], check=True)
        debug.unlink()
        os.mkfifo(debug)
        run, report = record("--report", "syscalls", "--", SITES, "swap", "1", "10", library, "first_call", library, "first_call")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("could not be read", report["coverage"]["symbols_given_up"])
        self.assertEqual({where for where in issuers(report, "getppid")}, {("libnames.so", None)})


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
