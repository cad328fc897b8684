"""An open live stream: server-sent events that name changed channels and their versions.

A change waits in memory as one version per channel, however slowly the client reads.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable

from deploy.asgi_call import Receive, Send

log = logging.getLogger(__name__)

OPENING = b"retry: 2000\nevent: open\ndata: open\n\n"
HEARTBEAT = b": still here\n\n"
MAX_MISSED_HEARTBEATS = 2


class SseStream:
    def __init__(self, channels: Iterable[str]) -> None:
        self.channels = frozenset(channels)
        self._changes: dict[str, int] = {}
        self._is_closed = False
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._missed_heartbeats = 0

    def publish(self, channel: str, version: int) -> None:
        self._changes[channel] = max(self._changes.get(channel, 0), version)
        self._wakeup.set()

    def close(self) -> None:
        """Ends the response. The browser reconnects and is authorized again."""
        self._is_closed = True
        self._wakeup.set()

    def send_heartbeat(self) -> None:
        """Keeps proxies from closing a quiet connection. Cuts off a client that reads nothing for some time."""
        self._missed_heartbeats += 1
        self._wakeup.set()
        if self._is_stalled and self._task is not None:
            self._task.cancel()

    async def serve(self, receive: Receive, send: Send, seconds: float | None = None) -> None:
        """Sends events for at most this time, until `close` or until the client disconnects."""
        self._task = asyncio.current_task()
        watcher = asyncio.create_task(self._close_at_end(receive, seconds))
        try:
            await self._send_events(send)
        except RuntimeError:
            pass  # uvloop raises this while a connection is being closed
        except asyncio.CancelledError:
            if self._is_stalled:
                log.warning("live stream closed: its client was too slow")
            else:  # the server stops
                await _send(send, b"", more_body=False)
        finally:
            watcher.cancel()

    async def _send_events(self, send: Send) -> None:
        await _send(send, OPENING)
        while event := await self._next_event():
            await _send(send, event)
            self._missed_heartbeats = 0
        await _send(send, b"", more_body=False)

    @property
    def _is_stalled(self) -> bool:
        return self._missed_heartbeats > MAX_MISSED_HEARTBEATS

    async def _next_event(self) -> bytes:
        """Returns all waiting changes, or a heartbeat if there are none; nothing if the stream is closed."""
        await self._wakeup.wait()
        if self._is_closed:
            return b""
        self._wakeup.clear()
        changes, self._changes = self._changes, {}
        return b"".join(map(_changed_event, changes.items())) or HEARTBEAT

    async def _close_at_end(self, receive: Receive, seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (await receive())["type"] != "http.disconnect":
                    pass
        self.close()


async def _send(send: Send, body: bytes, *, more_body: bool = True) -> None:
    """Waits while the client has left a full write buffer unread."""
    await send({"type": "http.response.body", "body": body, "more_body": more_body})


def _changed_event(change: tuple[str, int]) -> bytes:
    return b"event: changed\ndata: %s %d\n\n" % (change[0].encode(), change[1])
