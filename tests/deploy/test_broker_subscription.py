"""The subscription to the broker survives a silent or faulty broker and stops at any moment."""

import asyncio
from contextlib import suppress

import pytest

from deploy import broker_subscription
from deploy.stream_hub import Hub
from tests.deploy.streams import until
from tests.flows.waiting import LONGEST_WAIT
from tournament.runtime import database_faults
from tournament.runtime.database_faults import Outage


class SilentBroker:
    """Accepts a subscription and then stays silent, or sends `last_bytes`."""

    def __init__(self, last_bytes: bytes = b"") -> None:
        self.connections: list[asyncio.StreamWriter] = []
        self._last_bytes = last_bytes

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        with suppress(ConnectionResetError):
            while (command := await reader.read(4096)) and b"SUBSCRIBE" not in command:
                writer.write(b"+OK\r\n" * command.count(b"*"))
            writer.write(b"*3\r\n$9\r\nsubscribe\r\n$4\r\nlive\r\n:1\r\n" + self._last_bytes)


@pytest.mark.parametrize("last_bytes", [b"", b"*3\r\n$many\r\n"], ids=["nothing", "no number"])
def test_the_hub_reconnects_to_a_silent_or_faulty_broker(monkeypatch, caplog, last_bytes):
    """Repeated failures count as one outage, which is logged once."""
    monkeypatch.setattr(database_faults, "broker", Outage("it is away", "it is back", settles=60))
    monkeypatch.setattr(broker_subscription, "BROKER_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(broker_subscription, "RECONNECT_SECONDS", 0.01)

    async def scenario():
        broker = SilentBroker(last_bytes)
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
        hub.start()
        await until(lambda: len(broker.connections) >= 3 and hub.change_log.last_change("a bracket") > 0)
        await hub.stop()
        for writer in broker.connections:
            writer.close()
        server.close()

    asyncio.run(scenario())
    assert [record.getMessage()[:10] for record in caplog.records] == ["it is away"]


def test_a_hub_stops_at_any_moment():
    """Also while it connects, when Python 3.11 can lose a cancellation."""

    async def scenario():
        broker = SilentBroker()
        server = await asyncio.start_server(broker.take, "127.0.0.1", 0)
        for moment in range(80):
            hub = Hub(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", "live")
            hub.start()
            for _ in range(moment):
                await asyncio.sleep(0)
            ended, running = await asyncio.wait([asyncio.create_task(hub.stop())], timeout=LONGEST_WAIT)
            assert not running, f"stopped after {moment} steps"
            assert [task.result() for task in ended] == [None]
        for writer in broker.connections:
            writer.close()
        server.close()

    asyncio.run(scenario())
