"""What every page has to keep: nothing inline, nothing from elsewhere, and light enough for a slow phone."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.phones import Card, phone
from tournament import links

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
PAGES = sorted(TEMPLATES.rglob("*.html"))
SHEETS = sorted((TEMPLATES / "static").glob("*.css"))
SCRIPTS = sorted((TEMPLATES / "static").glob("*.js"))
LIGHT = 60_000
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", re.I)
ELSEWHERE = re.compile(r"(?:src|href|action)=[\"']?(?:https?:)?//", re.I)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_no_template_has_style_or_script_of_its_own_or_asks_elsewhere(page):
    written = page.read_text()
    assert INLINE.findall(written) == []
    assert ELSEWHERE.findall(written) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_style_sheets_are_short_and_lay_out_for_both_directions_of_writing(sheet):
    lines = sheet.read_text().splitlines()
    assert len(lines) <= 600
    sided = re.compile(
        r"^\s*(margin|padding|border)-(left|right)|^\s*(left|right):|text-align:\s*(left|right)"
    )
    assert [line for line in lines if sided.search(line)] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_ask_for_nothing_that_a_plain_address_in_a_hall_does_not_have(script):
    written = script.read_text()
    assert "randomUUID" not in written
    assert "serviceWorker" not in written
    assert "innerHTML" not in written


@pytest.mark.django_db
def test_pages_for_players_are_light():
    director = stories.director()
    made = stories.released(director, 64)
    pairing = stories.playable(made)[0]
    client = phone(links.give_link(pairing.left, director))
    here = [made.event.slug, made.slug]
    addresses = [
        reverse("bracket", args=here),
        reverse("standings", args=here),
        reverse("entry-list", args=here),
        reverse("poster", args=here[:1]),
        reverse("my-matches"),
        Card(client, pairing.match_id).address,
    ]
    sizes = {address: len(client.get(address).content) for address in addresses}
    assert {address: size for address, size in sizes.items() if size > LIGHT} == {}


@pytest.mark.django_db
def test_whatever_a_page_asks_for_is_there(hall):
    client = phone(hall.left)
    here = [hall.tournament.event.slug, hall.tournament.slug]
    pages = [
        reverse("bracket", args=here),
        reverse("bracket-print", args=here),
        "/reach/",
        "/sign-in/",
        "/me/",
    ]
    pages += [Card(client, hall.pairing.match_id).address, reverse("poster", args=here[:1])]
    wanted = {
        name
        for page in pages
        for name in re.findall(r'(?:src|href)="/static/([^"?]+)"', client.get(page).content.decode())
    }
    assert {"style.css", "parts.css", "live.js", "card.js"} <= wanted
    assert [name for name in sorted(wanted) if finders.find(name) is None] == []


@pytest.mark.django_db
def test_the_policy_of_every_page_forbids_what_is_inline():
    policy = Client().get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
