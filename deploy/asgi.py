"""The ASGI application. Composes the layers that a request passes, and starts and stops the process."""

import asyncio
import os

from django.conf import settings

from deploy import database_timeouts, environment, live_endpoint, open_files, release_guard
from deploy.asgi_call import Receive, Scope, Send
from deploy.body_limits import BodyLimits
from deploy.django_threads import DjangoThreads
from deploy.live_endpoint import LiveEndpoint
from deploy.monitoring.http_metrics import RequestMetrics, remove_dead_processes
from deploy.request_priority import RequestPriority
from deploy.response_cache import ResponseCache
from deploy.shutdown import RefuseOnShutdown
from deploy.static_files import StaticFiles
from deploy.stream_hub import Hub
from deploy.wsgi import application as django_application
from tournament.runtime import queue
from tournament.runtime.publish import CHANNEL


class AsgiApplication:
    """Live streams need no thread. Other requests pass RequestMetrics, RefuseOnShutdown, StaticFiles, ResponseCache,
    BodyLimits and RequestPriority, in this order, before a thread of DjangoThreads takes them.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        threads = DjangoThreads(django_application, environment.web_threads())
        prioritized = RequestPriority(threads)
        limited = BodyLimits(prioritized)
        cached = ResponseCache(limited, hub.change_log)
        self.pages = RequestMetrics(RefuseOnShutdown(StaticFiles(cached)))
        self.live_endpoint = LiveEndpoint(hub, prioritized)
        self.live = RefuseOnShutdown(self.live_endpoint)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"].startswith(live_endpoint.PREFIX):
            await self.live(scope, receive, send)
        elif scope["type"] == "http":
            await self.pages(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                # os._exit, because uvicorn replaces any other exit during startup by its own exit code 3.
                await asyncio.to_thread(release_guard.check, os._exit)
                if problem := self._start():
                    await send({"type": "lifespan.startup.failed", "message": problem})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.hub.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _start(self) -> str:
        """Returns an error message, or "". A process without a subscription must not serve pages."""
        try:
            open_files.raise_limit()
            database_timeouts.apply_timeouts()
            remove_dead_processes()
            queue.warm_up()
            self.hub.start()
        except Exception as error:  # noqa: BLE001 (the supervisor restarts the process after any error)
            return f"The web server cannot start ({type(error).__name__}: {error})."
        return ""


application = AsgiApplication(Hub(settings.REDIS_URL, CHANNEL))
