"""The prizes that depend on one match, and how its players share them fairly at any moment."""

import uuid
from dataclasses import dataclass, replace
from fractions import Fraction

from tournament.brackets import storage
from tournament.brackets.storage import Sheet
from tournament.draw.seating import Decision, resolve
from tournament.fees.schedule import MAIN_POT
from tournament.models import Entry, Pairing, Tournament
from tournament.money.due_awards import entrant_of, paid_into_pots, structure_of
from tournament.places.certain import list_places
from tournament.prizes.awards import awards_of
from tournament.prizes.structure import PrizeStructure

WALKED_OVER = (1, 0)
"""Points of an assumed win, because a win without points counts as a walkover."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The prizes of the winner and of the loser of a match, in minor units of `currency`."""

    currency: str
    first: int
    second: int

    @property
    def total(self) -> int:
        return self.first + self.second


def fair_share(stakes: Stakes, chance: Fraction) -> int:
    """The minor units of a player who wins with this chance: the second prize and that part of the difference."""
    return round(stakes.second + chance * (stakes.first - stakes.second))


def stakes_of(pairing: Pairing) -> Stakes | None:
    """The two main prizes of the match; None if there are none, or if they depend on more than its winner."""
    tournament: Tournament = pairing.round.bracket.tournament
    structure = structure_of(tournament)
    left, right = pairing.left_id, pairing.right_id
    if structure is None or left is None or right is None:
        return None
    sheet = storage.read(tournament)
    won = _prizes_after(tournament, structure, sheet, pairing.pk, left, right)
    lost = _prizes_after(tournament, structure, sheet, pairing.pk, right, left)
    if won is None or won != lost or not sum(won):
        return None
    return Stakes(structure.currency, *won)


def _prizes_after(
    tournament: Tournament,
    structure: PrizeStructure,
    sheet: Sheet,
    pairing: int,
    winner: uuid.UUID,
    loser: uuid.UUID,
) -> tuple[int, int] | None:
    """The main prizes of both once this one won; None if either has more to play for."""
    decisions = {**sheet.facts.decisions, pairing: Decision(winner, loser, points=WALKED_OVER)}
    facts = sheet.facts._replace(decisions=decisions)
    lists = list_places(tournament, sheet, (facts, resolve(sheet.graph, *facts)))
    if any(
        place.still_in and place.entry in (winner, loser) for row in lists.values() for place in row.places
    ):
        return None
    entries = Entry.objects.filter(tournament=tournament).select_related("player")
    awards = awards_of(
        replace(structure, pools=()),
        paid_into_pots(tournament, structure.currency),
        {key: row.places for key, row in lists.items()},
        {entry.pk: entrant_of(entry) for entry in entries},
    )
    first, second = (
        sum(award.minor for award in awards if award.entry == entry and award.pot == MAIN_POT)
        for entry in (winner, loser)
    )
    return first, second
