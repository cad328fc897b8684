"""Ranking rules as JSON, and refusals of invalid rules."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.standings.tables import any_counting
from tournament.draw.standings import (
    CountingRules,
    StandIn,
    StandingRules,
    StandingsError,
    TieBreak,
    Unplayed,
)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(list(TieBreak)), unique=True), any_counting())
def test_rules_survive_a_round_trip_through_json(tie_breaks: list[TieBreak], counting: CountingRules) -> None:
    rules = StandingRules(tuple(tie_breaks), counting)
    assert StandingRules.from_json(rules.as_json()) == rules


def test_rules_as_json_are_readable() -> None:
    rules = StandingRules((TieBreak.HEAD_TO_HEAD, TieBreak.LOT))
    assert rules.as_json() == {
        "tie_breaks": ["head_to_head", "lot"],
        "counting": {
            "bye": {"wins": True, "credited": False, "stand_in": "own_score"},
            "walkover": {"wins": True, "credited": False, "stand_in": "opponent"},
        },
    }


def test_missing_values_take_their_defaults() -> None:
    assert StandingRules.from_json({}) == StandingRules()
    half_told = {"counting": {"walkover": {"wins": False}}}
    walkover = StandingRules.from_json(half_told).counting.walkover
    assert walkover == Unplayed(wins=False, stand_in=StandIn.OPPONENT)
    assert StandingRules.from_json({"tie_breaks": []}).criteria == (TieBreak.SCORE,)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "object of tie_breaks and counting"),
        ({"tie_break": []}, "object of tie_breaks and counting"),
        ({"tie_breaks": "lot"}, "are a list"),
        ({"tie_breaks": ["dice"]}, "no tie-break 'dice'; there are score, head_to_head"),
        ({"tie_breaks": [["lot"]]}, "no tie-break"),
        ({"tie_breaks": ["lot", "lot"]}, "each tie-break once"),
        ({"counting": {"byes": {}}}, "object of bye, walkover"),
        ({"counting": 3}, "object of bye, walkover"),
        ({"counting": {"bye": {"wins": 1}}}, "'wins' is true or false"),
        ({"counting": {"bye": {"won": True}}}, "object of wins, credited, stand_in"),
        ({"counting": {"bye": {"stand_in": "average"}}}, "choose one of nothing, own_score, opponent"),
        ({"counting": {"bye": {"stand_in": "opponent"}}}, "A bye has no opponent"),
    ],
)
def test_invalid_rules_are_refused(data: Any, why: str) -> None:
    with pytest.raises(StandingsError, match=why):
        StandingRules.from_json(data)


def test_the_head_to_head_may_be_named_twice() -> None:
    named = (TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.HEAD_TO_HEAD)
    assert StandingRules(named).criteria == (TieBreak.SCORE, *named)
