"""Corrections: the preview lists the changes, and played matches are cancelled or kept as decided."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import drop_out_bracket, knock_outs, play_out
from tournament.draw.graph import Seat
from tournament.draw.seating import Decision, Facts, resolve
from tournament.draw.seating.corrections import (
    CannotKeep,
    Correction,
    Stage,
    Treatment,
    consequences,
)

ADA_BEAT_BO = {"A1": Decision("ada", "bo")}
ROUND_ONE = ADA_BEAT_BO | {"A2": Decision("cy", "di")}
BO_WON = Correction("A1", Decision("bo", "ada"))


def treatments(facts, correction):
    preview = consequences(drop_out_bracket(), Facts(facts), correction)
    return {change.key: (change.stage, change.treatment) for change in preview.affected}


def test_pairings_not_started_simply_get_the_other_players():
    preview = consequences(drop_out_bracket(), Facts(ADA_BEAT_BO), BO_WON)
    assert [(change.key, change.treatment) for change in preview.affected] == [
        ("B1", Treatment.REPLACE),
        ("L1", Treatment.REPLACE),
    ]
    assert (preview.after["B1"].left, preview.after["L1"].left) == ("bo", "ada")


def test_a_later_match_that_was_finished_is_cancelled_with_all_that_rests_on_it():
    facts = ROUND_ONE | {"B1": Decision("ada", "cy"), "L1": Decision("di", "bo")}
    assert treatments(facts, BO_WON) == {
        "B1": (Stage.FINISHED, Treatment.CANCEL),
        "L1": (Stage.FINISHED, Treatment.CANCEL),
        "L2": (Stage.NOT_STARTED, Treatment.REPLACE),
        "F": (Stage.NOT_STARTED, Treatment.REPLACE),
    }
    preview = consequences(drop_out_bracket(), Facts(facts), BO_WON)
    assert preview.facts.decisions == {"A1": Decision("bo", "ada"), "A2": Decision("cy", "di")}


def test_a_match_under_way_has_its_own_stage():
    correction = Correction("A1", Decision("bo", "ada"), under_way=["B1"])
    assert treatments(ROUND_ONE, correction)["B1"] == (Stage.UNDER_WAY, Treatment.CANCEL)


def test_a_match_kept_as_played_keeps_its_players_and_their_rivals_seat():
    facts = ROUND_ONE | {"B1": Decision("ada", "cy")}
    preview = consequences(
        drop_out_bracket(), Facts(facts), Correction("A1", Decision("bo", "ada"), keep=["B1"])
    )
    assert preview.facts.kept_seats == {("B1", Seat.LEFT): "ada", ("L1", Seat.LEFT): "bo"}
    assert {change.key: change.treatment for change in preview.affected} == {
        "B1": Treatment.KEEP,
        "L1": Treatment.KEEP,
    }
    assert preview.facts.decisions["B1"] == Decision("ada", "cy")
    assert preview.after["F"].left == "ada"


def test_a_kept_match_can_be_corrected():
    facts = ROUND_ONE | {"B1": Decision("ada", "cy")}
    first = consequences(
        drop_out_bracket(), Facts(facts), Correction("A1", Decision("bo", "ada"), keep=["B1"])
    )
    second = consequences(drop_out_bracket(), first.facts, Correction("B1", Decision("cy", "ada")))
    assert second.after["F"].left == "cy"


def test_keeping_a_final_below_a_cancelled_match_would_seat_somebody_twice():
    facts = ROUND_ONE | {"B1": Decision("ada", "cy"), "L1": Decision("di", "bo"), "L2": Decision("di", "cy")}
    correction = Correction("A1", Decision("bo", "ada"), under_way=["F"], keep=["F"])
    with pytest.raises(CannotKeep) as refused:
        consequences(drop_out_bracket(), Facts(facts), correction)
    assert refused.value.entry == "ada"


def test_the_points_alone_may_change_without_moving_anybody():
    facts = ROUND_ONE | {"B1": Decision("ada", "cy")}
    preview = consequences(
        drop_out_bracket(), Facts(facts), Correction("A1", Decision("ada", "bo", points=(7, 3)))
    )
    assert preview.affected == ()


def test_retracting_a_result_empties_the_seats_it_filled():
    preview = consequences(drop_out_bracket(), Facts(ROUND_ONE), Correction("A1", None))
    assert preview.after["B1"].left is None
    assert {change.key for change in preview.affected} == {"B1", "L1"}


@settings(max_examples=20, deadline=None)
@given(knock_outs(), st.integers(0, 2**32))
def test_a_preview_lists_exactly_the_pairings_whose_players_change(graph, seed):
    chance = Random(seed)
    decisions, before = play_out(graph, chance)
    played = sorted(decisions, key=str)
    if not played:
        return
    some = {key: decisions[key] for key in played[: chance.randint(1, len(played))]}
    before = resolve(graph, some)
    standing = [key for key in some if key not in before.stale]
    if not standing:
        return
    key = chance.choice(standing)
    old = some[key]
    preview = consequences(graph, Facts(some), Correction(key, Decision(old.loser, old.winner)))
    after = resolve(graph, *preview.facts)
    assert after.states == preview.after.states
    assert not after.stale
    changed = {
        pairing.key
        for pairing in graph
        if {before[pairing.key].left, before[pairing.key].right}
        != {after[pairing.key].left, after[pairing.key].right}
    }
    assert {change.key for change in preview.affected} == changed
    assert set(preview.cancelled) == {
        pairing_key for pairing_key in changed if pairing_key in some and pairing_key not in before.stale
    }


@settings(max_examples=20, deadline=None)
@given(knock_outs(), st.integers(0, 2**32))
def test_a_correction_and_its_reverse_change_nothing_if_nothing_was_played_since(graph, seed):
    chance = Random(seed)
    first = [key for key, state in resolve(graph, {}).states.items() if state.result.how is None]
    ready = [
        key for key in first if None not in (resolve(graph, {})[key].left, resolve(graph, {})[key].right)
    ]
    if not ready:
        return
    key = chance.choice(ready)
    state = resolve(graph, {})[key]
    facts = Facts({key: Decision(state.left, state.right)})
    there = consequences(graph, facts, Correction(key, Decision(state.right, state.left)))
    back = consequences(graph, there.facts, Correction(key, Decision(state.left, state.right)))
    assert back.after.states == there.before.states
