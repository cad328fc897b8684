"""Which matches a change of seats overtakes, and where it cannot be: asked by `progression` before it seats anybody.

Looks only at rows that are loaded, and writes nothing.
"""

import uuid
from collections.abc import Iterable, Mapping

from tournament.brackets.states import EntryState, StoredSheet
from tournament.draw.seating import How
from tournament.models import Pairing
from tournament.runtime.errors import Refused

NEXT_HAS_BEGUN = (
    "next-match-has-begun",
    "A later match of these players has begun. A director can correct this result with all that follows.",
)


def is_superseded(row: Pairing, state: EntryState, sheet: StoredSheet) -> bool:
    """Whether the pairing's match is no longer to be played: others sit here, or a withdrawal settled it; or the same
    two sit the other way round, and nobody has written anything that names their sides."""
    if _players(row) != _seated(state):
        return True
    if _is_turned(row, state):
        return not _has_begun(row)
    return state.result.how in (How.WALKOVER, How.NOBODY) and sheet.decision(row.pk) is None


def refuse_self_pairing(states: Iterable[EntryState]) -> None:
    """What was kept as played may stand in somebody's way to the seat opposite."""
    if any(len(_seated(state)) == 1 and state.left == state.right for state in states):
        raise Refused(
            "meets-themselves",
            "Somebody would meet themselves, because a match was kept as played. Take back first what was kept.",
        )


def refuse_if_begun(states: Mapping[int, EntryState], sheet: StoredSheet) -> None:
    """The players of a match that has begun stay as they are."""
    for pk, state in states.items():
        row = sheet.rows[pk]
        if _players(row) == _seated(state) and not _is_turned(row, state):
            continue
        if sheet.decision(pk) is not None or _has_begun(row):
            raise Refused(*NEXT_HAS_BEGUN)


def _is_turned(row: Pairing, state: EntryState) -> bool:
    """Whether the two are to play, but on other sides than in the match that was opened."""
    return state.result.how is None and row.match is not None and row.match.left == state.right


def _has_begun(row: Pairing) -> bool:
    return row.match is not None and row.match.has_begun


def _players(row: Pairing) -> set[uuid.UUID]:
    return {pk for pk in (row.left_id, row.right_id) if pk is not None}


def _seated(state: EntryState) -> set[uuid.UUID]:
    return {seat for seat in (state.left, state.right) if isinstance(seat, uuid.UUID)}
