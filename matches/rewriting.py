"""Makes the desk's card say a score, or what it said before: in new rows, since none is ever overwritten.

Rows themselves are written by `scorecard`, under the match's lock.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from matches import scorecard
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match
from matches.reading import effective, said, standing
from matches.writing import FinalScore, Strike, What, Writing, new_row
from rules.problem import RuleBroken
from rules.score import Side


def rewrite(match: Match, final: FinalScore) -> Card:
    """The desk's card ends the match with this score, whatever stood on it; its rows are struck, not lost.

    Raises RuleBroken for a score that cannot end the match.
    """
    return _write_anew(match, [final])


def was_written_on(match: Match, since: datetime) -> bool:
    """Whether anybody wrote on a card of this match after that moment."""
    return CardRow.objects.filter(card__match=match, written_at__gt=since).exists()


def ends_with(match: Match, final: FinalScore) -> Side:
    """Who would win the match with this score. Raises RuleBroken for one that cannot end it; writes nothing."""
    card = Card(match=match, keeper=Keeper.DESK.value, tail=match.pk)
    row = new_row(card, Writing(uuid.uuid4(), match.pk, final), Keeper.DESK)
    would_stand = standing(match, [row])
    if would_stand.problem is not None:
        raise RuleBroken(would_stand.problem)
    return Side(would_stand.winner)


def write_as_before(match: Match, moment: datetime) -> None:
    """The desk's card says again what it said before that moment, in new rows where anything was written since."""
    rows = CardRow.objects.filter(card__match=match, card__keeper=Keeper.DESK.value)
    if not rows.filter(written_at__gte=moment).exists():
        return
    before = effective([row for row in rows.order_by("number") if row.written_at < moment])
    _write_anew(match, [said(row) for row in before])


def _write_anew(match: Match, whats: Sequence[What]) -> Card:
    """Strikes what counts on the desk's card, the last first, so that what is left could always be; then writes."""
    card = match.cards.filter(keeper=Keeper.DESK.value).first()
    card = card or Card(match=match, keeper=Keeper.DESK.value, tail=match.pk)
    rows = list(card.rows.all()) if card.rows_written else []
    lines: list[tuple[What, uuid.UUID | None]] = [(Strike(), row.key) for row in reversed(effective(rows))]
    for what, supersedes in [*lines, *((what, None) for what in whats)]:
        writing = Writing(uuid.uuid4(), card.tail, what, supersedes)
        card = scorecard.write(match, Keeper.DESK, writing, by=Keeper.DESK).card
    return card
