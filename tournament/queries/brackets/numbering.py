"""Numbers pairings, and finds the expected player of an empty seat. Pure.

A pairing is numbered if the draw seats two entries there, byes included. A bye that is given to an entry later makes a
new pairing, which is numbered after all others, so that printed numbers never change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tournament.draw.graph import Outcome
from tournament.draw.seating.drops_before_swap import drops_before
from tournament.queries.brackets.bracket_view import Coming
from tournament.queries.brackets.labels import match_label

Spot = tuple[int, str]
"""A seat of a pairing: the pairing's id, left or right."""
FeedSources = Mapping[Spot, tuple[int | None, str]]
"""The seats that other pairings fill, each with the pairing and which outcome of it."""


class SeatSource(NamedTuple):
    """The source of a seat that no entry was drawn to: the outcome of another pairing, a place of a bracket, or a
    bye.
    """

    target: int
    seat: str
    source: int | None
    outcome: str
    bracket: str | None
    place: int | None

    @property
    def is_bye(self) -> bool:
        return self.source is None and self.bracket is None


class ByeChanged(NamedTuple):
    """A bye that was given to an entry, or a seat that became a bye.

    `bye_went_to`: the pairing that got the bye in a swap. Its loser's drop moved to this pairing.
    """

    spot: Spot
    is_bye: bool
    bye_went_to: int | None = None


class Number(NamedTuple):
    bracket: str
    number: int

    @property
    def called(self) -> str:
        return match_label(self.bracket, self.number)


def number_pairings(
    drawn: Mapping[str, Sequence[int]], feeds: Iterable[SeatSource], changed: Sequence[ByeChanged] = ()
) -> dict[int, Number]:
    """Numbers the pairings that seat two entries. `drawn` are the pairings of each bracket by round and line.

    `changed` is in chronological order.
    """
    seat_sources = list(feeds)
    fed = {
        (feed.target, feed.seat): (feed.source, feed.outcome)
        for feed in seat_sources
        if feed.source is not None
    }
    byes = {(feed.target, feed.seat) for feed in seat_sources if feed.is_bye}
    full_pairings = [_FullPairings(*stage) for stage in _stages(fed, byes, changed)]
    numbers: dict[int, Number] = {}
    for bracket, pairings in drawn.items():
        counted: dict[int, None] = {}
        for stage in full_pairings:
            counted |= dict.fromkeys(pk for pk in pairings if stage.seats_two(pk))
        numbers |= {
            pk: Number(bracket, number)
            for number, pk in enumerate(counted, start=1)
            if full_pairings[-1].seats_two(pk)
        }
    return numbers


def expected_players(feeds: Iterable[SeatSource], numbered: Mapping[int, Number]) -> dict[Spot, Coming]:
    """Returns the expected player of each seat that is fed by a pairing of two entries or by a place."""
    expected: dict[Spot, Coming] = {}
    for feed in feeds:
        if feed.source is not None and feed.source in numbered:
            number = numbered[feed.source]
            expected[feed.target, feed.seat] = Coming(
                feed.outcome, number.number, number.bracket, number.called
            )
        elif feed.bracket is not None and feed.place is not None:
            expected[feed.target, feed.seat] = Coming("place", feed.place, feed.bracket)
    return expected


def _stages(
    fed: FeedSources, now: set[Spot], changed: Sequence[ByeChanged]
) -> list[tuple[FeedSources, set[Spot]]]:
    """Returns the feeds and the byes: first those of the draw, then those after each change."""
    stages = [(fed, now)]
    for change in reversed(changed):
        feeds, byes = stages[0]
        before = byes ^ ({change.spot} if (change.spot in byes) == change.is_bye else set())
        stages.insert(0, (feeds, before) if change.is_bye else _while_it_was_a_bye(feeds, before, change))
    return stages


def _while_it_was_a_bye(
    feeds: FeedSources, byes: set[Spot], change: ByeChanged
) -> tuple[FeedSources, set[Spot]]:
    loser = Outcome.LOSER.value
    drops = {source: spot for spot, (source, outcome) in feeds.items() if outcome == loser and source}
    before = drops_before(drops, change.spot[0], change.bye_went_to)
    others = {spot: feed for spot, feed in feeds.items() if feed[1] != loser}
    places = {spot: (source, loser) for source, spot in before.items()}
    return others | places, byes | (set(drops.values()) - set(before.values()))


class _FullPairings:
    """The pairings that seat two entries, derived from the feeds and the byes."""

    def __init__(self, fed: FeedSources, byes: set[Spot]) -> None:
        self._fed, self._byes = fed, byes
        self._known: dict[int, int] = {}

    def seats_two(self, pairing: int) -> bool:
        return self._empty_seats(pairing) == 0

    def _empty_seats(self, pairing: int) -> int:
        if pairing not in self._known:
            self._known[pairing] = sum(self._is_empty((pairing, seat)) for seat in ("left", "right"))
        return self._known[pairing]

    def _is_empty(self, spot: Spot) -> bool:
        if spot not in self._fed:
            return spot in self._byes
        source, outcome = self._fed[spot]
        needed = 2 if outcome == Outcome.WINNER else 1
        return source is not None and self._empty_seats(source) >= needed
