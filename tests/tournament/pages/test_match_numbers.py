"""The number of a match: the same one wherever a match is named."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.phone_clients import phone
from tests.tournament.pages.places import at

pytestmark = pytest.mark.django_db


def test_a_match_has_the_number_of_the_bracket_on_every_page(hall, directing: Browser):
    match, places = hall.second_pairing.match_id, at(hall.tournament)
    number = hall.second_pairing.line
    assert number == 2
    player = phone(hall.elsewhere)
    visitor = Client()
    pages = {
        "my-matches": player.get(reverse("my-matches")),
        "my-match": player.get(reverse("my-match", args=[match])),
        "match-page": visitor.get(reverse("match-page", args=[*places, match])),
        "overlay": visitor.get(reverse("overlay", args=[*places, match])),
    }
    for name, page in pages.items():
        assert f"match {number}" in page.content.decode().lower(), name
    assert "match </span>2" in directing.open("seats", *places).text.lower()
    stories.play(hall.second_pairing, hall.owner)
    desk_match = [*places, hall.second_pairing.pk]
    assert directing.open("desk-match", *desk_match).says(f"Match {number}")
    assert directing.open("desk-correct", *desk_match).says(f"Match {number}")
    assert directing.open("event-journal", places[0]).says(f"match {number}")
    assert f"{number}" in directing.open("bracket", *places).text
