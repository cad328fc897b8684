"""A proxy on the loopback address that delays, loses or cuts off traffic between phones and the product."""

import asyncio
import itertools
import threading
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Self

LOOPBACK = "127.0.0.1"
CHUNK = 65536
SECONDS_TO_START = 60.0


@dataclass(frozen=True, slots=True)
class NetworkConditions:
    """Seconds added to a round trip, the share of round trips that are lost, and whether nothing gets through.

    Requests and responses are lost equally often.
    """

    delay: float = 0.0
    loss: float = 0.0
    is_cut: bool = False


GOOD_NETWORK = NetworkConditions()


class NetworkProxy:
    """Forwards connections in its own thread until it is closed.

    With several `ports`, each new connection goes to the next port that accepts it. Lost traffic ends its connection,
    as phones notice a dead access point.
    """

    def __init__(self, *ports: int, seed: int = 1, conditions: NetworkConditions = GOOD_NETWORK) -> None:
        self.ports = ports
        self.conditions = conditions
        self.lost = 0
        self._turns = itertools.count()
        self._chance = Random(seed)  # noqa: S311 (simulated loss)
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._port = 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(SECONDS_TO_START):
            raise TimeoutError("The proxy did not start.")
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._port}"

    def change(self, conditions: NetworkConditions) -> None:
        """A cut aborts all open connections at once."""
        self.conditions = conditions
        if conditions.is_cut:
            self._loop.call_soon_threadsafe(self._abort_all)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, LOOPBACK, 0))
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._abort_all()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = None if self.conditions.is_cut else await self._connect()
        if server is None:
            writer.transport.abort()
            return
        server_reader, server_writer = server
        self._open |= {writer, server_writer}
        directions = ((reader, server_writer), (server_reader, writer))
        tasks = {asyncio.ensure_future(self._forward(*direction)) for direction in directions}
        with suppress(asyncio.CancelledError):
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, server_writer):
            if not end.is_closing():
                end.transport.abort()
        self._open -= {writer, server_writer}

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Tries the ports in turn; None when none of them accepts."""
        turn = next(self._turns)
        for number in range(len(self.ports)):
            with suppress(OSError):
                return await asyncio.open_connection(LOOPBACK, self.ports[(turn + number) % len(self.ports)])
        return None

    async def _forward(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Forwards until a chunk is lost or either end closes."""
        with suppress(OSError):
            while chunk := await source.read(CHUNK):
                await asyncio.sleep(self.conditions.delay / 2)
                if self.conditions.loss and self._chance.random() < self.conditions.loss / 2:
                    self.lost += 1
                    return
                target.write(chunk)
                await target.drain()
            target.close()

    def _abort_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()
