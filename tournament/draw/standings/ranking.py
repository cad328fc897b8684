"""Who comes where by records, and why: one tie-break after the other, until nobody is tied or none is left.

Nothing is worked out here but the order; those whom no tie-break parts share their places.
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
    """One line of an explanation: the value of a tie-break, and what it did.

    `among` is how many were tied when its turn came, the entry included: 1 where it was not needed any more.
    `value` is None where it could not be applied to them, or where one alone has none. `decided` says whether it
    parted the entry from any of them.
    """

    tie_break: TieBreak
    value: Value | None
    among: int
    decided: bool


@dataclass(frozen=True, slots=True)
class Standing(Generic[EntryId]):
    """Places `place_from` to `place_to`, shared where still tied, and line by line how it came to that."""

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
    """Everybody, best first; those who share places stand in the order of the records.

    `records` holds every opponent that is named in it. The time grows with the number of matches, and for sorting
    with the number of entries.
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
