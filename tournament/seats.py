"""Between the stored pairings and the pure draw: reads rows as states, shows states on rows, hop by hop.

Saves nothing; `progression` does, under the lock.
"""

import uuid
from collections.abc import Iterable, Sequence

from tournament.draw.graph import BYE, Bye, Feed, Outcome, Seat
from tournament.draw.seating import UNDECIDED, Decision, How, Settled, State
from tournament.models import Entry, Pairing, Result, ResultKind
from tournament.models import Feed as FeedRow
from tournament.models.brackets import Settled as SettledCode

EntryState = State[uuid.UUID]
Occupant = uuid.UUID | Bye | None
SHOWN = ("left", "right", "left_is_bye", "right_is_bye", "winner", "settled")


def show(row: Pairing, state: EntryState) -> None:
    """Puts a state on a pairing's derived fields; the caller saves them (`SHOWN`)."""
    row.left_id, row.left_is_bye = _seat(state.left)
    row.right_id, row.right_is_bye = _seat(state.right)
    row.winner_id = None if isinstance(state.result.winner, Bye) else state.result.winner
    row.settled = SettledCode(state.result.how.value) if state.result.how else ""


def state_of(row: Pairing) -> EntryState:
    """The state that a pairing's derived fields tell."""
    left: Occupant = BYE if row.left_is_bye else row.left_id
    right: Occupant = BYE if row.right_is_bye else row.right_id
    if not row.settled:
        return State(left, right, UNDECIDED)
    how = How(row.settled)
    if row.winner_id is None:
        return State(left, right, Settled(BYE, BYE, how))
    loser = right if row.winner_id == left else left
    return State(left, right, Settled(row.winner_id, loser, how))


def decision_of(result: Result) -> Decision[uuid.UUID] | None:
    """A posted result as the draw knows it; None for one that was taken back."""
    if result.kind == ResultKind.RETRACTED:
        return None
    if result.winner_id is None:
        return Decision.both_lost(result.left_id, result.right_id)
    loser = result.right_id if result.winner_id == result.left_id else result.left_id
    return Decision(result.winner_id, loser)


def current_results(pairings: Iterable[int]) -> dict[int, Result]:
    """The result that stands for each of these pairings."""
    rows = Result.objects.filter(pairing_id__in=list(pairings), superseded_by__isnull=True)
    return {row.pairing_id: row for row in rows}


def withdrawals(tournament_id: uuid.UUID) -> dict[uuid.UUID, float]:
    """When each withdrawn entry left, in seconds."""
    gone = Entry.objects.filter(tournament_id=tournament_id, withdrawn_at__isnull=False)
    return {pk: at.timestamp() for pk, at in gone.values_list("pk", "withdrawn_at") if at}


class StoredSheet:
    """The stored draw, loaded only as far as an advance asks (`draw.seating.DrawSheet`)."""

    def __init__(self, tournament_id: uuid.UUID, rows: Sequence[Pairing]) -> None:
        self.rows = {row.pk: row for row in rows}
        self._results = current_results(self.rows)
        self._known = set(self.rows)
        self._feeds: dict[int, list[Feed[int]]] = {}
        self.withdrawn = withdrawals(tournament_id)

    def feeds_from(self, key: int) -> Sequence[Feed[int]]:
        if key not in self._feeds:
            feeds = FeedRow.objects.filter(source_id=key).select_related("target__round", "target__match")
            self._feeds[key] = []
            for row in feeds:
                self.rows.setdefault(row.target_id, row.target)
                feed = Feed(key, Outcome(row.outcome), row.target_id, Seat(row.seat))
                self._feeds[key].append(feed)
        return self._feeds[key]

    def state(self, key: int) -> EntryState:
        return state_of(self.rows[key])

    def decision(self, key: int) -> Decision[uuid.UUID] | None:
        """A pairing reached on the way can only have a result once both its seats were taken."""
        row = self.rows[key]
        if key not in self._known and row.left_id and row.right_id:
            self._results.update(current_results([key]))
            self._known.add(key)
        result = self._results.get(key)
        return decision_of(result) if result else None


def _seat(occupant: Occupant) -> tuple[uuid.UUID | None, bool]:
    return (None, True) if isinstance(occupant, Bye) else (occupant, False)
