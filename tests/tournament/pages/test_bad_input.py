"""Impossible values in forms of the pages are refused with a sentence."""

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access import database_rows
from tests.tournament.pages.places import at, match
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Format

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(owner):
    """A knock-out of four entries whose first match is played."""
    made = stories.released(owner, 4)
    stories.play(stories.playable(made)[0], owner)
    return made


@pytest.fixture
def client(client, owner):
    client.force_login(owner.user)
    return client


def says(answer, sentence: str) -> bool:
    return sentence in answer.content.decode()


def test_the_draw_page_refuses_a_format_with_too_few_entries(browser, owner):
    made = stories.entered(owner, 8, format=Format(consolation="A.B.C"))
    before = database_rows.rows()
    browser.open("draw", *at(made)).press("Draw", method="random")
    assert browser.says("Change the format, or the entries.")
    assert database_rows.rows() == before


def test_a_seat_of_a_played_match_is_not_swapped(client, made):
    seats = entry_seats(made)
    fixed = next(seat for seat in seats if seat.is_fixed)
    free = next(seat for seat in seats if not seat.is_fixed)
    before = database_rows.rows()
    sent = {"one": f"{fixed.feed}:{fixed.entry}", "other": f"{free.feed}:{free.entry}", "reason": "A car"}
    answer = client.post(reverse("seats", args=at(made)), sent)
    assert answer.status_code == 422
    assert says(answer, "Choose a seat whose match has not begun.")
    assert database_rows.rows() == before


def test_a_match_without_players_gets_no_result(client, made):
    final = stories.pairings(made).last()
    before = database_rows.rows()
    award = reverse("desk-action", args=[*match(final), "award"])
    answer = client.post(award, {"outcome": "walkover:left"}, follow=True)
    assert answer.status_code in (409, 422)
    assert database_rows.rows() == before


def test_an_unknown_match_is_not_found(client, made):
    before = database_rows.rows()
    for name, more in (("desk-action", ["award"]), ("desk-correct", [])):
        assert client.post(reverse(name, args=[*at(made), 999999, *more])).status_code == 404
    assert database_rows.rows() == before


def test_only_directors_see_and_send_the_correction_form(at_desk, hall):
    stories.play(hall.pairing, hall.owner)
    before = database_rows.rows()
    address = reverse("desk-correct", args=match(hall.pairing))
    sent = {"outcome": "played", "left": "1", "right": "3", "digest": "0" * 64, "reason": "He won"}
    assert at_desk.client.get(address).status_code == 403
    assert at_desk.client.post(address, sent).status_code == 403
    assert database_rows.rows() == before


def test_a_player_cannot_be_entered_twice(client, owner):
    made = stories.entered(owner, 2)
    before = database_rows.rows()
    answer = client.post(reverse("entries", args=at(made)), {"name": made.entries.first().player.name})
    assert answer.status_code == 422
    assert says(answer, "is already entered.")
    assert database_rows.rows() == before
