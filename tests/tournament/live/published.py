"""Messages that the application publishes to Redis."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis
from django.conf import settings

from tournament.runtime import publish

NextMessage = Callable[[float], str | None]


@contextmanager
def published_messages() -> Iterator[NextMessage]:
    """Yields a function that waits at most so many seconds for the next message."""
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        subscription = server.pubsub(ignore_subscribe_messages=True)
        subscription.subscribe(publish.CHANNEL)
        subscription.get_message(timeout=30)

        def next_message(seconds: float) -> str | None:
            message = subscription.get_message(timeout=seconds)
            return message["data"].decode() if message else None

        yield next_message
        subscription.close()


def messages_until_now(next_message: NextMessage) -> list[str]:
    """Returns every message published before this call, in order."""
    messages, last = [], f"{publish.REVOKED} end of this test"
    publish._server.publish(publish.CHANNEL, last)
    while (message := next_message(30)) != last:
        assert message is not None, f"only {messages}"
        messages.append(message)
    return messages
