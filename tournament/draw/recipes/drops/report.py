"""What a format will be like, said before anybody is drawn: how long it takes, who waits, who meets again.

Numbers and codes alone; the words for a director are made where they are shown, but for a refusal, which is a
sentence already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tournament.draw.graph import FromPairing, Graph, GraphError, Outcome, Pairing
from tournament.draw.graph.match_plan import MatchPlan, match_slots, plan_matches, round_slots
from tournament.draw.graph.rematch_chances import rematches
from tournament.draw.recipes.drops.building import knockout
from tournament.draw.recipes.drops.knockout_format import CONSOLATION, LOWER, KnockoutFormat
from tournament.draw.recipes.knockout import Spot

Span: TypeAlias = tuple[int, int]
"""The least and the most that somebody who comes to a seat can have of something."""

NONE: Span = (0, 0)
SECOND_CHANCES = (CONSOLATION, LOWER)


@dataclass(frozen=True, slots=True)
class Report:
    """A format for a number of entries, judged.

    `matches` counts by slot of play, the first slot first: every round is played as soon as all who come
    to it are known. `longest_wait` is the most slots that somebody sits out between two matches, where each match is
    played as soon as its two are known.
    `double_byes` counts the byes that can fall to somebody who already had one, in any bracket;
    `double_byes_in_a_bracket` those where the one before was in the same bracket. `two_rounds_credit` says
    whether somebody can stand in a lower round with at least two wins less than it takes to play there
    from its first, while one with more wins went out in a round before.
    """

    matches: tuple[int, ...] = ()
    expected_rematches: float = 0.0
    earliest_rematch: Spot | None = None
    longest_wait: int = 0
    double_byes: int = 0
    double_byes_in_a_bracket: int = 0
    two_rounds_credit: bool = False
    why_not: str = ""

    @property
    def feasible(self) -> bool:
        return not self.why_not

    @property
    def rounds(self) -> int:
        """How many slots of play it takes."""
        return len(self.matches)


def lint(entries: int, chosen: KnockoutFormat) -> Report:
    """The report on a format; where it does not come out, only why not."""
    try:
        graph = knockout(entries, chosen)
    except GraphError as refusal:
        return Report(why_not=str(refusal))
    return lint_graph(graph)


def lint_graph(graph: Graph[Spot, int]) -> Report:
    """The report on a draw that is written down already."""
    played = plan_matches(graph)
    when = round_slots(graph)
    again = rematches(graph)
    return Report(
        matches=_matches(played, when),
        expected_rematches=again.expected,
        earliest_rematch=again.earliest,
        longest_wait=_longest_wait(played, match_slots(graph, played)),
        double_byes=_double_byes(graph, played),
        double_byes_in_a_bracket=_double_byes(graph, played, within_a_bracket=True),
        two_rounds_credit=_two_rounds_credit(graph, played),
    )


def _matches(played: MatchPlan[Spot], when: dict[tuple[str, int], int]) -> tuple[int, ...]:
    counted = Counter(when[bracket, number] for bracket, number, _ in played.matches)
    return tuple(counted[slot] for slot in range(1, max(counted, default=0) + 1))


def _longest_wait(played: MatchPlan[Spot], when: dict[Spot, int]) -> int:
    return max(
        (when[after] - when[before] - 1 for (before, _), after in played.next_match.items()),
        default=0,
    )


def _double_byes(graph: Graph[Spot, int], played: MatchPlan[Spot], *, within_a_bracket: bool = False) -> int:
    had: dict[Spot, frozenset[str]] = {}
    double = 0
    for pairing in graph:
        coming = (key for key, how in _from(pairing) if how is Outcome.WINNER or key not in played.byes)
        before = frozenset[str]().union(*(had.get(key, ()) for key in coming))
        if pairing.key in played.byes:
            double += pairing.bracket in before if within_a_bracket else bool(before)
            before |= {pairing.bracket}
        had[pairing.key] = before
    return double


def _two_rounds_credit(graph: Graph[Spot, int], played: MatchPlan[Spot]) -> bool:
    """Follows the least and the most matches that whoever sits in a pairing has won, round by round."""
    won: dict[Spot, Span] = {}
    out: dict[tuple[str, int], int] = {}
    ahead: list[tuple[str, int, int]] = []
    for pairing in graph:
        spans = [
            _after(won[key], outcome, is_match=key not in played.byes) for key, outcome in _from(pairing)
        ]
        spans += [NONE] * (len(pairing.seats) - len(spans))
        least, most = min(span[0] for span in spans), max(span[1] for span in spans)
        won[pairing.key] = (least, most)
        if pairing.bracket in SECOND_CHANCES:
            if pairing.key not in played.byes and played.after(pairing.key, Outcome.LOSER) is None:
                here = (pairing.bracket, pairing.round)
                out[here] = max(out.get(here, 0), most)
            if least <= pairing.round - 3:
                ahead.append((pairing.bracket, pairing.round, least))
    return any(
        most > least
        for bracket, number, least in ahead
        for (same, before), most in out.items()
        if same == bracket and before < number
    )


def _after(span: Span, outcome: Outcome, *, is_match: bool) -> Span:
    gained = is_match and outcome == Outcome.WINNER
    return (span[0] + gained, span[1] + gained)


def _from(pairing: Pairing[Spot, int]) -> Iterator[tuple[Spot, Outcome]]:
    for _, source in pairing.seats:
        if isinstance(source, FromPairing):
            yield source.pairing, source.outcome
