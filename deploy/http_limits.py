"""Limits connections in front of uvicorn's HTTP protocol: heads that are too long or too slow, unread responses, and
connections of one address.

uvicorn has no such limits: it buffers heads without end, and parsing a head takes quadratic time. `body_limits` refuses
complete heads and bodies that are too large.
"""

import asyncio
import contextlib
import resource
import socket
from typing import Any, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from deploy.address_quota import AddressQuota
from tournament.runtime.networks import network_of

MAX_UNPARSED_BYTES = 128 * 1024
PARSE_SECONDS = 30.0
UNREAD_SECONDS = 300.0
RESERVED_FILES = 256
"""Open files reserved for the rest of the process."""
USER_TIMEOUT = getattr(socket, "TCP_USER_TIMEOUT", None)
"""Linux only. Elsewhere a client that reads nothing keeps its connection."""


class HttpLimits(asyncio.Protocol):
    """Selected with `--http deploy.http_limits:HttpLimits`. Passes to uvicorn what is within the limits.

    A second parser tells where heads, chunk headers and trailers end.
    """

    connection_quota: ClassVar[AddressQuota] = AddressQuota()

    def __init__(self, **uvicorn_options: Any) -> None:
        self._uvicorn = HttpToolsProtocol(**uvicorn_options)
        self._parser = httptools.HttpRequestParser(self)
        self._transport: Any = None
        self._address: str | None = None
        self._unparsed_bytes = 0
        self._parse_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._uvicorn.connection_made(transport)
        address = network_of((transport.get_extra_info("peername") or ("",))[0])
        if not self.connection_quota.has_room(address, max_connections()):
            transport.abort()
            return
        self._address = address
        self.connection_quota.take(address)
        _limit_unread_time(transport)
        self._start_parse_timer()

    def data_received(self, data: bytes) -> None:
        self._unparsed_bytes += len(data)
        with contextlib.suppress(
            httptools.HttpParserError, httptools.HttpParserUpgrade
        ):  # uvicorn answers 400
            self._parser.feed_data(data)
        if self._unparsed_bytes > MAX_UNPARSED_BYTES:
            self._transport.close()
            return
        if self._unparsed_bytes and self._parse_timer is None:
            self._start_parse_timer()
        self._uvicorn.data_received(data)

    def on_headers_complete(self) -> None:
        self._parsed()

    def on_body(self, _body: bytes) -> None:
        self._parsed()

    def on_message_complete(self) -> None:
        self._parsed()

    def eof_received(self) -> None:
        self._uvicorn.eof_received()

    def pause_writing(self) -> None:
        self._uvicorn.pause_writing()

    def resume_writing(self) -> None:
        self._uvicorn.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address is not None:
            self.connection_quota.release(self._address)
        self._parsed()
        self._uvicorn.connection_lost(exc)

    def _start_parse_timer(self) -> None:
        loop = asyncio.get_running_loop()
        self._parse_timer = loop.call_later(PARSE_SECONDS, self._transport.close)

    def _parsed(self) -> None:
        self._unparsed_bytes = 0
        if self._parse_timer is not None:
            self._parse_timer.cancel()
            self._parse_timer = None


def max_connections() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES


def _limit_unread_time(transport: Any) -> None:
    """Lets the system close the connection if the client accepts nothing of a response for UNREAD_SECONDS."""
    if USER_TIMEOUT is not None:
        with contextlib.suppress(OSError):  # not a TCP socket
            transport.get_extra_info("socket").setsockopt(
                socket.IPPROTO_TCP, USER_TIMEOUT, round(UNREAD_SECONDS * 1000)
            )
