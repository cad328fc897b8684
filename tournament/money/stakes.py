"""The prizes that depend on one match, and how its players share them fairly at any moment."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tournament.brackets import storage
from tournament.draw.seating import Decision, resolve
from tournament.fees.schedule import MAIN_POT
from tournament.models import Entry, Pairing, Shape, Tournament
from tournament.money.agreed_prizes import PotStakes
from tournament.money.due_awards import entrants_of, paid_into_pots, placed_awards, structure_of
from tournament.places.certain import PlaceList, list_places
from tournament.prizes.awards import Award, is_of_wins, least_prize
from tournament.prizes.structure import PrizeStructure
from tournament.prizes.wins import win_parts

WALKED_OVER = (1, 0)
"""Points of an assumed win, because a win without points counts as a walkover."""


class Unshared(StrEnum):
    """Reasons why the players of a match have no prizes to share.

    NO_PRIZES: no pot has money for prizes. STANDINGS: the winner of this match alone does not decide the prizes.
    NOT_CERTAIN: the winner of this match is not certain of a prize yet.
    """

    NO_PRIZES = "no_prizes"
    STANDINGS = "standings"
    NOT_CERTAIN = "not_certain"


@dataclass(frozen=True, slots=True)
class Stakes:
    """The prizes of the winner and of the loser of a match, by pot, in minor units of `currency`.

    `is_complete`: neither plays on for more. Otherwise the prizes are the least that each of them gets.
    """

    currency: str
    pots: tuple[PotStakes, ...]
    is_complete: bool = True

    @property
    def first(self) -> int:
        return sum(pot.first for pot in self.pots)

    @property
    def second(self) -> int:
        return sum(pot.second for pot in self.pots)

    @property
    def total(self) -> int:
        return self.first + self.second


def fair_share(stakes: Stakes, chance: Fraction) -> int:
    """The minor units of a player who wins with this chance: the second prize and that part of the difference."""
    return round(stakes.second + chance * (stakes.first - stakes.second))


def stakes_of(pairing: Pairing) -> Stakes | Unshared:
    """The prizes of every pot that this match decides between its two players, or why there are none."""
    tournament: Tournament = pairing.round.bracket.tournament
    structure = structure_of(tournament)
    left, right = pairing.left_id, pairing.right_id
    if structure is None or left is None or right is None:
        return Unshared.NO_PRIZES
    ends = _Ends(tournament, structure, pairing.pk)
    if not any(ends.pots.values()) and not _adds_money(structure):
        return Unshared.NO_PRIZES
    won, lost = ends.after(left, right), ends.after(right, left)
    is_complete = won.is_complete and lost.is_complete
    equal = [PotStakes(pot, *pair) for pot, pair in won.prizes.items() if lost.prizes.get(pot) == pair]
    shared = tuple(pot for pot in equal if pot.first != pot.second or is_complete)
    if shared:
        return Stakes(structure.currency, shared, is_complete)
    is_table = pairing.round.bracket.shape == Shape.TABLE
    return Unshared.STANDINGS if is_table or won.prizes != lost.prizes else Unshared.NOT_CERTAIN


def _adds_money(structure: PrizeStructure) -> bool:
    return bool(structure.added or structure.guaranteed or any(pool.added for pool in structure.pools))


@dataclass(frozen=True, slots=True)
class _End:
    """The certain prizes of the winner and of the loser by pot. `is_complete`: neither plays on for a prize."""

    prizes: Mapping[str, tuple[int, int]]
    is_complete: bool


class _Ends:
    """The prizes that are certain after either end of a match, without those of matches won before it."""

    def __init__(self, tournament: Tournament, structure: PrizeStructure, pairing: int) -> None:
        self.tournament, self.structure, self.pairing = tournament, structure, pairing
        self.sheet = storage.read(tournament)
        self.pots = paid_into_pots(tournament, structure.currency)
        entries = Entry.objects.filter(tournament=tournament).select_related("player")
        self.entrants = entrants_of(entries)
        self.prized = {
            *structure.brackets,
            *self.pots,
            *(key for pool in structure.pools for key in pool.brackets),
        }

        self.won_before: Counter[uuid.UUID] = Counter()
        if win_parts(structure):
            for award in self._awards(self._lists(None)):
                self.won_before[award.entry] += award.minor if is_of_wins(award) else 0

    def _awards(self, lists: Mapping[str, PlaceList]) -> Sequence[Award[uuid.UUID]]:
        return placed_awards(self.structure, self.pots, lists, self.entrants)

    def after(self, winner: uuid.UUID, loser: uuid.UUID) -> _End:
        lists = self._lists(Decision(winner, loser, points=WALKED_OVER))
        awards = self._awards(lists)
        sums = {award.pot: [0, 0] for award in awards} | {MAIN_POT: [0, 0]}
        is_complete = True
        for seat, entry in enumerate((winner, loser)):
            for award in awards:
                sums[award.pot][seat] += award.minor if award.entry == entry else 0
            open_places = {
                key: row
                for key in self.prized & lists.keys()
                for row in lists[key].places
                if row.entry == entry and row.still_in
            }
            sums[MAIN_POT][seat] += least_prize(self.structure, self.pots.get(MAIN_POT, 0), open_places)
            sums[MAIN_POT][seat] -= self.won_before[entry]
            is_complete = is_complete and not open_places
        prizes = {pot: (first, second) for pot, (first, second) in sums.items() if first or second}
        return _End(prizes, is_complete)

    def _lists(self, decision: Decision[uuid.UUID] | None) -> dict[str, PlaceList]:
        """The places by this decision of the match; None: as if it was not decided."""
        facts = self.sheet.facts
        decisions = {key: row for key, row in facts.decisions.items() if key != self.pairing}
        if decision is not None:
            decisions[self.pairing] = decision
        facts = facts._replace(decisions=decisions)
        return list_places(self.tournament, self.sheet, (facts, resolve(self.sheet.graph, *facts)))
