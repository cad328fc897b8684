"""Makes the desk's card show a score, or an earlier state, in new rows. No row is overwritten.

`scorecard` writes the rows, under the match's lock.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from matches import scorecard
from matches.card_totals import card_totals, effective_rows, row_content
from matches.keepers import Keeper
from matches.locking import LockedMatch
from matches.models import Card, CardRow, Match
from matches.rows import FinalScore, NewRow, RowContent, Strike, build_row
from rules.problem import RuleBroken
from rules.score import Side


def set_final_score(locked: LockedMatch, final: FinalScore) -> Card:
    """Ends the match on the desk's card with this score; earlier rows are struck, not deleted.

    Raises RuleBroken for a score that cannot end the match.
    """
    return _replace_rows(locked, [final])


def has_rows_since(match: Match, since: datetime) -> bool:
    """True if a row was written on a card of this match after that moment."""
    return CardRow.objects.filter(card__match=match, written_at__gt=since).exists()


def winner_by_final_score(match: Match, final: FinalScore) -> Side:
    """The winner of the match with this score. Writes nothing. Raises RuleBroken for a score that cannot end it."""
    card = Card(match=match, keeper=Keeper.DESK.value, tail=match.pk)
    row = build_row(card, NewRow(uuid.uuid4(), match.pk, final), Keeper.DESK)
    totals = card_totals(match, [row])
    if totals.problem is not None:
        raise RuleBroken(totals.problem)
    return Side(totals.winner)


def restore_card(locked: LockedMatch, moment: datetime) -> None:
    """Restores the content that the desk's card had before `moment`, in new rows, if rows were written since."""
    rows = CardRow.objects.filter(card__match=locked.match, card__keeper=Keeper.DESK.value)
    if not rows.filter(written_at__gte=moment).exists():
        return
    effective = effective_rows([row for row in rows.order_by("number") if row.written_at < moment])
    _replace_rows(locked, [row_content(row) for row in effective])


def _replace_rows(locked: LockedMatch, contents: Sequence[RowContent]) -> Card:
    """Strikes the effective rows of the desk's card, then writes these.

    The last row is struck first, because the rows before it are always possible without it.
    """
    card = locked.cards.get(Keeper.DESK)
    rows = list(card.rows.all()) if card else []
    strikes: list[tuple[RowContent, uuid.UUID | None]] = [
        (Strike(), row.key) for row in reversed(effective_rows(rows))
    ]
    tail = card.tail if card else locked.match.pk
    for content, supersedes in [*strikes, *((content, None) for content in contents)]:
        new_row = NewRow(uuid.uuid4(), tail, content, supersedes)
        scorecard.write(locked, Keeper.DESK, new_row, by=Keeper.DESK)
        tail = new_row.key
    return locked.cards[Keeper.DESK]
