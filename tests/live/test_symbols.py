"""The names of functions of stripped libraries: from debug files here and elsewhere, and demangled."""
import functools
import http.server
import lzma
import os
import pathlib
import signal
import socketserver
import stat
import subprocess
import tempfile
import threading

from harness import LIMIT_S, LiveTest, read_build_id, record, scaler_words, workload
from test_sites import issuers
from watching import Opens

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

    def test_debug_link(self):
        """Beside the library, in .debug there, or below the folder as the library is below the root; by its sum alone."""
        own = self.folder / "libnames.so.debug"
        subprocess.run(["objcopy", "--remove-section", ".note.gnu.build-id", self.library], check=True)
        subprocess.run(["objcopy", "--only-keep-debug", self.library, own], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={own}", self.library], check=True)
        debug, other = own.read_bytes(), self.folder / "other"
        own.unlink()
        other.mkdir()
        self.assertIsNone(self.issuers("--symbols", other))
        for place in (own, self.folder / ".debug" / own.name, other / own.name, other.joinpath(*self.folder.parts[1:], own.name)):
            with self.subTest(place):
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(debug)
                self.assertEqual(self.issuers("--symbols", other), "hidden_call")
                place.write_bytes(debug + b"changed")
                self.assertIsNone(self.issuers("--symbols", other))
                place.unlink()

    def test_packed_in_the_file(self):
        """As Fedora's libraries have their symbols, and one that would unpack to more than is taken."""
        packed = self.folder / "packed"
        subprocess.run(["objcopy", "--only-keep-debug", self.library, packed], check=True)
        debug = packed.read_bytes()
        subprocess.run(["objcopy", "--strip-all", self.library], check=True)
        stripped = self.library.read_bytes()
        for more, found in ((0, "hidden_call"), (65 << 20, None)):
            self.library.write_bytes(stripped)
            packed.write_bytes(lzma.compress(debug + bytes(more)))
            subprocess.run(["objcopy", f"--add-section=.gnu_debugdata={packed}", self.library], check=True)
            self.assertEqual(self.issuers(), found)

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

    def test_debug_file_that_is_none(self):
        """A FIFO, or a device, where the library says that its debug file is: to open it would be to wait, or to act."""
        library, debug = self.folder / "libnames.so", self.folder / "libnames.so.debug"
        for kind in (stat.S_IFIFO, stat.S_IFCHR):
            subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-DSITE_NAME=first_call", SOURCE, "-o", library], check=True)
            debug.write_bytes(b"")
            subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", library], check=True)
            debug.unlink()
            os.mknod(debug, kind | 0o666, os.makedev(1, 7))
            with self.subTest(kind), Opens(library, debug) as opens:
                run, report = record("--report", "syscalls", "--", SITES, "swap", "1", "10", *[library, "first_call"] * 2)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(list(opens.counts()), [str(library)])
                self.assertIsNone(report["coverage"]["symbols_given_up"])
                self.assertEqual({where for where in issuers(report, "getppid")}, {("libnames.so", "first_call")})
            debug.unlink()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
