"""What a format comes to with so many entries, before anybody is drawn: its rounds, its layout, what is to be known.

Numbers and codes alone. A format that is paired round by round has no layout; what can be said of it is said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tournament.draw.diagram.bracket_diagram import Scale
from tournament.draw.diagram.layout_preview import BracketOutline, outline
from tournament.draw.formats.definition import Format, FormatError, Kind
from tournament.draw.formats.layouts import MAIN, Layout, layout
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, GraphError, Outcome
from tournament.draw.graph.match_plan import expected
from tournament.draw.pairing import Stop
from tournament.draw.recipes import Spot
from tournament.draw.recipes.drops.report import Report, lint_graph

MOST_PICTURED = 64
SKETCH = Scale(box_width=184, box_height=40, column_gap=24, row_gap=8, heading=24)
KEPT = 64


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """A round of a bracket, or of all groups: its pairings, and how many of them are matches."""

    bracket: str
    number: int
    pairings: int
    matches: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """`byes` are drawn at once; who sits out in a group has none. `in_all` rounds are played one after the other, 0
    where nobody knows.

    `plays_again` and `leads_on` are the brackets with a second final, and whose winner plays on in another. `report`
    judges a knock-out, `pictured` are its brackets; `why_not` is a sentence where the format cannot be drawn.
    """

    rounds: tuple[RoundAhead, ...] = ()
    byes: int = 0
    in_all: int = 0
    tables: frozenset[str] = frozenset()
    plays_again: frozenset[str] = frozenset()
    leads_on: frozenset[str] = frozenset()
    report: Report | None = None
    pictured: tuple[BracketOutline[Spot, int], ...] = ()
    why_not: str = ""

    @property
    def matches(self) -> int:
        return sum(one.matches for one in self.rounds)


@lru_cache(maxsize=KEPT)
def prospect(chosen: Format, entries: int) -> Prospect:
    """What is ahead of so many entries, from 2 up."""
    if chosen.is_growing:
        return _growing(chosen, entries)
    try:
        laid = layout(chosen, entries)
    except (FormatError, GraphError) as cannot:
        return Prospect(why_not=str(cannot))
    return _laid(chosen, laid, entries)


def _growing(chosen: Format, entries: int) -> Prospect:
    """Everybody plays in every round; of an event with lives only the first round is known."""
    known = chosen.kind != Kind.LIVES or chosen.stop == Stop.ROUNDS
    pairs, odd = divmod(entries, 2)
    goes_out = chosen.kind == Kind.LIVES
    rounds = 1 if goes_out else chosen.rounds
    return Prospect(
        rounds=tuple(RoundAhead(MAIN, number, pairs + odd, pairs) for number in range(1, rounds + 1)),
        byes=odd,
        in_all=chosen.rounds if known else 0,
        tables=frozenset({MAIN}),
    )


def _laid(chosen: Format, laid: Layout, entries: int) -> Prospect:
    graph = laid.graph
    rounds = _rounds(graph, laid.tables)
    is_tree = not laid.tables
    report = lint_graph(graph) if is_tree else None
    in_all = report.rounds if report else _one_after_the_other(rounds)
    shown = outline(graph, SKETCH) if entries <= MOST_PICTURED and chosen.kind != Kind.ROUND_ROBIN else ()
    return Prospect(
        rounds=rounds,
        byes=sum(
            _is_a_bye(pairing.left, pairing.right) for pairing in graph if pairing.bracket not in laid.tables
        ),
        in_all=in_all,
        tables=frozenset(kind_of(bracket) for bracket in laid.tables),
        plays_again=_brackets_fed(graph, Outcome.FIRST_LOSS, inside=True),
        leads_on=_brackets_fed(graph, Outcome.WINNER, inside=False),
        report=report,
        pictured=tuple(one for one in shown if one.bracket not in laid.tables),
    )


def kind_of(bracket: str) -> str:
    """Groups are told of together: "group 3" is a "group"."""
    return bracket.rstrip("0123456789").rstrip()


def _rounds(graph: Graph[Spot, int], tables: frozenset[str]) -> tuple[RoundAhead, ...]:
    """In the order in which the brackets were written."""
    played = set(expected(graph).matches)
    pairings: Counter[tuple[str, int]] = Counter()
    matches: Counter[tuple[str, int]] = Counter()
    for pairing in graph:
        bracket = kind_of(pairing.bracket) if pairing.bracket in tables else pairing.bracket
        pairings[bracket, pairing.round] += 1
        matches[bracket, pairing.round] += pairing.key in played
    order = {bracket: place for place, bracket in enumerate(dict.fromkeys(one for one, _ in pairings))}
    found = sorted(pairings, key=lambda at: (order[at[0]], at[1]))
    return tuple(RoundAhead(*at, pairings[at], matches[at]) for at in found)


def _one_after_the_other(rounds: tuple[RoundAhead, ...]) -> int:
    """Groups play at the same time, and a play-off after them."""
    last: dict[str, int] = {}
    for one in rounds:
        last[one.bracket] = max(last.get(one.bracket, 0), one.number)
    return sum(last.values())


def _is_a_bye(left: object, right: object) -> bool:
    sources = {type(left), type(right)}
    return sources == {FromEntry, FromBye}


def _brackets_fed(graph: Graph[Spot, int], outcome: Outcome, *, inside: bool) -> frozenset[str]:
    """The brackets one of whose pairings hands this outcome on, to the same bracket or to another."""
    return frozenset(
        graph[source.pairing].bracket
        for pairing in graph
        for _, source in pairing.seats
        if isinstance(source, FromPairing)
        and source.outcome == outcome
        and (graph[source.pairing].bracket == pairing.bracket) == inside
    )
