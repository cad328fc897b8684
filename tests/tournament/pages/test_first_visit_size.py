"""The compressed size of a first visit: the page with each style sheet and script that it loads."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.phone_clients import phone
from tournament.accounts import links

PLAYERS, EVERYBODYS = 60_000, 150_000
ASKED = re.compile(r'<(?:script[^>]*\ssrc|link[^>]*\shref)="/static/([^"]+\.(?:css|js|svg))"')


def sent(client: Client, address: str) -> tuple[int, str]:
    """The compressed size of the answer in bytes, and its text."""
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200, address
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    packed = answer.headers.get("Content-Encoding") == "gzip"
    assert packed or len(body) < 300, f"{address} is sent as it is"
    return len(body), (gzip.decompress(body) if packed else body).decode()


def weight(client: Client, address: str) -> int:
    bytes_of_page, page = sent(client, address)
    return bytes_of_page + sum(size(name) for name in set(ASKED.findall(page)))


def size(name: str) -> int:
    """The compressed size of a static file; files too short to compress have their own."""
    plain = Path(settings.STATIC_ROOT) / name
    packed = plain.with_name(plain.name + ".gz")
    assert packed.exists() or plain.stat().st_size < 300, f"{name} is sent as it is"
    return (packed if packed.exists() else plain).stat().st_size


@pytest.mark.django_db
def test_a_first_visit_stays_within_its_weight_limit():
    director = stories.director()
    made = stories.released(director, 64)
    pairing = stories.playable(made)[0]
    player = phone(links.make_link(pairing.left, director))
    desk = Client()
    desk.force_login(director.user)
    here = [made.event.slug, made.slug]
    light = {path: weight(player, path) for path in ("/me/", reverse("my-match", args=[pairing.match_id]))}
    heavier = {
        reverse(name, args=here): weight(Client(), reverse(name, args=here))
        for name in ("bracket", "standings", "entry-list")
    } | {
        reverse(name, args=here): weight(desk, reverse(name, args=here))
        for name in ("desk", "entries", "draw")
    }
    print({**light, **heavier})
    assert {path: bytes_ for path, bytes_ in light.items() if bytes_ > PLAYERS} == {}
    assert {path: bytes_ for path, bytes_ in heavier.items() if bytes_ > EVERYBODYS} == {}
