"""The score card: opens matches and writes rows. The only module that writes matches, cards and their rows.

`rules` decides what a row is worth and whether it is possible. Brackets, people and HTTP are unknown here.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone

from matches import sql
from matches.card_refusals import CardClosed, CardConflict, KeyReused, NoSuchRow
from matches.card_totals import CardTotals, card_totals, effective_rows, games_at_stop, rows_of_card
from matches.keepers import Keeper
from matches.locking import LockedMatch
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.rows import NewRow, build_row, is_same_row
from rules.problem import RuleBroken
from rules.ruleset import Ruleset
from rules.score import Side

POSTED_FIELDS = ("left_points", "right_points", "winner", "is_crawford", "state", "version")


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
    return Match.objects.bulk_create(matches)


def write(locked: LockedMatch, keeper: Keeper, new_row: NewRow, *, by: Keeper) -> WriteResult:
    """Writes one row on the keeper's card. Idempotent: a repeated row gets its first answer.

    `by` is the author of the row. Raises CardConflict (another row follows the predecessor), KeyReused (same key,
    other row), CardClosed (players may not write any more), NoSuchRow (there is no such row to supersede),
    RuleBroken (the row is impossible).
    """
    match = locked.match
    card = locked.cards.get(keeper) or Card(match=match, keeper=keeper.value, tail=match.pk)
    rows, is_elsewhere = rows_of_card(card, new_row.key)
    row = build_row(card, new_row, by)
    if is_elsewhere:
        raise KeyReused(card)
    stored_row = _stored_row(card, rows, row)
    if stored_row is not None:
        totals_then = card_totals(match, rows[: stored_row.number])
        return WriteResult(match=match, card=card, row=stored_row, totals=totals_then, is_repeat=True)
    _refuse(match, card, rows, row)
    return _append(locked, rows, row)


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
    match.save(update_fields=POSTED_FIELDS)


def note_record(match: Match) -> None:
    """A record was uploaded or judged: play has begun, and spectators get a new version."""
    match.began_at = match.began_at or timezone.now()
    match.version += 1
    match.save(update_fields=["began_at", "version"])


def note_call(match: Match) -> None:
    """The match was called or moved: spectators get a new version."""
    match.version += 1
    match.save(update_fields=["version"])


def reopen(locked: LockedMatch) -> None:
    """Returns a posted match to its cards: reported if a player's card is complete, otherwise open."""
    match, cards = locked.match, locked.cards
    tails = CardRow.objects.filter(card__match=match, key__in=[card.tail for card in cards.values()])
    last = tails.order_by("written_at").select_related("card").last()
    _copy_totals(match, last.card if last is not None else Card())
    match.reported_by = ""
    _update_report(match, cards)
    match.version += 1
    sql.update_match_totals(match)


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


def _append(locked: LockedMatch, rows: list[CardRow], row: CardRow) -> WriteResult:
    match, card = locked.match, row.card
    if row.kind == RowKind.STOP and row.games is None:
        row.games = games_at_stop(rows)
    totals = card_totals(match, [*rows, row])
    if totals.problem is not None:
        raise RuleBroken(totals.problem)
    row.points = totals.points_of(row.key)
    _update_card_totals(card, row, totals)
    sql.insert_row(row)
    locked.cards[Keeper(card.keeper)] = card
    _update_match_totals(locked, card)
    return WriteResult(match=match, card=card, row=row, totals=totals, is_repeat=False)


def _update_card_totals(card: Card, row: CardRow, totals: CardTotals) -> None:
    card.tail, card.rows_written = row.key, row.number
    card.left_points, card.right_points = totals.left, totals.right
    card.is_crawford, card.winner = totals.is_crawford, totals.winner
    if row.number == 1:
        card.save(force_insert=True)
    else:
        sql.update_card_totals(card)


def _update_match_totals(locked: LockedMatch, card: Card) -> None:
    """The match shows the card written last; it is reported while a player's card is complete."""
    match = locked.match
    _copy_totals(match, card)
    match.began_at = match.began_at or timezone.now()
    match.version += 1
    if match.state in (MatchState.OPEN, MatchState.REPORTED):
        _update_report(match, locked.cards)
    sql.update_match_totals(match)


def _copy_totals(match: Match, card: Card) -> None:
    match.left_points, match.right_points = card.left_points, card.right_points
    match.is_crawford, match.winner = card.is_crawford, card.winner


def _update_report(match: Match, cards: Mapping[Keeper, Card]) -> None:
    complete = [
        side.value for side in (Keeper.LEFT, Keeper.RIGHT) if side in cards and cards[side].is_complete
    ]
    if not complete:
        match.state, match.reported_by, match.reported_at = MatchState.OPEN, "", None
    elif match.reported_by not in complete:
        match.state, match.reported_by = MatchState.REPORTED, complete[0]
        match.reported_at = timezone.now()
