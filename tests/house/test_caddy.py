"""Caddy with its file of ours, before a stand-in for the web nodes: what it passes on, and how."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deploy.body_limits import MAX_BODY
from deploy.install import ROOT
from tests.flows.waiting import until
from tests.house.test_server_files import tool
from tests.house.test_server_parts import in_image
from tests.laptop.running import free_port

CADDYFILE = (ROOT / "deploy" / "server" / "Caddyfile").read_text()
FIRST, LAST = b"data: first\n\n", b"data: last\n\n"


class Node(BaseHTTPRequestHandler):
    """Says from whom a request came; of a live stream it says the last word when the first was heard."""

    protocol_version = "HTTP/1.1"
    heard = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path != "/live/":
            self._say_all(f"{self.headers['X-Forwarded-For']} {self.headers['X-Forwarded-Proto']}".encode())
            return
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(FIRST + LAST)))
        self.end_headers()
        self.wfile.write(FIRST)
        self.wfile.flush()
        self.heard.wait(30)
        self.wfile.write(LAST)

    def do_POST(self) -> None:
        taken = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/p/"):
            self.close_connection = True
            return
        self.send_response(200)
        self._say_all(str(len(taken)).encode())

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""

    def _say_all(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Hall:
    """A proxy that listens, and the port where it looks for web nodes."""

    def __init__(self) -> None:
        self.port, self.node_port = free_port(), free_port()
        self.log = Path()

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        asking = HTTPConnection("127.0.0.1", self.port, timeout=30)
        asking.request(method, path, body or None, headers)
        answer = asking.getresponse()
        said = answer.status, answer.read()
        asking.close()
        return said

    def listens(self) -> bool:
        try:
            return self.ask("/metrics")[0] == 404
        except OSError:
            return False


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    made, folder = Hall(), tmp_path_factory.mktemp("caddy")
    here = CADDYFILE.replace("name web", "name 127.0.0.1").replace("port 8000", f"port {made.node_port}")
    (folder / "Caddyfile").write_text(here)
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    command = [tool("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    settings = {"SITE": f"http://127.0.0.1:{made.port}", "CADDY_ADMIN": f"unix/{folder}/admin"}
    made.log = folder / "log"
    with (
        made.log.open("w") as log,
        subprocess.Popen(command, env={**os.environ, **own, **settings}, stderr=log) as caddy,
    ):
        try:
            until(made.listens, "Caddy listens")
            yield made
        finally:
            caddy.kill()


@pytest.fixture(scope="module")
def node(hall: Hall) -> Iterator[None]:
    """Comes up only after somebody has asked for it."""
    with ThreadPoolExecutor() as beside:
        early = beside.submit(hall.ask, "/")
        until(early.running, "somebody asks")
        with ThreadingHTTPServer(("127.0.0.1", hall.node_port), Node) as nodes:
            threading.Thread(target=nodes.serve_forever, daemon=True).start()
            assert early.result(30)[0] == 200, "who asks while a node starts waits for it"
            yield
            Node.heard.set()
            nodes.shutdown()


@pytest.mark.usefixtures("node")
def test_a_forged_client_address_is_ignored(hall):
    said = hall.ask("/", **{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert said == (200, b"127.0.0.1 http")


@pytest.mark.usefixtures("node")
def test_metrics_are_not_public(hall):
    assert [hall.ask(path)[0] for path in ("/metrics", "/metrics?a=1", "/healthz")] == [404, 404, 200]


@pytest.mark.usefixtures("node")
def test_errors_are_logged_without_the_requested_link(hall):
    link, before = "/p/for-nobody-else/", "for-nobody-either"
    assert hall.ask(link, "POST", b"x", Referer=f"http://127.0.0.1/{before}/")[0] == 502
    until(lambda: "http.log.error" in hall.log.read_text(), "the fault is told")
    assert [word for word in (link, before) if word in hall.log.read_text()] == []


@pytest.mark.usefixtures("node")
def test_a_large_photo_passes_the_proxy(hall):
    assert hall.ask("/", "POST", bytes(13_000_000)) == (200, b"13000000")


@pytest.mark.usefixtures("node")
def test_live_streams_are_not_buffered(hall):
    asking = HTTPConnection("127.0.0.1", hall.port, timeout=30)
    asking.request("GET", "/live/", headers={"Accept-Encoding": "gzip"})
    answer = asking.getresponse()
    assert answer.read(len(FIRST)) == FIRST
    Node.heard.set()
    assert answer.read() == LAST
    asking.close()


def test_oversized_bodies_are_refused_by_the_web_node_not_the_proxy():
    bound = re.search(r"max_size (\d+)MiB", CADDYFILE)
    assert bound
    assert int(bound[1]) * 1024 * 1024 > MAX_BODY


def test_the_proxy_closes_idle_connections_before_the_web_node():
    words = in_image()
    idle = re.search(r"\bkeepalive (\d+)s", CADDYFILE)
    assert idle
    assert int(idle[1]) < int(words[words.index("--timeout-keep-alive") + 1])
