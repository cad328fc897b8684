"""The prize money that each remaining player can expect, by the rest of the draw. Reads only; a worker computes it."""

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256

from django.core.cache import cache
from django.db.models import Count, Sum

from matches.models import Match
from tournament.brackets import storage
from tournament.brackets.storage import Sheet
from tournament.draw.graph import Outcome
from tournament.draw.seating import resolve
from tournament.fees.schedule import MAIN_POT
from tournament.live import channels
from tournament.models import Entry, Tournament
from tournament.money.agreed_prizes import agreed_differences, current_settlements
from tournament.money.due_awards import entrants_of, paid_into_pots, placed_awards, stamps_of, structure_of
from tournament.money.open_matches import Chances, open_matches
from tournament.money.stakes import assumed_decisions
from tournament.money.worth_of_lives import draws_of_last_lives, mean_amounts
from tournament.money.worth_of_rounds import LaterRounds
from tournament.places.certain import FINAL_RANKING, PlaceList, is_over, list_places
from tournament.places.families import PLAY_OFF, family_of
from tournament.prizes.awards import Award, Place, awards_of
from tournament.prizes.structure import PrizeStructure
from tournament.prizes.worth import (
    Played,
    Worth,
    expected_awards,
    mean_of,
    outcomes,
)
from tournament.runtime import publish, queue

SECONDS_CACHED = 24 * 60 * 60
SECONDS_QUEUED = 20
"""After this time without a result, a page queues the computation again."""
SLOW_TRIALS, POOL_TRIALS, TRIALS = 100, 500, 2000
ENTRIES_OF_ALL_TRIALS = 3200
"""Simulated entries over all ends that pair their rounds: 50 ends of 64 players."""
Results = Mapping[int, Played[uuid.UUID]]
Exit = tuple[int, bool]
"""A match whose winner (True) or loser plays no more in its list of places."""


@dataclass(frozen=True, slots=True)
class DrawWorth:
    """A possible draw of the next round, and the expected minor units by entry once it is made."""

    pairs: tuple[tuple[uuid.UUID, uuid.UUID], ...]
    bye: uuid.UUID | None
    amounts: Mapping[uuid.UUID, int]


@dataclass(frozen=True, slots=True)
class WorthTable:
    """Expected minor units by entry. `trials` is 0 if they are exact. `is_possible`: all matches are drawn.

    `is_over`: all matches are decided, so that nothing is left to expect.

    `error` is the standard error of a sample, in minor units.

    `draws` are the possible draws before a round of the last players of an event with lives.
    """

    currency: str = ""
    amounts: Mapping[uuid.UUID, int] = field(default_factory=dict)
    trials: int = 0
    is_possible: bool = True
    draws: tuple[DrawWorth, ...] = ()
    is_over: bool = False
    error: int = 0


def cached_worth(tournament: Tournament) -> WorthTable | None:
    """The table for the present state of the draw; None while a worker computes it, which this queues."""
    key = _cache_key(tournament)
    stored: WorthTable | None = cache.get(key)
    if stored is not None:
        return stored
    if cache.add(f"{key}-queued", 1, timeout=SECONDS_QUEUED):
        queue.enqueue_worth(tournament.pk)
    return None


def compute_and_cache(tournament_id: uuid.UUID) -> None:
    """Computes the table once for each state of the draw, and tells the open pages of the event's staff."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None or cache.get(key := _cache_key(tournament)) is not None:
        return
    cache.set(key, compute_worth(tournament), timeout=SECONDS_CACHED)
    publish.publish_changes({channels.private_channel(tournament.event_id): 0})


def _cache_key(tournament: Tournament) -> str:
    """Changes with every result, running score, charge and rule of the prizes."""
    matches = Match.objects.filter(pairing__round__bracket__tournament=tournament)
    versions = matches.aggregate(number=Count("pk"), sum=Sum("version"))
    state = json.dumps([stamps_of([tournament])[tournament.pk], versions, str(tournament.pk)])
    return f"worth-3-{sha256(state.encode()).hexdigest()[:32]}"


def compute_worth(tournament: Tournament) -> WorthTable:
    """The same state of the draw gives the same amounts: the seed is the tournament's id."""
    structure = structure_of(tournament)
    if structure is None:
        return WorthTable()
    sheet = storage.read(tournament)
    entries = {row.pk: row for row in Entry.objects.filter(tournament=tournament).select_related("player")}
    awards = _Awards(tournament, structure, sheet, entries)
    agreed = agreed_differences(current_settlements(tournament), sheet.facts.decisions)
    if draws := draws_of_last_lives(tournament, structure, sheet, entries, awards.pots):
        rounded = tuple(DrawWorth(row.pairs, row.bye, _round_amounts(row.amounts, agreed)) for row in draws)
        return WorthTable(structure.currency, _round_amounts(mean_amounts(draws), agreed), draws=rounded)
    seed = random.Random(str(tournament.pk))  # noqa: S311 (a sample, no secret)
    chances = Chances(sheet, entries)
    matches, is_whole = open_matches(sheet, sheet.seated())
    if not is_whole or not is_over(awards.complete(next(outcomes(matches, chances))[0])):
        worth = _worth_of_rounds(awards, LaterRounds(tournament, sheet, chances, seed))
    elif not matches:
        return WorthTable(structure.currency, is_over=True)
    else:
        trials = SLOW_TRIALS if awards.is_slow else POOL_TRIALS if structure.pools else TRIALS
        worth = expected_awards(matches, chances, awards, seed, trials)
    if worth is None:
        return WorthTable(structure.currency, is_possible=False)
    amounts = _round_amounts(worth.amounts, agreed)
    return WorthTable(structure.currency, amounts, worth.trials, error=worth.error)


def _worth_of_rounds(awards: "_Awards", later_rounds: LaterRounds) -> Worth[uuid.UUID] | None:
    """None if a simulated end leaves places open: then the rest is not paired by rounds."""
    if not is_over(later_rounds()):
        return None
    trials = max(2, ENTRIES_OF_ALL_TRIALS // len(awards.entrants))
    return mean_of(awards.of_places(later_rounds()) for _trial in range(trials))


def _round_amounts(
    amounts: Mapping[uuid.UUID, Fraction], agreed: Mapping[uuid.UUID, int]
) -> dict[uuid.UUID, int]:
    """Minor units with what players agreed on in settled matches."""
    sums = {entry: round(minor) for entry, minor in amounts.items()}
    for entry, minor in agreed.items():
        sums[entry] = sums.get(entry, 0) + minor
    return {entry: minor for entry, minor in sums.items() if minor}


class _Awards:
    """The awards after a simulated end of the draw.

    In a bracket the places of a player follow from the match in which the player is out, so they are learned from one
    complete end. Rules that look at who it is, or at records, compute every end completely.
    """

    def __init__(
        self,
        tournament: Tournament,
        structure: PrizeStructure,
        sheet: Sheet,
        entries: Mapping[uuid.UUID, Entry],
    ) -> None:
        self.tournament, self.structure, self.sheet = tournament, structure, sheet
        self.entrants = entrants_of(entries.values())
        self.pots = paid_into_pots(tournament, structure.currency)
        self.staying: dict[int, frozenset[Outcome]] = {}
        self.learned: dict[Exit, int] = {}
        self.places: dict[Exit, tuple[str, Place[uuid.UUID]]] = {}
        self.fixed: Counter[uuid.UUID] = Counter()
        self.fixed_places: dict[str, list[Place[uuid.UUID]]] = {}
        self.families = {key: family_of(row.bracket) for key, row in sheet.rows.items()}

    @cached_property
    def is_slow(self) -> bool:
        parts = self.structure.parts
        tables = any(row.bracket.startswith("group") for row in self.sheet.rows.values() if not row.settled)
        is_personal = self.structure.condition is not None or any(part.feat for part in parts)
        return is_personal or self.structure.bubble or tables

    def __call__(self, results: Results) -> dict[uuid.UUID, int]:
        if self.is_slow:
            return self.of_places(self.complete(results))
        exits = list(self._exits(results))
        if any(spot not in self.learned for _entry, spot in exits):
            self._learn(results, exits)
        totals = Counter(self.fixed)
        for entry, spot in exits:
            if minor := self.learned[spot]:
                totals[entry] += minor
        if self.structure.pools:
            totals.update(self._pool_awards(exits))
        return totals

    def _exits(self, results: Results) -> Iterator[tuple[uuid.UUID, Exit]]:
        """Each entry with the match after which it plays no more in the same list of places."""
        for key, (winner, loser, is_left_winner) in results.items():
            stays = self.staying.get(key)
            if stays is None:
                stays = self._stays(key)
            if winner is not None and Outcome.WINNER not in stays:
                yield winner, (key, True)
            plays_again = Outcome.FIRST_LOSS in stays and not is_left_winner
            if loser is not None and Outcome.LOSER not in stays and not plays_again:
                yield loser, (key, False)

    def _stays(self, key: int) -> frozenset[Outcome]:
        """The outcomes of this match with which a player goes on within the same list of places."""
        stays = {
            feed.outcome
            for feed in self.sheet.graph.feeds_from(key)
            if self.families[feed.target] == self.families[key]
        }
        return self.staying.setdefault(key, frozenset(stays))

    def complete(self, results: Results) -> dict[str, PlaceList]:
        facts = self.sheet.facts
        assumed = facts._replace(decisions={**facts.decisions, **assumed_decisions(results)})
        return list_places(self.tournament, self.sheet, (assumed, resolve(self.sheet.graph, *assumed)))

    def of_places(self, lists: Mapping[str, PlaceList]) -> dict[uuid.UUID, int]:
        return dict(_sums(placed_awards(self.structure, self.pots, lists, self.entrants)))

    def _learn(self, results: Results, exits: Sequence[tuple[uuid.UUID, Exit]]) -> None:
        lists = self.complete(results)
        main_only = replace(self.structure, pools=())
        others = {pool.key for pool in self.structure.pools}
        pots = {key: minor for key, minor in self.pots.items() if key not in others}
        by_list: Counter[tuple[uuid.UUID, str]] = Counter()
        for award in placed_awards(main_only, pots, lists, self.entrants):
            key = award.line.rpartition(" ")[0] if award.pot == MAIN_POT else award.pot
            by_list[award.entry, PLAY_OFF if key == FINAL_RANKING else key] += award.minor
        rows = {(row.entry, key): row for key, places in lists.items() for row in places.places}
        for entry, spot in exits:
            family = self.families[spot[0]]
            self.learned[spot] = by_list.pop((entry, family), 0)
            if (entry, family) in rows:
                self.places[spot] = (family, rows.pop((entry, family)))
        self.fixed = Counter()
        for (entry, _key), minor in by_list.items():
            self.fixed[entry] += minor
        self.fixed_places = {key: [] for key in lists}
        for (_entry, key), row in rows.items():
            self.fixed_places[key].append(row)

    def _pool_awards(self, exits: Sequence[tuple[uuid.UUID, Exit]]) -> Counter[uuid.UUID]:
        places = {key: list(rows) for key, rows in self.fixed_places.items()}
        for entry, spot in exits:
            if spot in self.places:
                key, row = self.places[spot]
                places[key].append(replace(row, entry=entry))
        pots = {pool.key: self.pots.get(pool.key, 0) for pool in self.structure.pools}
        return _sums(awards_of(replace(self.structure, parts=()), pots, places, self.entrants))


def _sums(awards: Sequence[Award[uuid.UUID]]) -> Counter[uuid.UUID]:
    totals: Counter[uuid.UUID] = Counter()
    for award in awards:
        totals[award.entry] += award.minor
    return totals
