"""Places in a knock-out: final places of eliminated entries, and possible places of the others.

An entry's place follows from the pairing whose outcome leads nowhere within the brackets that are ranked together.
Groups and Swiss rounds are ranked by records, not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from tournament.draw.graph import BYE, EntryId, FromPairing, Graph, Outcome, Pairing, PairingKey, Seat, Source
from tournament.draw.seating import How, Seating, State

Tier: TypeAlias = tuple[bool, int, int, bool]
"""A way out of the brackets. Entries with the same tier share their places; the smallest tier is the best."""

WAYS_OUT = (Outcome.WINNER, Outcome.LOSER)

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placing(Generic[EntryId]):
    """Places `place_from` to `place_to`: shared if the entry is out, still possible if it is in."""

    entry: EntryId
    place_from: int
    place_to: int
    still_in: bool


def knockout_places(
    graph: Graph[PairingKey, EntryId],
    seating: Seating[PairingKey, EntryId],
    brackets: Sequence[str] = ("main",),
    above: Sequence[str] = (),
) -> list[Placing[EntryId]]:
    """Returns the placings of all entries of these brackets, best first.

    Losers of the same round share places. Rounds count back from the last of their bracket. Of two brackets' finals the
    bracket named first ranks higher (a third-place match ranks after the main final). The brackets `above` rank over
    all of `brackets`, like the last finals of a double elimination. If both players of a pairing lost, they share the
    places of that round's losers. Byes take no place. Future rounds are assumed to have a winner in every match.
    """
    return sorted(
        _Ranking(graph, seating, (above, brackets)).placings(),
        key=lambda placing: (placing.place_from, placing.place_to),
    )


class _Ranking(Generic[PairingKey, EntryId]):
    """The ways out of some brackets, the number of entries that leave by each, and the places of each."""

    def __init__(
        self,
        graph: Graph[PairingKey, EntryId],
        seating: Seating[PairingKey, EntryId],
        brackets: tuple[Sequence[str], Sequence[str]],
    ) -> None:
        self.seating = seating
        self.above = frozenset(brackets[0])
        self.ranks = {bracket: rank for rank, bracket in enumerate((*brackets[0], *brackets[1]))}
        self.rounds: dict[str, int] = {}
        for pairing in graph:
            self.rounds[pairing.bracket] = max(self.rounds.get(pairing.bracket, 0), pairing.round)
        self.ranked = [pairing for pairing in graph if pairing.bracket in self.ranks]
        keys = {pairing.key for pairing in self.ranked}
        self.next_pairing = {
            (feed.source, WAYS_OUT[feed.outcome != Outcome.WINNER]): feed.target
            for key in keys
            for feed in graph.feeds_from(key)
            if feed.target in keys
            and not (feed.outcome == Outcome.FIRST_LOSS and _was_second_loss(seating[key]))
        }
        self.sends_an_entry = _sends_an_entry(graph, seating)
        self.spans = self._spans()
        self.all_places: Span = (1, max((last for _, last in self.spans.values()), default=1))
        self.open_places = self._open_places()

    def tier(self, pairing: Pairing[PairingKey, EntryId], outcome: Outcome) -> Tier:
        return (
            pairing.bracket not in self.above,
            self.rounds[pairing.bracket] - pairing.round,
            self.ranks[pairing.bracket],
            outcome == Outcome.LOSER,
        )

    def placings(self) -> list[Placing[EntryId]]:
        """Returns one placing for each entry, by the last pairing in which it sits, even if earlier ones were kept as
        played.
        """
        seats = [(pairing, entry) for pairing in self.ranked for entry in _entries(self.seating[pairing.key])]
        last_pairing = {entry: pairing.key for pairing, entry in seats}
        return [self._place(entry, pairing) for pairing, entry in seats if last_pairing[entry] == pairing.key]

    def _place(self, entry: EntryId, pairing: Pairing[PairingKey, EntryId]) -> Placing[EntryId]:
        state = self.seating[pairing.key]
        if state.result.how is None:
            return Placing(entry, *self.open_places.get(pairing.key, self.all_places), still_in=True)
        won = state.result.winner == entry
        wanted = (Outcome.WINNER, Outcome.LOSER) if won else (Outcome.LOSER, Outcome.WINNER)
        tiers = [
            self.tier(pairing, outcome)
            for outcome in wanted
            if (pairing.key, outcome) not in self.next_pairing
        ]
        if state.result.how is How.NOBODY:
            tiers = [self.tier(pairing, Outcome.LOSER)]
        span = next((self.spans[tier] for tier in tiers if tier in self.spans), None)
        return Placing(entry, *(span or self.all_places), still_in=span is None)

    def _spans(self) -> dict[Tier, Span]:
        """Returns the places of each way out, from the number of entries that took it or will."""
        leaving: Counter[Tier] = Counter()
        for pairing in self.ranked:
            state = self.seating[pairing.key]
            if state.result.how is How.NOBODY:
                leaving[self.tier(pairing, Outcome.LOSER)] += len(_entries(state))
            for outcome in WAYS_OUT:
                if (pairing.key, outcome) not in self.next_pairing and self.sends_an_entry[
                    pairing.key, outcome
                ]:
                    leaving[self.tier(pairing, outcome)] += 1
        spans: dict[Tier, Span] = {}
        placed = 0
        for tier, number in sorted(leaving.items()):
            spans[tier] = (placed + 1, placed + number)
            placed += number
        return spans

    def _open_places(self) -> dict[PairingKey, Span]:
        """Returns the best and worst place that players of each open pairing can reach."""
        reachable: dict[PairingKey, Span] = {}
        for pairing in reversed(self.ranked):
            if self.seating[pairing.key].result.how is not None:
                continue
            ways: list[Span] = []
            for outcome in WAYS_OUT:
                if self.sends_an_entry[pairing.key, outcome]:
                    target = self.next_pairing.get((pairing.key, outcome))
                    if target is None:
                        ways.append(self.spans[self.tier(pairing, outcome)])
                    elif target in reachable:
                        ways.append(reachable[target])
            if ways:
                reachable[pairing.key] = (min(best for best, _ in ways), max(worst for _, worst in ways))
        return reachable


def _was_second_loss(state: State[EntryId]) -> bool:
    """Returns True if the pairing's loser sat on the right and so lost for the second time."""
    return state.result.loser is not None and state.sent_on(Outcome.FIRST_LOSS) is BYE


def _entries(state: State[EntryId]) -> list[EntryId]:
    return [entry for entry in (state.left, state.right) if entry is not None and entry is not BYE]


def _sends_an_entry(
    graph: Graph[PairingKey, EntryId], seating: Seating[PairingKey, EntryId]
) -> dict[tuple[PairingKey, Outcome], bool]:
    """Returns for each outcome of each pairing whether an entry, not a bye, advances by it now or later."""
    sends: dict[tuple[PairingKey, Outcome], bool] = {}

    def sends_entry(state: State[EntryId], seat: Seat, source: Source[PairingKey, EntryId]) -> bool:
        occupant = state.at(seat)
        if occupant is None:
            return sends[source.pairing, source.outcome] if isinstance(source, FromPairing) else True
        return occupant is not BYE

    for pairing in graph:
        state = seating[pairing.key]
        if state.result.how is None:
            entries_coming = sum(sends_entry(state, seat, source) for seat, source in pairing.seats)
            both_come = entries_coming == len(Seat)
            winner, loser, first_loss = entries_coming > 0, both_come, both_come
        else:
            winner, loser = state.result.winner is not BYE, state.result.loser is not BYE
            first_loss = state.sent_on(Outcome.FIRST_LOSS) is not BYE
        sends[pairing.key, Outcome.WINNER], sends[pairing.key, Outcome.LOSER] = winner, loser
        sends[pairing.key, Outcome.FIRST_LOSS] = first_loss
    return sends
