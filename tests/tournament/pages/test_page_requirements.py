"""Requirements of every page: no inline code, no foreign addresses, a size for slow phones."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from deploy.static_files import VERSIONED
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.accounts import links
from tournament.drawing import draws
from tournament.models import Entry, Player

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))
STYLE_SHEETS = sorted((TEMPLATES / "static").glob("*.css"))
SCRIPTS = sorted((TEMPLATES / "static").glob("*.js"))
MAX_BYTES = 60_000
INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*(?:\ssrc=|type=.application/json))|javascript:", re.I
)
ELSEWHERE = re.compile(r"(?:src|href|action)=[\"']?(?:https?:)?//", re.I)


def test_no_template_has_inline_style_or_script_or_foreign_addresses():
    violations = [
        (str(page.relative_to(TEMPLATES)), text)
        for page in PAGES
        for text in (*INLINE.findall(page.read_text()), *ELSEWHERE.findall(page.read_text()))
    ]
    assert len(PAGES) > 200
    assert violations == []


@pytest.mark.parametrize("sheet", STYLE_SHEETS, ids=lambda path: path.name)
def test_style_sheets_are_short_and_lay_out_for_both_directions_of_writing(sheet):
    lines = sheet.read_text().splitlines()
    assert len(lines) <= 600
    sided = re.compile(
        r"^\s*(margin|padding|border)-(left|right)|^\s*(left|right):|text-align:\s*(left|right)"
    )
    assert [line for line in lines if sided.search(line)] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_use_nothing_that_needs_https(script):
    source = script.read_text()
    assert "randomUUID" not in source
    assert "innerHTML" not in source
    assert "navigator.locks" not in source
    for name in ("serviceWorker", "storage"):
        if f"navigator.{name}" in source:
            assert re.search(rf"!?navigator\.{name}( \?| \|\||\) return| && navigator)", source), name


def released_tournament(entries: int):
    """A released draw of players with long names."""
    director = stories.director()
    made = stories.tournament(director)
    players = Player.objects.bulk_create(
        Player(
            event=made.event,
            name=f"Maximiliane Müller-Lüdenscheidt {number}",
            country="GER",
            club="Backgammonclub",
        )
        for number in range(1, entries + 1)
    )
    Entry.objects.bulk_create(
        Entry(tournament=made, player=player, entered_at=timezone.now()) for player in players
    )
    draws.make(made.pk, draws.DrawPlan(), director)
    draws.release(made.pk, director)
    return director, made


@pytest.mark.django_db
def test_pages_for_players_are_light():
    director, made = released_tournament(512)
    pairing = stories.playable(made)[0]
    client = phone(links.make_link(pairing.left, director))
    arguments = [made.event.slug, made.slug]
    addresses = [
        reverse("bracket", args=arguments),
        reverse("bracket-fragment", args=arguments),
        reverse("bracket", args=arguments) + "?wall=1",
        reverse("bracket", args=arguments) + "?find=maximiliane+1",
        reverse("standings", args=arguments),
        reverse("entry-list", args=arguments),
        reverse("poster", args=arguments[:1]),
        reverse("my-matches"),
        Card(client, pairing.match_id).address,
    ]
    sizes = {address: len(client.get(address).content) for address in addresses}
    assert {address: size for address, size in sizes.items() if size > MAX_BYTES} == {}


def files_of(page: str) -> set[str]:
    return {VERSIONED.sub(r"\1\2", name) for name in re.findall(r'(?:src|href)="/static/([^"?]+)"', page)}


@pytest.mark.django_db
def test_a_first_visit_to_the_score_card_is_light_with_all_its_files(hall):
    client = phone(hall.left)
    card = Card(client, hall.pairing.match_id)
    for _ in range(2):
        card.game("left")
        card.game("right")
    page = client.get(card.address).content
    loaded = files_of(page.decode())
    assert {"score.js", "store.js", "queue.js", "outbox.js", "card.js", "split.js"} <= loaded
    files = [Path(str(finders.find(name))).read_bytes() for name in loaded]
    assert sum(len(gzip.compress(content)) for content in [page, *files]) < MAX_BYTES


@pytest.mark.django_db
def test_every_player_of_a_long_list_is_listed_and_found():
    _, made = released_tournament(150)
    for name in ("entry-list", "standings", "poster"):
        address = reverse(name, args=[made.event.slug, made.slug][: 1 if name == "poster" else 2])
        pages = [Client().get(address, {"page": number}).content.decode() for number in (1, 2)]
        listed = [re.findall(r"<bdi>Maximiliane Müller-Lüdenscheidt (\d+)</bdi>", page) for page in pages]
        assert len(listed[0]) == 80, name
        assert {int(number) for page in listed for number in page} == set(range(1, 151))
        text = Client().get(address, {"find": "MULLER-LUDENSCHEIDT 150"}).content.decode()
        assert text.count("<bdi>Maximiliane") == 1
        assert "Nobody of that name." in Client().get(address, {"find": "nobody"}).content.decode()


@pytest.mark.django_db
def test_every_file_that_a_page_loads_exists(hall):
    client = phone(hall.left)
    arguments = [hall.tournament.event.slug, hall.tournament.slug]
    pages = [
        reverse("bracket", args=arguments),
        reverse("bracket-print", args=arguments),
        "/reach/",
        "/sign-in/",
        "/me/",
    ]
    pages += [Card(client, hall.pairing.match_id).address, reverse("poster", args=arguments[:1])]
    loaded_names = {name for page in pages for name in files_of(client.get(page).content.decode())}
    assert {"style.css", "parts.css", "live.js", "card.js"} <= loaded_names
    assert [name for name in sorted(loaded_names) if finders.find(name) is None] == []


@pytest.mark.django_db
def test_the_content_security_policy_of_every_page_forbids_inline_code():
    policy = Client().get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
