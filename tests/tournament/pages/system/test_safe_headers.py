"""Security headers of every kind of response."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from deploy.live_endpoint import STREAM_HEADERS
from deploy.security_headers import ASGI_HEADERS, SECURITY_HEADERS

pytestmark = pytest.mark.django_db


def addresses(hall) -> list[str]:
    here = [hall.tournament.event.slug, hall.tournament.slug]
    files = [("standings-export", kind) for kind in ("csv", "xlsx")]
    return [
        "/", "/sign-in/", "/me/", "/nothing/here/", "/healthz", "/manifest.webmanifest", "/worker.js", "/e/",
        "/d/none/", "/p/none/", "/verify-draw/",
        "/api/v1/events/", "/api/v1/nothing/", "/api/v1/schema/", "/api/v1/me/", "/api/",
        reverse("bracket", args=here), reverse("bracket-fragment", args=here), reverse("bracket-svg", args=here),
        *(reverse(name, args=[*here, kind]) for name, kind in files),
    ]  # fmt: skip


def test_every_response_has_the_security_headers(hall):
    client = Client()
    for address in addresses(hall):
        answer = client.get(address)
        assert {name for name in SECURITY_HEADERS if name not in answer.headers} == set(), address
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        policy = answer["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy or "sandbox" in policy, (address, policy)
        assert "unsafe" not in policy
    refused = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "x"})
    assert (refused.status_code, set(SECURITY_HEADERS) <= set(refused.headers)) == (403, True)


def test_live_streams_have_the_security_headers():
    assert set(ASGI_HEADERS) <= set(STREAM_HEADERS)


def test_downloads_are_attachments_and_never_run(hall):
    here = [hall.tournament.event.slug, hall.tournament.slug]
    for address in (reverse("bracket-svg", args=here), reverse("results-export", args=[*here, "csv"])):
        answer = Client().get(address)
        assert answer["Content-Disposition"].startswith("attachment;")
        assert "sandbox" in answer["Content-Security-Policy"]


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(hall):
    client = Client()
    client.get(reverse("personal-link", args=[hall.left]))
    client.get("/sign-in/")
    assert client.cookies["link"]["httponly"]
    assert {client.cookies[name]["samesite"] for name in ("link", "csrftoken")} == {"Lax"}
    assert settings.SESSION_COOKIE_HTTPONLY
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
