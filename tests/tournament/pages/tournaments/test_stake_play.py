"""A director sets up stake play: for a tournament, for a single round, and ends a round whose time is over."""

import pytest

from matches.keepers import Keeper
from matches.models import Match
from tests.tournament import stories
from tests.tournament.pages.places import at
from tests.tournament.queries.cards import Phone
from tournament.brackets.lengths import StakePlay
from tournament.draw.formats import Format, Kind
from tournament.draw.standings.default_tie_breaks import ROUND_ROBIN_ORDER, STAKE_ROUND_ROBIN_ORDER
from tournament.models import Round, Tournament

pytestmark = pytest.mark.django_db

ROUND_ROBIN = Format(kind=Kind.ROUND_ROBIN)


@pytest.fixture
def new(browser, owner):
    event = stories.event(owner)
    return browser.open("tournament-new", event.slug)


def made() -> Tournament:
    return Tournament.objects.get()


def test_a_tournament_is_made_for_a_number_of_games(new):
    new.press("Create tournament", name="Friday", kind="round_robin", played="games", games=5)
    assert (made().games, made().minutes) == (5, None)
    assert Format.from_json(made().format).standings == STAKE_ROUND_ROBIN_ORDER


def test_a_tournament_is_made_for_a_time(new):
    new.press("Create tournament", name="Friday", kind="swiss", rounds=3, played="minutes", minutes=45)
    assert (made().games, made().minutes) == (None, 45)


def test_what_was_not_chosen_counts_for_nothing(new):
    fields = {"played": "length", "others": 7, "games": "many", "minutes": 0}
    new.press("Create tournament", name="Friday", **fields)
    assert (made().games, made().minutes, made().lengths) == (None, None, [7])


def test_what_is_chosen_needs_its_number(new):
    for fields, sentence in (
        ({"played": "games", "games": ""}, "Enter a number of games from 1 to 99."),
        ({"played": "minutes", "minutes": 0}, "Enter a number of minutes from 1 to 1440."),
        ({"played": "length", "others": ""}, "Enter a number from 1 to 99."),
    ):
        new.press("Create tournament", name="Friday", **fields)
        assert new.status == 422
        assert new.text.count(sentence) == 1
    assert not Tournament.objects.exists()


def test_tie_breaks_chosen_by_hand_stay(new):
    fields = {"kind": "round_robin", "played": "games", "games": 5, "tie_break_1": "points_difference"}
    new.press("Create tournament", name="Friday", **fields)
    assert "buchholz" in Format.from_json(made().format).standings.tie_breaks


def test_lengths_that_the_page_hides_make_no_matches_of_sessions(new):
    fields = {
        "kind": "groups",
        "played": "games",
        "games": 3,
        "lengths_group": "7",
        "groups": 2,
        "qualifiers": 1,
    }
    new.press("Create tournament", name="Friday", **fields)
    assert made().side_lengths == {}


def test_stake_play_is_removed_with_its_standings(browser, owner):
    tournament = stories.entered(owner, 4, stake=StakePlay(games=5), format=ROUND_ROBIN)
    browser.open("tournament-edit", *at(tournament))
    assert browser.fields("Save")["played"] == "games"
    browser.press("Save", played="length", others=3)
    assert (made().games, made().minutes, made().lengths) == (None, None, [3])
    assert Format.from_json(made().format).standings == ROUND_ROBIN_ORDER


def test_saving_again_changes_nothing(browser, owner):
    tournament = stories.entered(
        owner, 4, stake=StakePlay(minutes=30), format=ROUND_ROBIN, side_lengths={"group": (5,)}
    )
    before = Tournament.objects.values().get()
    browser.open("tournament-edit", *at(tournament)).press("Save")
    assert Tournament.objects.values().get() == before


@pytest.mark.parametrize("page", ["rounds", "draw"])
def test_a_round_is_played_to_points_games_or_minutes(browser, owner, page):
    tournament = stories.released(owner, 4)
    row = Round.objects.order_by("number").first()
    browser.open(page, *at(tournament))
    name = f"round-{row.pk}"
    for unit, amount, stored in (
        ("games", 7, (None, 7, None)),
        ("minutes", 90, (None, None, 90)),
        ("length", 9, (9, None, None)),
    ):
        button = "Save all rounds" if page == "rounds" else "Save lengths"
        browser.press(button, **{f"{name}-length": amount, f"{name}-unit": unit})
        row.refresh_from_db()
        assert (row.length, row.games, row.minutes) == stored
        assert browser.fields(button)[f"{name}-unit"] == unit
    browser.press(button, **{f"{name}-length": 100, f"{name}-unit": "games"})
    assert browser.status == 422
    assert browser.says("Enter a number of games from 1 to 99.")


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
