"""Servers that tests start, and what loads them."""
import contextlib
import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading

from harness import BUILD, LIMITED, children, wait_for

NGINX_CONFIGURATION = """
    daemon off; pid {0}/pid; error_log {0}/errors; worker_processes 1;
    events {{ worker_connections 64; }}
    http {{ access_log off; sendfile on; root {0}; client_body_temp_path {0}/body;
            proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi; uwsgi_temp_path {0}/uwsgi;
            scgi_temp_path {0}/scgi; server {{ listen 127.0.0.1:{1}; }} }}
    """


class Server:
    """A server of ours under a time limit; a context manager that ends it."""

    def __init__(self, *words):
        self.shell = subprocess.Popen([*LIMITED, *map(str, words)], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = wait_for(lambda: children(self.shell.pid))[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shell.terminate()
        self.shell.wait()


# A server that refuses to be root's.
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]


def answers(address):
    with contextlib.suppress(OSError), socket.socket(
            socket.AF_UNIX if isinstance(address, str) else socket.AF_INET) as client:
        client.connect(address)
        return True
    return False


@contextlib.contextmanager
def redis():
    """Yields the server's PID and the path of its socket."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"{folder}/socket"
        # One program with two names, of which the package without the service has this one.
        os.symlink("/usr/bin/redis-check-rdb", f"{folder}/redis-server")
        with Server(f"{folder}/redis-server", "--port", 0, "--unixsocket", address, "--save", "",
                    "--dir", folder) as server:
            wait_for(lambda: answers(address))
            yield server.pid, address


def redis_benchmark(address, count):
    """So many GET and so many SET."""
    subprocess.run([*LIMITED, "redis-benchmark", "-s", address, "-n", str(count), "-c", "20", "-t",
                    "get,set", "-q"], stdout=subprocess.DEVNULL, check=True)


def postgres_is_ready(data):
    """Its socket answers while it is still starting up; its file says when that is over."""
    status = pathlib.Path(data, "postmaster.pid")
    return status.exists() and status.read_text().rstrip().endswith("ready")


@contextlib.contextmanager
def postgres():
    """Yields a folder with its programs, in bin, and its socket, in data."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/data"
        os.chmod(folder, 0o755)
        os.mkdir(data, 0o700)
        os.chown(data, 65534, 65534)
        # Where they were built nobody may not be able to look.
        shutil.copytree(BUILD / "packages/postgresql-15/usr", f"{folder}/usr", symlinks=True)
        os.symlink("usr/lib/postgresql/15/bin", f"{folder}/bin")
        subprocess.run([*LIMITED, *AS_NOBODY, f"{folder}/bin/initdb", "-D", data, "-N", "-A", "trust", "-U",
                        "nobody", "--locale=C"], cwd="/", stdout=subprocess.DEVNULL, check=True)
        with Server(*AS_NOBODY, f"{folder}/bin/postgres", "-D", data, "-k", data, "-h", "", "-F"):
            wait_for(lambda: postgres_is_ready(data))
            yield folder


def pgbench(folder, script, clients, transactions):
    """Each client has the SQL done so many times."""
    pathlib.Path(folder, "script").write_text(script)
    run = subprocess.run([*LIMITED, *AS_NOBODY, f"{folder}/bin/pgbench", "-h", f"{folder}/data", "-U", "nobody", "-n",
                          "-c", str(clients), "-j", str(clients), "-t", str(transactions), "-f", f"{folder}/script",
                          "postgres"], cwd="/", capture_output=True, text=True, check=False)
    if run.returncode:
        raise AssertionError(f"pgbench: {run.stderr[:300]}")


@contextlib.contextmanager
def nginx():
    """Yields the PID of its only worker, and its port."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        os.chmod(folder, 0o755)
        pathlib.Path(folder, "page").write_text("x" * 3000)
        pathlib.Path(folder, "conf").write_text(NGINX_CONFIGURATION.format(folder, port))
        with Server(BUILD / "packages/nginx/usr/sbin/nginx", "-p", folder, "-e",
                    f"{folder}/errors", "-c", f"{folder}/conf") as server:
            wait_for(lambda: answers(("127.0.0.1", port)))
            yield wait_for(lambda: children(server.pid))[0], port


def nginx_fetch(port):
    """Gets its one page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/page")
    response = connection.getresponse()
    if (response.status, len(response.read())) != (200, 3000):
        raise AssertionError(f"nginx answered with {response.status}")
    connection.close()


@contextlib.contextmanager
def http_answers():
    """Yields the port of an HTTP server whose answers come in one piece."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=answer_each, args=[server])
        answering.start()
        try:
            yield server.getsockname()[1]
        finally:
            server.shutdown(socket.SHUT_RDWR)
            answering.join()


def answer_each(server):
    with contextlib.suppress(OSError):
        while True:
            client = server.accept()[0]
            with client:
                client.recv(10000)
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                client.recv(1)
