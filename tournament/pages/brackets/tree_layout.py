"""Places the pairings of a tree: each beside those that lead to it, joined by lines that do not cross. Pure.

A regular tree, in which each pair of neighbours meets in the next round, is joined by CSS alone. In every other tree a
pairing without feeders in its bracket takes a slot of its own, and each other pairing is halfway between its feeders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournament.queries.brackets.bracket_view import PairingView, RoundView

SLOT = 8
"""Units of height of one pairing. A sheet of CSS classes has the gaps: `gap-1`, `gap-2`, `gap-4` … add up."""
LINE_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Place:
    """A pairing in its column. `gaps` are the CSS classes of the space above it."""

    pairing: PairingView
    gaps: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A round of the tree.

    `is_joined`: each pair of neighbours meets in the next round, so that CSS can join them. Otherwise `lines` is an SVG
    path to the next round, `LINE_WIDTH` wide and `height` high.
    """

    round: RoundView
    places: tuple[Place, ...]
    is_joined: bool = False
    lines: str = ""
    height: int = 0


def list_columns(rounds: Sequence[RoundView]) -> list[Column]:
    """Returns the rounds without lines, for a list."""
    return [Column(row, tuple(Place(pairing) for pairing in row.pairings)) for row in rounds]


def tree_columns(rounds: Sequence[RoundView]) -> list[Column]:
    joined = [_is_joined(row, after) for row, after in pairwise(rounds)]
    if all(joined):
        columns = list_columns(rounds)
        return [
            Column(column.round, column.places, is_joined)
            for column, is_joined in zip(columns, (*joined, False), strict=False)
        ]
    tops, slots = _tops(rounds)
    height = slots * SLOT
    following = ({pairing.id for pairing in row.pairings} for row in rounds[1:])
    return [
        Column(row, _places(row, tops), lines=_lines(row, after, tops), height=height)
        for row, after in zip(rounds, (*following, set[int]()), strict=False)
    ]


def _is_joined(row: RoundView, after: RoundView) -> bool:
    places = {pairing.id: place for place, pairing in enumerate(after.pairings)}
    return len(row.pairings) == 2 * len(after.pairings) and all(
        pairing.onward is None or places.get(pairing.onward) == place // 2
        for place, pairing in enumerate(row.pairings)
    )


def _tops(rounds: Sequence[RoundView]) -> tuple[Mapping[int, int], int]:
    """Returns the top of each pairing by its id, and the number of slots."""
    pairings = {pairing.id: pairing for row in rounds for pairing in row.pairings}
    feeders: dict[int, list[int]] = {}
    for pairing in pairings.values():
        if pairing.onward in pairings:
            feeders.setdefault(pairing.onward, []).append(pairing.id)
    tops: dict[int, int] = {}
    slots = 0

    def place(pairing_id: int) -> int:
        nonlocal slots
        own = [place(feeder) for feeder in feeders.get(pairing_id, ())]
        if not own:
            slots += 1
        tops[pairing_id] = (own[0] + own[-1]) // 2 if own else (slots - 1) * SLOT
        return tops[pairing_id]

    for row in reversed(rounds):
        for pairing in row.pairings:
            if pairing.onward not in pairings:
                place(pairing.id)
    return tops, slots


def _places(row: RoundView, tops: Mapping[int, int]) -> tuple[Place, ...]:
    """The pairings from the top to the bottom."""
    places, bottom = [], 0
    for pairing in sorted(row.pairings, key=lambda pairing: tops[pairing.id]):
        places.append(Place(pairing, _gaps(tops[pairing.id] - bottom)))
        bottom = tops[pairing.id] + SLOT
    return tuple(places)


def _gaps(units: int) -> str:
    return " ".join(f"gap-{1 << bit}" for bit in range(units.bit_length()) if units >> bit & 1)


def _lines(row: RoundView, after: set[int], tops: Mapping[int, int]) -> str:
    """An SVG path to the next round. Lines to different pairings that would overlap turn in separate lanes."""
    ways = [
        (tops[pairing.id] + SLOT // 2, tops[pairing.onward] + SLOT // 2)
        for pairing in row.pairings
        if pairing.onward in after
    ]
    spans: dict[int, tuple[int, int]] = {}
    for here, there in ways:
        low, high = spans.get(there, (there, there))
        spans[there] = min(low, here), max(high, here)
    lanes: list[int] = []
    lane_of = {}
    for there, (low, high) in sorted(spans.items(), key=lambda span: span[1]):
        lane = next((number for number, end in enumerate(lanes) if end < low), len(lanes))
        lanes[lane : lane + 1] = [high]
        lane_of[there] = lane
    turns = {there: LINE_WIDTH * (lane + 1) // (len(lanes) + 1) for there, lane in lane_of.items()}
    return "".join(f"M0 {here}H{turns[there]}V{there}H{LINE_WIDTH}" for here, there in ways)
