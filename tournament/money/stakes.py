"""The prizes that depend on one match, and how its players share them fairly at any moment."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from tournament.brackets import storage
from tournament.draw.seating import Decision, Facts, resolve
from tournament.fees.schedule import MAIN_POT
from tournament.models import Entry, Pairing, Shape, Tournament
from tournament.money.agreed_prizes import PotStakes
from tournament.money.due_awards import entrants_of, placed_awards, places_to_pay, structure_of
from tournament.money.open_matches import open_matches
from tournament.money.pots import paid_into_pots
from tournament.places.certain import PlaceList, is_over, list_places
from tournament.prizes.open_prizes import least_prize, open_pool_prizes
from tournament.prizes.places import Award, Place
from tournament.prizes.structure import Part, PrizeStructure, main_pot
from tournament.prizes.wins import paid_wins, win_parts, with_counts
from tournament.prizes.worth import Played, play_once

WALKED_OVER = (1, 0)
"""Points of an assumed win, because a win without points counts as a walkover."""

EntryFacts = Facts[int, uuid.UUID]
ListsByBracket = Mapping[str, PlaceList]
NO_DECISIONS: Mapping[int, Decision[uuid.UUID]] = MappingProxyType({})


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
    of_main = (structure.added, structure.yearly, structure.guaranteed)
    return any(of_main) or any(pool.added for pool in structure.pools)


def assumed_decisions(results: Mapping[int, Played[uuid.UUID]]) -> dict[int, Decision[uuid.UUID]]:
    """The decisions of matches that a simulation played, without byes."""
    return {
        key: Decision(played.winner, played.loser, points=WALKED_OVER)
        for key, played in results.items()
        if played.winner is not None and played.loser is not None
    }


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
        self.entrants = entrants_of(tournament, entries)
        self.prized = {
            *structure.brackets,
            *self.pots,
            *(key for pool in structure.pools for key in pool.brackets),
        }
        self.win_parts = {f"{part.bracket} {part.feat}": part for part in win_parts(structure)}
        self.lists_before = self._lists(self._facts()) if self.win_parts else {}

    def after(self, winner: uuid.UUID, loser: uuid.UUID) -> _End:
        facts = self._facts({self.pairing: Decision(winner, loser, points=WALKED_OVER)})
        lists = self._lists(facts)
        awards = list(self._awards(lists, facts))
        sums = {pot: [0, 0] for pot in (MAIN_POT, *(award.pot for award in awards))}
        is_complete = True
        for seat, entry in enumerate((winner, loser)):
            for award in awards:
                sums[award.pot][seat] += award.minor if award.entry == entry else 0
            least, is_out = self._open_prizes(lists, entry)
            for pot, minor in least.items():
                sums.setdefault(pot, [0, 0])[seat] += minor
            is_complete = is_complete and is_out
        prizes = {pot: (first, second) for pot, (first, second) in sums.items() if first or second}
        return _End(prizes, is_complete)

    def _open_prizes(self, lists: ListsByBracket, entry: uuid.UUID) -> tuple[dict[str, int], bool]:
        """The least that the entry gets by pot besides its certain awards; True if no more can come."""
        open_places = {
            key: row
            for key in self.prized & lists.keys()
            for row in lists[key].places
            if row.entry == entry and row.still_in
        }
        places = places_to_pay(lists)
        of_pools = open_pool_prizes(self.structure, self.pots, places, self.entrants, entry)
        least = {pot: prize.least for pot, prize in of_pools.items()}
        least[MAIN_POT] = least_prize(self.structure, self.pots.get(MAIN_POT, 0), open_places, places)
        return least, not open_places and all(prize.least == prize.most for prize in of_pools.values())

    def _awards(self, lists: ListsByBracket, facts: EntryFacts) -> Iterator[Award[uuid.UUID]]:
        """The certain awards. Those for matches won are without the wins before this match."""
        awards = placed_awards(self.structure, self.pots, lists, self.entrants)
        if not self.win_parts:
            yield from awards
            return
        is_price_certain = self._is_price_certain(lists, facts)
        for award in awards:
            part = self.win_parts.get(award.line) if award.pot == MAIN_POT else None
            if part is None:
                yield award
            elif is_price_certain:
                before, after = (_paid_wins(rows, part, award.entry) for rows in (self.lists_before, lists))
                yield replace(award, minor=award.minor * (after - before) // after)

    def _is_price_certain(self, lists: ListsByBracket, facts: EntryFacts) -> bool:
        """Every win has been counted, or the pot pays all wins to come in full."""
        parts = self.win_parts.values()
        if not any(row.still_in for part in parts for row in _places_in(lists, part.bracket)):
            return True
        matches, is_whole = open_matches(self.sheet, resolve(self.sheet.graph, *facts).states)
        if not is_whole:
            return False
        results = play_once(matches, lambda *_match: True)
        ended = self._lists(facts._replace(decisions={**facts.decisions, **assumed_decisions(results)}))
        if not is_over(ended):
            return False
        wins = {part: sum(row.wins for row in ended[part.bracket].places) for part in parts}
        paid = with_counts(self.structure.parts, wins)
        money = main_pot(self.structure, self.pots.get(MAIN_POT, 0)).prizes
        return sum(part.minor * part.count for part in paid) <= money

    def _facts(self, decisions: Mapping[int, Decision[uuid.UUID]] = NO_DECISIONS) -> EntryFacts:
        """The facts with these decisions in place of the one of this match."""
        others = {key: row for key, row in self.sheet.facts.decisions.items() if key != self.pairing}
        return self.sheet.facts._replace(decisions={**others, **decisions})

    def _lists(self, facts: EntryFacts) -> dict[str, PlaceList]:
        return list_places(self.tournament, self.sheet, (facts, resolve(self.sheet.graph, *facts)))


def _places_in(lists: ListsByBracket, bracket: str) -> Sequence[Place[uuid.UUID]]:
    return lists[bracket].places if bracket in lists else ()


def _paid_wins(lists: ListsByBracket, part: Part, entry: uuid.UUID) -> int:
    return sum(paid_wins(part, row.wins) for row in _places_in(lists, part.bracket) if row.entry == entry)
