"""Estimates a format for a number of entries before the draw: its rounds, its layout and a report.

Numbers and codes only. A format that is paired round by round has no layout.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tournament.draw.diagram.bracket_diagram import Scale
from tournament.draw.diagram.layout_preview import BracketPreview, preview_brackets
from tournament.draw.formats.definition import Format, FormatError, Kind
from tournament.draw.formats.layouts import MAIN, Layout, layout
from tournament.draw.graph import FromBye, FromEntry, FromPairing, Graph, GraphError, Outcome
from tournament.draw.graph.match_plan import plan_matches
from tournament.draw.pairing import Stop
from tournament.draw.recipes import Spot
from tournament.draw.recipes.drops.report import LayoutReport, report_on
from tournament.draw.sentence_error import SentenceError

MOST_PREVIEWED = 64
PREVIEW_SCALE = Scale(box_width=184, box_height=40, column_gap=24, row_gap=8, heading=24)
CACHED = 64


@dataclass(frozen=True, slots=True)
class RoundEstimate:
    """A round of a bracket, or of all groups: the number of its pairings and of its matches."""

    bracket: str
    number: int
    pairings: int
    matches: int


@dataclass(frozen=True, slots=True)
class FormatEstimate:
    """The estimate of a format.

    `byes` are the byes of the draw; sitting out in a group is not one. `rounds_of_play` is the number of rounds one
    after another, 0 if unknown. `brackets_played_again` have a second final; the winners of `brackets_leading_on`
    continue in another bracket. `report` rates a knock-out, `previews` show its brackets. `refusal` is a sentence if
    the format cannot be drawn.
    """

    rounds: tuple[RoundEstimate, ...] = ()
    byes: int = 0
    rounds_of_play: int = 0
    record_brackets: frozenset[str] = frozenset()
    brackets_played_again: frozenset[str] = frozenset()
    brackets_leading_on: frozenset[str] = frozenset()
    report: LayoutReport | None = None
    previews: tuple[BracketPreview[Spot, int], ...] = ()
    refusal: SentenceError | None = None

    @property
    def matches(self) -> int:
        return sum(round_.matches for round_ in self.rounds)


@lru_cache(maxsize=CACHED)
def estimate_format(chosen: Format, entries: int) -> FormatEstimate:
    """Returns the estimate for 2 or more entries."""
    if chosen.is_growing:
        return _estimate_round_by_round(chosen, entries)
    try:
        built = layout(chosen, entries)
    except (FormatError, GraphError) as error:
        return FormatEstimate(refusal=error.with_traceback(None))
    return _estimate_layout(chosen, built, entries)


def _estimate_round_by_round(chosen: Format, entries: int) -> FormatEstimate:
    """Every player plays in every round. Of a lives event only the first round is known."""
    has_known_rounds = chosen.kind != Kind.LIVES or chosen.stop == Stop.ROUNDS
    pairs, odd = divmod(entries, 2)
    goes_out = chosen.kind == Kind.LIVES
    rounds = 1 if goes_out else chosen.rounds
    return FormatEstimate(
        rounds=tuple(RoundEstimate(MAIN, number, pairs + odd, pairs) for number in range(1, rounds + 1)),
        byes=odd,
        rounds_of_play=chosen.rounds if has_known_rounds else 0,
        record_brackets=frozenset({MAIN}),
    )


def _estimate_layout(chosen: Format, built: Layout, entries: int) -> FormatEstimate:
    graph = built.graph
    rounds = _rounds(graph, built.record_brackets)
    is_tree = not built.record_brackets
    report = report_on(graph) if is_tree else None
    rounds_of_play = report.rounds if report else _rounds_of_play(rounds)
    previews = (
        preview_brackets(graph, PREVIEW_SCALE)
        if entries <= MOST_PREVIEWED and chosen.kind != Kind.ROUND_ROBIN
        else ()
    )
    return FormatEstimate(
        rounds=rounds,
        byes=sum(
            _is_a_bye(pairing.left, pairing.right)
            for pairing in graph
            if pairing.bracket not in built.record_brackets
        ),
        rounds_of_play=rounds_of_play,
        record_brackets=frozenset(bracket_kind(bracket) for bracket in built.record_brackets),
        brackets_played_again=_brackets_sending(graph, Outcome.FIRST_LOSS, to_itself=True),
        brackets_leading_on=_brackets_sending(graph, Outcome.WINNER, to_itself=False),
        report=report,
        previews=tuple(preview for preview in previews if preview.bracket not in built.record_brackets),
    )


def bracket_kind(bracket: str) -> str:
    """Returns the name without its number: "group" for "group 3". Groups are reported together."""
    return bracket.rstrip("0123456789").rstrip()


def _rounds(graph: Graph[Spot, int], record_brackets: frozenset[str]) -> tuple[RoundEstimate, ...]:
    """Returns the rounds in the order in which their brackets were written."""
    played = set(plan_matches(graph).matches)
    pairings: Counter[tuple[str, int]] = Counter()
    matches: Counter[tuple[str, int]] = Counter()
    for pairing in graph:
        bracket = bracket_kind(pairing.bracket) if pairing.bracket in record_brackets else pairing.bracket
        pairings[bracket, pairing.round] += 1
        matches[bracket, pairing.round] += pairing.key in played
    order = {
        bracket: place for place, bracket in enumerate(dict.fromkeys(bracket for bracket, _ in pairings))
    }
    ordered = sorted(pairings, key=lambda at: (order[at[0]], at[1]))
    return tuple(RoundEstimate(*at, pairings[at], matches[at]) for at in ordered)


def _rounds_of_play(rounds: tuple[RoundEstimate, ...]) -> int:
    """Counts rounds of groups as simultaneous, and rounds of the play-off after them."""
    last: dict[str, int] = {}
    for round_ in rounds:
        last[round_.bracket] = max(last.get(round_.bracket, 0), round_.number)
    return sum(last.values())


def _is_a_bye(left: object, right: object) -> bool:
    if isinstance(left, FromEntry):
        return isinstance(right, FromBye)
    return isinstance(left, FromBye) and isinstance(right, FromEntry)


def _brackets_sending(graph: Graph[Spot, int], outcome: Outcome, *, to_itself: bool) -> frozenset[str]:
    """Returns brackets with a pairing that sends this outcome within the bracket, or to another one."""
    return frozenset(
        graph[source.pairing].bracket
        for pairing in graph
        for _, source in pairing.seats
        if isinstance(source, FromPairing)
        and source.outcome == outcome
        and (graph[source.pairing].bracket == pairing.bracket) == to_itself
    )
