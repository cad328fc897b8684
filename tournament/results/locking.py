"""Locks the match of a pairing and reads what a decision about it rests on. Writes nothing.

The tournament's lock is taken first: it protects seats and results. The match's lock protects cards and calls.
"""

import uuid
from dataclasses import dataclass

from matches.locking import LockedMatch, lock_match
from tournament.brackets.advancing import DERIVED_FIELDS, LockedTournament
from tournament.brackets.states import current_results
from tournament.models import Pairing, Result, ResultKind
from tournament.refusals.cards import MATCH_CANCELLED
from tournament.refusals.results import NO_MATCH
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class LockedPairing:
    """A pairing, its locked match (None: not open yet) and its newest result, read under both locks."""

    pairing: Pairing
    match: LockedMatch | None
    newest_result: Result | None

    @property
    def posted_result(self) -> Result | None:
        """The current result, unless it was retracted."""
        result = self.newest_result
        return None if result is None or result.kind == ResultKind.RETRACTED else result


def lock_pairing(locked: LockedTournament, pairing: Pairing) -> LockedPairing:
    """Reads a pairing of a locked tournament again and locks its match. Raises NotFound if it was taken back."""
    try:
        pairing.refresh_from_db(fields=DERIVED_FIELDS)
    except Pairing.DoesNotExist:
        raise NotFound from None
    pairing.round.bracket.tournament = locked.tournament
    match = lock_match(pairing.match_id) if pairing.match_id else None
    if match is not None:
        pairing.match = match.match
    return LockedPairing(pairing, match, current_results([pairing.pk]).get(pairing.pk))


def lock_match_of(locked: LockedTournament, pairing: Pairing) -> tuple[LockedPairing, LockedMatch]:
    """Locks a match that the actor sees on `pairing`. Raises Refused if it is not open yet or was cancelled since."""
    match_id = match_id_of(pairing)
    locked_pairing = lock_pairing(locked, pairing)
    if locked_pairing.match is None or locked_pairing.match.match.pk != match_id:
        raise Refused(MATCH_CANCELLED)
    return locked_pairing, locked_pairing.match


def match_id_of(pairing: Pairing) -> uuid.UUID:
    """Raises Refused if the two players are not known yet."""
    if pairing.match_id is None:
        raise Refused(NO_MATCH)
    return pairing.match_id
