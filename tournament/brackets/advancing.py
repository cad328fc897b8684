"""Moves players on: takes the tournament's lock, seats winners and losers, opens the next matches.

Advancing, correcting and withdrawing are one call of `draw.seating.advance` and the saving of what it says became
different. Nothing else writes the derived fields of a pairing, and nothing else takes this lock.
"""

import logging
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from matches import scorecard
from matches.models import MatchState
from matches.scorecard import Opening
from matches.statements import Statement, Update
from tournament.access.draw_visibility import is_released, released_draws
from tournament.brackets import conflicts, versions
from tournament.brackets.clocks import rules_of, usual_rules
from tournament.brackets.states import SHOWN, StoredSheet, gone_from, show, state_of
from tournament.draw.graph import BYE, Seat
from tournament.draw.seating import advance as advance_on_sheet
from tournament.live import channels
from tournament.models import Bracket, Draw, Entry, Pairing, Result, Tournament
from tournament.occupancy import locking, releasing
from tournament.occupancy.locking import filled_by_itself
from tournament.runtime import publish, queue
from tournament.runtime.errors import Refused

log = logging.getLogger(__name__)
TOURNAMENT = "pairing__round__bracket__tournament"
_unlocked = Tournament.objects.select_for_update(of=("self",), no_key=True)
_locked: Statement[Tournament] = Statement(lambda pk: _unlocked.filter(pk=pk))
_locked_for: Statement[Tournament] = Statement(
    lambda result: _unlocked.filter(
        brackets__rounds__pairings__results=result,
        brackets__rounds__pairings__results__advanced_at__isnull=True,
    )
)
_waiting: Statement[Any] = Statement(
    lambda pk: (
        Result.objects.select_related("pairing__round__bracket", "pairing__match")
        .annotate(
            is_current=~Exists(Result.objects.filter(supersedes=OuterRef("pk"))),
            is_released=Exists(released_draws.filter(tournament=OuterRef(TOURNAMENT))),
            all_are_here=~Exists(gone_from.filter(tournament=OuterRef(TOURNAMENT))),
            is_filled_by_hand=~Exists(filled_by_itself.filter(event=OuterRef(f"{TOURNAMENT}__event"))),
        )
        .filter(pk=pk, advanced_at__isnull=True)
    )
)
_opened = Update(Pairing, ("match",))
_reseated, _advanced = Update(Pairing, (*SHOWN, "match")), Update(Result, ("advanced_at",))


@dataclass(frozen=True, slots=True)
class Known:
    """What was read with a result under the lock, and is not asked again when its players are moved on.

    `results` are those that stand for the pairings. The others are surely so where they are true.
    """

    results: Mapping[int, Result] | None = None
    is_released: bool = False
    all_are_here: bool = False
    is_filled_by_hand: bool = False


NOTHING = Known()


@dataclass(slots=True)
class Changes:
    """A tournament under its lock, and what the open transaction changes of it.

    `ended` are matches that are over or no longer played: their tables are freed on the way out.
    """

    tournament: Tournament
    touched: set[uuid.UUID] = field(default_factory=set)
    ended: set[uuid.UUID] = field(default_factory=set)
    all_touched: bool = False
    told_inside: set[str] = field(default_factory=set)

    def touch(self, bracket_id: uuid.UUID) -> None:
        """This bracket gets a new version on the way out."""
        self.touched.add(bracket_id)

    def touch_match(self, pairing: Pairing, *, begins: bool = False) -> None:
        """Something was written or asked in this match, which onlookers are told only where they may know it."""
        if begins or not channels.are_alone(pairing):
            self.touch(pairing.round.bracket_id)
        else:
            self.told_inside.update(channels.channels(pairing))

    def touch_all(self) -> None:
        self.all_touched = True

    def advance_later(self, result_id: uuid.UUID) -> None:
        """A worker is woken first thing after the commit: it works while everybody else is told."""
        transaction.on_commit(lambda: queue.wake([result_id]), robust=True)


def changing(tournament_id: uuid.UUID) -> AbstractContextManager[Changes]:
    """The one lock on a tournament: a transaction in which the brackets that change get a new version.

    After the commit the new versions are announced.
    """
    return _changing(_locked, tournament_id)


@contextmanager
def _changing(lock: Statement[Tournament], of: uuid.UUID) -> Iterator[Changes]:
    """The lock on the one tournament that is found; raises Tournament.DoesNotExist.

    Rows that merely name the tournament, such as a journal line of a call, do not wait for it.
    """
    with transaction.atomic():
        tournament = lock.first(of)
        if tournament is None:
            raise Tournament.DoesNotExist
        changes = Changes(tournament)
        yield changes
        new_versions = _new_versions(changes)
        releasing.free(changes.ended)
        told = {f"{one}": version for one, version in new_versions.items()} | dict.fromkeys(
            changes.told_inside, 0
        )
        transaction.on_commit(lambda: publish.announce(told), robust=True)


def current_draw(tournament: Tournament) -> Draw | None:
    return Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).first()


def advance(result_id: uuid.UUID) -> bool:
    """Moves on whoever follows from a posted result. Safe to repeat; False when it was done before."""
    try:
        with _changing(_locked_for, result_id) as changes:
            result = _waiting.first(result_id)
            if result is None:
                return False
            reseat(changes, [result.pairing], known=_read_with(result))
            result.advanced_at = timezone.now()
            _advanced.write(result)
            return True
    except Tournament.DoesNotExist:
        return False


def reseat(
    changes: Changes,
    pairings: Iterable[Pairing],
    restored: Collection[int] = (),
    known: Known = NOTHING,
) -> None:
    """Settles these pairings anew and saves whatever becomes different downstream.

    The matches of `restored` pairings have been given back to the players who come to sit there. Raises Refused when
    the players of another match that has begun would change; the caller's transaction is undone.
    """
    rows = list(pairings)
    sheet = StoredSheet(changes.tournament, rows, known.results, all_are_here=known.all_are_here)
    states = advance_on_sheet(sheet, [row.pk for row in rows])
    conflicts.refuse_opposite_oneself(states.values())
    changed = {pk: sheet.rows[pk] for pk in states}
    unforeseen = {pk: row for pk, row in changed.items() if pk not in restored}
    gone = [row for pk, row in unforeseen.items() if conflicts.is_overtaken(row, states[pk], sheet)]
    _lock_matches(gone)
    conflicts.refuse_if_begun({row.pk: states[row.pk] for row in gone}, sheet)
    for pk, row in changed.items():
        show(row, states[pk])
        changes.touch(row.round.bracket_id)
    _drop_matches(changes, gone)
    _open(changes, [row for row in changed.values() if row.match_id is None], known)
    for row in changed.values():
        _reseated.write(row)


def seat(changes: Changes, seats: Mapping[tuple[int, Seat], uuid.UUID | None]) -> None:
    """Seats entries (None: a bye) where their feeds have them now, and settles whatever follows.

    A match here that has not begun is given up for a new one. Raises Refused when the players of a later match that
    has begun would change.
    """
    found = Pairing.objects.filter(pk__in={pk for pk, _ in seats}).select_related("round__bracket", "match")
    rows = {row.pk: row for row in found}
    for (pk, place), entry in seats.items():
        show(rows[pk], state_of(rows[pk]).seating(place, BYE if entry is None else entry))
    _lock_matches(rows.values())
    if any(row.match is not None and row.match.has_begun for row in rows.values()):
        raise Refused("seats-changed", "Somebody changed these seats meanwhile. Look again.")
    _drop_matches(changes, rows.values())
    reseat(changes, rows.values())
    _open(changes, [row for row in rows.values() if row.match_id is None])
    for row in rows.values():
        changes.touch(row.round.bracket_id)
        _reseated.write(row)


def resettle(changes: Changes, entry: Entry) -> None:
    """Settles the pairings of an entry that withdrew or came back, and hands on the places of its bracket."""
    seated = Pairing.objects.filter(Q(left=entry) | Q(right=entry)).select_related("round__bracket", "match")
    rows = [row for row in seated if row.settled in ("", "walkover", "nobody")]
    reported = (MatchState.REPORTED, MatchState.DISPUTED)
    _lock_matches(rows)
    if any(row.match is not None and row.match.state in reported for row in rows):
        raise Refused("settle-first", "A match of this player is reported. Confirm or decide it first.")
    by_places = seated.filter(round__bracket__place_feeds__isnull=False)[:1]
    if rows or by_places:
        reseat(changes, [*by_places, *rows])


def open_ready(changes: Changes) -> None:
    """Opens every match whose two players are known and that is not settled: when a draw is released."""
    rows = list(
        Pairing.objects.filter(round__bracket__tournament=changes.tournament, match__isnull=True)
        .filter(left__isnull=False, right__isnull=False, settled="")
        .select_related("round")
    )
    _open(changes, rows)
    _opened.write_all(rows)


def advance_waiting(limit: int = 500) -> None:
    """Advances what no worker has taken yet, oldest first: the sweep of the outbox. What cannot be stops no other."""
    waiting = Result.objects.filter(advanced_at__isnull=True).order_by("posted_at")
    for result_id in list(waiting.values_list("pk", flat=True)[:limit]):
        try:
            advance(result_id)
        except Refused as refused:
            log.error("result %s cannot be advanced, see rebuild --check: %s", result_id, refused)


def _open(changes: Changes, rows: list[Pairing], known: Known = NOTHING) -> None:
    """Opens matches on unsaved pairings that can be played; while the draw is hidden none is opened."""
    ready = [row for row in rows if row.left_id and row.right_id and not row.settled]
    if not ready or not (known.is_released or is_released(changes.tournament)):
        return
    ruleset = usual_rules(changes.tournament)
    openings = [
        Opening(row.left_id, row.right_id, row.round.length, rules_of(row.round, ruleset), row.round.games)
        for row in ready
        if row.left_id and row.right_id
    ]
    for row, match in zip(ready, scorecard.open_matches(openings), strict=True):
        row.match = match
    if not known.is_filled_by_hand:
        locking.fill_after_commit(changes.tournament.event_id)


def _read_with(result: Any) -> Known:
    return Known(
        results={result.pairing_id: result} if result.is_current else None,
        is_released=result.is_released,
        all_are_here=result.all_are_here,
        is_filled_by_hand=result.is_filled_by_hand,
    )


def _drop_matches(changes: Changes, rows: Iterable[Pairing]) -> None:
    dropped = [row for row in rows if row.match is not None]
    if not dropped:
        return
    changes.ended.update(row.match.pk for row in dropped if row.match is not None)
    scorecard.cancel(row.match for row in dropped if row.match is not None)
    for row in dropped:
        row.match = None


def _lock_matches(rows: Iterable[Pairing]) -> None:
    """Whoever writes down a first game now is either seen, or finds the match cancelled."""
    by_match = {row.match_id: row for row in rows}
    for pk, match in scorecard.lock_all(by_match).items():
        by_match[pk].match = match


def _new_versions(changes: Changes) -> dict[uuid.UUID, int]:
    """Of the brackets that changed."""
    touched: Collection[uuid.UUID] = changes.touched
    if changes.all_touched:
        touched = Bracket.objects.filter(tournament=changes.tournament).values_list("pk", flat=True)
    return versions.raised(changes.tournament.pk, list(touched))
