"""The page of what the remaining players of a tournament can expect to win. Reads only."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.models import Entry, Tournament
from tournament.money.worth import WorthTable, cached_worth


@dataclass(frozen=True, slots=True)
class WorthLine:
    entry: Entry
    amount: Amount


@dataclass(frozen=True, slots=True)
class DrawLine:
    """A possible draw of the next round: its pairs, who has a bye, and what each player expects then."""

    pairs: tuple[tuple[Entry, Entry], ...]
    bye: Entry | None
    lines: tuple[WorthLine, ...]


@dataclass(frozen=True, slots=True)
class WorthPage:
    """`table` is None while a worker computes it. `lines` are sorted by amount, the highest first."""

    table: WorthTable | None
    lines: tuple[WorthLine, ...] = ()
    draws: tuple[DrawLine, ...] = ()

    @property
    def error(self) -> Amount | None:
        """The standard error of the amounts of a sample."""
        return Amount(self.table.error, self.table.currency) if self.table and self.table.error else None

    @property
    def total(self) -> Amount | None:
        return sum((line.amount for line in self.lines[1:]), self.lines[0].amount) if self.lines else None


def load_worth(tournament: Tournament) -> WorthPage:
    table = cached_worth(tournament)
    if table is None:
        return WorthPage(None)
    rows = Entry.objects.filter(pk__in=table.amounts).select_related("player")
    entries = {row.pk: row for row in rows}
    draws = tuple(
        DrawLine(
            tuple((entries[first], entries[second]) for first, second in draw.pairs),
            entries[draw.bye] if draw.bye else None,
            _lines(draw.amounts, table.currency, entries),
        )
        for draw in table.draws
    )
    return WorthPage(table, _lines(table.amounts, table.currency, entries), draws)


def _lines(
    amounts: Mapping[uuid.UUID, int], currency: str, entries: Mapping[uuid.UUID, Entry]
) -> tuple[WorthLine, ...]:
    lines = [WorthLine(entries[pk], Amount(minor, currency)) for pk, minor in amounts.items()]
    return tuple(sorted(lines, key=lambda line: (-line.amount.minor, line.entry.number)))
