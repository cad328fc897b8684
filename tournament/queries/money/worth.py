"""The page of what the remaining players of a tournament can expect to win. Reads only."""

from dataclasses import dataclass

from tournament.fees.amounts import Amount
from tournament.models import Entry, Tournament
from tournament.money.worth import WorthTable, cached_worth


@dataclass(frozen=True, slots=True)
class WorthLine:
    entry: Entry
    amount: Amount


@dataclass(frozen=True, slots=True)
class WorthPage:
    """`table` is None while a worker computes it. `lines` are sorted by amount, the highest first."""

    table: WorthTable | None
    lines: tuple[WorthLine, ...] = ()

    @property
    def total(self) -> Amount | None:
        return sum((line.amount for line in self.lines[1:]), self.lines[0].amount) if self.lines else None


def load_worth(tournament: Tournament) -> WorthPage:
    table = cached_worth(tournament)
    if table is None:
        return WorthPage(None)
    entries = Entry.objects.filter(pk__in=table.amounts).select_related("player")
    lines = [WorthLine(entry, Amount(table.amounts[entry.pk], table.currency)) for entry in entries]
    return WorthPage(table, tuple(sorted(lines, key=lambda line: (-line.amount.minor, line.entry.number))))
