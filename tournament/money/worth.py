"""The prize money that each remaining player can expect, by the rest of the draw. Reads only; a worker computes it."""

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from django.core.cache import cache
from django.db.models import Count, Sum

from matches.models import Match
from tournament.brackets import storage
from tournament.live import channels
from tournament.models import Entry, Tournament
from tournament.money.agreed_prizes import agreed_differences, current_settlements
from tournament.money.award_stamps import stamps_of
from tournament.money.due_awards import entrants_of, structure_of
from tournament.money.open_matches import Chances, open_matches
from tournament.money.pots import paid_into_pots
from tournament.money.worth_of_ends import AwardsByExit, CompleteEnds, depends_on_records
from tournament.money.worth_of_lives import draws_of_last_lives, mean_amounts
from tournament.money.worth_of_rounds import LaterRounds
from tournament.places.certain import is_over, place_rules
from tournament.prizes.worth import (
    Worth,
    expected_awards,
    mean_of,
    outcomes,
)
from tournament.runtime import publish, queue

SECONDS_CACHED = 24 * 60 * 60
SECONDS_QUEUED = 20
"""After this time without a result, a page queues the computation again."""
SLOW_TRIALS, POOL_TRIALS, TRIALS = 100, 500, 1000
ENTRIES_OF_ALL_TRIALS = 2560
"""Simulated entries over all ends that pair their rounds: at most 40 ends of 64 players."""
PRECISE = 100
"""A standard error of this part of the pots is small enough to end a sample early."""


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
    pots = paid_into_pots(tournament, structure.currency)
    ends = CompleteEnds(
        place_rules(tournament), sheet, structure, pots, entrants_of(tournament, entries.values())
    )
    agreed = agreed_differences(current_settlements(tournament), sheet.facts.decisions)
    if draws := draws_of_last_lives(tournament, structure, sheet, entries, pots):
        rounded = tuple(DrawWorth(row.pairs, row.bye, _round_amounts(row.amounts, agreed)) for row in draws)
        return WorthTable(structure.currency, _round_amounts(mean_amounts(draws), agreed), draws=rounded)
    seed = random.Random(str(tournament.pk))  # noqa: S311 (a sample, no secret)
    chances = Chances(sheet, entries)
    matches, is_whole = open_matches(sheet, sheet.seated())
    if not is_whole or not is_over(ends.lists_of_places(next(outcomes(matches, chances))[0])):
        worth = _worth_of_rounds(ends, LaterRounds(tournament, sheet, chances, seed))
    elif not matches:
        return WorthTable(structure.currency, is_over=True)
    elif depends_on_records(structure, sheet):
        worth = expected_awards(matches, chances, ends, seed, SLOW_TRIALS)
    else:
        trials = POOL_TRIALS if structure.pools else TRIALS
        worth = expected_awards(matches, chances, AwardsByExit(ends), seed, trials)
    if worth is None:
        return WorthTable(structure.currency, is_possible=False)
    amounts = _round_amounts(worth.amounts, agreed)
    return WorthTable(structure.currency, amounts, worth.trials, error=worth.error)


def _worth_of_rounds(ends: CompleteEnds, later_rounds: LaterRounds) -> Worth[uuid.UUID] | None:
    """None if a simulated end leaves places open: then the rest is not paired by rounds."""
    if not is_over(later_rounds()):
        return None
    trials = max(2, ENTRIES_OF_ALL_TRIALS // len(ends.entrants))
    samples = (ends.awards_of_lists(later_rounds()) for _trial in range(trials))
    return mean_of(samples, sum(ends.pots.values()) // PRECISE)


def _round_amounts(
    amounts: Mapping[uuid.UUID, Fraction], agreed: Mapping[uuid.UUID, int]
) -> dict[uuid.UUID, int]:
    """Minor units with what players agreed on in settled matches."""
    sums = {entry: round(minor) for entry, minor in amounts.items()}
    for entry, minor in agreed.items():
        sums[entry] = sums.get(entry, 0) + minor
    return {entry: minor for entry, minor in sums.items() if minor}
