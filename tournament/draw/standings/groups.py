"""Places of a group that lead on: ranked to the last, the lot deciding what no tie-break does.

What `FromPlace` asks for. No seat is filled here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol

from tournament.draw.graph import EntryId, PairingKey
from tournament.draw.seating import Decision, State
from tournament.draw.standings.counting import StandingsError
from tournament.draw.standings.formulas import ExternalValues
from tournament.draw.standings.ranking import rank
from tournament.draw.standings.records import Notes, PairingPlace, records_of
from tournament.draw.standings.tie_breaks import StandingRules, TieBreak


class RankingBasis(NamedTuple, Generic[PairingKey, EntryId]):
    """All that a ranking of groups takes beside the results; the lot of `given` is of the whole draw."""

    rules: StandingRules
    external: ExternalValues[EntryId]
    notes: Notes[PairingKey] | None = None


def group_ranking(
    pairings: Iterable[PairingPlace[PairingKey]],
    states: Mapping[PairingKey, State[EntryId]],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    basis: RankingBasis[PairingKey, EntryId],
) -> tuple[EntryId, ...] | None:
    """Who came first, second ... in a group; None while one of its pairings is open.

    The lot comes last where the rules do not name it. Who is not in it, having come after it was drawn, has the
    numbers behind it in the order of the seats, so that nobody is ever left tied.
    """
    members = list(pairings)
    if any(states[pairing.key].result.how is None for pairing in members):
        return None
    records = records_of(members, states, decisions, basis.notes)
    external = basis.external._replace(lot=_lot_with_late_entries(basis.external.lot, records))
    return tuple(standing.entry for standing in rank(records, _with_lot(basis.rules), external))


def _lot_with_late_entries(lot: Mapping[EntryId, int], entries: Iterable[EntryId]) -> dict[EntryId, int]:
    late = [entry for entry in entries if entry not in lot]
    return {**lot, **{entry: number for number, entry in enumerate(late, max(lot.values(), default=0) + 1)}}


def _with_lot(rules: StandingRules) -> StandingRules:
    if TieBreak.LOT in rules.tie_breaks:
        return rules
    return replace(rules, tie_breaks=(*rules.tie_breaks, TieBreak.LOT))


class PairingsByKey(Protocol[PairingKey]):
    """A draw as far as a ranking asks: `Graph`, or a dictionary of rows."""

    def __getitem__(self, key: PairingKey, /) -> PairingPlace[PairingKey]: ...


@dataclass(frozen=True, slots=True)
class GroupRank(Generic[PairingKey, EntryId]):
    """How `seating` is told to rank the brackets of a draw: a `Rank`, the same rules for all of them."""

    pairings: PairingsByKey[PairingKey]
    basis: RankingBasis[PairingKey, EntryId]

    def __call__(
        self,
        bracket: str,
        states: Mapping[PairingKey, State[EntryId]],
        decisions: Mapping[PairingKey, Decision[EntryId]],
    ) -> tuple[EntryId, ...]:
        ranking = group_ranking((self.pairings[key] for key in states), states, decisions, self.basis)
        if ranking is None:
            raise StandingsError(f"In {bracket} matches are still open.")
        return ranking
