"""The jackpots of a tournament with their entries and winners. Reads only."""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from tournament.models import Entry, Jackpot, JackpotSeat, Pairing, Tournament
from tournament.queries.events.ends import bracket_winners
from tournament.runtime.errors import NotFound

SEATS = Prefetch("seats", JackpotSeat.objects.select_related("entry__player"))


class JackpotState(StrEnum):
    OPEN = "open"
    DRAWN = "drawn"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class JackpotView:
    """`joined`: entries in their order of joining. `bracket`: key of the bracket if drawn, otherwise empty. `winner`:
    a name if the jackpot is over, else empty.
    """

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

    def includes(self, entry: Entry) -> bool:
        """True if the player of this entry has joined with any entry."""
        return any(other.player_id == entry.player_id for other in self.joined)


def jackpot_views(tournament: Tournament) -> list[JackpotView]:
    """Returns all jackpots, open ones first, in three statements."""
    views = _views(jackpot_rows(tournament))
    return sorted(views, key=lambda view: (list(JackpotState).index(view.state), -view.number))


def has_jackpot(tournaments: Collection[Tournament]) -> bool:
    """True if one of these tournaments has a jackpot that players can join or that is drawn."""
    rows = Jackpot.objects.filter(tournament__in=tournaments)
    return rows.filter(Q(closed_at__isnull=True) | Q(bracket__isnull=False)).exists()


def jackpot_rows(tournament: Tournament) -> QuerySet[Jackpot]:
    return Jackpot.objects.filter(tournament=tournament).select_related("bracket")


def jackpot_of_tournament(tournament: Tournament, jackpot_id: uuid.UUID) -> Jackpot:
    jackpot = Jackpot.objects.filter(pk=jackpot_id, tournament=tournament).first()
    if jackpot is None:
        raise NotFound
    return jackpot


def jackpot_with_event(jackpot_id: uuid.UUID) -> Jackpot:
    """Returns a jackpot with its event, for a permission check. Raises NotFound."""
    jackpot = Jackpot.objects.select_related("tournament__event").filter(pk=jackpot_id).first()
    if jackpot is None:
        raise NotFound
    return jackpot


def first_pairs(jackpot: Jackpot) -> list[str]:
    """Returns the matches of the first round of a drawn jackpot: “Anna – Nina”."""
    rows = Pairing.objects.filter(round__bracket=jackpot.bracket_id, round__number=1).order_by("line")
    rows = rows.select_related("left__player", "right__player")
    return [f"{row.left.name} – {row.right.name}" for row in rows if row.left and row.right]


def jackpot_view(jackpot: Jackpot) -> JackpotView:
    return _views([jackpot])[0]


def _views(rows: Iterable[Jackpot]) -> list[JackpotView]:
    rows = list(rows)
    prefetch_related_objects(rows, SEATS)
    winners = bracket_winners(row.bracket for row in rows if row.bracket)
    return [
        JackpotView(
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
