"""Places in a lives event: the later an entry is eliminated, the better."""

from collections.abc import Collection

import pytest

from tests.tournament.draw.standings.tables import Rounds, placed, table, value
from tournament.draw.standings import (
    CountingRules,
    ExternalValues,
    Standing,
    StandingRules,
    StandingsError,
    TieBreak,
    Unplayed,
    rank_lives,
    round_of_elimination,
)

TWO_LIVES: Rounds = [
    ["ada 7-0 bo", "cy 7-0 di", "ed 7-0 fay"],
    ["ada 7-0 cy", "bo 7-0 di", "ed wo fay"],
    ["ada 7-0 ed", "cy 7-0 bo"],
    ["ada bye", "cy 7-0 ed"],
    ["ada 7-0 cy"],
]


def places_of(
    rounds: Rounds,
    lives: int = 2,
    rules: StandingRules | None = None,
    external: ExternalValues[str] | None = None,
    withdrawn: Collection[str] = (),
) -> list[tuple[str, int, int]]:
    return placed(rank_lives(table(rounds).records, lives, rules, external, withdrawn))


def test_a_later_elimination_is_better_and_the_score_breaks_ties() -> None:
    no_walkovers = CountingRules(walkover=Unplayed(wins=False))
    assert places_of(TWO_LIVES, rules=StandingRules((), no_walkovers)) == [
        ("ada", 1, 1),
        ("cy", 2, 2),
        ("ed", 3, 3),
        ("bo", 4, 4),
        ("di", 5, 6),
        ("fay", 5, 6),
    ]


def test_equal_wins_in_the_same_last_round_share_places() -> None:
    rounds = [["ada 7-0 bo", "cy 7-0 di"], ["ada 7-0 di", "cy 7-0 bo"], ["ada 7-0 cy"]]
    assert places_of(rounds) == [("ada", 1, 1), ("cy", 2, 2), ("bo", 3, 4), ("di", 3, 4)]


def test_more_wins_rank_first_among_entries_eliminated_together() -> None:
    rounds = [["ada 7-0 bo", "cy ? di"], ["bo 7-0 di", "ada 7-0 cy"], ["ada 7-0 bo", "cy 7-0 di"]]
    assert places_of(rounds) == [("ada", 1, 1), ("cy", 2, 2), ("bo", 3, 3), ("di", 4, 4)]


def test_entries_still_in_rank_before_eliminated_ones() -> None:
    assert places_of(TWO_LIVES[:3])[:3] == [("ada", 1, 1), ("cy", 2, 3), ("ed", 2, 3)]


def test_tie_breaks_come_after_the_score() -> None:
    rounds = [["ada 7-0 bo", "cy 7-0 di"], ["ada 7-0 di", "cy 7-0 bo"], ["ada 7-0 cy"]]
    rules = StandingRules((TieBreak.LASTED, TieBreak.LOT))
    lots = ExternalValues(lot={"ada": 1, "bo": 4, "cy": 3, "di": 2})
    assert [entry for entry, *_ in places_of(rounds, rules=rules, external=lots)] == ["ada", "cy", "di", "bo"]


def test_a_withdrawn_player_lasted_to_the_last_own_match() -> None:
    rounds = [["ada 7-0 bo", "cy 7-0 di"], ["ada 7-0 di", "bo 7-0 ed"]]
    assert places_of(rounds, lives=3)[0][0] == "ada"
    gone = places_of(rounds, lives=2, withdrawn={"cy", "ada"})
    assert gone == [("bo", 1, 1), ("ed", 2, 2), ("ada", 3, 3), ("di", 4, 4), ("cy", 5, 5)]


def test_a_player_who_withdrew_before_the_first_match_is_last() -> None:
    assert places_of([["ada ? bo", "cy 7-0 di"]], lives=1, withdrawn={"bo"})[-1] == ("bo", 4, 4)


def test_a_lost_walkover_costs_a_life_and_a_bye_does_not() -> None:
    records = table(TWO_LIVES).records
    assert [round_of_elimination(records[entry], 2) for entry in ("ada", "bo", "cy", "di", "ed", "fay")] == [
        None,
        3,
        5,
        2,
        4,
        2,
    ]
    assert round_of_elimination(records["fay"], 1) == 1


def test_an_explanation_begins_with_lives_left_and_the_last_round() -> None:
    ranked: tuple[Standing[str], ...] = rank_lives(table(TWO_LIVES).records, 2)
    steps = [tuple((step.tie_break, step.value) for step in standing.steps[:2]) for standing in ranked]
    lives, lasted = TieBreak.LIVES_LEFT, TieBreak.LASTED
    assert steps == [
        ((lives, left), (lasted, last)) for left, last in [(2, 5), (0, 5), (0, 4), (0, 3), (0, 2), (0, 2)]
    ]


def test_no_entry_lasts_longer_than_the_rounds() -> None:
    ranked = rank_lives(table(TWO_LIVES).records, 2)
    assert max(value(ranked, standing.entry, TieBreak.LASTED) or 0 for standing in ranked) == len(TWO_LIVES)


def test_two_lives_rank_before_more_wins_with_one_life() -> None:
    rounds = [
        ["cy 7-0 fay", "ed 7-0 di"],
        ["ed 7-0 cy", "fay 7-0 di"],
        ["ada 7-0 bo"],
        ["ada 7-0 cy", "fay 7-0 ed"],
        ["ed 7-0 bo"],
    ]
    assert places_of(rounds) == [
        ("ada", 1, 1),
        ("ed", 2, 2),
        ("fay", 3, 3),
        ("bo", 4, 4),
        ("cy", 5, 5),
        ("di", 6, 6),
    ]


def test_an_event_without_lives_is_refused() -> None:
    with pytest.raises(StandingsError, match="at least one life"):
        rank_lives({}, 0)
