"""The score card: opens matches and writes rows. The only module that writes matches, cards and their rows.

`rules` decides what a row is worth and whether it is possible. Brackets, people and HTTP are unknown here.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from matches.card_totals import CardTotals, card_totals, cards_of, effective_rows, games_at_stop, rows_of_card
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.refusals import CardClosed, CardConflict, KeyReused, NoSuchRow
from matches.rows import NewRow, build_row, is_same_row
from matches.statements import CompiledQuery, RowInsert, RowUpdate
from rules.problem import RuleBroken
from rules.ruleset import Ruleset
from rules.score import Side

_locked: CompiledQuery[Match] = CompiledQuery(lambda pk: Match.objects.select_for_update().filter(pk=pk))
MATCH_TOTALS = (
    "left_points", "right_points", "is_crawford", "winner", "state", "reported_by", "reported_at", "began_at",
    "version",
)  # fmt: skip
CARD_TOTALS = ("tail", "rows_written", "left_points", "right_points", "is_crawford", "winner")
_match_totals_update, _card_totals_update = RowUpdate(Match, MATCH_TOTALS), RowUpdate(Card, CARD_TOTALS)
_posting_update = RowUpdate(
    Match, ("left_points", "right_points", "winner", "is_crawford", "state", "version")
)
_match_insert, _card_insert, _row_insert = RowInsert(Match), RowInsert(Card), RowInsert(CardRow)


@dataclass(frozen=True, slots=True)
class Opening:
    """A match to open: two sides by id, the length, and the ruleset, which is copied.

    `length` None is stake play: a session of `games` games, or (None) until time is over.
    """

    left: uuid.UUID
    right: uuid.UUID
    length: int | None
    ruleset: Ruleset
    games: int | None = None


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of writing a row: match and card after it, and the totals of the card right after the row."""

    match: Match
    card: Card
    row: CardRow
    totals: CardTotals
    is_repeat: bool


def open_matches(openings: Sequence[Opening]) -> list[Match]:
    """Opens matches; returns them in the same order."""
    now = timezone.now()
    rulesets = {ruleset: ruleset.as_json() for ruleset in {opening.ruleset for opening in openings}}
    matches = [
        Match(
            left=opening.left,
            right=opening.right,
            length=opening.length,
            games=opening.games,
            ruleset=rulesets[opening.ruleset],
            opened_at=now,
        )
        for opening in openings
    ]
    if len(matches) == 1:  # the usual case: a player advances
        _match_insert.write(*matches)
        return matches
    return Match.objects.bulk_create(matches)


def lock(match_id: uuid.UUID) -> Match:
    """Locks one match. Needs a transaction; the tournament's lock, if needed, comes first."""
    match = _locked.first(match_id)
    if match is None:
        raise Match.DoesNotExist
    return match


def cards_with_lock() -> QuerySet[Card]:
    """Cards with their match and its lock: the base of a query for `lock_by`."""
    version = Match.objects.filter(pk=OuterRef("match")).values("version")
    cards = Card.objects.select_related("match").select_for_update(of=("match",))
    return cards.annotate(read_at=Subquery(version))


def lock_by(statement: CompiledQuery[Any], match_id: uuid.UUID) -> dict[Keeper, Any]:
    """Locks the match with a query that also reads its cards, and returns the cards.

    If another transaction wrote while this one waited, only the match is current. Then, and without a card, the
    result is empty: call `lock` and read the cards again.
    """
    cards = statement.all(match_id)
    if not cards or cards[0].read_at != cards[0].match.version:
        return {}
    for card in cards:
        card.match = cards[0].match
    return {Keeper(card.keeper): card for card in cards}


_with_cards: CompiledQuery[Any] = CompiledQuery(lambda match: cards_with_lock().filter(match=match))


def lock_all(match_ids: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, Match]:
    """Locks several matches until the end of the transaction."""
    ids = [pk for pk in match_ids if pk is not None]
    if not ids:
        return {}
    locked = Match.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    return {match.pk: match for match in locked}


@contextmanager
def changing(match_id: uuid.UUID) -> Iterator[Match]:
    """A transaction with the lock of the match only, for rows that decide nothing beyond the match."""
    with transaction.atomic():
        yield lock(match_id)


@contextmanager
def changing_cards(loaded_match: Match) -> Iterator[tuple[Match, dict[Keeper, Card]]]:
    """Like `changing`, with the cards, in one query if play has begun. `loaded_match` was read before."""
    with transaction.atomic():
        cards = lock_by(_with_cards, loaded_match.pk) if loaded_match.has_begun else {}
        match = next(iter(cards.values())).match if cards else lock(loaded_match.pk)
        yield match, cards or cards_of(match)


def write(
    match: Match, keeper: Keeper, new_row: NewRow, *, by: Keeper, cards: dict[Keeper, Card] | None = None
) -> WriteResult:
    """Writes one row on the keeper's card of a locked match. Idempotent: a repeated row gets its first answer.

    `by` is the author of the row; `cards` are the match's cards if they were read under the lock. Raises
    CardConflict (another row follows the predecessor), KeyReused (same key, other row), CardClosed (players may
    not write any more), NoSuchRow (there is no such row to supersede), RuleBroken (the row is impossible).
    """
    cards = cards_of(match) if cards is None else cards
    card = cards.get(keeper) or Card(match=match, keeper=keeper.value, tail=match.pk)
    rows, is_elsewhere = rows_of_card(card, new_row.key)
    row = build_row(card, new_row, by)
    if is_elsewhere:
        raise KeyReused(card)
    stored_row = _stored_row(card, rows, row)
    if stored_row is not None:
        totals_then = card_totals(match, rows[: stored_row.number])
        return WriteResult(match=match, card=card, row=stored_row, totals=totals_then, is_repeat=True)
    _refuse(match, card, rows, row)
    return _append(match, {**cards, keeper: card}, rows, row)


def replace_in_reasons(matches: Collection[uuid.UUID], rewrite: Callable[[str], str]) -> None:
    """Rewrites the reasons of penalties on the cards of these matches; games and scores stay unchanged."""
    for row in CardRow.objects.filter(card__match__in=matches).exclude(reason=""):
        row.reason = rewrite(row.reason)
        row.save(update_fields=["reason"])


def row_to_undo(rows: Sequence[CardRow]) -> CardRow | None:
    """The row that an undo strikes: the last effective row of the card."""
    counting = effective_rows(rows)
    return max(counting, key=lambda row: row.number) if counting else None


def set_state(match: Match, state: MatchState) -> None:
    """Sets a state that the desk decided: disputed, cancelled, or back to an earlier one."""
    match.state = state
    match.version += 1
    match.save(update_fields=["state", "version"])


def post(match: Match, winner: Side | None, points: tuple[int, int] | None) -> None:
    """Posts a result: the match shows it. Its cards stay unchanged and may differ."""
    match.left_points, match.right_points = points or (0, 0)
    match.winner, match.is_crawford = (winner.value if winner else ""), False
    match.state = MatchState.POSTED
    match.version += 1
    _posting_update.write(match)


def note_record(match: Match) -> None:
    """A record was uploaded or judged: play has begun, and spectators get a new version."""
    match.began_at = match.began_at or timezone.now()
    match.version += 1
    match.save(update_fields=["began_at", "version"])


def note_call(match: Match) -> None:
    """The match was called or moved: spectators get a new version."""
    match.version += 1
    match.save(update_fields=["version"])


def reopen(match: Match) -> None:
    """Returns a posted match to its cards: reported if a player's card is complete, otherwise open."""
    cards = cards_of(match)
    tails = CardRow.objects.filter(card__match=match, key__in=[card.tail for card in cards.values()])
    last = tails.order_by("written_at").select_related("card").last()
    _copy_totals(match, last.card if last is not None else Card())
    match.reported_by = ""
    _update_report(match, cards)
    match.version += 1
    _match_totals_update.write(match)


def change_length(matches: Iterable[Match], length: int | None, games: int | None = None) -> None:
    """Changes the length of matches that have not begun; None makes them sessions of `games` games."""
    ids = [match.pk for match in matches]
    Match.objects.filter(pk__in=ids, began_at__isnull=True).update(
        length=length, games=games, version=F("version") + 1
    )


def change_rules(matches: Iterable[Match], ruleset: Ruleset) -> None:
    """Changes the ruleset of matches that have not begun."""
    ids = [match.pk for match in matches]
    Match.objects.filter(pk__in=ids, began_at__isnull=True).update(
        ruleset=ruleset.as_json(), version=F("version") + 1
    )


def cancel(matches: Iterable[Match]) -> None:
    """Cancels matches whose players changed."""
    ids = [match.pk for match in matches]
    Match.objects.filter(pk__in=ids).update(state=MatchState.CANCELLED, version=F("version") + 1)


def discard(matches: Iterable[Match]) -> None:
    """Deletes matches that have not begun, when their draw is undone."""
    Match.objects.filter(pk__in=[match.pk for match in matches], began_at__isnull=True).delete()


def _stored_row(card: Card, rows: Sequence[CardRow], row: CardRow) -> CardRow | None:
    stored_row = next((stored for stored in rows if stored.key == row.key), None)
    if stored_row is None:
        if row.key == row.predecessor:
            raise KeyReused(card)
        return None
    if not is_same_row(stored_row, row):
        raise KeyReused(card)
    return stored_row


def _refuse(match: Match, card: Card, rows: Sequence[CardRow], row: CardRow) -> None:
    player_may = match.state in (MatchState.OPEN, MatchState.REPORTED, MatchState.DISPUTED)
    desk_may = row.written_by == Keeper.DESK.value and match.state != MatchState.CANCELLED
    if not (player_may or desk_may):
        raise CardClosed(match)
    if row.predecessor != card.tail:
        raise CardConflict(match, card)
    if row.supersedes_id and all(
        effective_row.key != row.supersedes_id for effective_row in effective_rows(rows)
    ):
        raise NoSuchRow(card)


def _append(match: Match, cards: dict[Keeper, Card], rows: list[CardRow], row: CardRow) -> WriteResult:
    if row.kind == RowKind.STOP and row.games is None:
        row.games = games_at_stop(rows)
    totals = card_totals(match, [*rows, row])
    if totals.problem is not None:
        raise RuleBroken(totals.problem)
    row.points = totals.points_of(row.key)
    card = row.card
    _update_card_totals(card, row, totals)
    _row_insert.write(row)
    _update_match_totals(match, card, cards)
    return WriteResult(match=match, card=card, row=row, totals=totals, is_repeat=False)


def _update_card_totals(card: Card, row: CardRow, totals: CardTotals) -> None:
    card.tail, card.rows_written = row.key, row.number
    card.left_points, card.right_points = totals.left, totals.right
    card.is_crawford, card.winner = totals.is_crawford, totals.winner
    if row.number == 1:
        _card_insert.write(card)
    else:
        _card_totals_update.write(card)


def _update_match_totals(match: Match, card: Card, cards: dict[Keeper, Card]) -> None:
    """The match shows the card written last; it is reported while a player's card is complete."""
    now = timezone.now()
    _copy_totals(match, card)
    match.began_at = match.began_at or now
    match.version += 1
    if match.state in (MatchState.OPEN, MatchState.REPORTED):
        _update_report(match, cards)
    _match_totals_update.write(match)


def _copy_totals(match: Match, card: Card) -> None:
    match.left_points, match.right_points = card.left_points, card.right_points
    match.is_crawford, match.winner = card.is_crawford, card.winner


def _update_report(match: Match, cards: dict[Keeper, Card]) -> None:
    complete = [
        side.value for side in (Keeper.LEFT, Keeper.RIGHT) if side in cards and cards[side].is_complete
    ]
    if not complete:
        match.state, match.reported_by, match.reported_at = MatchState.OPEN, "", None
    elif match.reported_by not in complete:
        match.state, match.reported_by = MatchState.REPORTED, complete[0]
        match.reported_at = timezone.now()
