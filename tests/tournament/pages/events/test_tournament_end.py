"""The end of every format on the tournament's page, the event's page, at the desk and on phones."""

import random
import re

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.phone_clients import phone
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import jackpots, rounds
from tournament.models import Bracket, Entry, Tournament
from tournament.queries.brackets.labels import bracket_title
from tournament.queries.events.ends import find_end
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
SWISS = Format(Kind.SWISS, rounds=2)


def played_out(made: Tournament, owner) -> Tournament:
    """Plays everything there is, and every round that comes: the left player wins."""
    while True:
        while waiting := stories.playable(made):
            stories.play(waiting[0], owner)
        try:
            rounds.pair_next_round(made.pk, owner)
        except Refused:
            return made


def champion(made: Tournament) -> str:
    name = find_end(made).champion
    assert name
    return name


@pytest.mark.parametrize(
    "played", [SWISS, Format(Kind.LIVES, lives=1), Format(Kind.ROUND_ROBIN)], ids=lambda played: played.kind
)
def test_a_table_names_its_winner_and_the_first_places(owner, stranger, played):
    made = played_out(stories.released(owner, 3, format=played), owner)
    bracket = stranger.open("bracket", *at(made))
    assert bracket.says("Winner")
    assert bracket.says(champion(made))
    assert 'aria-label="First places"' in bracket.text


def test_a_finished_tournament_is_over_at_the_desk_and_only_the_owner_is_asked_to_archive(owner, browser):
    made = played_out(stories.released(owner, 2), owner)
    desk = browser.open("desk", *at(made))
    assert desk.says(" is over.")
    assert desk.says(champion(made))
    director = stories.director("director")
    stories.join(made.event, director, "director", owner)
    page = Browser(director.user).open("event-overview", made.event.slug)
    assert page.says("The owner of the event can archive it")
    assert not page.says("Archive the event")
    assert browser.open("event-overview", made.event.slug).says("Archive the event")
    assert browser.says(f"<dd><bdi>{champion(made)}</bdi></dd>")
    assert 'aria-current="step"' not in browser.text


def test_the_desk_offers_the_next_round_between_two_rounds(owner, browser):
    made = stories.released(owner, 4, format=SWISS)
    entry = Entry.objects.filter(tournament=made).first()
    mine, address = phone(links.make_link(entry, owner)), reverse("my-matches")
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    assert "The next round appears here when it is paired" in mine.get(address).text
    desk = browser.open("desk", *at(made))
    assert desk.says("Round 1 is complete")
    assert not desk.says(" is over.")
    desk.press("Pair and release round 2")
    assert made.draws.get().tournament.brackets.get().rounds.count() == 2
    played_out(made, owner)
    page = mine.get(address).text
    assert "The next round appears here" not in page
    won = "You won the tournament!" in page
    assert won == (entry.name == champion(made))
    assert won or "The tournament is over. Thank you for playing." in page
    assert "Final place" in page


SHOWN_BRACKET = re.compile(r"<summary><span>([^<]+)</span>")


@pytest.mark.parametrize(
    ("played", "key"),
    [(Format(Kind.GROUPS, groups=2, qualifiers=1), "play-off"), (Format(Kind.DOUBLE), "final")],
    ids=["groups", "double"],
)
def test_a_tournament_opens_where_its_winner_is_found(owner, stranger, played, key):
    made = stories.released(owner, 4, format=played)
    first = str(Bracket.objects.get(tournament=made, position=0).pk)
    assert f'data-listens="{first}"' in stranger.open("bracket", *at(made)).text
    played_out(made, owner)
    page = stranger.open("bracket", *at(made))
    assert SHOWN_BRACKET.search(page.text)[1] == bracket_title(key)
    assert page.says(champion(made))
    key_of_first = Bracket.objects.get(pk=first).key.replace(" ", "-")
    beside = stranger.open("side-bracket", *at(made), key_of_first)
    assert beside.status == 200
    assert SHOWN_BRACKET.search(beside.text)[1] == bracket_title(key_of_first.replace("-", " "))


def test_winners_beside_the_main_bracket_are_named(owner, stranger, browser):
    played = Format(consolation="progressive", last_chance="progressive")
    made = stories.released(owner, 8, format=played)
    stories.play_out(made, owner, random.Random(3))
    end = find_end(made)
    assert {key for key, _ in end.winners} == {"consolation", "last chance"}
    for page in (
        stranger.open("bracket", *at(made)),
        stranger.open("event", made.event.slug),
        browser.open("event-overview", made.event.slug),
    ):
        for name in (end.champion, *(name for _, name in end.winners)):
            assert page.says(name)


def test_a_jackpot_that_is_over_names_its_winner(owner, stranger, browser):
    made = stories.released(owner, 4)
    jackpot = jackpots.open_jackpot(made.pk, jackpots.JackpotPlan(4, 3), owner)
    for entry in Entry.objects.filter(tournament=made)[:4]:
        jackpots.join(jackpot.pk, entry, owner)
    assert not browser.open("jackpots", *at(made)).says("Winner")
    played_out(made, owner)
    (winner,) = (name for key, name in find_end(made).winners if key == "jackpot 1")
    page = browser.open("jackpots", *at(made))
    assert page.says("Winner")
    assert page.says(winner)
    assert page.says("over")
