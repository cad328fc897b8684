"""Django as a WSGI application, with every page loaded; `deploy.asgi` runs it in threads behind the live streams."""

import gc
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters


class Utf8Request(WSGIRequest):
    """What is sent here is UTF-8, whatever a header calls it: a charset such as “zip” breaks Django's own reading."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


def _load_application() -> WSGIHandler:
    """What is loaded stays for good: nobody looks through it for garbage, neither while it is loaded nor while somebody
    waits for a page. That is a fifth of a start, and a tenth of a second of everybody's now and then.
    """
    gc.disable()
    handler: WSGIHandler = get_wsgi_application()
    import_module(settings.ROOT_URLCONF)
    gc.freeze()
    gc.enable()
    return handler


application = _load_application()
application.request_class = Utf8Request
