"""Pairing free players of an event with lives while others still play, and never at the price of a dead end.

An event is called completable when, however the matches under way end, all who are then still in can be paired once
more without a rematch, one of them waiting where they are odd. While others play, two free players are seated only if
they have not met and the event is proven to stay completable, or was proven not to be even if they wait. When nobody
plays, the free ones are a round, and it is paired with as few rematches as can be. So somebody plays until the event
is over, every match takes a life, and the event comes to its end.

What holds after the next pairing is not looked at: near the end of every lives event rematches cannot be avoided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from typing import Final, Generic

from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Aims, Contender, PairingError
from tournament.draw.pairing.lives import LivesRules, is_over, still_in
from tournament.draw.pairing.matching import cheapest_pairs
from tournament.draw.pairing.rounds import PairMade, pair_round

MATCHES_TRIED: Final = 8
"""So many matches that may put somebody out are tried with every result, 2 to this power."""


class Proof(StrEnum):
    """What is known of a claim."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class LivesMoment(Generic[EntryId]):
    """An event with lives at one moment: everybody's record so far, and the open matches.

    A player has two open matches where an earlier result was taken back after the next pairing.
    Raises PairingError where a player of an open match is out.
    """

    contenders: tuple[Contender[EntryId], ...]
    rules: LivesRules
    open_matches: tuple[tuple[EntryId, EntryId], ...] = ()

    def __post_init__(self) -> None:
        seated = [entry for pair in self.open_matches for entry in pair]
        if not {one.entry for one in still_in(self.contenders, self.rules)}.issuperset(seated):
            raise PairingError("Somebody plays who is not in the event any more.")

    def free_contenders(self) -> list[Contender[EntryId]]:
        seated = {entry for pair in self.open_matches for entry in pair}
        return [one for one in still_in(self.contenders, self.rules) if one.entry not in seated]

    def with_pairs(self, pairs: tuple[tuple[EntryId, EntryId], ...]) -> LivesMoment[EntryId]:
        """The same moment with these free players seated as well. Raises PairingError for one who is not free."""
        seated = [entry for pair in pairs for entry in pair]
        if len(set(seated)) < len(seated) or not {one.entry for one in self.free_contenders()}.issuperset(
            seated
        ):
            raise PairingError("A player who is to be seated is not free.")
        return LivesMoment(self.contenders, self.rules, (*self.open_matches, *pairs))


@dataclass(frozen=True, slots=True)
class FreePairing(Generic[EntryId]):
    """Who starts to play now, and who of the free ones waits."""

    pairs: tuple[PairMade[EntryId], ...]
    waiting: tuple[EntryId, ...]


def pair_free(moment: LivesMoment[EntryId], aims: Aims, seed_text: str) -> FreePairing[EntryId]:
    """Pairs for the free players, as many as may be seated now; nobody is paired once the event is over."""
    free = moment.free_contenders()
    if is_over(moment.contenders, moment.rules):
        return FreePairing((), tuple(one.entry for one in free))
    pairs = pair_round(free, aims_for_free_players(aims), seed_text).pairs
    if moment.open_matches:
        pairs = _pairs_allowed_now(moment, [pair for pair in pairs if not pair.cost.tiers.rematches])
    seated = {entry for pair in pairs for entry in (pair.left, pair.right)}
    return FreePairing(pairs, tuple(one.entry for one in free if one.entry not in seated))


def aims_for_free_players(aims: Aims) -> Aims:
    """The aims among free players: one of an odd number waits instead of having a bye."""
    return replace(aims, byes_first=False)


def may_pair_now(moment: LivesMoment[EntryId], pairs: tuple[tuple[EntryId, EntryId], ...]) -> bool:
    """Whether these free players may be seated against each other at this moment.

    Raises PairingError where one of them is not free.
    """
    later = moment.with_pairs(pairs)
    if not moment.open_matches:
        return True
    opponents_of = _opponents_of(moment)
    if any(right in opponents_of[left] for left, right in pairs):
        return False
    return prove_completable(later) == Proof.PROVEN or prove_completable(moment) == Proof.REFUTED


def prove_completable(moment: LivesMoment[EntryId]) -> Proof:
    """Whether all who are left when the matches under way have ended can be paired without a rematch.

    Proven for a field in which nobody can have met half of those left: by Dirac's theorem the pairs not yet met then
    hold a circle through everybody, and every other step of it is a pairing. Otherwise every result of the matches
    that may put somebody out is tried; where these are too many the claim stays open.
    """
    opponents_of = _opponents_of(moment)
    lives_left = {
        one.entry: moment.rules.lives - one.losses for one in still_in(moment.contenders, moment.rules)
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
    """These pairs, or what is left of them when the dearest wait until the others may be seated."""
    while pairs and not may_pair_now(moment, tuple((pair.left, pair.right) for pair in pairs)):
        pairs.remove(max(pairs, key=lambda pair: pair.cost.tiers))
    return tuple(pairs)


def _opponents_of(moment: LivesMoment[EntryId]) -> dict[EntryId, set[EntryId]]:
    """Whom everybody has met, whoever of the two knows it; those under way are meeting."""
    opponents_of: dict[EntryId, set[EntryId]] = {one.entry: set() for one in moment.contenders}
    meetings = [(one.entry, other) for one in moment.contenders for other in one.opponents]
    for one, other in (*meetings, *moment.open_matches):
        opponents_of[one].add(other)
        if other in opponents_of:
            opponents_of[other].add(one)
    return opponents_of


def _possible_losers(
    deciding: list[tuple[EntryId, EntryId]], lives_left: Mapping[EntryId, int]
) -> Iterator[set[EntryId]]:
    """The players who are out, for all ways in which these matches can end."""
    for losers in product(*deciding):
        yield {entry for entry, lost in Counter(losers).items() if lost >= lives_left[entry]}


def _can_be_paired(entries: list[EntryId], opponents_of: dict[EntryId, set[EntryId]]) -> bool:
    edges = [
        (one, other, 0)
        for one, other in combinations(range(len(entries)), 2)
        if entries[other] not in opponents_of[entries[one]]
    ]
    return len(cheapest_pairs(len(entries), edges)) == len(entries) // 2
