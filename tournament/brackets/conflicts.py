"""Finds the matches that a change of seats supersedes, and refuses changes that are impossible.

`advancing` calls it before it seats entries. Uses only loaded rows, and writes nothing.
"""

import uuid
from collections.abc import Iterable, Mapping

from tournament.brackets.states import EntryState, StoredSheet
from tournament.draw.seating import How
from tournament.models import Pairing
from tournament.refusals.results import NEXT_MATCH_HAS_BEGUN
from tournament.refusals.seats import MEETS_OWN_ENTRY
from tournament.runtime.errors import Refused


def is_superseded(row: Pairing, state: EntryState, sheet: StoredSheet) -> bool:
    """True if the pairing's match will not be played as it was opened.

    Other players sit here, a withdrawal settled the pairing, or the two players changed sides before the first game.
    """
    if _players(row) != _seated(state):
        return True
    if _is_turned(row, state):
        return not _has_begun(row)
    return state.result.how in (How.WALKOVER, How.NOBODY) and sheet.decision(row.pk) is None


def refuse_self_pairing(states: Iterable[EntryState]) -> None:
    """Raises Refused if an entry would meet itself, which a seat kept as played can cause."""
    if any(len(_seated(state)) == 1 and state.left == state.right for state in states):
        raise Refused(MEETS_OWN_ENTRY)


def refuse_if_begun(states: Mapping[int, EntryState], sheet: StoredSheet) -> None:
    """Raises Refused if the players of a match that has begun would change."""
    for pk, state in states.items():
        row = sheet.rows[pk]
        if _players(row) == _seated(state) and not _is_turned(row, state):
            continue
        if sheet.decision(pk) is not None or _has_begun(row):
            raise Refused(NEXT_MATCH_HAS_BEGUN)


def _is_turned(row: Pairing, state: EntryState) -> bool:
    """True if the two players will play, but on other sides than in the opened match."""
    return state.result.how is None and row.match is not None and row.match.left == state.right


def _has_begun(row: Pairing) -> bool:
    return row.match is not None and row.match.has_begun


def _players(row: Pairing) -> set[uuid.UUID]:
    return {pk for pk in (row.left_id, row.right_id) if pk is not None}


def _seated(state: EntryState) -> set[uuid.UUID]:
    return {seat for seat in (state.left, state.right) if isinstance(seat, uuid.UUID)}
