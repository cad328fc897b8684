"""Translates between stored pairings and states of the pure draw, loading rows only as needed.

Writes nothing: `advancing` saves the states under the lock.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from django.db.models import OuterRef, Subquery, UUIDField

from tournament import sql
from tournament.brackets.ranking import pairing_row, rank_function
from tournament.draw.graph import BYE, Bye, Feed, Outcome, PlaceFeed, Seat
from tournament.draw.seating import UNDECIDED, Decision, How, Settled, State, ranking
from tournament.models import Entry, KeptSeat, Pairing, Result, ResultKind, Shape, Tournament
from tournament.models import Feed as FeedRow
from tournament.models.brackets import Settled as SettledCode

EntryState = State[uuid.UUID]
Occupant = uuid.UUID | Bye | None
_KEPT_ENTRY = KeptSeat.objects.filter(
    pairing=OuterRef("target"), seat=OuterRef("seat"), lifted_at__isnull=True
).values("entry")
_feeds = FeedRow.objects.annotate(kept_entry=Subquery(_KEPT_ENTRY, output_field=UUIDField())).select_related(
    "target__round__bracket"
)
STATE_FIELDS = ("left", "right", "left_is_bye", "right_is_bye", "winner", "settled")


def apply_state(row: Pairing, state: EntryState) -> None:
    """Copies a state to the derived fields of a pairing. The caller saves `STATE_FIELDS`."""
    row.left_id, row.left_is_bye = _seat_fields(state.left)
    row.right_id, row.right_is_bye = _seat_fields(state.right)
    row.winner_id = None if isinstance(state.result.winner, Bye) else state.result.winner
    row.settled = SettledCode(state.result.how.value) if state.result.how else ""


class StoredState(Protocol):
    """The derived fields of a pairing, from its row or loaded alone."""

    @property
    def left_id(self) -> uuid.UUID | None: ...
    @property
    def right_id(self) -> uuid.UUID | None: ...
    @property
    def left_is_bye(self) -> bool: ...
    @property
    def right_is_bye(self) -> bool: ...
    @property
    def winner_id(self) -> uuid.UUID | None: ...
    @property
    def settled(self) -> str: ...


def state_of(row: StoredState) -> EntryState:
    """The state in the derived fields of a pairing."""
    left: Occupant = BYE if row.left_is_bye else row.left_id
    right: Occupant = BYE if row.right_is_bye else row.right_id
    if not row.settled:
        return State(left, right, UNDECIDED)
    how = How(row.settled)
    if row.winner_id is None:
        return State(left, right, Settled(BYE, BYE, how))
    loser = right if row.winner_id == left else left
    return State(left, right, Settled(row.winner_id, loser, how))


class PostedResult(NamedTuple):
    """The fields of a result that the draw needs."""

    pairing_id: int
    kind: str
    left_id: uuid.UUID
    right_id: uuid.UUID
    winner_id: uuid.UUID | None
    left_points: int | None
    right_points: int | None


def decision_of(result: Result | PostedResult) -> Decision[uuid.UUID] | None:
    """Returns the decision of a posted result; None if it was retracted."""
    if result.kind == ResultKind.RETRACTED:
        return None
    if result.winner_id is None:
        return Decision.both_lost(result.left_id, result.right_id)
    if result.winner_id == result.left_id:
        return Decision(
            result.winner_id, result.right_id, points=_points(result.left_points, result.right_points)
        )
    return Decision(result.winner_id, result.left_id, points=_points(result.right_points, result.left_points))


def _points(winner: int | None, loser: int | None) -> tuple[int, int] | None:
    return None if winner is None or loser is None else (winner, loser)


def current_results(pairings: Iterable[int]) -> dict[int, Result]:
    keys = list(pairings)
    return {row.pairing_id: row for row in sql.current_results(keys)} if keys else {}


def current_decisions(tournaments: Iterable[uuid.UUID]) -> dict[int, Decision[uuid.UUID]]:
    """The decisions of all current results of these tournaments, by pairing."""
    current = Result.objects.filter(
        pairing__round__bracket__tournament__in=tournaments, superseded_by__isnull=True
    )
    rows = (PostedResult(*values) for values in current.values_list(*PostedResult._fields))
    decisions = ((row.pairing_id, decision_of(row)) for row in rows)
    return {pk: decision for pk, decision in decisions if decision is not None}


def kept_seats(tournaments: Iterable[uuid.UUID]) -> dict[tuple[int, Seat], uuid.UUID]:
    """Seats in these tournaments that were kept as played, regardless of their feeds."""
    stored = KeptSeat.objects.filter(
        pairing__round__bracket__tournament__in=tournaments, lifted_at__isnull=True
    )
    return {
        (pairing, Seat(seat)): entry
        for pairing, seat, entry in stored.values_list("pairing_id", "seat", "entry_id")
    }


def withdrawals(tournament_id: uuid.UUID) -> dict[uuid.UUID, float]:
    """Returns the withdrawal time of each withdrawn entry, in seconds."""
    return withdrawals_by_tournament([tournament_id])[tournament_id].withdrawn


class WithdrawnEntries(NamedTuple):
    """The withdrawal times by entry, in seconds, and the withdrawn entries that gave up their places."""

    withdrawn: dict[uuid.UUID, float]
    without_place: set[uuid.UUID]


def withdrawals_by_tournament(tournaments: Iterable[uuid.UUID]) -> dict[uuid.UUID, WithdrawnEntries]:
    withdrawals_by_id = {pk: WithdrawnEntries({}, set()) for pk in tournaments}
    fields = ("tournament_id", "pk", "withdrawn_at", "gave_up_place")
    gone = Entry.objects.filter(tournament__in=withdrawals_by_id, withdrawn_at__isnull=False)
    rows: Any = gone.values_list(*fields)
    for tournament, entry, left_at, gave_up_place in rows:
        withdrawals_by_id[tournament].withdrawn[entry] = left_at.timestamp()
        if gave_up_place:
            withdrawals_by_id[tournament].without_place.add(entry)
    return withdrawals_by_id


class Withdrawals(Mapping[uuid.UUID, float]):
    """The withdrawal times by entry. Loaded on first use: when two entries without a result meet."""

    def __init__(self, tournament_id: uuid.UUID) -> None:
        self._tournament_id = tournament_id

    @cached_property
    def _entries(self) -> WithdrawnEntries:
        return withdrawals_by_tournament([self._tournament_id])[self._tournament_id]

    @property
    def without_place(self) -> set[uuid.UUID]:
        """The entries that gave up their places."""
        return self._entries.without_place

    def __getitem__(self, entry: uuid.UUID) -> float:
        return self._entries.withdrawn[entry]

    def __iter__(self) -> Iterator[uuid.UUID]:
        return iter(self._entries.withdrawn)

    def __len__(self) -> int:
        return len(self._entries.withdrawn)


class StoredSheet:
    """The stored draw, loaded only as far as an advance needs it (`draw.seating.DrawSheet`).

    Rows passed in include `round__bracket`. Matches are loaded when they are needed, which is rare.
    """

    def __init__(self, tournament: Tournament, rows: Sequence[Pairing]) -> None:
        self.rows = {row.pk: row for row in rows}
        self._tournament = tournament
        self._results = current_results(self.rows)
        self._known = set(self.rows)
        self._feeds: dict[int, list[Feed[int]]] = {}
        self._place_feeds: dict[uuid.UUID, list[PlaceFeed[int]]] = {}
        self._members: dict[str, list[int]] = {}
        self.withdrawn = Withdrawals(tournament.pk)
        self.kept_seats: dict[tuple[int, Seat], uuid.UUID] = {}

    def feeds_from(self, key: int) -> Sequence[Feed[int]]:
        if key not in self._feeds:
            self._feeds[key] = []
            for row in self._targets(_feeds.filter(source=key)):
                feed = Feed(key, Outcome(row.outcome), row.target_id, Seat(row.seat))
                self._feeds[key].append(feed)
        return self._feeds[key]

    def places_fed_by(self, key: int) -> Sequence[PlaceFeed[int]]:
        bracket = self.rows[key].round.bracket
        if bracket.shape != Shape.TABLE:
            return ()
        if bracket.pk not in self._place_feeds:
            self._place_feeds[bracket.pk] = []
            for row in self._targets(_feeds.filter(bracket=bracket)):
                feed = PlaceFeed(bracket.key, row.place or 0, row.target_id, Seat(row.seat))
                self._place_feeds[bracket.pk].append(feed)
            if self._place_feeds[bracket.pk]:
                self._load_members(bracket.pk, bracket.key)
        return self._place_feeds[bracket.pk]

    def ranking_of(self, bracket: str, now: Mapping[int, EntryState]) -> Sequence[uuid.UUID] | None:
        keys = self._members[bracket]
        states = {key: now.get(key) or self.state(key) for key in keys}
        decided = {key: decision for key in keys if (decision := self.decision(key)) is not None}
        rank = rank_function(self._tournament, {key: pairing_row(self.rows[key]) for key in keys})
        return ranking(bracket, states, decided, rank, self.withdrawn.without_place)

    def state(self, key: int) -> EntryState:
        return state_of(self.rows[key])

    def decision(self, key: int) -> Decision[uuid.UUID] | None:
        """The decision of a pairing. A pairing with an empty seat has none, so no query runs for it."""
        row = self.rows[key]
        if key not in self._known and row.left_id and row.right_id:
            self._results.update(current_results([key]))
            self._known.add(key)
        result = self._results.get(key)
        return decision_of(result) if result else None

    def _targets(self, feeds: Iterable[Any]) -> Iterator[FeedRow]:
        """The feeds. Registers their target pairings and the seats kept there."""
        for row in feeds:
            self.rows.setdefault(row.target_id, row.target)
            if row.kept_entry is not None:
                self.kept_seats[row.target_id, Seat(row.seat)] = row.kept_entry
            yield row

    def _load_members(self, bracket_id: uuid.UUID, key: str) -> None:
        rows = list(
            Pairing.objects.filter(round__bracket=bracket_id).select_related("round__bracket", "match")
        )
        for row in rows:
            self.rows.setdefault(row.pk, row)
        self._members[key] = [row.pk for row in rows]
        self._results.update(current_results(set(self._members[key]) - self._known))
        self._known.update(self._members[key])


def _seat_fields(occupant: Occupant) -> tuple[uuid.UUID | None, bool]:
    return (None, True) if isinstance(occupant, Bye) else (occupant, False)
