"""The awards after a simulated end of the draw, computed completely or by the matches in which players are out."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.brackets.storage import Sheet
from tournament.draw.graph import Outcome
from tournament.draw.seating import resolve
from tournament.fees.schedule import MAIN_POT
from tournament.money.due_awards import placed_awards
from tournament.money.stakes import assumed_decisions
from tournament.places.certain import FINAL_RANKING, PlaceList, PlaceRules, places_by_rules
from tournament.places.families import PLAY_OFF, family_of
from tournament.prizes.awards import awards_of
from tournament.prizes.places import Award, Entrant, Place
from tournament.prizes.structure import PrizeStructure
from tournament.prizes.worth import Played

Results = Mapping[int, Played[uuid.UUID]]
Exit = tuple[int, bool]
"""A match whose winner (True) or loser plays no more in its list of places."""


@dataclass(frozen=True, slots=True)
class CompleteEnds:
    """Computes every end completely, by the rules of the whole draw. `pots`: minor units by key."""

    rules: PlaceRules
    sheet: Sheet
    structure: PrizeStructure
    pots: Mapping[str, int]
    entrants: Mapping[uuid.UUID, Entrant]

    def __call__(self, results: Results) -> dict[uuid.UUID, int]:
        return self.awards_of_lists(self.lists_of_places(results))

    def lists_of_places(self, results: Results) -> dict[str, PlaceList]:
        facts = self.sheet.facts
        assumed = facts._replace(decisions={**facts.decisions, **assumed_decisions(results)})
        return places_by_rules(self.rules, self.sheet, (assumed, resolve(self.sheet.graph, *assumed)))

    def awards_of_lists(self, lists: Mapping[str, PlaceList]) -> dict[uuid.UUID, int]:
        return dict(_sum_by_entry(placed_awards(self.structure, self.pots, lists, self.entrants)))


def depends_on_records(structure: PrizeStructure, sheet: Sheet) -> bool:
    """True for rules that look at the entry or at its record, for which exits from matches are not enough."""
    tables = any(row.bracket.startswith("group") for row in sheet.rows.values() if not row.settled)
    is_personal = structure.condition is not None or any(part.feat for part in structure.parts)
    return is_personal or structure.bubble or tables


class AwardsByExit:
    """Learns from complete ends what an exit from a match is worth, because places in brackets follow from it."""

    def __init__(self, ends: CompleteEnds) -> None:
        sheet = ends.sheet
        self._ends, self._structure = ends, ends.structure
        self._families = {key: family_of(row.bracket) for key, row in sheet.rows.items()}
        self._staying = {key: self._outcomes_that_stay(key) for key in sheet.rows}
        self._minors: dict[Exit, int] = {}
        self._places: dict[Exit, tuple[str, Place[uuid.UUID]]] = {}
        self._fixed_minors: Mapping[uuid.UUID, int] = {}
        self._fixed_places: Mapping[str, Sequence[Place[uuid.UUID]]] = {}

    def _outcomes_that_stay(self, key: int) -> frozenset[Outcome]:
        """The outcomes of this match with which a player plays on within the same list of places."""
        feeds = self._ends.sheet.graph.feeds_from(key)
        return frozenset(feed.outcome for feed in feeds if self._families[feed.target] == self._families[key])

    def __call__(self, results: Results) -> dict[uuid.UUID, int]:
        exits = list(self._exits(results))
        if any(spot not in self._minors for _entry, spot in exits):
            self._learn(results, exits)
        totals = Counter(self._fixed_minors)
        for entry, spot in exits:
            if minor := self._minors[spot]:
                totals[entry] += minor
        if self._structure.pools:
            totals.update(self._pool_awards(exits))
        return totals

    def _exits(self, results: Results) -> Iterator[tuple[uuid.UUID, Exit]]:
        """Each entry with the match after which it plays no more in the same list of places."""
        for key, (winner, loser, is_left_winner) in results.items():
            stays = self._staying[key]
            if winner is not None and Outcome.WINNER not in stays:
                yield winner, (key, True)
            plays_again = Outcome.FIRST_LOSS in stays and not is_left_winner
            if loser is not None and Outcome.LOSER not in stays and not plays_again:
                yield loser, (key, False)

    def _learn(self, results: Results, exits: Sequence[tuple[uuid.UUID, Exit]]) -> None:
        """Awards and places without an exit are those of entries that play no more: they are the same in all ends."""
        lists = self._ends.lists_of_places(results)
        minors = self._minors_by_list(lists)
        places = {(row.entry, key): row for key, rows in lists.items() for row in rows.places}
        for entry, spot in exits:
            family = self._families[spot[0]]
            self._minors[spot] = minors.pop((entry, family), 0)
            if (entry, family) in places:
                self._places[spot] = (family, places.pop((entry, family)))
        fixed: Counter[uuid.UUID] = Counter()
        for (entry, _key), minor in minors.items():
            fixed[entry] += minor
        self._fixed_minors = fixed
        self._fixed_places = {key: [row for (_, own), row in places.items() if own == key] for key in lists}

    def _minors_by_list(self, lists: Mapping[str, PlaceList]) -> Counter[tuple[uuid.UUID, str]]:
        """The awards without those of side pools, by entry and list of places."""
        without_pools = replace(self._structure, pools=())
        pool_keys = {pool.key for pool in self._structure.pools}
        pots = {key: minor for key, minor in self._ends.pots.items() if key not in pool_keys}
        minors: Counter[tuple[uuid.UUID, str]] = Counter()
        for award in placed_awards(without_pools, pots, lists, self._ends.entrants):
            key = award.line.rpartition(" ")[0] if award.pot == MAIN_POT else award.pot
            minors[award.entry, PLAY_OFF if key == FINAL_RANKING else key] += award.minor
        return minors

    def _pool_awards(self, exits: Sequence[tuple[uuid.UUID, Exit]]) -> Counter[uuid.UUID]:
        places = {key: list(rows) for key, rows in self._fixed_places.items()}
        for entry, spot in exits:
            if spot in self._places:
                key, row = self._places[spot]
                places[key].append(replace(row, entry=entry))
        places = {key: rows for key, rows in places.items() if rows}
        pots = {pool.key: self._ends.pots.get(pool.key, 0) for pool in self._structure.pools}
        needs_parts = any(pool.like_main for pool in self._structure.pools)
        parts = self._structure.parts if needs_parts else ()
        only_pools = replace(self._structure, parts=parts, added=0, yearly=0, guaranteed=0)
        return _sum_by_entry(awards_of(only_pools, pots, places, self._ends.entrants))


def _sum_by_entry(awards: Sequence[Award[uuid.UUID]]) -> Counter[uuid.UUID]:
    totals: Counter[uuid.UUID] = Counter()
    for award in awards:
        totals[award.entry] += award.minor
    return totals
