"""Conditions of a valid graph."""

from typing import Any

import pytest
from hypothesis import given

from tests.tournament.draw.drawing import Key, any_graphs, drop_out_bracket
from tournament.draw.graph import (
    Feed,
    FromBye,
    FromEntry,
    FromPairing,
    Graph,
    GraphError,
    Outcome,
    Pairing,
    Seat,
    Source,
)

WON, LOST = Outcome.WINNER, Outcome.LOSER


def pairing(
    key: Key, left: Source[Key, str], right: Source[Key, str], *, bracket: str = "main", round_number: int = 1
) -> Pairing[Key, str]:
    return Pairing(key, bracket, round_number, 1, left, right)


def test_the_other_seat_of_a_pairing_is_the_one_opposite() -> None:
    assert (Seat.LEFT.other, Seat.RIGHT.other) == (Seat.RIGHT, Seat.LEFT)


def test_winners_and_losers_follow_the_feeds_of_the_recipe() -> None:
    graph = drop_out_bracket()
    assert set(graph.feeds_from("B1")) == {
        Feed("B1", WON, "F", Seat.LEFT),
        Feed("B1", LOST, "L2", Seat.RIGHT),
    }
    assert graph.feeds_from("F") == ()


def test_pairings_can_be_looked_up_and_counted() -> None:
    graph = drop_out_bracket()
    assert len(graph) == 6
    assert graph["L1"].bracket == "lower"
    assert "L1" in graph
    assert "L9" not in graph


@given(any_graphs())
def test_every_pairing_comes_after_those_that_feed_it(graph: Graph[Any, str]) -> None:
    keys = set()
    for pairing in graph:
        assert all(source.pairing in keys for _, source in pairing.seats if isinstance(source, FromPairing))
        keys.add(pairing.key)
    assert len(keys) == len(graph)


@given(any_graphs())
def test_every_feed_has_one_source_and_one_target_seat(graph: Graph[Any, str]) -> None:
    feeds = [feed for pairing in graph for feed in graph.feeds_from(pairing.key)]
    sources_of_feeds = {(feed.target, feed.seat): FromPairing(feed.source, feed.outcome) for feed in feeds}
    sought = {
        (pairing.key, seat): source
        for pairing in graph
        for seat, source in pairing.seats
        if isinstance(source, FromPairing)
    }
    assert sources_of_feeds == sought
    assert len({(feed.source, feed.outcome) for feed in feeds}) == len(feeds)


def test_a_key_is_given_to_one_pairing_only() -> None:
    with pytest.raises(GraphError, match="same key"):
        Graph([pairing(1, FromEntry("a"), FromBye()), pairing(1, FromEntry("b"), FromBye())])


def test_a_feed_from_a_missing_pairing_is_refused() -> None:
    with pytest.raises(GraphError, match="fed by 7, which is not in the draw"):
        Graph([pairing(1, FromEntry("a"), FromPairing(7, WON))])


def test_a_winner_goes_to_one_seat_only() -> None:
    with pytest.raises(GraphError, match="winner of pairing 1 is fed twice"):
        Graph(
            [
                pairing(1, FromEntry("a"), FromEntry("b")),
                pairing(2, FromPairing(1, WON), FromBye()),
                pairing(3, FromPairing(1, WON), FromBye()),
            ]
        )


def test_pairings_do_not_feed_each_other_in_a_circle() -> None:
    with pytest.raises(GraphError, match="in a circle"):
        Graph(
            [
                pairing(1, FromEntry("a"), FromPairing(3, WON)),
                pairing(2, FromPairing(1, WON), FromEntry("b")),
                pairing(3, FromPairing(2, WON), FromEntry("c")),
            ]
        )


def test_an_entry_does_not_sit_opposite_itself() -> None:
    with pytest.raises(GraphError, match="Entry a is seated twice"):
        Graph([pairing(1, FromEntry("a"), FromEntry("a"))])


def test_an_entry_does_not_sit_twice_in_connected_pairings() -> None:
    with pytest.raises(GraphError, match="Entry a is seated twice"):
        Graph(
            [
                pairing(1, FromEntry("a"), FromEntry("b")),
                pairing(2, FromEntry("c"), FromEntry("d")),
                pairing(3, FromEntry("a"), FromEntry("e")),
                pairing(4, FromPairing(1, WON), FromPairing(2, WON)),
                pairing(5, FromPairing(4, LOST), FromPairing(3, LOST)),
            ]
        )


def test_an_entry_sits_in_every_pairing_of_its_group_and_in_a_jackpot_too() -> None:
    graph = Graph(
        [
            pairing("a-b", FromEntry("a"), FromEntry("b"), bracket="group"),
            pairing("b-c", FromEntry("b"), FromEntry("c"), bracket="group"),
            pairing("c-a", FromEntry("c"), FromEntry("a"), bracket="group"),
            pairing("j1", FromEntry("a"), FromEntry("c"), bracket="jackpot"),
            pairing("j2", FromPairing("j1", WON), FromEntry("d"), bracket="jackpot", round_number=2),
        ]
    )
    assert len(graph) == 5


def test_several_seats_may_be_kept_open() -> None:
    assert len(Graph([pairing(1, FromEntry(None), FromEntry(None))])) == 1
