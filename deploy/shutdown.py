"""Answers 503 to requests that the server cancels during shutdown, instead of logging a traceback.

The server waits a few seconds and then cancels the remaining requests. A thread may still complete its work, so the
client must retry with the same idempotency key, as after any lost response.
"""

import asyncio
from contextlib import suppress

from deploy.asgi_call import App, Receive, Scope, Send
from deploy.request_refusals import Refusal, send_refusal

SHUTTING_DOWN = Refusal(503, "ending", "The server is restarting. Send it again in a moment.", 5)


class RefuseOnShutdown:
    """ASGI middleware."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            with suppress(RuntimeError):  # the response has already started
                await send_refusal(scope, send, SHUTTING_DOWN)
