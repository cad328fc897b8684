"""Whoever is not answered yet when the server ends is told to come again; the log is spared the way through our code.

Nothing here ends anything: the server gives everybody a few seconds and then cancels what is left. What a thread is at
may still be carried out, so whoever comes again has to say the same with the same key, as after any lost answer.
"""

import asyncio
from contextlib import suppress

from deploy.body_limits import App, Receive, Refusal, Scope, Send, send_refusal

SHUTTING_DOWN = Refusal(
    503, "ending", "This server is just starting again. Send it once more in a moment.", 5
)


class RefuseOnShutdown:
    """Stands before an application."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            with suppress(RuntimeError):  # an answer that has begun cannot become another
                await send_refusal(scope, send, SHUTTING_DOWN)
