"""Locks a tournament, seats the winners and losers of its pairings, and opens the next matches.

Advancing, correcting and withdrawing call `draw.seating.advance` and save the pairings that it changes. No other
module writes the derived fields of a pairing or takes this lock.
"""

import logging
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches import scorecard
from matches.locking import lock_matches
from matches.models import MatchState
from matches.scorecard import Opening
from tournament import sql
from tournament.access.draw_visibility import is_released
from tournament.brackets import conflicts
from tournament.brackets.clocks import round_ruleset, tournament_ruleset
from tournament.brackets.states import STATE_FIELDS, StoredSheet, apply_state, state_of
from tournament.draw.graph import BYE, Seat
from tournament.draw.seating import advance as advance_on_sheet
from tournament.live import channels
from tournament.models import Bracket, Draw, Entry, Pairing, Result, Tournament
from tournament.occupancy import locking, releasing
from tournament.refusals.seats import REPORTED_RESULT_OPEN, SEATS_CHANGED
from tournament.runtime import publish, queue
from tournament.runtime.errors import Refused

log = logging.getLogger(__name__)
BATCH_SIZE = 200
DERIVED_FIELDS = (*STATE_FIELDS, "match")


@dataclass(slots=True)
class LockedTournament:
    """A tournament whose lock this transaction holds, and the changes that the transaction makes.

    `ended_matches` are over or cancelled: their tables are released before the commit. `private_channels` are published
    to after the commit, but no bracket version rises for them. `hides_draw`: a released draw is taken back.
    """

    tournament: Tournament
    touched_brackets: set[uuid.UUID] = field(default_factory=set)
    ended_matches: set[uuid.UUID] = field(default_factory=set)
    touches_all: bool = False
    private_channels: set[str] = field(default_factory=set)
    hides_draw: bool = False

    def touch(self, bracket_id: uuid.UUID) -> None:
        """Raises this bracket's version before the commit and publishes it after."""
        self.touched_brackets.add(bracket_id)

    def touch_match(self, pairing: Pairing, *, begins: bool = False) -> None:
        """Publishes a change in a match: to everybody if spectators may see it, otherwise to private channels."""
        private_channels = channels.score_channels(pairing, begins=begins)
        self.private_channels.update(private_channels)
        if not private_channels:
            self.touch(pairing.round.bracket_id)

    def touch_all(self) -> None:
        self.touches_all = True

    def raises(self, bracket_id: uuid.UUID) -> bool:
        """True if the version of this bracket rises before the commit."""
        return self.touches_all or bracket_id in self.touched_brackets

    def advance_later(self, result_id: uuid.UUID) -> None:
        """Queues the result right after the commit, before the changes are published."""
        transaction.on_commit(lambda: queue.enqueue_advances([result_id]), robust=True)


@contextmanager
def lock_tournament(tournament_id: uuid.UUID) -> Iterator[LockedTournament]:
    """Opens a transaction and takes the lock on a tournament; the only function that does.

    Raises the versions of changed brackets before the commit, and publishes them after it; to staff only while the draw
    is hidden. Raises Tournament.DoesNotExist. Rows that only refer to the tournament, such as a journal line, do not
    wait for the lock.
    """
    with transaction.atomic():
        tournament = sql.lock_tournament(tournament_id)
        if tournament is None:
            raise Tournament.DoesNotExist
        locked = LockedTournament(tournament)
        yield locked
        messages = _raise_versions(locked) | dict.fromkeys(locked.private_channels, 0)
        releasing.release_tables(locked.ended_matches)
        transaction.on_commit(lambda: publish.publish_changes(messages), robust=True)


def current_draw(tournament: Tournament) -> Draw | None:
    return Draw.objects.filter(tournament=tournament, replaced_at__isnull=True).first()


def advance(result_id: uuid.UUID) -> bool:
    """Advances the players affected by a posted result. Idempotent; returns False if already done."""
    tournament_id = sql.tournament_of_waiting_result(result_id)
    if tournament_id is None:
        return False
    with lock_tournament(tournament_id) as locked:
        waiting = Result.objects.filter(pk=result_id, advanced_at__isnull=True)
        result = next(iter(waiting.select_related("pairing__round__bracket")), None)
        if result is None:
            return False
        advance_from(locked, [result.pairing])
        result.advanced_at = timezone.now()
        result.save(update_fields=["advanced_at"])
        return True


def advance_from(
    locked: LockedTournament, pairings: Iterable[Pairing], restored: Collection[int] = ()
) -> None:
    """Settles these pairings again and saves every pairing that changes downstream.

    The matches of `restored` pairings already belong to the players who will be seated there. Raises Refused if the
    players of any other match that has begun would change.
    """
    rows = list(pairings)
    sheet = StoredSheet(locked.tournament, rows)
    states = advance_on_sheet(sheet, [row.pk for row in rows])
    conflicts.refuse_self_pairing(states.values())
    changed = {pk: sheet.rows[pk] for pk in states}
    not_restored = {pk: row for pk, row in changed.items() if pk not in restored}
    superseded = [row for pk, row in not_restored.items() if conflicts.is_superseded(row, states[pk], sheet)]
    _lock_matches(superseded)
    conflicts.refuse_if_begun({row.pk: states[row.pk] for row in superseded}, sheet)
    for pk, row in changed.items():
        apply_state(row, states[pk])
        locked.touch(row.round.bracket_id)
    _drop_matches(locked, superseded)
    _open(locked, [row for row in changed.values() if row.match_id is None])
    for row in changed.values():
        row.save(update_fields=DERIVED_FIELDS)


def load_pairings(pairing_ids: Iterable[int]) -> list[Pairing]:
    """These pairings with round, bracket and match, in order of their ids."""
    rows = Pairing.objects.filter(pk__in=set(pairing_ids)).select_related("round__bracket", "match")
    return list(rows.order_by("pk"))


def assign_seats(locked: LockedTournament, seats: Mapping[tuple[int, Seat], uuid.UUID | None]) -> None:
    """Seats entries (None: a bye) as their feeds say now, and settles all that follows.

    A new match replaces a match here that has not begun. Raises Refused if a match here has begun, or if the players
    of a later match that has begun would change.
    """
    rows = {row.pk: row for row in load_pairings(pk for pk, _ in seats)}
    for (pk, seat), entry in seats.items():
        apply_state(rows[pk], state_of(rows[pk]).with_occupant(seat, BYE if entry is None else entry))
    _lock_matches(rows.values())
    if any(row.match is not None and row.match.has_begun for row in rows.values()):
        raise Refused(SEATS_CHANGED)
    _drop_matches(locked, rows.values())
    advance_from(locked, rows.values())
    _open(locked, [row for row in rows.values() if row.match_id is None])
    for row in rows.values():
        locked.touch(row.round.bracket_id)
        row.save(update_fields=DERIVED_FIELDS)


def resettle_entry(locked: LockedTournament, entry: Entry) -> None:
    """Settles the pairings of an entry that withdrew or returned, and the places that its bracket feeds."""
    seated = Pairing.objects.filter(Q(left=entry) | Q(right=entry)).select_related("round__bracket", "match")
    rows = [row for row in seated if row.settled in ("", "walkover", "nobody")]
    reported = (MatchState.REPORTED, MatchState.DISPUTED)
    _lock_matches(rows)
    if any(row.match is not None and row.match.state in reported for row in rows):
        raise Refused(REPORTED_RESULT_OPEN)
    by_places = seated.filter(round__bracket__place_feeds__isnull=False)[:1]
    if rows or by_places:
        advance_from(locked, [*by_places, *rows])


def open_ready_matches(locked: LockedTournament) -> None:
    """Opens every unsettled match with two known players. Called when a draw is released."""
    rows = list(
        Pairing.objects.filter(round__bracket__tournament=locked.tournament, match__isnull=True)
        .filter(left__isnull=False, right__isnull=False, settled="")
        .select_related("round")
    )
    _open(locked, rows)
    Pairing.objects.bulk_update(rows, ["match"], batch_size=BATCH_SIZE)


def advance_waiting(event_id: uuid.UUID | None = None, limit: int = 500) -> None:
    """Advances results that no worker has advanced yet, oldest first; with an id those of this event only.

    A result that cannot be advanced is logged.
    """
    pending = Result.objects.filter(advanced_at__isnull=True).order_by("posted_at")
    if event_id is not None:
        pending = pending.filter(pairing__round__bracket__tournament__event=event_id)
    for result_id in list(pending.values_list("pk", flat=True)[:limit]):
        try:
            advance(result_id)
        except Refused as refused:
            log.error("Could not advance result %s: %s Run: manage.py rebuild --check", result_id, refused)


def _open(locked: LockedTournament, rows: list[Pairing]) -> None:
    """Opens the matches of pairings that can be played, without saving the pairings. None while the draw is hidden."""
    ready = [row for row in rows if row.left_id and row.right_id and not row.settled]
    if not ready or not is_released(locked.tournament):
        return
    ruleset = tournament_ruleset(locked.tournament)
    openings = [
        Opening(
            row.left_id, row.right_id, row.round.length, round_ruleset(row.round, ruleset), row.round.games
        )
        for row in ready
        if row.left_id and row.right_id
    ]
    for row, match in zip(ready, scorecard.open_matches(openings), strict=True):
        row.match = match
    locking.fill_after_commit(locked.tournament.event_id)


def _drop_matches(locked: LockedTournament, rows: Iterable[Pairing]) -> None:
    dropped = [row for row in rows if row.match is not None]
    if not dropped:
        return
    locked.ended_matches.update(row.match.pk for row in dropped if row.match is not None)
    scorecard.cancel(row.match for row in dropped if row.match is not None)
    for row in dropped:
        row.match = None


def _lock_matches(rows: Iterable[Pairing]) -> None:
    """Locks and reloads the matches, so that a first game is either seen here or refused by the cancelled match."""
    by_match = {row.match_id: row for row in rows}
    for pk, locked_match in lock_matches(by_match).items():
        by_match[pk].match = locked_match.match


def _raise_versions(locked: LockedTournament) -> dict[str, int]:
    """Raises the versions of the changed brackets; returns the new versions by channel."""
    bracket_ids: Collection[uuid.UUID] = locked.touched_brackets
    if locked.touches_all:
        brackets = Bracket.objects.filter(tournament=locked.tournament)
        bracket_ids = list(brackets.values_list("pk", flat=True))
    if not bracket_ids:
        return {}
    return {
        str(bracket_id)
        if row.is_released or locked.hides_draw
        else channels.private_channel(bracket_id): row.version
        for bracket_id, row in sql.raise_versions(locked.tournament.pk, bracket_ids).items()
    }
