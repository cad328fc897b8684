"""The number of a match: the same one wherever a match is named."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.phone_clients import phone
from tests.tournament.pages.places import at
from tournament.drawing import round_previews
from tournament.models import Tournament
from tournament.queries.round_preview import load_round_preview
from tournament.queries.rounds import paired_round

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


def test_a_round_has_the_same_numbers_before_and_after_its_release(owner):
    made = stories.entered(owner, 5)
    stories.play_a_round(made, owner)
    made = Tournament.objects.get(pk=made.pk)
    round_previews.preview_next_round(made.pk, owner)
    preview = load_round_preview(made)
    assert preview is not None
    assert sorted(pairing.number for pairing in preview.pairings) == ["", "3", "4"]
    round_previews.release_round(made.pk, owner)
    paired = paired_round(made)
    assert paired is not None
    assert {(pairing.left, pairing.number) for pairing in paired.pairings} == {
        (pairing.left, pairing.number) for pairing in preview.pairings
    }
