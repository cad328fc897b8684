"""The subscription of a web process to the broker's channel of changes. It reconnects until it is stopped."""

import asyncio
import contextlib
from typing import Any, Protocol

import redis.asyncio
from redis.exceptions import RedisError

from tournament.runtime import database_faults

RECONNECT_SECONDS = 1.0
BROKER_TIMEOUT_SECONDS = 10.0
CANCEL_RETRY_SECONDS = 0.05


class Subscriber(Protocol):
    """`handle_connect` is called whenever a subscription begins; earlier messages may have been missed."""

    def handle_connect(self) -> None: ...
    def handle_disconnect(self) -> None: ...
    def handle_message(self, message: str) -> None: ...


class BrokerSubscription:
    def __init__(self, url: str, channel: str, subscriber: Subscriber) -> None:
        self._url, self._channel, self._subscriber = url, channel, subscriber
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_listening())

    async def stop(self) -> None:
        if self._task is not None:
            await _cancel(self._task)

    async def _keep_listening(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 (the loop must survive any error)
                database_faults.broker.failed(error)
            self._subscriber.handle_disconnect()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        """Receives messages until the connection fails."""
        server = redis.asyncio.Redis.from_url(self._url, socket_connect_timeout=2)
        async with server, server.pubsub() as subscription:
            async with asyncio.timeout(BROKER_TIMEOUT_SECONDS) as timeout:
                await subscription.subscribe(self._channel)
                ping_task = asyncio.create_task(_ping_broker(subscription))
                try:
                    async for message in subscription.listen():
                        timeout.reschedule(asyncio.get_running_loop().time() + BROKER_TIMEOUT_SECONDS)
                        database_faults.broker.succeeded()
                        self._handle(message)
                finally:
                    await _cancel(ping_task)

    def _handle(self, message: dict[str, Any]) -> None:
        if message["type"] == "subscribe":
            self._subscriber.handle_connect()
        elif message["type"] == "message":
            for line in message["data"].decode(errors="replace").splitlines():
                self._subscriber.handle_message(line)


async def _ping_broker(subscription: Any) -> None:
    """Pings the broker, so that a silently lost connection is noticed within BROKER_TIMEOUT_SECONDS."""
    # AttributeError: redis-py can write to a connection that it has just closed.
    with contextlib.suppress(RedisError, OSError, AttributeError):
        while True:
            await asyncio.sleep(BROKER_TIMEOUT_SECONDS / 3)
            await subscription.ping()


async def _cancel(task: asyncio.Task[None]) -> None:
    """Cancels the task repeatedly until it ends: Python 3.11 can lose a cancellation inside redis-py."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_RETRY_SECONDS)
