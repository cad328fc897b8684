"""Several brackets in one tournament: names of rounds and matches, paths and standings."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.drawing import rounds
from tournament.entries import late_entry
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Pairing, Tournament
from tournament.queries.brackets.bracket import bracket_view, bracket_views, stamp_of
from tournament.queries.brackets.bracket_list import find_bracket_key, list_brackets
from tournament.queries.brackets.bracket_view import Coming
from tournament.queries.desk.desk import load_desk
from tournament.queries.entries.path import Path, find_entry, load_path
from tournament.queries.entries.path_state import PathState
from tournament.queries.events.overview import Step, tournament_overview
from tournament.queries.standings.standings import (
    list_rankings,
    standing_lines,
    standings_of_path,
)
from tournament.results import desk
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db

CONSOLATION = Format(consolation="progressive")
DOUBLE = Format(Kind.DOUBLE, reset=True)
GROUPS = Format(Kind.GROUPS, groups=2, qualifiers=1)
SWISS = Format(Kind.SWISS, rounds=2)


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return seeded(actor_of_module, 8, format=CONSOLATION)


def path(made: Tournament, seed: int) -> Path:
    return load_path(find_entry(made, made.entries.get(seed=seed).pk))


def names(made: Tournament, key: str) -> list[str]:
    return [stage.name for stage in bracket_view(made, key).rounds]


def called(made: Tournament) -> list[str]:
    return [
        pairing.called
        for bracket in bracket_views(made)
        for part in bracket.rounds
        for pairing in part.pairings
    ]


def inside(made: Tournament, key: str) -> list[Pairing]:
    return [row for row in stories.pairings(made) if row.round.bracket.key == key]


def play(made: Tournament, actor, key: str = "", chance: random.Random | None = None) -> None:
    """Everything that can be played, in one bracket or all."""
    chance = chance or random.Random(1)
    while waiting := [row for row in stories.playable(made) if key in ("", row.round.bracket.key)]:
        stories.play(waiting[0], actor, chance.choice(["left", "right"]))


def test_rounds_that_do_not_halve_are_called_by_their_number(actor):
    made = seeded(actor, 16, format=CONSOLATION)
    assert names(made, "main")[0] == "round_of_16"
    assert names(made, "consolation") == ["round_1", "round_2", "round_3", "semifinals", "final"]


def test_no_two_matches_of_a_tournament_are_called_the_same(actor, made):
    for drawn in (made, seeded(actor, 8, format=DOUBLE), seeded(actor, 8, format=GROUPS)):
        labels = [label for label in called(drawn) if label]
        assert len(set(labels)) == len(labels) > 7


def test_an_empty_seat_of_the_consolation_names_the_match_of_the_main_bracket(made):
    first = bracket_view(made, "consolation").rounds[0].pairings[0]
    assert {first.left.coming, first.right.coming} <= {
        Coming("loser", number, "main", str(number)) for number in (1, 2, 3, 4)
    }
    assert first.called == "C1"


def test_byes_in_the_consolation_have_no_number(actor):
    made = seeded(actor, 6, format=CONSOLATION)
    rows = [pairing for part in bracket_view(made, "consolation").rounds for pairing in part.pairings]
    assert [pairing.number for pairing in rows if pairing.state == "bye"] == [None] * sum(
        pairing.state == "bye" for pairing in rows
    )
    assert [pairing.called for pairing in rows if pairing.called] == [
        f"C{number}" for number in range(1, sum(bool(pairing.called) for pairing in rows) + 1)
    ]


def test_a_late_entry_changes_no_existing_number(actor):
    made = seeded(actor, 7)
    before = {(pairing.round, pairing.line): pairing.called for pairing in _all(made) if pairing.called}
    late_entry.enter(made.pk, late_entry.LateEntryRequest(EntryDetails(PlayerDetails("Late"))), actor)
    after = {(pairing.round, pairing.line): pairing.called for pairing in _all(made)}
    assert {spot: after[spot] for spot in before} == before
    assert after[1, 1] == "7"


def _all(made: Tournament):
    return [pairing for part in bracket_view(made).rounds for pairing in part.pairings]


def test_a_loser_sees_the_next_match_in_the_consolation(actor, made):
    wins(made, actor, 1, 8)
    way = path(made, 8)
    assert (way.state, way.next.bracket, [meeting.bracket for meeting in way.past]) == (
        PathState.WAITS,
        "consolation",
        ["main"],
    )
    wins(made, actor, 4, 5)
    assert (path(made, 8).state, path(made, 8).next.opponent.seed) == (PathState.MEETS, 5)
    assert {key for key, _ in standings_of_path(path(made, 8))} == {"main", "consolation"}


def test_a_phone_listens_to_the_brackets_in_which_its_player_may_play_next(actor, made):
    ids = {line.key: line.id for line in list_brackets(made)}
    assert path(made, 8).brackets == (ids["main"],)
    row = meeting(made, 1, 8)
    stories.post(row, actor, "left" if row.left.seed == 1 else "right")
    assert path(made, 8).state is PathState.WAITS, "not out"
    assert set(path(made, 8).brackets) == set(ids.values())
    advancing.advance_waiting()
    assert path(made, 8).brackets == (ids["consolation"],)


def test_a_tournament_is_over_when_its_last_bracket_is_but_only_the_main_one_has_its_champion(actor, made):
    play(made, actor, "main")
    assert (tournament_overview(made).step, tournament_overview(made).champion != "") == (Step.PLAY, True)
    play(made, actor, "consolation")
    assert tournament_overview(made).step is Step.OVER
    states = [path(made, seed).state for seed in range(1, 9)]
    assert states.count(PathState.CHAMPION) == states.count(PathState.BRACKET_WON) == 1
    assert states.count(PathState.OUT) == 6


@pytest.mark.parametrize("unbeaten_wins", [True, False])
def test_a_second_final_is_played_only_if_the_unbeaten_side_lost_the_first(actor, unbeaten_wins):
    made = seeded(actor, 4, format=DOUBLE)
    play(made, actor, "main")
    play(made, actor, "lower")
    first, second = (part.pairings[0] for part in bracket_view(made, "final").rounds)
    assert (first.is_second_final, second.is_second_final, second.state) == (False, True, "waiting")
    row = inside(made, "final")[0]
    unbeaten, beaten = row.left, row.right
    stories.play(row, actor, "left" if unbeaten_wins else "right")
    second = bracket_view(made, "final").rounds[1].pairings[0]
    assert second.state == ("bye" if unbeaten_wins else "ready")
    assert bracket_view(made, "final").current_round == (1 if unbeaten_wins else 2)
    assert load_path(find_entry(made, unbeaten.pk)).state is (
        PathState.CHAMPION if unbeaten_wins else PathState.MEETS
    )
    assert load_path(find_entry(made, beaten.pk)).state is (
        PathState.OUT if unbeaten_wins else PathState.MEETS
    )
    champion = bracket_view(made, "final").champion
    assert (champion.entry_id == unbeaten.pk) if unbeaten_wins else (champion is None)
    assert bracket_view(made, "main").champion is None


def test_a_double_elimination_has_one_list_of_places_and_meetings_in_playing_order(actor):
    made = seeded(actor, 8, format=DOUBLE)
    assert names(made, "main") == ["round_1", "round_2", "bracket_final"]
    assert names(made, "lower")[-1] == "bracket_final"
    assert names(made, "final") == ["final", "second_final"]
    play(made, actor)
    [ranking] = list_rankings(made)
    assert (ranking.key, ranking.brackets) == ("main", ("main", "lower", "final"))
    assert [(line.place_text, line.lost) for line in ranking.lines[2:]] == [
        ("3", 2), ("4", 2), ("5–6", 2), ("5–6", 2), ("7–8", 2), ("7–8", 2)
    ]  # fmt: skip
    for seed in range(1, 9):
        brackets = [meeting.bracket for meeting in path(made, seed).meetings]
        assert brackets == sorted(brackets, key=["main", "lower", "final"].index)


def test_a_group_player_sees_all_matches_and_then_whether_they_advance(actor):
    made = seeded(actor, 6, format=GROUPS)
    final = bracket_view(made, "play-off").rounds[0].pairings[0]
    places = {Coming("place", 1, "group 1"), Coming("place", 1, "group 2")}
    assert {final.left.coming, final.right.coming} == places
    assert sum(len(path(made, seed).upcoming) for seed in range(1, 7)) == 12
    assert len(path(made, 1).later) == 1
    play(made, actor, "group 1")
    played = [row.left for row in inside(made, "group 1")]
    waiting = [load_path(find_entry(made, entry.pk)).state for entry in set(played)]
    assert PathState.OUT in waiting
    play(made, actor)
    winners = [seed for seed in range(1, 7) if path(made, seed).state is PathState.CHAMPION]
    assert len(winners) == 1
    assert tournament_overview(made).champion == made.entries.get(seed=winners[0]).player.name


def test_places_of_a_table_give_their_reason(actor):
    made = seeded(actor, 5, format=Format(Kind.ROUND_ROBIN))
    play(made, actor)
    lines = standing_lines(made)
    assert [line.place_from for line in lines] == sorted(line.place_from for line in lines)
    assert all(line.explained[0].tie_break == "score" for line in lines)
    assert {(line.won + line.lost, line.byes) for line in lines} == {(4, 1)}


def test_a_swiss_tournament_lasts_until_all_rounds_are_played(actor):
    made = seeded(actor, 4, format=SWISS)
    assert names(made, "main") == ["round_1"]
    play(made, actor)
    assert (path(made, 1).state, tournament_overview(made).step) == (PathState.PLAYED, Step.PLAY)
    rounds.pair_next_round(made.pk, actor)
    assert path(made, 1).state is PathState.MEETS
    assert called(made) == ["1", "2", "3", "4"]
    play(made, actor)
    overview = tournament_overview(made)
    assert (overview.step, overview.champion) == (Step.OVER, standing_lines(made)[0].name)


def test_the_desk_sees_the_matches_of_every_bracket(actor, made):
    for pair in ((1, 8), (4, 5)):
        wins(made, actor, *pair)
    assert {line.bracket for line in load_desk(made).open_lines} == {"main", "consolation"}


def test_the_stamp_of_a_bracket_depends_on_its_own_matches_only(actor, made):
    before = {key: stamp_of(made, key) for key in ("main", "consolation")}
    row = wins(made, actor, 1, 8)
    after = {key: stamp_of(made, key) for key in before}
    assert all(before[key] != after[key] for key in before)
    assert bracket_view(made, "consolation").stamp == after["consolation"]
    desk.award(meeting(made, 4, 5), None, "double_no_show", "", actor)
    advancing.advance_waiting()
    assert row.round.bracket.key == "main"


def test_brackets_are_listed_as_drawn_found_by_their_address_and_read_in_as_many_statements_as_one(actor):
    made = seeded(actor, 8, format=Format(consolation="progressive", last_chance="simple"))
    assert [line.key for line in list_brackets(made)] == ["main", "consolation", "last chance"]
    assert [ranking.key for ranking in list_rankings(made)] == ["main", "consolation", "last chance"]
    assert find_bracket_key(made, "last-chance") == "last chance"
    with pytest.raises(NotFound):
        find_bracket_key(made, "lower")
    with CaptureQueriesContext(connection) as single:
        bracket_view(made)
    with CaptureQueriesContext(connection) as every:
        bracket_views(made)
    assert len(single) == len(every)
