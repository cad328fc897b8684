"""Two players, two cards: one takes over what the other's card says, a line or the whole card.

Nothing is overwritten: what is taken over is written in new rows on one's own card, with keys that follow from what
both cards were when the player looked, so that a second tap says the same. Locks only the match.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.crypto import salted_hmac

from matches import scorecard
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, RowKind
from matches.reading import Standing, effective, said, standing
from matches.writing import Strike, What, Writing
from rules.twocards import compare
from tournament import desk, journal, live
from tournament.actors import Actor
from tournament.errors import Refused
from tournament.journal import Deed
from tournament.models import Pairing

CHANGED = "The cards changed since you looked. Look again, then take over what is right."


@dataclass(frozen=True, slots=True)
class Seen:
    """The last rows of both cards as the player saw them: their own, and the opponent's."""

    mine: uuid.UUID
    theirs: uuid.UUID


@dataclass(frozen=True, slots=True)
class _Kept:
    """One keeper's card with its rows, and what they add up to."""

    keeper: Keeper
    tail: uuid.UUID
    rows: tuple[CardRow, ...]
    standing: Standing

    @property
    def is_final(self) -> bool:
        """A final score stands on it, so its games do not count."""
        return any(row.kind == RowKind.FINAL for row in self.standing.rows)


def take_line(pairing: Pairing, keeper: Keeper, line: uuid.UUID, seen: Seen, actor: Actor) -> None:
    """The player's card says of this one line (a row of the other card) what the other card says.

    Later lines of the card follow with new scores. Raises Refused for cards that changed meanwhile, RuleBroken where
    the card could not be so.
    """
    with scorecard.changing(_match_id(pairing)) as match:
        mine, theirs = _both(match, keeper)
        key = _key(match, keeper, seen, str(line))
        if any(row.key == key for row in mine.rows):
            return
        _refuse_what_changed(mine, theirs, seen)
        place, row = _place_of(theirs, line)
        own = mine.standing.rows
        if place > len(own) or mine.is_final or theirs.is_final:
            raise Refused("take-the-card", "Take over the whole card: this line alone cannot be.")
        writing = Writing(key, mine.tail, said(row), own[place].key if place < len(own) else None)
        written = scorecard.write(match, keeper, writing, by=keeper)
        _tell(pairing, match, actor, keeper)
    if written.card.is_complete:
        desk.settle_report(pairing)


def take_card(pairing: Pairing, keeper: Keeper, seen: Seen, actor: Actor) -> None:
    """The player's card says what the other card says, from the first line on which they differ.

    Doing it again changes nothing. Raises Refused for cards that changed meanwhile, and where the other is empty.
    """
    with scorecard.changing(_match_id(pairing)) as match:
        mine, theirs = _both(match, keeper)
        if not theirs.standing.rows:
            raise Refused("nothing-to-take", "Your opponent's card is empty. Enter the games on yours.")
        if not _say_the_same(mine, theirs):
            _refuse_what_changed(mine, theirs, seen)
            _rewrite(match, mine, theirs, seen)
            _tell(pairing, match, actor, keeper)
    if theirs.standing.winner:
        desk.settle_report(pairing)


def _rewrite(match: Match, mine: _Kept, theirs: _Kept, seen: Seen) -> None:
    """Strikes from the last line on, so that what is left could always be; then writes what the other card says."""
    first = _first_difference(mine, theirs)
    strikes: list[tuple[What, uuid.UUID | None]] = [
        (Strike(), row.key) for row in reversed(effective(mine.rows)[first:])
    ]
    rows: list[tuple[What, uuid.UUID | None]] = [(said(row), None) for row in theirs.standing.rows[first:]]
    tail = mine.tail
    for number, (what, supersedes) in enumerate([*strikes, *rows]):
        key = _key(match, mine.keeper, seen, f"{number}")
        scorecard.write(match, mine.keeper, Writing(key, tail, what, supersedes), by=mine.keeper)
        tail = key


def _first_difference(mine: _Kept, theirs: _Kept) -> int:
    if mine.is_final or theirs.is_final:
        return 0
    lines = compare(mine.standing.lines, theirs.standing.lines)
    return next((place for place, line in enumerate(lines) if not line.is_agreed), len(lines))


def _say_the_same(mine: _Kept, theirs: _Kept) -> bool:
    one, other = mine.standing, theirs.standing
    if mine.is_final or theirs.is_final:
        return mine.is_final == theirs.is_final and (one.left, one.right) == (other.left, other.right)
    return all(line.is_agreed for line in compare(one.lines, other.lines))


def _both(match: Match, keeper: Keeper) -> tuple[_Kept, _Kept]:
    if keeper.side is None:
        raise ValueError("only a player takes over the other's card")
    cards = {card.keeper: card for card in match.cards.prefetch_related("rows")}
    other = Keeper(keeper.side.other.value)
    return _kept(match, keeper, cards.get(keeper.value)), _kept(match, other, cards.get(other.value))


def _kept(match: Match, keeper: Keeper, card: Card | None) -> _Kept:
    rows = tuple(card.rows.all()) if card else ()
    return _Kept(keeper, card.tail if card else match.pk, rows, standing(match, rows))


def _place_of(theirs: _Kept, line: uuid.UUID) -> tuple[int, CardRow]:
    found: Sequence[tuple[int, CardRow]] = [
        (place, row) for place, row in enumerate(theirs.standing.rows) if row.key == line
    ]
    if not found:
        raise Refused("cards-changed", CHANGED)
    return found[0]


def _refuse_what_changed(mine: _Kept, theirs: _Kept, seen: Seen) -> None:
    if (mine.tail, theirs.tail) != (seen.mine, seen.theirs):
        raise Refused("cards-changed", CHANGED)


def _tell(pairing: Pairing, match: Match, actor: Actor, keeper: Keeper) -> None:
    tournament, bracket = pairing.round.bracket.tournament, pairing.round.bracket_id
    journal.write(tournament, actor, Deed("take over", "match", match.pk, after={"card": keeper.value}))
    transaction.on_commit(lambda: live.announce_score(bracket), robust=True)


def _key(match: Match, keeper: Keeper, seen: Seen, place: str) -> uuid.UUID:
    """The same whenever the same is taken over from the same two cards; nobody else can work it out."""
    taken = f"{match.pk} {keeper.value} {seen.mine} {seen.theirs} {place}"
    return uuid.UUID(bytes=salted_hmac("row taken over", taken, algorithm="sha256").digest()[:16], version=4)


def _match_id(pairing: Pairing) -> uuid.UUID:
    if pairing.match_id is None:
        raise Refused("no-match", "This match is not open yet.")
    return pairing.match_id
