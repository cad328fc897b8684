"""API views of seats: the list and swaps."""

import uuid
from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.seat_serializers import (
    DrawnSeatDocument,
    SwapBody,
)
from tournament.api.views import ApiView
from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.drawing import swaps
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry


class SeatsView(ApiView):
    @describes("list_seats", {200: DrawnSeatDocument(many=True)})
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the seats that the draw filled with entries and byes, without paging."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        waiting = late_entry.matches_that_would_wait(tournament)
        return Response(
            [
                seat_json(seat) | {"would_wait": waiting[seat.feed].pk if seat.feed in waiting else None}
                for seat in entry_seats(tournament)
            ]
        )


class SwapsView(ApiView):
    @describes("swap_seats", {204: None}, 409, request=SwapBody)
    def post(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Exchanges two seats while no match that follows from either has begun. Swapping them again undoes it."""
        permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        body = self.read(SwapBody)
        swap = Swap(body["one"], body["other"], (body["one_entry"], body["other_entry"]))
        swaps.swap(tournament_id, swap, self.actor, body["reason"])
        return Response(status=204)


def seat_json(seat: EntrySeat) -> dict[str, Any]:
    fields = asdict(seat)
    names = ("bracket", "shape", "round", "line", "entry", "opponent", "is_fixed", "is_scheduled")
    return {
        **{name: fields[name] for name in names},
        "seat": seat.feed,
        "side": seat.seat.value,
        "is_free": seat.is_free,
    }
