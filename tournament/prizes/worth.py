"""The prize money that each player can expect, by every outcome of the rest or by a random sample. Pure.

Chances are integers out of `CERTAIN`, so that a seeded sample gives the same amounts on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

EntryT = TypeVar("EntryT", bound=Hashable)
CERTAIN: Final = 1000
MOST_EXACT: Final = 8
"""With this number of matches or fewer, all outcomes are computed instead of a sample."""
TRIALS: Final = 2000
LEAST_TRIALS: Final = 50
"""Samples that are taken before a small standard error can be trusted."""


class Taken(Enum):
    """The player whom an earlier match sends on. FIRST_LOSS: the loser, if it sat on the left, else nobody."""

    WINNER = "winner"
    LOSER = "loser"
    FIRST_LOSS = "first_loss"


class FromMatch(NamedTuple):
    key: Hashable
    taken: Taken


Seat: TypeAlias = "EntryT | FromMatch | None"
"""An entry, the player whom an earlier match sends on, or None for a bye."""


@dataclass(frozen=True, slots=True)
class RemainingMatch(Generic[EntryT]):
    key: Hashable
    left: Seat[EntryT]
    right: Seat[EntryT]


class Played(NamedTuple, Generic[EntryT]):
    """The winner and the loser of a match. The loser is None after a bye, both are None without players."""

    winner: EntryT | None
    loser: EntryT | None
    is_left_winner: bool


Results: TypeAlias = "dict[Any, Played[EntryT]]"
Chance: TypeAlias = "Callable[[Any, EntryT, EntryT], int]"
"""The chance, out of CERTAIN, of the left player in this match."""
Awards: TypeAlias = "Callable[[Mapping[Any, Played[EntryT]]], Mapping[EntryT, int]]"
"""The minor units of each entry once all matches ended so."""


class RandomSource(Protocol):
    def random(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Worth(Generic[EntryT]):
    """Expected minor units by entry, as fractions. `trials` is 0 if the amounts are exact.

    `error` is the largest standard error of the amounts of a sample, in minor units.
    """

    amounts: Mapping[EntryT, Fraction]
    trials: int = 0
    error: int = 0


def mean_of(samples: Iterable[Mapping[EntryT, int]], enough: int = -1) -> Worth[EntryT]:
    """The mean of the minor units of each entry over two or more samples.

    Takes no more samples once the standard error is `enough` minor units or less.
    """
    totals: Counter[EntryT] = Counter()
    squares: Counter[EntryT] = Counter()
    trials = 0
    for sample in samples:
        trials += 1
        totals.update(sample)
        squares.update({entry: minor * minor for entry, minor in sample.items()})
        can_end = enough >= 0 and trials >= LEAST_TRIALS
        if can_end and _standard_error(totals, squares, trials) <= enough:
            break
    amounts = {entry: Fraction(minor, trials) for entry, minor in totals.items()}
    return Worth(amounts, trials, _standard_error(totals, squares, trials))


def _standard_error(totals: Counter[EntryT], squares: Counter[EntryT], trials: int) -> int:
    """The largest of all entries."""
    spread = max((trials * squares[entry] - minor * minor for entry, minor in totals.items()), default=0)
    return math.isqrt(spread // (trials - 1)) // trials


def expected_awards(
    matches: Sequence[RemainingMatch[EntryT]],
    chance: Chance[EntryT],
    awards: Awards[EntryT],
    random: RandomSource,
    trials: int = TRIALS,
) -> Worth[EntryT]:
    """The matches are in an order in which every match follows those that fill its seats."""
    if len(matches) <= MOST_EXACT:
        return Worth(_weighted((awards(results), weight) for results, weight in outcomes(matches, chance)))
    return mean_of(
        awards(play_once(matches, lambda *pair: int(random.random() * CERTAIN) < chance(*pair)))
        for _trial in range(trials)
    )


def outcomes(
    matches: Sequence[RemainingMatch[EntryT]], chance: Chance[EntryT]
) -> Iterator[tuple[Results[EntryT], Fraction]]:
    """Yields every possible course of the matches with its chance."""
    yield from _continue(matches, chance, {}, Fraction(1))


def _continue(
    matches: Sequence[RemainingMatch[EntryT]],
    chance: Chance[EntryT],
    results: Results[EntryT],
    weight: Fraction,
) -> Iterator[tuple[Results[EntryT], Fraction]]:
    if len(results) == len(matches):
        yield dict(results), weight
        return
    match = matches[len(results)]
    left, right = _occupant(match.left, results), _occupant(match.right, results)
    share = CERTAIN if left is None or right is None else chance(match.key, left, right)
    for is_left, part in ((True, share), (False, CERTAIN - share)):
        if part:
            played = _result(left, right, is_left=is_left)
            more = results | {match.key: played}
            yield from _continue(matches, chance, more, weight * Fraction(part, CERTAIN))


def play_once(
    matches: Iterable[RemainingMatch[EntryT]], left_wins: Callable[[Hashable, EntryT, EntryT], bool]
) -> Results[EntryT]:
    """One course of the matches."""
    results: Results[EntryT] = {}
    for match in matches:
        left, right = _occupant(match.left, results), _occupant(match.right, results)
        is_left = left is None or right is None or left_wins(match.key, left, right)
        results[match.key] = _result(left, right, is_left=is_left)
    return results


def _result(left: EntryT | None, right: EntryT | None, *, is_left: bool) -> Played[EntryT]:
    if left is None:
        return Played(right, None, is_left_winner=False)
    if right is None:
        return Played(left, None, is_left_winner=True)
    return Played(left, right, is_left_winner=True) if is_left else Played(right, left, is_left_winner=False)


def _occupant(seat: Any, results: Mapping[Hashable, Played[EntryT]]) -> EntryT | None:
    if not isinstance(seat, FromMatch):
        return seat  # type: ignore[no-any-return]
    winner, loser, is_left_winner = results[seat.key]
    if seat.taken is Taken.WINNER:
        return winner
    return None if seat.taken is Taken.FIRST_LOSS and is_left_winner else loser


def _weighted(weighted: Iterable[tuple[Mapping[EntryT, int], Fraction]]) -> dict[EntryT, Fraction]:
    amounts: dict[EntryT, Fraction] = {}
    for awards, weight in weighted:
        for entry, minor in awards.items():
            amounts[entry] = amounts.get(entry, Fraction(0)) + minor * weight
    return amounts
