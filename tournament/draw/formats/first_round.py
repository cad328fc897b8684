"""Groups and meetings of round 1, derived from the drawn order.

Written down so that a stranger can do it again, over positions 1, 2, 3 …:

- Knock-outs: position p of a sheet of 2, 4, 8 ... meets the position that adds up with it to size + 1.
- Groups: positions are dealt out in a snake. In a group, and in a round robin, the first meets the last, the second
  the last but one. If their number is odd, the first sits out.
- Rounds by records: the last of an odd number has the bye. By fold the first meets the last; by slide the first meets
  the first of the lower half; by chance the order is shuffled with `SEED/round 1` first, then folded. In Monrad
  neighbours meet. If players are kept apart, the pairing is that of `pairing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from tournament.draw.formats.definition import Format, Kind
from tournament.draw.graph import Bye, FromEntry, Graph, Source
from tournament.draw.pairing import Aims, Alike, Contender, pair_round
from tournament.draw.recipes.knockout import Spot, seed_lines
from tournament.draw.recipes.order_rules import Entrant, Separate
from tournament.draw.recipes.round_robin import (
    deal_into_groups,
    group_name,
    groups_then_play_off,
    round_robin,
)

MAIN = "main"
ALIKE_OF_KIND: Mapping[Kind, Alike] = {
    Kind.SWISS: Alike.WINS,
    Kind.MONRAD: Alike.PLACE,
    Kind.LIVES: Alike.LOSSES,
}


class Meeting(NamedTuple):
    """A pairing of round 1 by the positions of its two seats.

    A bye of a round robin has a position after all others.
    """

    bracket: str
    line: int
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class FirstRound:
    """Positions of each group by its bracket, and the meetings of round 1."""

    groups: Mapping[str, Sequence[int]]
    meetings: Sequence[Meeting]


def first_round(
    chosen: Format, order: Sequence[str | Bye], entrants: Sequence[Entrant[str]], seed_text: str
) -> FirstRound:
    """Returns the first round of this draw. Raises GraphError if this number of entries cannot play the format."""
    if chosen.is_growing:
        return FirstRound({}, _paired_meetings(chosen, order, entrants, seed_text))
    if chosen.kind in (Kind.KNOCKOUT, Kind.DOUBLE):
        return FirstRound({}, _knockout_meetings(len(order)))
    if chosen.kind == Kind.ROUND_ROBIN:
        return FirstRound({}, _graph_meetings(round_robin(len(order), 1), len(order)))
    dealt = deal_into_groups(len(order), chosen.groups)
    groups = {group_name(number): positions for number, positions in enumerate(dealt, start=1)}
    graph = groups_then_play_off(len(order), chosen.groups, chosen.qualifiers, 1)
    return FirstRound(
        groups, [meeting for meeting in _graph_meetings(graph, len(order)) if meeting.bracket in groups]
    )


def pairing_aims(chosen: Format) -> Aims:
    return Aims(
        alike=ALIKE_OF_KIND[chosen.kind],
        seeding=chosen.seeding,
        clubs_apart=chosen.separate == Separate.CLUB,
        countries_apart=chosen.separate == Separate.COUNTRY,
        teams_apart=chosen.separate == Separate.TEAM,
    )


def round_seed(seed_text: str, number: int) -> str:
    return f"{seed_text}/round {number}"


def _knockout_meetings(positions: int) -> list[Meeting]:
    lines = seed_lines((positions - 1).bit_length())
    return [
        Meeting(MAIN, at // 2 + 1, lines[at], lines[at + 1])  # one line holds two positions
        for at in range(0, len(lines), 2)
    ]


def _graph_meetings(graph: Graph[Spot, int], positions: int) -> list[Meeting]:
    byes = count(positions + 1)
    first = (pairing for pairing in graph if pairing.round == 1)
    return [
        Meeting(pairing.bracket, pairing.line, _position(pairing.left, byes), _position(pairing.right, byes))
        for pairing in first
    ]


def _position(source: Source[Spot, int], byes: Iterator[int]) -> int:
    position = source.entry if isinstance(source, FromEntry) else None
    return next(byes) if position is None else position


def _paired_meetings(
    chosen: Format, order: Sequence[str | Bye], entrants: Sequence[Entrant[str]], seed_text: str
) -> list[Meeting]:
    entrant_by_id = {entrant.entry: entrant for entrant in entrants}
    position_of = {entry: place for place, entry in enumerate(order, start=1) if not isinstance(entry, Bye)}
    contenders = [
        Contender(
            entry,
            strength=place,
            club=entrant_by_id[entry].club,
            country=entrant_by_id[entry].country,
            team=entrant_by_id[entry].team,
        )
        for entry, place in position_of.items()
    ]
    paired = pair_round(contenders, pairing_aims(chosen), round_seed(seed_text, 1))
    meetings = [
        Meeting(MAIN, line, position_of[pair.left], position_of[pair.right])
        for line, pair in enumerate(paired.pairs, start=1)
    ]
    if paired.bye is not None:
        meetings.append(Meeting(MAIN, len(meetings) + 1, position_of[paired.bye.entry], len(order) + 1))
    return meetings
