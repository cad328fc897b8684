"""The jackpots of a tournament: who waits in which, what is played already. Reads only."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Prefetch, prefetch_related_objects

from tournament.models import Entry, Jackpot, JackpotSeat, Tournament
from tournament.queries.events.ends import bracket_winners

SEATS = Prefetch("seats", JackpotSeat.objects.select_related("entry__player"))
"""Who joined: for a list of jackpots in one statement, wherever it is fetched first."""


class JackpotState(StrEnum):
    OPEN = "open"
    DRAWN = "drawn"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class JackpotShown:
    """A jackpot with those who joined it, in the order they did; `bracket` is its key once it is drawn, and `winner`
    a name once it is over."""

    id: uuid.UUID
    number: int
    size: int
    length: int
    price: Decimal | None
    state: JackpotState
    bracket: str
    seed_text: str
    joined: tuple[Entry, ...]
    winner: str

    @property
    def is_open(self) -> bool:
        return self.state is JackpotState.OPEN

    @property
    def missing(self) -> int:
        return self.size - len(self.joined)

    def holds(self, entry: Entry) -> bool:
        """Whether this player is in it, with whichever entry."""
        return any(one.player_id == entry.player_id for one in self.joined)


def jackpots_shown(tournament: Tournament) -> list[JackpotShown]:
    """Every jackpot, those that wait for players first, in three statements."""
    rows = list(Jackpot.objects.filter(tournament=tournament).select_related("bracket"))
    shown = _shown(rows)
    return sorted(shown, key=lambda one: (list(JackpotState).index(one.state), -one.number))


def jackpot_shown(jackpot: Jackpot) -> JackpotShown:
    return _shown([jackpot])[0]


def _shown(rows: Iterable[Jackpot]) -> list[JackpotShown]:
    rows = list(rows)
    prefetch_related_objects(rows, SEATS)
    winners = bracket_winners(row.bracket for row in rows if row.bracket)
    return [
        JackpotShown(
            id=row.pk,
            number=row.number,
            size=row.size,
            length=row.length,
            price=row.price,
            state=_state(row),
            bracket=row.bracket.key if row.bracket else "",
            seed_text=row.seed_text,
            joined=tuple(seat.entry for seat in row.seats.all()),
            winner=winners.get(row.bracket_id, "") if row.bracket_id else "",
        )
        for row in rows
    ]


def _state(row: Jackpot) -> JackpotState:
    if row.bracket_id is not None:
        return JackpotState.DRAWN
    return JackpotState.OPEN if row.closed_at is None else JackpotState.CLOSED
