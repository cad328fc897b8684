"""An event that shortens surnames shows strangers no federation number, club, team, rating or reason of a player."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access.pictures import has_a_logo
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    ask,
    group_by_preparation,
    world,
)
from tests.tournament.access.test_hidden_information import body_of
from tests.tournament.access.world import EVERYBODY, OTHER, OWNER, STRANGER, is_posted
from tournament.draw.public_draw.verification import verify
from tournament.draw.recipes import OrderRules, Separate
from tournament.drawing import draw_secret, draws, swaps
from tournament.drawing.order import DrawRules
from tournament.entries import registration
from tournament.entries.player_names import rename_all
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Event, JournalLine, Player, Result
from tournament.queries.draws.documents import published_document

__all__ = ["world"]

pytestmark = pytest.mark.django_db

SURNAME, CLUB, TEAM, NUMBER, RATING = "Zyxwvut", "Qqclub", "Qqteam", "QQ-4711", "1711.17"
TELLING = (SURNAME, CLUB, TEAM, NUMBER, RATING)
OF_A_PERSON = {"payer-receipt"}
"""Addresses with a secret of the person whom they name."""
OPEN = [row for row in TABLE if row.verb == "GET" and row.roles == EVERYBODY and row.name not in OF_A_PERSON]


def shows_initials(event: Event) -> None:
    for number, player in enumerate(Player.objects.filter(event=event)):
        player.name, player.full_name = f"P{chr(65 + number)}x {SURNAME}", ""
        player.club, player.team, player.federation_id = CLUB, TEAM, f"{NUMBER}-{number}"
        player.rating = RATING
        player.save()
    event.shows_initials = True
    event.save()
    rename_all(event)


def telling(text: str) -> list[str]:
    return [word for word in TELLING if word in text]


@pytest.mark.parametrize("role", [STRANGER, OTHER])
def test_no_public_address_reveals_the_identity_of_a_player(world, role):
    shows_initials(world.tournament.event)
    leaks, answered = {}, 0
    for ready, rows in group_by_preparation(OPEN):
        with stories.rolled_back():
            if ready not in (has_a_screen, has_a_logo):
                has_a_screen(world)
            ready(world)
            if not Result.objects.filter(pairing=world.pairing.pk).exists():
                is_posted(world)
            for row in rows:
                world.role = role
                answer = ask(world, row)
                answered += answer.status_code == 200
                if words := telling(body_of(answer).decode(errors="replace")):
                    leaks[str(row)] = words
    assert leaks == {}
    assert answered > 40


def test_a_hidden_club_finds_no_player(world):
    event = world.tournament.event
    shows_initials(event)
    here = [event.slug, world.tournament.slug]
    for page, where in (
        ("entry-list", here),
        ("standings", here),
        ("find-player", here[:1]),
        ("poster", here[:1]),
    ):
        by_club = Client().get(reverse(page, args=where), {"find": CLUB})
        by_name = Client().get(reverse(page, args=where), {"find": "P"})
        assert by_club.status_code == by_name.status_code == 200
        assert list(by_club.context["list_page"].page) == [], page
        assert list(by_name.context["list_page"].page) != [], page


def test_organizers_see_every_detail_of_entries(world):
    shows_initials(world.tournament.event)
    world.role = OWNER
    rows = {row.name: row for row in TABLE if row.verb == "GET"}
    assert telling(body_of(ask(world, rows["v1:entries"])).decode()) == list(TELLING)
    assert telling(body_of(ask(world, rows["entry-edit"])).decode()) == list(TELLING)


@pytest.fixture
def drawn():
    """A tournament of four, of two clubs, drawn with a secret after a draw that was taken back; texts have surnames."""
    owner = stories.director()
    tournament = stories.tournament(owner)
    Event.objects.filter(pk=tournament.event_id).update(shows_initials=True)
    for number in range(4):
        card = PlayerDetails(
            f"P{chr(65 + number)}x {SURNAME}", "SWE", f"{CLUB} {number % 2}", f"{NUMBER}-{number}"
        )
        registration.enter(tournament.pk, EntryDetails(card), owner)
    tournament.refresh_from_db()
    draw_secret.commit_to_secret(tournament.pk, owner)
    draw_rules = DrawRules(rules=OrderRules(separate=Separate.CLUB))
    draw_secret.close_entries(tournament.pk, draw_rules, owner)
    draw_secret.reopen_entries(tournament.pk, f"{SURNAME} is late", owner)
    draw_secret.close_entries(tournament.pk, draw_rules, owner)
    draws.make(tournament.pk, draws.DrawPlan(public="31 52 66"), owner)
    draws.release(tournament.pk, owner)
    return tournament


def test_a_public_draw_keeps_clubs_apart_without_naming_them(drawn):
    document = published_document(drawn.draws.get())
    assert telling(json.dumps(document)) == []
    assert verify(document) == []
    clubs = {entry["id"]: entry["club"] for entry in document["closing"]["entries"]}
    assert len(set(clubs.values())) == 2
    assert all(clubs[pairing["left"]] != clubs[pairing["right"]] for pairing in document["first_round"])
    page = Client().get(reverse("draw-proof", args=[drawn.event.slug, drawn.slug])).content.decode()
    assert telling(page) == []


def test_reasons_are_not_published_but_stay_in_the_journal(drawn):
    owner = stories.director("another")
    draw = drawn.draws.get()
    draw.number, draw.reason = 2, f"{SURNAME} was left out"
    draw.save()
    seats = [seat for seat in swaps.entry_seats(drawn) if seat.round == 1]
    swap = swaps.Swap(seats[0].feed, seats[2].feed, (seats[0].entry, seats[2].entry))
    swaps.swap(drawn.pk, swap, owner, f"{SURNAME} is tired")
    document = published_document(draw)
    assert telling(json.dumps(document)) == []
    assert {finding.code for finding in verify(document)} <= {"draw", "seed_text"}
    page = Client().get(reverse("draw-proof", args=[drawn.event.slug, drawn.slug])).content.decode()
    assert telling(page) == []
    assert JournalLine.objects.filter(reason__contains=SURNAME).count() == 2
