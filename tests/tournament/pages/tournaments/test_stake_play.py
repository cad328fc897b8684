"""A director sets up stake play: for a tournament, for a single round, and ends a round whose time is over."""

import pytest

from matches.keepers import Keeper
from matches.models import Match
from tests.tournament import stories
from tests.tournament.pages.places import at
from tests.tournament.pages.tournaments.filling import fill, make
from tests.tournament.queries.cards import Phone
from tournament.brackets.lengths import StakePlay
from tournament.draw.formats import Format, Kind
from tournament.draw.standings.default_tie_breaks import ROUND_ROBIN_ORDER, STAKE_ROUND_ROBIN_ORDER
from tournament.events import setup
from tournament.models import Round, Tournament
from tournament.pages.tournaments.forms import initial_of

pytestmark = pytest.mark.django_db

ROUND_ROBIN = Format(kind=Kind.ROUND_ROBIN)


@pytest.fixture
def event(owner):
    return stories.event(owner)


def made() -> Tournament:
    return Tournament.objects.get()


def test_a_tournament_is_made_for_a_number_of_games(browser, event):
    browser.open("tournament-new", event.slug)
    chosen = {"name": "Friday", "kind": "round_robin", "played": "games"}
    browser.press("Create tournament", **chosen, games="")
    assert browser.status == 422
    assert browser.text.count("Enter a number of games from 1 to 99.") == 1
    assert not Tournament.objects.exists()
    browser.press("Create tournament", games=5)
    assert (made().games, made().minutes) == (5, None)
    assert Format.from_json(made().format).standings == STAKE_ROUND_ROBIN_ORDER


def test_a_tournament_is_made_for_a_time(owner):
    make(owner, fill(kind="swiss", rounds=3, played="minutes", minutes=45))
    assert (made().games, made().minutes) == (None, 45)


def test_what_was_not_chosen_counts_for_nothing(owner):
    make(owner, fill(played="length", others=7, games="many", minutes=0))
    assert (made().games, made().minutes, made().lengths) == (None, None, [7])


def test_what_is_chosen_needs_its_number():
    for name, fields, sentence in (
        ("games", {"played": "games", "games": ""}, "Enter a number of games from 1 to 99."),
        ("minutes", {"played": "minutes", "minutes": 0}, "Enter a number of minutes from 1 to 1440."),
        ("others", {"played": "length", "others": ""}, "Enter a number from 1 to 99."),
    ):
        assert fill(**fields).errors == {name: [sentence]}


def test_tie_breaks_chosen_by_hand_stay(owner):
    make(owner, fill(kind="round_robin", played="games", games=5, tie_break_1="points_difference"))
    assert "buchholz" in Format.from_json(made().format).standings.tie_breaks


def test_lengths_that_the_page_hides_make_no_matches_of_sessions(owner):
    groups = {"kind": "groups", "groups": 2, "qualifiers": 1, "lengths_group": "7"}
    make(owner, fill(played="games", games=3, **groups))
    assert made().side_lengths == {}


def test_stake_play_is_removed_with_its_standings(browser, owner):
    tournament = stories.entered(owner, 4, stake=StakePlay(games=5), format=ROUND_ROBIN)
    browser.open("tournament-edit", *at(tournament))
    assert browser.fields("Save")["played"] == "games"
    browser.press("Save", played="length", others=3)
    assert (made().games, made().minutes, made().lengths) == (None, None, [3])
    assert Format.from_json(made().format).standings == ROUND_ROBIN_ORDER


def test_saving_again_changes_nothing(owner):
    sides = {"group": (5,)}
    tournament = stories.tournament(
        owner, stake=StakePlay(minutes=30), format=ROUND_ROBIN, side_lengths=sides
    )
    before = Tournament.objects.values().get()
    form = fill(initial_of(tournament))
    assert form.is_valid()
    setup.change_tournament(tournament.pk, form.plan(), owner)
    assert Tournament.objects.values().get() == before


@pytest.mark.parametrize(
    ("page", "button", "unit", "amount", "stored"),
    [
        ("rounds", "Save all rounds", "games", 7, (None, 7, None)),
        ("draw", "Save lengths", "minutes", 90, (None, None, 90)),
    ],
)
def test_a_round_is_played_to_points_games_or_minutes(browser, owner, page, button, unit, amount, stored):  # noqa: PLR0917
    tournament = stories.released(owner, 4)
    row = Round.objects.order_by("number").first()
    name = f"round-{row.pk}"
    browser.open(page, *at(tournament))
    browser.press(button, **{f"{name}-length": amount, f"{name}-unit": unit})
    row.refresh_from_db()
    assert (row.length, row.games, row.minutes) == stored
    assert browser.fields(button)[f"{name}-unit"] == unit
    browser.press(button, **{f"{name}-length": 100, f"{name}-unit": "games"})
    assert browser.status == 422
    assert browser.says("Enter a number of games from 1 to 99.")
    browser.press(button, **{f"{name}-length": 9, f"{name}-unit": "length"})
    row.refresh_from_db()
    assert (row.length, row.games, row.minutes) == (9, None, None)


def test_time_is_over_for_all_sessions_of_a_round(browser, owner):
    tournament = stories.released(owner, 4, stake=StakePlay(minutes=60))
    first, second = stories.playable(tournament)
    Phone(first, Keeper.LEFT).game("left")
    assert browser.open("desk", *at(tournament)).says("Time is over for a round")
    browser.open("rounds", *at(tournament)).press("Yes, time is over")
    assert browser.says("Time is over: 1 session is stopped. 1 has no game yet and stays open.")
    assert Match.objects.get(pk=first.match_id).winner == "left"
    assert Match.objects.get(pk=second.match_id).winner == ""
    browser.open("rounds", *at(tournament))
    assert not browser.has_button("Yes, time is over")


def test_time_that_is_over_already_stops_nothing(browser, owner):
    tournament = stories.released(owner, 4, stake=StakePlay(minutes=60))
    level, second = (Phone(pairing, Keeper.LEFT) for pairing in stories.playable(tournament))
    for winner in ("left", "right"):
        level.game(winner)
    second.game("left")
    for sentence in ("2 sessions are stopped", "Time is over already"):
        browser.open("rounds", *at(tournament)).press("Yes, time is over")
        assert browser.says(sentence)


def test_no_round_of_agreed_games_is_ended_by_time(browser, owner):
    tournament = stories.released(owner, 4, stake=StakePlay(games=3))
    Phone(stories.playable(tournament)[0], Keeper.LEFT).game("left")
    assert not browser.open("rounds", *at(tournament)).has_button("Yes, time is over")
