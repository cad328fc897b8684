"""Django as a WSGI application; `deploy.asgi` runs it in threads behind the live streams."""

from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters


class Utf8Request(WSGIRequest):
    """What is sent here is UTF-8, whatever a header calls it: a charset such as “zip” breaks Django's own reading."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


application: WSGIHandler = get_wsgi_application()
application.request_class = Utf8Request
