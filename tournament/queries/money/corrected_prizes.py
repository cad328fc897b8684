"""What a correction changed in the prizes that a player was awarded. Reads no row itself."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tournament.fees.amounts import Amount
from tournament.models import Deed, Player, Transfer

MOVING_VERBS = ("merge players", "split entry")
"""Deeds that record awards again for another player."""


@dataclass(frozen=True, slots=True)
class CorrectedPrizes:
    """All prizes of the player in a currency before the last correction of one, and now."""

    before: Amount
    now: Amount


_Prizes = Counter[tuple[str, str, str]]
"""Minor units of a player by currency, pot and line; negative for what the player gives by a hedge."""


@dataclass(slots=True)
class _Awards:
    """What each entry of a player wins, and what was taken back from it by the number of the transaction.

    `ends`: the number of the reversal of what was taken back. `payouts`: what the player was paid.
    """

    current: dict[uuid.UUID | None, _Prizes] = field(default_factory=lambda: defaultdict(Counter))
    taken_back: dict[uuid.UUID | None, dict[int, _Prizes]] = field(default_factory=lambda: defaultdict(dict))
    ends: dict[int, int] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    payouts: set[int] = field(default_factory=set)

    def add(self, row: Transfer, player: Player) -> None:
        deed, pk = row.transaction, row.transaction_id
        if deed.deed == Deed.PAYOUT and not hasattr(deed, "reversed_by"):
            self.payouts.add(pk)
        if deed.deed != Deed.PRIZE:
            return
        prizes = self.current[deed.entry_id]
        if reversal := getattr(deed, "reversed_by", None):
            prizes = self.taken_back[deed.entry_id].setdefault(pk, Counter())
            self.ends[pk] = reversal.pk
            if reversal.journal_line.verb in MOVING_VERBS:
                self.moved.add(pk)
        sign = 1 if row.source.player_id == player.pk else -1
        prizes[row.target.currency, row.target.name, row.line] += sign * row.amount

    def before_corrections(self) -> dict[uuid.UUID | None, _Prizes]:
        """What was taken back last from each entry by a correction that is in force, or was paid."""
        return {
            entry: awards[max(awards)]
            for entry, awards in self.taken_back.items()
            if max(awards) not in self.moved and not self._is_undone(entry)
        }

    def _is_undone(self, entry: uuid.UUID | None) -> bool:
        """True if the prizes are again those before the last that were taken back, and none of these was paid."""
        awards = self.taken_back[entry]
        *earlier, last = sorted(awards)
        was_paid = any(last < payout < self.ends[last] for payout in self.payouts)
        return bool(earlier) and awards[earlier[-1]] == self.current[entry] and not was_paid


def corrected_prizes(rows: Iterable[Transfer], player: Player) -> list[CorrectedPrizes]:
    """Compares what each entry of the player wins with its last awards that were taken back, by currency.

    `rows`: all transfers of the player, with their transactions, reversals and the journal lines of these.

    Awards of a merged or split player are recorded again for another one: that is no correction. Neither are more
    prizes beside the same ones, nor a correction that was undone before the player was paid by it.
    """
    found = _Awards()
    for row in rows:
        found.add(row, player)
    current, last = found.current, found.before_corrections()
    is_changed = any(
        minor != current[entry][prize] for entry, prizes in last.items() for prize, minor in prizes.items()
    )
    if not is_changed:
        return []
    before = _by_currency((current | last).values())
    now = _by_currency(current.values())
    return [
        CorrectedPrizes(Amount(before[currency], currency), Amount(now[currency], currency))
        for currency in sorted({*before, *now})
        if before[currency] != now[currency]
    ]


def _by_currency(prizes: Iterable[_Prizes]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for row in prizes:
        for (currency, _pot, _line), minor in row.items():
            sums[currency] += minor
    return sums
