"""The service worker and the manifest, with which a browser installs the player's pages."""

import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

pytestmark = pytest.mark.django_db


def test_browsers_get_a_service_worker_and_a_manifest_that_opens_own_matches():
    worker = Client().get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "no-cache" in worker["Cache-Control"]
    assert "const VERSION" in worker.content.decode()
    manifest = json.loads(Client().get("/manifest.webmanifest").content)
    assert (manifest["start_url"], manifest["display"]) == ("/me/", "standalone")
    assert [icon["sizes"] for icon in manifest["icons"] if icon.get("purpose") == "maskable"] == ["512x512"]
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    for icon in drawn:
        sent = icon_file(icon).read_bytes()
        assert "{}x{}".format(*Image.open(io.BytesIO(sent)).size) == icon["sizes"]
        assert len(sent) < 10_000
    assert {icon["sizes"] for icon in drawn} == {"192x192", "512x512"}
    assert all(icon_file(icon).exists() for icon in manifest["icons"])


def icon_file(icon: dict[str, str]) -> Path:
    return Path(settings.STATIC_ROOT) / icon["src"].removeprefix(settings.STATIC_URL)
