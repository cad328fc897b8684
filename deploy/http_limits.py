"""What uvicorn takes of a request before it hands it on: a head in bounds, and soon.

uvicorn keeps a head until it ends, however long that takes: forty megabytes of one header cost a second of the only
loop there is, and four times as many sixteen. `intake` refuses with a sentence what came whole; here whoever goes on
all the same is hung up on. The same holds for what is no part of a body between its pieces and after them, and for
whoever asks and never reads: what they asked for would be kept for them, and their connection, for ever.
Answers leave at once, whoever opened the port.
"""

import asyncio
import contextlib
import resource
import socket
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from deploy.address_quota import Shares
from tournament.runtime.networks import network_of

LONGEST = 128 * 1024
SECONDS = 30.0
UNREAD_SECONDS = 300.0
RESERVED_FILES = 256
"""Open files that connections leave for the rest of the process."""


class Bounded(HttpToolsProtocol):
    """uvicorn's own protocol; the web server is told to use this one with `--http deploy.http_limits:Bounded`."""

    connections_of: ClassVar[Shares] = Shares()
    _address: str | None = None
    _unfinished = 0
    _too_late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _answering: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        address = network_of((self.client or ("",))[0])
        if not self.connections_of.has_room_for(address, most_connections()):
            transport.abort()
            return
        self._address = address
        self.connections_of.take(address)
        _send_at_once(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        super().data_received(data)
        if self._unfinished > LONGEST:
            self.transport.close()
        if self._unfinished and self._too_late is None:
            self._wait()

    def on_headers_complete(self) -> None:
        self._is_understood()
        before: Any = self.cycle
        is_next = before is None or before.response_complete
        super().on_headers_complete()
        if is_next:
            self._answering = self.cycle

    def on_response_complete(self) -> None:
        """Whatever was asked meanwhile comes next."""
        self._answering = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()

    def on_body(self, body: bytes) -> None:
        self._is_understood()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_understood()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address is not None:
            self.connections_of.give_back(self._address)
        self._is_understood()
        self._is_read()
        super().connection_lost(exc)
        self._tell_that_nobody_is_there()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look_whether_it_is_read()

    def resume_writing(self) -> None:
        self._is_read()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """What is closed stays open until the last of it is read."""
        super().timeout_keep_alive_handler()
        if self._unread is None:
            self._look_whether_it_is_read()

    def _wait(self) -> None:
        self._too_late = self.loop.call_later(SECONDS, self.transport.close)

    def _is_understood(self) -> None:
        self._unfinished = 0
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _look_whether_it_is_read(self, before: int | None = None) -> None:
        left = self.transport.get_write_buffer_size()
        if left and left == before:
            self.transport.abort()
        elif left:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self._look_whether_it_is_read, left)

    def _tell_that_nobody_is_there(self) -> None:
        """uvicorn says so to what was asked last alone: a live stream before that would go on for ever."""
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def most_connections() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES


def _send_at_once(transport: Any) -> None:
    """asyncio does this for sockets of its own alone: on a port that was open already every answer in two pieces would
    wait 40 ms for the first of them to be acknowledged."""
    with contextlib.suppress(OSError):  # no TCP
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
