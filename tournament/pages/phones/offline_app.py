"""What a browser needs to keep the player's pages as an app: the manifest and the service worker.

Browsers ask for a worker over HTTPS and on this computer only. The worker lies in the static folder; it is served from
the root, where it may look after the pages, under a version that changes with every static file.
"""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

WORKER = "worker.js"
COLOUR = "#0d3b2c"


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The player's pages as an app: opens on their own matches."""
    told = {
        "id": reverse("my-matches"),
        "name": _("Backgammon Director"),
        "short_name": _("Backgammon"),
        "start_url": reverse("my-matches"),
        "scope": "/",
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "icons": [
            {"src": static("logo.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": static("icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": static("icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {
                "src": static("icon-maskable-512.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
        ],
    }
    return JsonResponse(told, content_type="application/manifest+json")


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The service worker, after two lines that say which version it is and where static files lie."""
    head = f'"use strict";\nconst VERSION = "{_version()}";\nconst STATIC = "{static("")}";\n'
    return HttpResponse(head + _source(), content_type="text/javascript; charset=utf-8")


@cache
def _source() -> str:
    found = finders.find(WORKER)
    return Path(str(found)).read_text(encoding="utf-8")


@cache
def _version() -> str:
    """Changes with any static file, so that an app does not mix pages of today with scripts of last year."""
    whole = hashlib.sha256()
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).iterdir()):
            whole.update(path.name.encode() + path.read_bytes() if path.is_file() else b"")
    return whole.hexdigest()[:16]
