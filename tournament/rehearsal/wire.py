"""A client of the product's API: one connection, JSON, a bearer token. Loopback addresses only."""

import http.client
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SECONDS = 30.0
NO_ANSWER = (OSError, http.client.HTTPException)
STALE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)


class NotLoopback(ValueError):
    """A rehearsal invents results, so it runs only on this machine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. `body`: parsed JSON, or the text of another type."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def is_ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str:
        """Returns the code of a problem, otherwise the status."""
        code = self.body.get("code", "") if isinstance(self.body, dict) else ""
        return str(code or self.status)

    @property
    def seconds_to_wait(self) -> float:
        """Returns the value of Retry-After, or 1."""
        headers = {name.lower(): text for name, text in self.headers.items()}
        return float(headers.get("retry-after", "1"))


class Wire:
    """A persistent connection. `requests` counts the requests. Not thread-safe.

    `host`: value of the Host header if it differs from `url`.
    """

    def __init__(self, url: str, token: str = "", host: str = "") -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.hostname not in LOOPBACK:
            raise NotLoopback(f"{url} is not on this machine: use an address such as http://127.0.0.1:8000.")
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=SECONDS)
        self._host = {"Host": host} if host else {}
        self._token = token
        self._was_used = False
        self.requests = 0

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, headers)

    def post(self, path: str, body: Any = None) -> Answer:
        return self.send("POST", path, {} if body is None else body, {})

    def put(self, path: str, body: Any) -> Answer:
        return self.send("PUT", path, body, {})

    def patch(self, path: str, body: Any) -> Answer:
        return self.send("PATCH", path, body, {})

    def send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        """Sends a request. Repeats it once if the server has closed an idle connection, like browsers do."""
        self.requests += 1
        try:
            return self._exchange(method, path, body, headers)
        except STALE:
            self._connection.close()
            if not self._was_used:
                raise
            self._was_used = False
            return self._exchange(method, path, body, headers)

    def close(self) -> None:
        self._connection.close()

    def _exchange(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        request_headers = {
            "Accept": "application/json",
            **self._host,
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            request_headers["Content-Type"] = "application/json"
        if self._token:
            request_headers["Authorization"] = f"Bearer {self._token}"
        self._connection.request(method, path, data, request_headers)
        response = self._connection.getresponse()
        text = response.read()
        self._was_used = True
        return Answer(response.status, _parse(text, response), dict(response.headers))


def _parse(text: bytes, response: http.client.HTTPResponse) -> Any:
    if "json" in (response.headers.get("content-type") or ""):
        return json.loads(text) if text else None
    return text.decode(errors="replace")
