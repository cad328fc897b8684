"""Serves the manifest and the service worker, with which a browser installs the player's pages as an app.

Browsers load a service worker only over HTTPS or from localhost. The worker's file is in the static folder, but it is
served from the root, because its scope must contain the pages. Its version changes with every static file.
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
    """Describes the app, which opens on the player's own matches."""
    manifest_json = {
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
    return JsonResponse(manifest_json, content_type="application/manifest+json")


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Returns the service worker after two lines with its version and the address of static files."""
    header = f'"use strict";\nconst VERSION = "{_version()}";\nconst STATIC = "{settings.STATIC_URL}";\n'
    return HttpResponse(header + _source(), content_type="text/javascript; charset=utf-8")


@cache
def _source() -> str:
    path = finders.find(WORKER)
    return Path(str(path)).read_text(encoding="utf-8")


@cache
def _version() -> str:
    """Changes with any static file, so that an app does not mix new pages with old scripts."""
    digest = hashlib.sha256()
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).iterdir()):
            digest.update(path.name.encode() + path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()[:16]
