"""Caddy with the Caddyfile of the server, in front of a substitute for the web nodes."""

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
from tests.flows.waiting import LONGEST_WAIT, until
from tests.house.test_server_files import tool
from tests.house.test_server_parts import in_image
from tests.laptop.running import free_port

CADDYFILE = (ROOT / "deploy" / "server" / "Caddyfile").read_text()
FIRST, LAST = b"data: first\n\n", b"data: last\n\n"


class Node(BaseHTTPRequestHandler):
    """Returns the client address. Sends the last event of a stream after the client has read the first."""

    protocol_version = "HTTP/1.1"
    first_event_read = threading.Event()

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path != "/live/":
            self._send_body(f"{self.headers['X-Forwarded-For']} {self.headers['X-Forwarded-Proto']}".encode())
            return
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(FIRST + LAST)))
        self.end_headers()
        self.wfile.write(FIRST)
        self.wfile.flush()
        self.first_event_read.wait(30)
        self.wfile.write(LAST)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/p/"):
            self.close_connection = True
            return
        self.send_response(200)
        self._send_body(str(len(body)).encode())

    def log_message(self, *_: object) -> None:
        """Disables logging."""

    def _send_body(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Proxy:
    """The running proxy and the port of its web nodes."""

    def __init__(self) -> None:
        self.port, self.node_port = free_port(), free_port()
        self.log = Path()

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONGEST_WAIT)
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def listens(self) -> bool:
        try:
            return self.ask("/metrics")[0] == 404
        except OSError:
            return False


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    proxy, folder = Proxy(), tmp_path_factory.mktemp("caddy")
    here = CADDYFILE.replace("name web", "name 127.0.0.1").replace("port 8000", f"port {proxy.node_port}")
    (folder / "Caddyfile").write_text(here)
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    command = [tool("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    settings = {"SITE": f"http://127.0.0.1:{proxy.port}", "CADDY_ADMIN": f"unix/{folder}/admin"}
    proxy.log = folder / "log"
    with (
        proxy.log.open("w") as log,
        subprocess.Popen(command, env={**os.environ, **own, **settings}, stderr=log) as caddy,
    ):
        try:
            until(proxy.listens, "Caddy listens")
            yield proxy
        finally:
            caddy.kill()


@pytest.fixture(scope="module")
def node(proxy: Proxy) -> Iterator[None]:
    """Starts after the first request, which must wait for it."""
    with ThreadPoolExecutor() as threads:
        early = threads.submit(proxy.ask, "/")
        until(early.running, "the first request")
        with ThreadingHTTPServer(("127.0.0.1", proxy.node_port), Node) as nodes:
            threading.Thread(target=nodes.serve_forever, daemon=True).start()
            assert early.result(30)[0] == 200, "a request waits for a starting node"
            yield
            Node.first_event_read.set()
            nodes.shutdown()


@pytest.mark.usefixtures("node")
def test_a_forged_client_address_is_ignored(proxy):
    answer = proxy.ask("/", **{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert answer == (200, b"127.0.0.1 http")


@pytest.mark.usefixtures("node")
def test_metrics_are_not_public(proxy):
    assert [proxy.ask(path)[0] for path in ("/metrics", "/metrics?a=1", "/healthz")] == [404, 404, 200]


@pytest.mark.usefixtures("node")
def test_errors_are_logged_without_the_requested_link(proxy):
    link, referer = "/p/for-nobody-else/", "for-nobody-either"
    assert proxy.ask(link, "POST", b"x", Referer=f"http://127.0.0.1/{referer}/")[0] == 502
    until(lambda: "http.log.error" in proxy.log.read_text(), "the error is logged")
    assert [secret for secret in (link, referer) if secret in proxy.log.read_text()] == []


@pytest.mark.usefixtures("node")
def test_a_large_photo_passes_the_proxy(proxy):
    assert proxy.ask("/", "POST", bytes(13_000_000)) == (200, b"13000000")


@pytest.mark.usefixtures("node")
def test_live_streams_are_not_buffered(proxy):
    connection = HTTPConnection("127.0.0.1", proxy.port, timeout=LONGEST_WAIT)
    connection.request("GET", "/live/", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    assert answer.read(len(FIRST)) == FIRST
    Node.first_event_read.set()
    assert answer.read() == LAST
    connection.close()


def test_oversized_bodies_are_refused_by_the_web_node_not_the_proxy():
    bound = re.search(r"max_size (\d+)MiB", CADDYFILE)
    assert bound
    assert int(bound[1]) * 1024 * 1024 > MAX_BODY


def test_the_proxy_closes_idle_connections_before_the_web_node():
    words = in_image()
    idle = re.search(r"\bkeepalive (\d+)s", CADDYFILE)
    assert idle
    assert int(idle[1]) < int(words[words.index("--timeout-keep-alive") + 1])
