"""Two players, two cards: one takes over what the other's card says, a line or the whole card, and may undo that.

Nothing is overwritten: what is taken over is written in new rows on one's own card, with keys that follow from what
both cards were when the player looked, so that a second tap says the same. By the key of its last row it is known
again, until somebody writes on. Locks only the match.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.crypto import salted_hmac

from matches import scorecard
from matches.keepers import Keeper
from matches.models import Card, CardRow, Match, MatchState, RowKind
from matches.reading import Standing, effective, said, standing
from matches.writing import Strike, What, Writing
from rules.twocards import compare
from tournament.access.actors import Actor
from tournament.live import channels, journal
from tournament.live.journal import Deed
from tournament.models import Pairing
from tournament.results import desk
from tournament.runtime.errors import Refused

CHANGED = "The cards changed since you looked. Look again, then take over what is right."
TAKEN, UNDONE = "taken", "undone"
"""What the last row says that is written by one tap."""
Line = tuple[What, uuid.UUID | None]
"""What a new row says, and the row that it supersedes."""


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


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two lines side by side; None where a card has none there. `place` is where it stands, or would, on one's own."""

    mine: CardRow | None
    theirs: CardRow | None
    place: int
    is_agreed: bool

    def is_about(self, line: uuid.UUID) -> bool:
        return any(row is not None and row.key == line for row in (self.mine, self.theirs))


def take_line(pairing: Pairing, keeper: Keeper, line: uuid.UUID, seen: Seen, actor: Actor) -> None:
    """The player's card says of this one line what the other card says: so, too, or nothing.

    `line` is a row of the other card, or one of the player's own that the other card left out. Later lines of the
    card follow with new scores. Raises Refused for cards that changed meanwhile, RuleBroken where the card could not
    be so.
    """
    with scorecard.changing(_match_id(pairing)) as match:
        mine, theirs = _both(match, keeper)
        about = next((pair for pair in _side_by_side(mine, theirs) if pair.is_about(line)), None)
        if not _was_done(match, mine, seen, TAKEN) or (about is not None and not about.is_agreed):
            _refuse_what_changed(mine, theirs, seen)
            _write(match, mine, _as_theirs(mine, theirs, about), seen, TAKEN)
            _tell(pairing, match, actor, keeper, "take over")
    _settle(pairing, match)


def take_card(pairing: Pairing, keeper: Keeper, seen: Seen, actor: Actor) -> None:
    """The player's card says what the other card says, from the first line on which they differ.

    Doing it again changes nothing. Raises Refused for cards that changed meanwhile, and where the other is empty.
    """
    with scorecard.changing(_match_id(pairing)) as match:
        mine, theirs = _both(match, keeper)
        if not theirs.standing.rows and theirs.standing.stop is None:
            raise Refused("nothing-to-take", "Your opponent's card is empty. Enter the games on yours.")
        if not _say_the_same(mine, theirs):
            _refuse_what_changed(mine, theirs, seen)
            first = _first_difference(mine, theirs)
            lines = _anew(mine, first, theirs.standing.rows[first:], theirs.standing.stop)
            _write(match, mine, lines, seen, TAKEN)
            _tell(pairing, match, actor, keeper, "take over")
    _settle(pairing, match)


def undo(pairing: Pairing, keeper: Keeper, seen: Seen, actor: Actor) -> None:
    """The player's card says again what it said before the player last took something over.

    Doing it again changes nothing. Raises Refused where nothing was, or somebody wrote on since.
    """
    with scorecard.changing(_match_id(pairing)) as match:
        mine, theirs = _both(match, keeper)
        if not _was_done(match, mine, seen, UNDONE):
            _refuse_what_changed(mine, theirs, seen)
            _write(match, mine, _as_before(match, mine, theirs), seen, UNDONE)
            _tell(pairing, match, actor, keeper, "undo take over")
    _settle(pairing, match)


def taken_from(match: Match, keeper: Keeper, rows: Sequence[CardRow], theirs: uuid.UUID) -> int | None:
    """How many of the keeper's rows there were when they took over what now stands last; None where they did not.

    `theirs` is the last row of the other card: who writes on there ends it as well.
    """
    if not rows:
        return None
    tails = (_key(match, keeper, Seen(row.predecessor, theirs), TAKEN) for row in rows)
    return next((place for place, tail in enumerate(tails) if tail == rows[-1].key), None)


def _as_before(match: Match, mine: _Kept, theirs: _Kept) -> list[Line]:
    """What to write so that the card says what it said before. Raises Refused where nothing was taken over."""
    begun = taken_from(match, mine.keeper, mine.rows, theirs.tail)
    if begun is None:
        raise Refused("nothing-to-undo", "You took nothing over that could be undone. Look again.")
    now, before = effective(mine.rows), effective(mine.rows[:begun])
    both = enumerate(zip(now, before, strict=False))
    first = next((place for place, (one, other) in both if one.key != other.key), min(len(now), len(before)))
    return [*_struck(now[first:]), *((said(row), None) for row in before[first:])]


def _as_theirs(mine: _Kept, theirs: _Kept, pair: _Pair | None) -> list[Line]:
    """What to write so that the player's card says of this line what the other says. Raises Refused where it cannot."""
    if mine.is_final or theirs.is_final:
        raise Refused("take-the-card", "Take over the whole card: this line alone cannot be.")
    if pair is None or pair.is_agreed:
        raise Refused("cards-changed", CHANGED)
    if pair.theirs is None:
        return [(Strike(), pair.mine.key if pair.mine else None)]
    if pair.mine is not None:
        return [(said(pair.theirs), pair.mine.key)]
    return _anew(mine, pair.place, [pair.theirs, *_lines(mine)[pair.place :]], mine.standing.stop)


def _anew(mine: _Kept, first: int, rows: Sequence[CardRow], stop: CardRow | None) -> list[Line]:
    """Strikes from the last line back to `first`, and the stop; then says these rows and this `stop`."""
    stays = {row.key for row in _lines(mine)[:first]}
    gone = [row for row in effective(mine.rows) if row.key not in stays]
    return [*_struck(gone), *((said(row), None) for row in (*rows, stop) if row is not None)]


def _struck(rows: Sequence[CardRow]) -> list[Line]:
    """The last first, so that what is left could always be."""
    return [(Strike(), row.key) for row in reversed(rows)]


def _lines(mine: _Kept) -> list[CardRow]:
    return [row for row in effective(mine.rows) if row.kind != RowKind.STOP]


def _write(match: Match, mine: _Kept, lines: Sequence[Line], seen: Seen, last: str) -> None:
    tail = mine.tail
    for number, (what, supersedes) in enumerate(lines, start=1):
        key = _key(match, mine.keeper, seen, last if number == len(lines) else f"{last} {number}")
        scorecard.write(match, mine.keeper, Writing(key, tail, what, supersedes), by=mine.keeper)
        tail = key


def _was_done(match: Match, mine: _Kept, seen: Seen, last: str) -> bool:
    key = _key(match, mine.keeper, seen, last)
    return any(row.key == key for row in mine.rows)


def _side_by_side(mine: _Kept, theirs: _Kept) -> list[_Pair]:
    """The lines of both cards beside each other; none where a card tells only the final score."""
    own, others = iter(mine.standing.rows), iter(theirs.standing.rows)
    pairs: list[_Pair] = []
    place = 0
    for line in compare(mine.standing.lines, theirs.standing.lines):
        one, other = next(own) if line.left else None, next(others) if line.right else None
        pairs.append(_Pair(one, other, place, line.is_agreed))
        place += one is not None
    return pairs


def _first_difference(mine: _Kept, theirs: _Kept) -> int:
    if mine.is_final or theirs.is_final:
        return 0
    lines = compare(mine.standing.lines, theirs.standing.lines)
    return next((place for place, line in enumerate(lines) if not line.is_agreed), len(lines))


def _say_the_same(mine: _Kept, theirs: _Kept) -> bool:
    one, other = mine.standing, theirs.standing
    if one.agreed != other.agreed:
        return False
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


def _refuse_what_changed(mine: _Kept, theirs: _Kept, seen: Seen) -> None:
    if (mine.tail, theirs.tail) != (seen.mine, seen.theirs):
        raise Refused("cards-changed", CHANGED)


def _settle(pairing: Pairing, match: Match) -> None:
    """A report may have come of it on which both cards agree."""
    if match.state == MatchState.REPORTED:
        desk.settle_report(pairing)


def _tell(pairing: Pairing, match: Match, actor: Actor, keeper: Keeper, verb: str) -> None:
    journal.write(
        pairing.round.bracket.tournament, actor, Deed(verb, "match", match.pk, after={"card": keeper.value})
    )
    transaction.on_commit(lambda: channels.tell(pairing), robust=True)


def _key(match: Match, keeper: Keeper, seen: Seen, place: str) -> uuid.UUID:
    """The same whenever the same is taken over from the same two cards; nobody else can work it out."""
    taken = f"{match.pk} {keeper.value} {seen.mine} {seen.theirs} {place}"
    return uuid.UUID(bytes=salted_hmac("row taken over", taken, algorithm="sha256").digest()[:16], version=4)


def _match_id(pairing: Pairing) -> uuid.UUID:
    if pairing.match_id is None:
        raise Refused("no-match", "This match is not open yet.")
    return pairing.match_id
