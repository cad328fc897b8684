"""Impossible values in forms of the pages are refused with a sentence."""

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.access import database_rows
from tests.tournament.pages.places import at, match

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
