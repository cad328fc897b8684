"""Reports on a layout before the draw: its duration, waits, byes and rematches, as numbers and codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tournament.draw.graph import FromPairing, Graph, Outcome, Pairing
from tournament.draw.graph.match_plan import MatchPlan, match_slots, plan_matches, round_slots
from tournament.draw.graph.rematch_chances import rematches
from tournament.draw.recipes.drops.knockout_format import CONSOLATION, LOWER, MAIN
from tournament.draw.recipes.knockout import Spot

Span: TypeAlias = tuple[int, int]
"""The least and the most of something that the player of a seat can have."""

NONE: Span = (0, 0)
SECOND_CHANCES = (CONSOLATION, LOWER)


@dataclass(frozen=True, slots=True)
class LayoutReport:
    """The rating of a layout.

    `matches` counts by slot of play, the first slot first, if every round is played as soon as all its players are
    known. `longest_wait` is the most slots that a player sits out between two matches, if each match is played as soon
    as its two players are known. `first_losers` are the losers of the first main round who drop;
    `first_losers_waiting` of them sit out the next slot. `double_byes` counts byes that can fall to a player who
    already had one, in any bracket; `double_byes_in_a_bracket` only those with the earlier bye in the same bracket.
    `two_rounds_credit` is True if a player can be in a lower round with at least two wins less than it takes to play
    there from its first, while a player with more wins was eliminated in an earlier round.
    """

    matches: tuple[int, ...] = ()
    expected_rematches: float = 0.0
    earliest_rematch: Spot | None = None
    longest_wait: int = 0
    first_losers: int = 0
    first_losers_waiting: int = 0
    double_byes: int = 0
    double_byes_in_a_bracket: int = 0
    two_rounds_credit: bool = False

    @property
    def rounds(self) -> int:
        """The number of slots of play."""
        return len(self.matches)


def report_on(graph: Graph[Spot, int]) -> LayoutReport:
    plan = plan_matches(graph)
    slots = round_slots(graph)
    meetings_again = rematches(graph)
    slot_of_match = match_slots(graph, plan)
    first_waits = _first_waits(plan, slot_of_match)
    return LayoutReport(
        matches=_matches(plan, slots),
        expected_rematches=meetings_again.expected,
        earliest_rematch=meetings_again.earliest,
        longest_wait=_longest_wait(plan, slot_of_match),
        first_losers=len(first_waits),
        first_losers_waiting=sum(wait > 0 for wait in first_waits),
        double_byes=_double_byes(graph, plan),
        double_byes_in_a_bracket=_double_byes(graph, plan, within_a_bracket=True),
        two_rounds_credit=_two_rounds_credit(graph, plan),
    )


def _matches(plan: MatchPlan[Spot], slots: dict[tuple[str, int], int]) -> tuple[int, ...]:
    counted = Counter(slots[bracket, number] for bracket, number, _ in plan.matches)
    return tuple(counted[slot] for slot in range(1, max(counted, default=0) + 1))


def _longest_wait(plan: MatchPlan[Spot], slots: dict[Spot, int]) -> int:
    return max(
        (slots[after] - slots[before] - 1 for (before, _), after in plan.next_match.items()),
        default=0,
    )


def _first_waits(plan: MatchPlan[Spot], slots: dict[Spot, int]) -> list[int]:
    """Returns the slots that each loser of the first main round sits out before the next match."""
    return [
        slots[after] - slots[before] - 1
        for (before, outcome), after in plan.next_match.items()
        if before[:2] == (MAIN, 1) and outcome is not Outcome.WINNER
    ]


def _double_byes(graph: Graph[Spot, int], plan: MatchPlan[Spot], *, within_a_bracket: bool = False) -> int:
    brackets_of_byes: dict[Spot, frozenset[str]] = {}
    double = 0
    for pairing in graph:
        feeders = (key for key, how in _sources(pairing) if how is Outcome.WINNER or key not in plan.byes)
        before = frozenset[str]().union(*(brackets_of_byes.get(key, ()) for key in feeders))
        if pairing.key in plan.byes:
            double += pairing.bracket in before if within_a_bracket else bool(before)
            before |= {pairing.bracket}
        brackets_of_byes[pairing.key] = before
    return double


def _two_rounds_credit(graph: Graph[Spot, int], plan: MatchPlan[Spot]) -> bool:
    """Tracks the least and the most matches that the player of each pairing has won, round by round."""
    wins: dict[Spot, Span] = {}
    most_wins_out: dict[tuple[str, int], int] = {}
    late_joiners: list[tuple[str, int, int]] = []
    for pairing in graph:
        spans = [
            _wins_after(wins[key], outcome, is_match=key not in plan.byes)
            for key, outcome in _sources(pairing)
        ]
        spans += [NONE] * (len(pairing.seats) - len(spans))
        least, most = min(span[0] for span in spans), max(span[1] for span in spans)
        wins[pairing.key] = (least, most)
        if pairing.bracket in SECOND_CHANCES:
            if pairing.key not in plan.byes and plan.after(pairing.key, Outcome.LOSER) is None:
                here = (pairing.bracket, pairing.round)
                most_wins_out[here] = max(most_wins_out.get(here, 0), most)
            if least <= pairing.round - 3:
                late_joiners.append((pairing.bracket, pairing.round, least))
    return any(
        most > least
        for bracket, number, least in late_joiners
        for (same, before), most in most_wins_out.items()
        if same == bracket and before < number
    )


def _wins_after(span: Span, outcome: Outcome, *, is_match: bool) -> Span:
    gained = is_match and outcome == Outcome.WINNER
    return (span[0] + gained, span[1] + gained)


def _sources(pairing: Pairing[Spot, int]) -> Iterator[tuple[Spot, Outcome]]:
    for _, source in pairing.seats:
        if isinstance(source, FromPairing):
            yield source.pairing, source.outcome
