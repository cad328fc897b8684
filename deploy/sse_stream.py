"""An open server-sent-events stream to a browser. Events are sent without waiting; a slow reader is disconnected.

The hub writes to all streams in one pass, without a task per stream. This relies on uvicorn's `send`, which completes
immediately unless the client has left so much unread that the write buffer is full.
"""

import asyncio
import logging
import resource
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

log = logging.getLogger(__name__)

WANTED_FILES = 16384

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def raise_open_file_limit() -> None:
    """Raises the limit of open files to WANTED_FILES. The usual soft limit of 1024 is too low for streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class SseStream:
    """A started response that the hub writes to until the client or the server closes it."""

    __slots__ = ("_is_closed", "_send")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._is_closed = False

    def write(self, event: bytes) -> None:
        if not self._is_closed and not self._send_now(
            {"type": "http.response.body", "body": event, "more_body": True}
        ):
            self._abort()

    def close(self) -> None:
        """Ends the response. The browser reconnects and is authorized again."""
        if not self._is_closed and not self._send_now(
            {"type": "http.response.body", "body": b"", "more_body": False}
        ):
            self._abort()
        self._is_closed = True

    async def wait_until_closed(self, receive: Receive) -> None:
        """Returns when the client disconnects. A cancellation ends the response properly."""
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            self._send_now({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._is_closed = True

    def _send_now(self, message: Message) -> bool:
        """Sends without waiting. Returns False if the write buffer is full or the connection is closed."""
        sending = self._send(message).__await__()
        try:
            next(sending)
        except StopIteration:
            return True
        except RuntimeError:  # uvloop raises this for a closed connection
            return False
        sending.close()
        return False

    def _abort(self) -> None:
        """Closes the connection. ASGI has no message for this, so the transport of uvicorn's response is used."""
        self._is_closed = True
        connection = getattr(getattr(self._send, "__self__", None), "transport", None)
        if connection is not None:
            log.warning("live stream closed: its client was too slow")
            connection.abort()
