"""Limits uvicorn's HTTP protocol: size and duration of headers, unread responses, connections per address.

uvicorn buffers headers without limit, and parsing takes quadratic time: 40 MB of one header block the event loop for a
second, 160 MB for sixteen. `body_limits` refuses complete requests that are too large; this module closes connections
whose headers, chunk headers or trailers do not end, and those of clients that never read their response.
"""

import asyncio
import contextlib
import resource
import socket
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from deploy.address_quota import AddressQuota
from tournament.runtime.networks import network_of

MAX_UNPARSED_BYTES = 128 * 1024
PARSE_SECONDS = 30.0
UNREAD_SECONDS = 300.0
RESERVED_FILES = 256
"""Open files reserved for the rest of the process."""


class HttpLimits(HttpToolsProtocol):
    """Selected with `--http deploy.http_limits:HttpLimits`."""

    connection_quota: ClassVar[AddressQuota] = AddressQuota()
    _address: str | None = None
    _unparsed_bytes = 0
    _parse_timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None
    _current_cycle: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        address = network_of((self.client or ("",))[0])
        if not self.connection_quota.has_room(address, max_connections()):
            transport.abort()
            return
        self._address = address
        self.connection_quota.take(address)
        _disable_nagle(transport)
        self._start_parse_timer()

    def data_received(self, data: bytes) -> None:
        self._unparsed_bytes += len(data)
        super().data_received(data)
        if self._unparsed_bytes > MAX_UNPARSED_BYTES:
            self.transport.close()
        if self._unparsed_bytes and self._parse_timer is None:
            self._start_parse_timer()

    def on_headers_complete(self) -> None:
        self._parsed()
        previous_cycle: Any = self.cycle
        is_next = previous_cycle is None or previous_cycle.response_complete
        super().on_headers_complete()
        if is_next:
            self._current_cycle = self.cycle

    def on_response_complete(self) -> None:
        """Continues with the next pipelined request."""
        self._current_cycle = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()

    def on_body(self, body: bytes) -> None:
        self._parsed()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._parsed()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address is not None:
            self.connection_quota.release(self._address)
        self._parsed()
        self._cancel_unread_timer()
        super().connection_lost(exc)
        self._notify_disconnect()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._check_client_reads()

    def resume_writing(self) -> None:
        self._cancel_unread_timer()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """A closing connection stays open until the client has read everything, so it needs the unread timer too."""
        super().timeout_keep_alive_handler()
        if self._unread_timer is None:
            self._check_client_reads()

    def _start_parse_timer(self) -> None:
        self._parse_timer = self.loop.call_later(PARSE_SECONDS, self.transport.close)

    def _parsed(self) -> None:
        self._unparsed_bytes = 0
        if self._parse_timer is not None:
            self._parse_timer.cancel()
            self._parse_timer = None

    def _check_client_reads(self, unread_before: int | None = None) -> None:
        unread = self.transport.get_write_buffer_size()
        if unread and unread == unread_before:
            self.transport.abort()
        elif unread:
            self._unread_timer = self.loop.call_later(UNREAD_SECONDS, self._check_client_reads, unread)

    def _notify_disconnect(self) -> None:
        """Notifies the current request: uvicorn notifies only the last pipelined one, and a live stream would go on."""
        if self._current_cycle is not None:
            self._current_cycle.disconnected = True
            self._current_cycle.message_event.set()

    def _cancel_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None


def max_connections() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES


def _disable_nagle(transport: Any) -> None:
    """Sets TCP_NODELAY. asyncio does this only for sockets that it opened; on an inherited socket a response in two
    writes would wait 40 ms for the first acknowledgement."""
    with contextlib.suppress(OSError):  # not a TCP socket
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
