"""Pairs free players of a lives event while others still play, without leading to a dead end.

An event is completable if, for every result of the open matches, all players who are then in can be paired once more
without a rematch, with one of an odd number waiting. While others play, two free players are seated only if they have
not met and the event provably stays completable, or is provably not completable even if they wait. When nobody plays,
the free players are paired as a round with as few rematches as possible. So somebody plays until the event is over,
every match takes a life, and the event ends.

Later pairings are not examined: near the end of every lives event rematches cannot be avoided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from typing import Final, Generic

from rules.translation import gettext_noop
from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Contender, PairingError
from tournament.draw.pairing.lives import LivesRules, is_over, still_in
from tournament.draw.pairing.matching import cheapest_pairs
from tournament.draw.pairing.rounds import PairMade, pair_round

MATCHES_TRIED: Final = 8
"""All results of up to this number of deciding matches are tried: 2 to this power."""


class Proof(StrEnum):
    """The state of knowledge about a claim."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class LivesMoment(Generic[EntryId]):
    """A lives event at one moment: the record of every player and the open matches.

    A player has two open matches if an earlier result was taken back after the next pairing. Raises PairingError if a
    player of an open match is out.
    """

    contenders: tuple[Contender[EntryId], ...]
    rules: LivesRules
    open_matches: tuple[tuple[EntryId, EntryId], ...] = ()

    def __post_init__(self) -> None:
        seated = [entry for pair in self.open_matches for entry in pair]
        if not {contender.entry for contender in still_in(self.contenders, self.rules)}.issuperset(seated):
            raise PairingError(gettext_noop("A player of an open match is no longer in the event."))

    def free_contenders(self) -> list[Contender[EntryId]]:
        seated = {entry for pair in self.open_matches for entry in pair}
        return [
            contender for contender in still_in(self.contenders, self.rules) if contender.entry not in seated
        ]

    def with_pairs(self, pairs: tuple[tuple[EntryId, EntryId], ...]) -> LivesMoment[EntryId]:
        """Returns the moment with these free players seated as well.

        Raises PairingError for a player who is not free.
        """
        seated = [entry for pair in pairs for entry in pair]
        if len(set(seated)) < len(seated) or not {
            contender.entry for contender in self.free_contenders()
        }.issuperset(seated):
            raise PairingError(gettext_noop("A player who is to be seated is not free."))
        return LivesMoment(self.contenders, self.rules, (*self.open_matches, *pairs))


@dataclass(frozen=True, slots=True)
class FreePairing(Generic[EntryId]):
    """The pairs that start now, and the free players who wait."""

    pairs: tuple[PairMade[EntryId], ...]
    waiting: tuple[EntryId, ...]


def pair_free(moment: LivesMoment[EntryId], aims: Aims, seed_text: str) -> FreePairing[EntryId]:
    """Pairs as many free players as may be seated now; none once the event is over."""
    free = moment.free_contenders()
    if is_over(moment.contenders, moment.rules):
        return FreePairing((), tuple(contender.entry for contender in free))
    pairs = pair_round(free, aims_for_free_players(aims), seed_text).pairs
    if moment.open_matches:
        new_pairs = [
            pair for pair in pairs if not pair.cost.tiers.rematches and not pair.cost.tiers.kept_apart
        ]
        pairs = _pairs_allowed_now(moment, new_pairs)
    seated = {entry for pair in pairs for entry in (pair.left, pair.right)}
    return FreePairing(pairs, tuple(contender.entry for contender in free if contender.entry not in seated))


def aims_for_free_players(aims: Aims) -> Aims:
    """Returns the aims among free players, where one of an odd number waits and has no bye."""
    return replace(aims, byes_first=False)


def may_pair_now(moment: LivesMoment[EntryId], pairs: tuple[tuple[EntryId, EntryId], ...]) -> bool:
    """Returns True if these free players may be seated against each other now.

    Raises PairingError if one of them is not free.
    """
    later = moment.with_pairs(pairs)
    if not moment.open_matches:
        return True
    opponents_of = _opponents_of(moment)
    if any(right in opponents_of[left] for left, right in pairs):
        return False
    return prove_completable(later) == Proof.PROVEN or prove_completable(moment) == Proof.REFUTED


def prove_completable(moment: LivesMoment[EntryId]) -> Proof:
    """Returns whether all players left after the open matches can be paired without a rematch.

    Proven if no player can have met half of those left: by Dirac's theorem the pairs that have not met then contain a
    perfect matching. Otherwise every result of the matches that may eliminate a player is tried. The claim stays open
    if there are too many.
    """
    opponents_of = _opponents_of(moment)
    lives_left = {
        contender.entry: moment.rules.lives - contender.losses
        for contender in still_in(moment.contenders, moment.rules)
    }
    seats = Counter(entry for pair in moment.open_matches for entry in pair)
    at_risk = {entry for entry, lives in lives_left.items() if seats[entry] >= lives}
    deciding = [pair for pair in moment.open_matches if at_risk.intersection(pair)]
    still_playing = list(lives_left)
    most_met = max(
        (len(opponents_of[entry].intersection(still_playing)) for entry in still_playing), default=0
    )
    fewest_left = len(still_playing) - len(deciding)
    if fewest_left - fewest_left % 2 >= 2 * most_met + 2:
        return Proof.PROVEN
    if len(deciding) > MATCHES_TRIED:
        return Proof.OPEN
    for eliminated in _possible_losers(deciding, lives_left):
        remaining = [entry for entry in still_playing if entry not in eliminated]
        if len(remaining) > 1 and not _can_be_paired(remaining, opponents_of):
            return Proof.REFUTED
    return Proof.PROVEN


def _pairs_allowed_now(
    moment: LivesMoment[EntryId], pairs: list[PairMade[EntryId]]
) -> tuple[PairMade[EntryId], ...]:
    """Returns these pairs, without the costliest ones until the rest may be seated."""
    while pairs and not may_pair_now(moment, tuple((pair.left, pair.right) for pair in pairs)):
        pairs.remove(max(pairs, key=lambda pair: pair.cost.tiers))
    return tuple(pairs)


def _opponents_of(moment: LivesMoment[EntryId]) -> dict[EntryId, set[EntryId]]:
    """Returns the opponents of every player, including those of open matches. One of the two records is enough."""
    opponents_of: dict[EntryId, set[EntryId]] = {contender.entry: set() for contender in moment.contenders}
    meetings = [
        (contender.entry, opponent) for contender in moment.contenders for opponent in contender.opponents
    ]
    for entry, opponent in (*meetings, *moment.open_matches):
        opponents_of[entry].add(opponent)
        if opponent in opponents_of:
            opponents_of[opponent].add(entry)
    return opponents_of


def _possible_losers(
    deciding: list[tuple[EntryId, EntryId]], lives_left: Mapping[EntryId, int]
) -> Iterator[set[EntryId]]:
    """Yields the eliminated players for every result of these matches."""
    for losers in product(*deciding):
        yield {entry for entry, lost in Counter(losers).items() if lost >= lives_left[entry]}


def _can_be_paired(entries: list[EntryId], opponents_of: dict[EntryId, set[EntryId]]) -> bool:
    edges = [
        (first, second, 0)
        for first, second in combinations(range(len(entries)), 2)
        if entries[second] not in opponents_of[entries[first]]
    ]
    return len(cheapest_pairs(len(entries), edges)) == len(entries) // 2
