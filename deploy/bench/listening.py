"""A spectator's live stream: notes when it was told of which version."""

import http.client
import socket
import threading
import time
import uuid
from urllib.parse import urlsplit

SECONDS_TO_CONNECT = 10.0


class Spectator:
    """Listens to one bracket in a thread of its own until it is closed."""

    def __init__(self, url: str, bracket: uuid.UUID) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
        self._connection.request("GET", f"/live/?bracket={bracket}")
        self._socket: socket.socket = self._connection.sock
        self._response = self._connection.getresponse()
        self._changed = threading.Condition()
        self._version, self._told_at = -1, 0.0
        threading.Thread(target=self._listen, daemon=True).start()
        self.wait_for(0, SECONDS_TO_CONNECT)

    def wait_for(self, version: int, seconds: float) -> float:
        """When this version, or a later one, was told of (`time.perf_counter`). Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._version >= version, seconds):
                raise TimeoutError(f"Version {version} was not told of in {seconds:.0f} s.")
            return self._told_at

    def close(self) -> None:
        """Ends the stream; closing alone would wait for the line that the thread is reading."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _listen(self) -> None:
        try:
            for line in self._response:
                self._take(line, time.perf_counter())
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            return  # closed while it waited

    def _take(self, line: bytes, now: float) -> None:
        words = line.decode().split()
        if words[:1] == ["data:"]:
            version = int(words[2]) if len(words) == 3 else 0
            with self._changed:
                if version > self._version:
                    self._version, self._told_at = version, now
                self._changed.notify_all()
