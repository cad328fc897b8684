"""What a correction changed in the prizes that a player was awarded. Reads no row itself."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

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


def corrected_prizes(rows: Iterable[Transfer], player: Player) -> list[CorrectedPrizes]:
    """Compares what each entry of the player wins with its last awards that were taken back, by currency.

    `rows`: all transfers of the player, with their transactions, reversals and the journal lines of these.

    Awards of a merged or split player are recorded again for another one: that is no correction. Neither are more
    prizes beside the same ones.
    """
    taken_back: dict[uuid.UUID | None, dict[int, _Prizes]] = defaultdict(dict)
    current: dict[uuid.UUID | None, _Prizes] = defaultdict(Counter)
    moved: set[int] = set()
    for row in rows:
        if row.transaction.deed == Deed.PRIZE:
            entry, pk = row.transaction.entry_id, row.transaction_id
            reversal = getattr(row.transaction, "reversed_by", None)
            prizes = taken_back[entry].setdefault(pk, Counter()) if reversal else current[entry]
            sign = 1 if row.source.player_id == player.pk else -1
            prizes[row.target.currency, row.target.name, row.line] += sign * row.amount
            if reversal and reversal.journal_line.verb in MOVING_VERBS:
                moved.add(pk)
    last = {entry: awards[max(awards)] for entry, awards in taken_back.items() if max(awards) not in moved}
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
