"""The air of a hall: a proxy that holds back, loses or cuts off what phones send and are answered. Loopback only.

With several nodes behind it, it gives each connection to the next one that can be reached.
"""

import asyncio
import itertools
import threading
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Self

LOOPBACK = "127.0.0.1"
CHUNK = 65536
SECONDS_TO_START = 10.0


@dataclass(frozen=True, slots=True)
class Weather:
    """Seconds that a question and its answer need beyond their own; the share of them of which one is lost, as often
    on the way there as on the way back; and whether nothing gets through at all."""

    delay: float = 0.0
    loss: float = 0.0
    is_cut: bool = False


CLEAR = Weather()


class Air:
    """Stands between phones and the product, in a thread of its own, until it is closed.

    What is lost takes its connection with it, as phones notice a dead access point: by no answer coming.
    """

    def __init__(self, *ports: int, seed: int = 1, weather: Weather = CLEAR) -> None:
        self.weather = weather
        self.lost = 0
        self._nodes = ports
        self._turns = itertools.count()
        self._chance = Random(seed)  # noqa: S311 (the weather)
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._port = 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(SECONDS_TO_START):
            raise TimeoutError("The air did not come up.")
        return self

    def __exit__(self, *_what: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._port}"

    def lead_to(self, *ports: int) -> None:
        """Whoever connects from now on reaches one of these."""
        self._nodes = ports

    def turn(self, weather: Weather) -> None:
        """Changes the weather; when it cuts off, what is open now ends at once."""
        self.weather = weather
        if weather.is_cut:
            self._loop.call_soon_threadsafe(self._end_all)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._meet, LOOPBACK, 0))
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._end_all()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.weather.is_cut:
            writer.transport.abort()
            return
        found = await self._connect()
        if found is None:
            writer.transport.abort()
            return
        there, back = found
        self._open |= {writer, back}
        ways = {asyncio.ensure_future(self._carry(*way)) for way in ((reader, back), (there, writer))}
        with suppress(asyncio.CancelledError):
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for one in (writer, back):
            if not one.is_closing():
                one.transport.abort()
        self._open -= {writer, back}

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """To the node whose turn it is; past those that do not listen."""
        turn = next(self._turns)
        for number in range(len(self._nodes)):
            with suppress(OSError):
                return await asyncio.open_connection(
                    LOOPBACK, self._nodes[(turn + number) % len(self._nodes)]
                )
        return None

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Passes on what comes, until something is lost or either side has had enough; what was passed on arrives."""
        with suppress(OSError):
            while piece := await source.read(CHUNK):
                await asyncio.sleep(self.weather.delay / 2)
                if self.weather.loss and self._chance.random() < self.weather.loss / 2:
                    self.lost += 1
                    return
                target.write(piece)
                await target.drain()
            target.close()

    def _end_all(self) -> None:
        for one in self._open:
            one.transport.abort()
