"""Ranks groups whose places feed other pairings. The lot decides ties that no tie-break decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId, PairingKey
from tournament.draw.seating import Decision, State
from tournament.draw.standings.counting import StandingsError
from tournament.draw.standings.formulas import ExternalValues
from tournament.draw.standings.ranking import rank
from tournament.draw.standings.records import Notes, PairingPlace, records_of
from tournament.draw.standings.tie_breaks import StandingRules, TieBreak


class RankingBasis(NamedTuple, Generic[PairingKey, EntryId]):
    """The basis of a group ranking beside the results. The lot in `external` is of the whole draw."""

    rules: StandingRules
    external: ExternalValues[EntryId]
    notes: Notes[PairingKey] | None = None


def group_ranking(
    pairings: Iterable[PairingPlace[PairingKey]],
    states: Mapping[PairingKey, State[EntryId]],
    decisions: Mapping[PairingKey, Decision[EntryId]],
    basis: RankingBasis[PairingKey, EntryId],
) -> tuple[EntryId, ...] | None:
    """Returns the entries of a group by place; None while one of its pairings is open.

    The lot comes last if the rules do not name it. Entries that joined after the lot was drawn get the numbers behind
    it in the order of the seats, so no tie is left.
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
    """Pairings by key: a `Graph`, or a dictionary of rows."""

    def __getitem__(self, key: PairingKey, /) -> PairingPlace[PairingKey]: ...


@dataclass(frozen=True, slots=True)
class GroupRank(Generic[PairingKey, EntryId]):
    """A `Rank` for `seating` that applies the same rules to all brackets of a draw."""

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
            raise StandingsError(gettext_noop("In {bracket} matches are still open."), bracket=bracket)
        return ranking
