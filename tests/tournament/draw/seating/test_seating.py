"""Seating: results of two seats, and the seating of a draw from all facts."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.drawing import (
    a_decision,
    any_graphs,
    drop_out_bracket,
    knock_outs,
    play_out,
    seated,
)
from tournament.draw.graph import BYE, FromBye, FromEntry, FromPairing, Graph, Outcome, Pairing, Seat
from tournament.draw.seating import UNDECIDED, Decision, How, Settled, State, resolve, settle

NOBODY_GOES_ON: Settled[str] = Settled(BYE, BYE, How.NOBODY)


def test_a_pairing_waits_while_a_seat_is_unknown() -> None:
    for left, right in [(None, None), ("ada", None), (None, "ada"), (BYE, None), (None, BYE)]:
        assert settle(left, right, Decision("ada", "bo"), {"ada": 1, "bo": 2}) == UNDECIDED


def test_two_entries_who_have_not_played_are_undecided() -> None:
    assert settle("ada", "bo", None, {}) == UNDECIDED


def test_an_entry_goes_on_over_a_bye_from_either_seat() -> None:
    assert settle("ada", BYE, None, {}) == Settled("ada", BYE, How.BYE)
    assert settle(BYE, "ada", None, {}) == Settled("ada", BYE, How.BYE)


def test_two_byes_send_on_a_bye() -> None:
    assert settle(BYE, BYE, None, {}) == Settled(BYE, BYE, How.BYE)


def test_an_entry_that_withdrew_still_goes_on_over_a_bye() -> None:
    assert settle("ada", BYE, None, {"ada": 1}) == Settled("ada", BYE, How.BYE)


@pytest.mark.parametrize(("left", "right"), [("ada", "bo"), ("bo", "ada")])
def test_the_winner_goes_on_whichever_seat_was_theirs(left: str, right: str) -> None:
    assert settle(left, right, Decision("ada", "bo"), {}) == Settled("ada", "bo", How.PLAYED)


@pytest.mark.parametrize(("left", "right"), [("ada", "bo"), ("bo", "ada")])
def test_a_double_no_show_sends_on_two_byes(left: str, right: str) -> None:
    assert settle(left, right, Decision.both_lost("ada", "bo"), {}) == NOBODY_GOES_ON


@pytest.mark.parametrize("withdrawn", [{}, {"ada": 1}, {"bo": 1}, {"ada": 1, "bo": 2}])
def test_a_decision_takes_precedence_over_a_withdrawal(withdrawn: dict[str, float]) -> None:
    assert settle("ada", "bo", Decision("ada", "bo"), withdrawn) == Settled("ada", "bo", How.PLAYED)


def test_a_withdrawal_gives_the_opponent_a_walkover() -> None:
    assert settle("ada", "bo", None, {"bo": 1}) == Settled("ada", "bo", How.WALKOVER)
    assert settle("ada", "bo", None, {"ada": 1}) == Settled("bo", "ada", How.WALKOVER)


def test_if_both_withdrew_the_first_to_withdraw_loses() -> None:
    assert settle("ada", "bo", None, {"ada": 1, "bo": 2}) == Settled("bo", "ada", How.WALKOVER)
    assert settle("ada", "bo", None, {"ada": 2, "bo": 1}) == Settled("ada", "bo", How.WALKOVER)


@pytest.mark.parametrize(
    "decision", [Decision("ada", "cy"), Decision("cy", "bo"), Decision.both_lost("ada", "cy")]
)
def test_a_decision_between_other_entries_has_no_effect(decision: Decision[str]) -> None:
    assert settle("ada", "bo", decision, {}) == UNDECIDED
    assert settle("ada", "bo", decision, {"bo": 1}) == Settled("ada", "bo", How.WALKOVER)


@pytest.mark.parametrize(
    ("winner", "loser", "also_lost"), [("a", "a", None), (None, "a", "a"), (None, "a", None), ("a", "b", "c")]
)
def test_a_decision_is_between_two_different_entries(
    winner: str | None, loser: str, also_lost: str | None
) -> None:
    with pytest.raises(ValueError, match="decision"):
        Decision(winner, loser, also_lost)


def test_a_seat_is_read_and_given_by_name() -> None:
    state = State("ada", BYE, UNDECIDED)
    assert (state.at(Seat.LEFT), state.at(Seat.RIGHT)) == ("ada", BYE)
    assert state.with_occupant(Seat.LEFT, "bo") == State("bo", BYE, UNDECIDED)
    assert state.with_occupant(Seat.RIGHT, "bo") == State("ada", "bo", UNDECIDED)


def test_winner_and_loser_take_different_seats() -> None:
    graph = drop_out_bracket()
    seating = resolve(
        graph, {"A1": Decision("bo", "ada"), "A2": Decision("cy", "di"), "B1": Decision("cy", "bo")}
    )
    assert seating["B1"] == State("bo", "cy", Settled("cy", "bo", How.PLAYED))
    assert seating["L1"] == State("ada", "di", UNDECIDED)
    assert seating["L2"] == State(None, "bo", UNDECIDED)
    assert seating["F"] == State("cy", None, UNDECIDED)


def test_a_withdrawn_entry_drops_into_the_lower_bracket_and_gives_its_walkover_there_too() -> None:
    seating = resolve(drop_out_bracket(), {"A2": Decision("cy", "di")}, {"bo": 1})
    assert seating["B1"] == State("ada", "cy", UNDECIDED)
    assert seating["L1"].result == Settled("di", "bo", How.WALKOVER)


def test_two_absent_players_send_on_a_bye() -> None:
    seating = resolve(drop_out_bracket(), {"A1": Decision.both_lost("ada", "bo"), "A2": Decision("cy", "di")})
    assert seating["B1"].result == Settled("cy", BYE, How.BYE)
    assert seating["L1"].result == Settled("di", BYE, How.BYE)
    assert seating["L2"].result == Settled("di", BYE, How.BYE)
    assert seating["F"] == State("cy", "di", UNDECIDED)


def test_an_open_seat_waits_for_its_entry() -> None:
    group_winner = Pairing("semifinal", "main", 1, 1, FromEntry("ada"), FromEntry(None))
    assert resolve(Graph([group_winner]), {}, ["ada"])["semifinal"] == State("ada", None, UNDECIDED)


def test_every_meeting_in_a_group_counts() -> None:
    graph = Graph(
        [
            Pairing("a-b", "group", 1, 1, FromEntry("a"), FromEntry("b")),
            Pairing("a-c", "group", 2, 1, FromEntry("a"), FromEntry("c")),
            Pairing("a-bye", "group", 3, 1, FromBye(), FromEntry("a")),
        ]
    )
    seating = resolve(graph, {"a-b": Decision("b", "a"), "a-c": Decision("a", "c")})
    assert [seating[key].result.winner for key in ("a-b", "a-c", "a-bye")] == ["b", "a", "a"]


def test_a_correction_leaves_the_results_that_rested_on_it_stale() -> None:
    graph = drop_out_bracket()
    facts = {"A1": Decision("ada", "bo"), "A2": Decision("cy", "di"), "B1": Decision("ada", "cy")}
    assert resolve(graph, facts).stale == frozenset()
    corrected = resolve(graph, facts | {"A1": Decision("bo", "ada")})
    assert corrected.stale == {"B1"}
    assert corrected["B1"] == State("bo", "cy", UNDECIDED)


def test_a_result_of_a_pairing_that_was_not_drawn_is_stale() -> None:
    assert resolve(drop_out_bracket(), {"Z": Decision("ada", "bo")}).stale == {"Z"}


def test_only_changes_are_returned() -> None:
    graph = drop_out_bracket()
    before = resolve(graph, {})
    after = resolve(graph, {"A1": Decision("bo", "ada")})
    assert set(after.changes_since(before)) == {"A1", "B1", "L1"}
    assert after.changes_since(after) == {}


@settings(max_examples=25)
@given(st.one_of(any_graphs(), knock_outs()), st.randoms(use_true_random=False))
def test_nobody_ever_meets_themselves(graph: Graph[Any, str], chance: Random) -> None:
    for state in play_out(graph, chance, nobody_came=0.1)[1].states.values():
        assert state.left != state.right or state.left in (BYE, None)


@settings(max_examples=25)
@given(any_graphs(), st.randoms(use_true_random=False))
def test_a_played_out_draw_leaves_only_what_waits_for_an_open_seat(
    graph: Graph[Any, str], chance: Random
) -> None:
    _, seating = play_out(graph, chance, nobody_came=0.1)
    waits = set()
    for pairing in graph:
        if any(
            source == FromEntry(None) or getattr(source, "pairing", None) in waits
            for _, source in pairing.seats
        ):
            waits.add(pairing.key)
        else:
            assert seating[pairing.key].result.how is not None


@settings(max_examples=25)
@given(any_graphs(), st.randoms(use_true_random=False))
def test_each_seat_holds_the_occupant_sent_by_its_source(graph: Graph[Any, str], chance: Random) -> None:
    _, seating = play_out(graph, chance, nobody_came=0.1)
    for pairing in graph:
        for seat, source in pairing.seats:
            if isinstance(source, FromPairing):
                result = seating[source.pairing].result
                expected = result.winner if source.outcome is Outcome.WINNER else result.loser
            else:
                expected = source.entry if isinstance(source, FromEntry) else BYE
            assert seating[pairing.key].at(seat) == expected


@settings(max_examples=25)
@given(any_graphs(), st.randoms(use_true_random=False), st.data())
def test_a_stale_decision_changes_nothing(
    graph: Graph[Any, str], chance: Random, data: st.DataObject
) -> None:
    facts, _ = play_out(graph, chance, nobody_came=0.1)
    names = st.lists(st.sampled_from(seated(graph)), min_size=2, max_size=2, unique=True)
    rumours = data.draw(st.dictionaries(st.sampled_from([p.key for p in graph]), names, max_size=5))
    decisions = facts | {key: a_decision(winner, loser, chance) for key, (winner, loser) in rumours.items()}
    left = st.dictionaries(st.sampled_from(seated(graph)), st.floats(0, 9))
    withdrawn = data.draw(left)
    seating = resolve(graph, decisions, withdrawn)
    heeded = {key: decision for key, decision in decisions.items() if key not in seating.stale}
    assert resolve(graph, heeded, withdrawn).states == seating.states
    for key in seating.stale:
        assert {decisions[key].winner or decisions[key].also_lost, decisions[key].loser} != {
            seating[key].left,
            seating[key].right,
        }


def test_the_order_in_which_facts_become_known_does_not_matter() -> None:
    graph = drop_out_bracket()
    facts, seating = play_out(graph, Random(4))
    assert resolve(graph, dict(reversed(facts.items()))) == seating
