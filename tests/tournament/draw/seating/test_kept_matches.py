"""Matches kept as played after a correction, and the other seats that this keeps."""

import pytest

from tests.tournament.draw.drawing import drop_out_bracket
from tournament.draw.graph import FromEntry, FromPairing, FromPlace, Graph, Outcome, Pairing, Seat
from tournament.draw.seating import Decision, Facts
from tournament.draw.seating.corrections import Correction, Treatment, consequences


@pytest.mark.parametrize("keep", [["F"], ["B1", "L1", "F"]])
def test_a_match_that_has_not_begun_cannot_be_kept(keep):
    facts = Facts({"A1": Decision("ada", "bo"), "A2": Decision("cy", "di")}, {"bo": 1.0})
    preview = consequences(drop_out_bracket(), facts, Correction("A1", Decision("bo", "ada"), keep=keep))
    assert Treatment.KEEP not in {change.treatment for change in preview.affected}
    assert preview.facts.kept_seats == {}


def group_of_three() -> Graph:
    """Three in a group, whose first, second and third meet three who wait for them."""
    meetings = [("ada", "bo"), ("bo", "cy"), ("cy", "ada")]
    group = [
        Pairing(f"G{number}", "group 1", number, 1, FromEntry(left), FromEntry(right))
        for number, (left, right) in enumerate(meetings, start=1)
    ]
    guests = [
        Pairing(f"P{place}", "play-off", 1, place, FromPlace("group 1", place), FromEntry(guest))
        for place, guest in enumerate(["x", "y", "z"], start=1)
    ]
    last = [
        Pairing("S", "play-off", 2, 1, FromPairing("P1", Outcome.WINNER), FromPairing("P2", Outcome.WINNER)),
        Pairing("F", "play-off", 3, 1, FromPairing("S", Outcome.WINNER), FromPairing("P3", Outcome.WINNER)),
    ]
    return Graph([*group, *guests, *last])


def by_points(bracket, states, decisions) -> list[str]:
    won: dict[str, int] = dict.fromkeys(("ada", "bo", "cy"), 0)
    for decision in decisions.values():
        if decision.winner in won and decision.loser in won:
            won[decision.winner] += decision.points[0]
    return sorted(won, key=lambda entry: -won[entry])


def test_a_player_displaced_by_a_kept_match_keeps_the_next_seat():
    """Places form a cycle: with the first kept each of the others stays too, and nobody sits twice."""
    played = {
        "G1": Decision("ada", "bo", points=(9, 0)),
        "G2": Decision("bo", "cy", points=(6, 0)),
        "G3": Decision("cy", "ada", points=(3, 0)),
    }
    facts = Facts(played, rank=by_points)
    corrected = Correction("G1", Decision("ada", "bo", points=(1, 0)), under_way=["P1"], keep=["P1"])
    preview = consequences(group_of_three(), facts, corrected)
    assert preview.facts.kept_seats == {
        ("P1", Seat.LEFT): "ada",
        ("P2", Seat.LEFT): "bo",
        ("P3", Seat.LEFT): "cy",
    }
    assert [preview.after[key].left for key in ("P1", "P2", "P3")] == ["ada", "bo", "cy"]
