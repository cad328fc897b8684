"""One open stream to a browser: what is told goes out at once; one that reads too slowly is hung up on, not waited for.

The hub writes to all streams in one pass, without a task for each. That rests on how uvicorn sends: at once, unless
the browser has left so much unread that its buffer is full.
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
    """Every stream is an open file, and most systems let a process have a thousand unless it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class SseStream:
    """A started answer that is written to from outside, until the browser or the server leaves."""

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
        """Ends the answer in good order; the browser comes back and is asked anew."""
        if not self._is_closed and not self._send_now(
            {"type": "http.response.body", "body": b"", "more_body": False}
        ):
            self._abort()
        self._is_closed = True

    async def wait_until_closed(self, receive: Receive) -> None:
        """Returns when the browser has gone or was hung up on. A cancellation ends the answer in good order."""
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            self._send_now({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._is_closed = True

    def _send_now(self, message: Message) -> bool:
        """Sends without waiting; False where that cannot be."""
        sending = self._send(message).__await__()
        try:
            next(sending)
        except StopIteration:
            return True
        except RuntimeError:  # so uvloop says that the connection has been closed
            return False
        sending.close()
        return False

    def _abort(self) -> None:
        """ASGI has no word for this; uvicorn's answer knows its connection."""
        self._is_closed = True
        connection = getattr(getattr(self._send, "__self__", None), "transport", None)
        if connection is not None:
            log.warning("a live stream was cut off: its reader was too far behind")
            connection.abort()
