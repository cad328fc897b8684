"""The open matches of a tournament as a simulation plays them, with the chances of their players. Reads only."""

import uuid
from collections.abc import Hashable, Mapping

from matches.models import Match
from tournament.brackets.storage import Sheet
from tournament.draw.graph import BYE, FromEntry, FromPairing, Outcome, Seat
from tournament.draw.seating import State
from tournament.models import Entry
from tournament.money.win_chances import chance_of_left
from tournament.prizes.worth import CERTAIN, FromMatch, RemainingMatch, Taken

TAKEN = {
    Outcome.WINNER: Taken.WINNER,
    Outcome.LOSER: Taken.LOSER,
    Outcome.FIRST_LOSS: Taken.FIRST_LOSS,
}


def open_matches(
    sheet: Sheet, states: Mapping[int, State[uuid.UUID]]
) -> tuple[list[RemainingMatch[uuid.UUID]], bool]:
    """The open matches in the order of the draw; False if others wait for places in groups and are left out."""
    matches: list[RemainingMatch[uuid.UUID]] = []
    waiting: set[int] = set()
    for pairing in sheet.graph:
        state = states[pairing.key]
        if state.result.how is not None:
            continue
        seats: list[uuid.UUID | FromMatch | None] = []
        for seat, source in pairing.seats:
            occupant = state.left if seat is Seat.LEFT else state.right
            if occupant is not None:
                seats.append(None if occupant is BYE else occupant)
            elif isinstance(source, FromPairing) and source.pairing not in waiting:
                seats.append(FromMatch(source.pairing, TAKEN[source.outcome]))
            elif isinstance(source, FromEntry):
                seats.append(source.entry)
            else:
                waiting.add(pairing.key)
        if pairing.key not in waiting:
            matches.append(RemainingMatch(pairing.key, *seats))
    return matches, not waiting


class Chances:
    """The chance of the left player: in a match that is open by its score, in later ones by ratings and length."""

    def __init__(self, sheet: Sheet, entries: Mapping[uuid.UUID, Entry]) -> None:
        self.rows, self.entries = sheet.rows, entries
        open_rows = [row.match_id for row in sheet.rows.values() if row.match_id and not row.settled]
        self.matches = {row.pk: row for row in Match.objects.filter(pk__in=open_rows)}
        self.chances: dict[tuple[Hashable, uuid.UUID, uuid.UUID], int] = {}

    def __call__(self, key: int, left: uuid.UUID, right: uuid.UUID) -> int:
        row = self.rows[key]
        match = self.matches.get(row.match_id) if row.match_id else None
        spot = (key if match else row.length, left, right)
        chance = self.chances.get(spot)
        if chance is None:
            chance = self.chances[spot] = self._chance(left, right, match, row.length)
        return chance

    def by_length(self, length: int | None, left: uuid.UUID, right: uuid.UUID) -> int:
        """The chance in a match that is not paired yet."""
        chance = self.chances.get((length, left, right))
        if chance is None:
            chance = self.chances[length, left, right] = self._chance(left, right, None, length)
        return chance

    def _chance(self, left: uuid.UUID, right: uuid.UUID, match: Match | None, length: int | None) -> int:
        return round(chance_of_left(self.entries[left], self.entries[right], match, length) * CERTAIN)
