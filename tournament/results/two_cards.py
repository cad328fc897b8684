"""A player adopts a line or the whole of the opponent's card, and may undo that. Locks only the match.

Adopted lines are new rows on the player's own card. Their keys are derived from both cards' tails, so a repeated
request writes the same rows. The key of the last row identifies the adoption until another row follows.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.crypto import salted_hmac

from matches import scorecard
from matches.card_totals import CardTotals, card_totals, effective_rows, row_content
from matches.keepers import Keeper
from matches.locking import LockedMatch, lock_match
from matches.models import CardRow, Match, MatchState, RowKind
from matches.rows import NewRow, RowContent, Strike
from rules.card_comparison import compare
from tournament.access.actors import Actor
from tournament.live import channels, journal
from tournament.live.journal import JournalEntry
from tournament.models import Pairing
from tournament.refusals.cards import CARDS_CHANGED, NOTHING_TO_TAKE_OVER, NOTHING_TO_UNDO, WHOLE_CARD_ONLY
from tournament.results import desk
from tournament.results.locking import match_id_of
from tournament.runtime.errors import Refused

ADOPTED, UNDONE = "taken", "undone"
"""Labels from which the key of the last row is derived. Stored keys depend on them."""
Line = tuple[RowContent, uuid.UUID | None]
"""The content of a new row and the key of the row that it supersedes."""


@dataclass(frozen=True, slots=True)
class CardTails:
    """The last rows of both cards as the player saw them."""

    mine: uuid.UUID
    theirs: uuid.UUID


@dataclass(frozen=True, slots=True)
class _KeeperCard:
    """One keeper's card with its rows and totals."""

    keeper: Keeper
    tail: uuid.UUID
    rows: tuple[CardRow, ...]
    standing: CardTotals

    @property
    def is_final(self) -> bool:
        """The card has a final score, so its games do not count."""
        return any(row.kind == RowKind.FINAL for row in self.standing.rows)


@dataclass(frozen=True, slots=True)
class _LinePair:
    """Two lines side by side; None if a card lacks the line. `place` is the index on the player's own card."""

    mine: CardRow | None
    theirs: CardRow | None
    place: int
    is_agreed: bool

    def is_about(self, line: uuid.UUID) -> bool:
        return any(row is not None and row.key == line for row in (self.mine, self.theirs))


def adopt_line(pairing: Pairing, keeper: Keeper, line: uuid.UUID, tails: CardTails, actor: Actor) -> None:
    """Copies one line of the opponent's card, or removes a line that the opponent's card lacks.

    `line` is the key of the opponent's row or of the own row. Later lines are scored again. Idempotent. Raises
    Refused if the cards changed, RuleBroken if the card would become impossible.
    """
    with transaction.atomic():
        locked_match = lock_match(match_id_of(pairing))
        match = locked_match.match
        mine, theirs = _load_cards(locked_match, keeper)
        line_pair = next((pair for pair in _line_pairs(mine, theirs) if pair.is_about(line)), None)
        if not _is_repeat(match, mine, tails, ADOPTED) or (line_pair is not None and not line_pair.is_agreed):
            _refuse_if_changed(mine, theirs, tails)
            _write_lines(locked_match, mine, _lines_of_opponent(mine, theirs, line_pair), tails, ADOPTED)
            _publish(pairing, match, actor, keeper, "take over")
    _settle_report(pairing, match)


def adopt_card(pairing: Pairing, keeper: Keeper, tails: CardTails, actor: Actor) -> None:
    """Copies the opponent's card from the first different line. Idempotent.

    Raises Refused if the cards changed or the opponent's card is empty.
    """
    with transaction.atomic():
        locked_match = lock_match(match_id_of(pairing))
        match = locked_match.match
        mine, theirs = _load_cards(locked_match, keeper)
        if not theirs.standing.rows and theirs.standing.stop is None:
            raise Refused(NOTHING_TO_TAKE_OVER)
        if not _are_equal(mine, theirs):
            _refuse_if_changed(mine, theirs, tails)
            first = _first_difference(mine, theirs)
            lines = _rewrite_from(mine, first, theirs.standing.rows[first:], theirs.standing.stop)
            _write_lines(locked_match, mine, lines, tails, ADOPTED)
            _publish(pairing, match, actor, keeper, "take over")
    _settle_report(pairing, match)


def undo_adoption(pairing: Pairing, keeper: Keeper, tails: CardTails, actor: Actor) -> None:
    """Restores the player's card to its content before the last adoption. Idempotent.

    Raises Refused if there is no adoption or a row followed it.
    """
    with transaction.atomic():
        locked_match = lock_match(match_id_of(pairing))
        match = locked_match.match
        mine, theirs = _load_cards(locked_match, keeper)
        if not _is_repeat(match, mine, tails, UNDONE):
            _refuse_if_changed(mine, theirs, tails)
            _write_lines(locked_match, mine, _lines_before(match, mine, theirs), tails, UNDONE)
            _publish(pairing, match, actor, keeper, "undo take over")
    _settle_report(pairing, match)


def adopted_after(match: Match, keeper: Keeper, rows: Sequence[CardRow], theirs: uuid.UUID) -> int | None:
    """The number of the keeper's rows before the last adoption; None if the last row is not an adoption.

    `theirs` is the last row of the opponent's card: a new row there ends the adoption too.
    """
    if not rows:
        return None
    tails = (_row_key(match, keeper, CardTails(row.predecessor, theirs), ADOPTED) for row in rows)
    return next((place for place, tail in enumerate(tails) if tail == rows[-1].key), None)


def _lines_before(match: Match, mine: _KeeperCard, theirs: _KeeperCard) -> list[Line]:
    """The rows that restore the card. Raises Refused if there is no adoption."""
    row_count = adopted_after(match, mine.keeper, mine.rows, theirs.tail)
    if row_count is None:
        raise Refused(NOTHING_TO_UNDO)
    now, before = effective_rows(mine.rows), effective_rows(mine.rows[:row_count])
    first = 0
    while first < min(len(now), len(before)) and now[first].key == before[first].key:
        first += 1
    return [*_strikes(now[first:]), *((row_content(row), None) for row in before[first:])]


def _lines_of_opponent(mine: _KeeperCard, theirs: _KeeperCard, line_pair: _LinePair | None) -> list[Line]:
    """Returns the rows that give the player's card this line of the other card. Raises Refused if that is
    impossible.
    """
    if mine.is_final or theirs.is_final:
        raise Refused(WHOLE_CARD_ONLY)
    if line_pair is None or line_pair.is_agreed:
        raise Refused(CARDS_CHANGED)
    if line_pair.theirs is None:
        return [(Strike(), line_pair.mine.key if line_pair.mine else None)]
    if line_pair.mine is not None:
        return [(row_content(line_pair.theirs), line_pair.mine.key)]
    return _rewrite_from(
        mine, line_pair.place, [line_pair.theirs, *_lines(mine)[line_pair.place :]], mine.standing.stop
    )


def _rewrite_from(mine: _KeeperCard, first: int, rows: Sequence[CardRow], stop: CardRow | None) -> list[Line]:
    """Strikes the stop and the lines back to `first`, then writes these rows and this `stop`."""
    kept_keys = {row.key for row in _lines(mine)[:first]}
    removed_rows = [row for row in effective_rows(mine.rows) if row.key not in kept_keys]
    return [*_strikes(removed_rows), *((row_content(row), None) for row in (*rows, stop) if row is not None)]


def _strikes(rows: Sequence[CardRow]) -> list[Line]:
    """Strikes the last row first, so that the remaining rows are always a possible card."""
    return [(Strike(), row.key) for row in reversed(rows)]


def _lines(mine: _KeeperCard) -> list[CardRow]:
    return [row for row in effective_rows(mine.rows) if row.kind != RowKind.STOP]


def _write_lines(
    locked_match: LockedMatch, mine: _KeeperCard, lines: Sequence[Line], tails: CardTails, label: str
) -> None:
    tail = mine.tail
    for number, (what, supersedes) in enumerate(lines, start=1):
        key = _row_key(
            locked_match.match, mine.keeper, tails, label if number == len(lines) else f"{label} {number}"
        )
        scorecard.write(locked_match, mine.keeper, NewRow(key, tail, what, supersedes), by=mine.keeper)
        tail = key


def _is_repeat(match: Match, mine: _KeeperCard, tails: CardTails, label: str) -> bool:
    key = _row_key(match, mine.keeper, tails, label)
    return any(row.key == key for row in mine.rows)


def _line_pairs(mine: _KeeperCard, theirs: _KeeperCard) -> list[_LinePair]:
    """The lines of both cards side by side; empty if a card has only a final score."""
    my_rows, their_rows = iter(mine.standing.rows), iter(theirs.standing.rows)
    pairs: list[_LinePair] = []
    place = 0
    for line in compare(mine.standing.lines, theirs.standing.lines):
        my_row = next(my_rows) if line.left else None
        their_row = next(their_rows) if line.right else None
        pairs.append(_LinePair(my_row, their_row, place, line.is_agreed))
        place += my_row is not None
    return pairs


def _first_difference(mine: _KeeperCard, theirs: _KeeperCard) -> int:
    if mine.is_final or theirs.is_final:
        return 0
    lines = compare(mine.standing.lines, theirs.standing.lines)
    return next((place for place, line in enumerate(lines) if not line.is_agreed), len(lines))


def _are_equal(mine: _KeeperCard, theirs: _KeeperCard) -> bool:
    my_totals, their_totals = mine.standing, theirs.standing
    if my_totals.agreed != their_totals.agreed:
        return False
    if mine.is_final or theirs.is_final:
        is_same_score = (my_totals.left, my_totals.right) == (their_totals.left, their_totals.right)
        return mine.is_final == theirs.is_final and is_same_score
    return all(line.is_agreed for line in compare(my_totals.lines, their_totals.lines))


def _load_cards(locked_match: LockedMatch, keeper: Keeper) -> tuple[_KeeperCard, _KeeperCard]:
    if keeper.side is None:
        raise ValueError("only a player takes over the other's card")
    opponent = Keeper(keeper.side.other.value)
    return _load_card(locked_match, keeper), _load_card(locked_match, opponent)


def _load_card(locked_match: LockedMatch, keeper: Keeper) -> _KeeperCard:
    match, card = locked_match.match, locked_match.cards.get(keeper)
    rows = tuple(card.rows.all()) if card else ()
    return _KeeperCard(keeper, card.tail if card else match.pk, rows, card_totals(match, rows))


def _refuse_if_changed(mine: _KeeperCard, theirs: _KeeperCard, tails: CardTails) -> None:
    if (mine.tail, theirs.tail) != (tails.mine, tails.theirs):
        raise Refused(CARDS_CHANGED)


def _settle_report(pairing: Pairing, match: Match) -> None:
    """Posts the report if both cards now agree."""
    if match.state == MatchState.REPORTED:
        desk.settle_report(pairing)


def _publish(pairing: Pairing, match: Match, actor: Actor, keeper: Keeper, verb: str) -> None:
    journal.write(
        pairing.round.bracket.tournament,
        actor,
        JournalEntry(verb, "match", match.pk, after={"card": keeper.value}),
    )
    transaction.on_commit(lambda: channels.publish_score(pairing), robust=True)


def _row_key(match: Match, keeper: Keeper, tails: CardTails, place: str) -> uuid.UUID:
    """A key that is the same for a repeated request and cannot be guessed."""
    text = f"{match.pk} {keeper.value} {tails.mine} {tails.theirs} {place}"
    return uuid.UUID(bytes=salted_hmac("row taken over", text, algorithm="sha256").digest()[:16], version=4)
