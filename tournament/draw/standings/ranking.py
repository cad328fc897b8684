"""Orders records by one tie-break after the other, and explains each place.

Entries that no tie-break separates share their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple

from tournament.draw.graph import EntryId
from tournament.draw.standings.formulas import ExternalValues, Formulas, Value
from tournament.draw.standings.records import Record
from tournament.draw.standings.tie_breaks import LEAST_IS_BEST, StandingRules, TieBreak


class RankingStep(NamedTuple):
    """One line of an explanation: the value of a tie-break and its effect.

    `among` is the number of tied entries before this step, the entry included; 1 if the step was not needed. `value` is
    None if the tie-break could not be applied. `decided` is True if it separated the entry from any other.
    """

    tie_break: TieBreak
    value: Value | None
    among: int
    decided: bool


@dataclass(frozen=True, slots=True)
class Standing(Generic[EntryId]):
    """Places `place_from` to `place_to`, shared while tied, with the steps that led to them."""

    entry: EntryId
    place_from: int
    place_to: int
    record: Record[EntryId]
    steps: tuple[RankingStep, ...]


def rank(
    records: Mapping[EntryId, Record[EntryId]],
    rules: StandingRules,
    external: ExternalValues[EntryId] | None = None,
) -> tuple[Standing[EntryId], ...]:
    """Ranks all entries, best first. Entries that share places keep the order of the records.

    `records` holds every opponent named in it. The time grows with the number of matches, and for sorting with the
    number of entries.
    """
    formulas = Formulas(records, rules.counting, external or ExternalValues())
    steps: dict[EntryId, list[RankingStep]] = {entry: [] for entry in records}
    tied = [list(records)] if records else []
    for tie_break in rules.criteria:
        still_tied: list[list[EntryId]] = []
        for group in tied:
            values = formulas.values(tie_break, group)
            parts = _split_tied(group, values, tie_break)
            among, decided = len(group), len(parts) > 1
            for entry in group:
                steps[entry].append(RankingStep(tie_break, values.get(entry), among, decided))
            still_tied += parts
        tied = still_tied
    return _standings(tied, records, steps)


def _split_tied(
    group: list[EntryId], values: Mapping[EntryId, Value], tie_break: TieBreak
) -> list[list[EntryId]]:
    if len(group) == 1 or not values:
        return [group]
    parts: dict[Value, list[EntryId]] = {}
    for entry in group:
        parts.setdefault(values[entry], []).append(entry)
    return [parts[value] for value in sorted(parts, reverse=tie_break not in LEAST_IS_BEST)]


def _standings(
    tied: list[list[EntryId]],
    records: Mapping[EntryId, Record[EntryId]],
    steps: Mapping[EntryId, list[RankingStep]],
) -> tuple[Standing[EntryId], ...]:
    standings: list[Standing[EntryId]] = []
    for group in tied:
        first, last = len(standings) + 1, len(standings) + len(group)
        standings += [Standing(entry, first, last, records[entry], tuple(steps[entry])) for entry in group]
    return tuple(standings)
