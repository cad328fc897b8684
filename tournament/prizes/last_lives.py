"""The prize money that the last players with lives can expect, for each possible draw of the next round. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Generic, TypeVar

from tournament.prizes.worth import CERTAIN

EntryT = TypeVar("EntryT", bound=Hashable)
THREE = 3


@dataclass(frozen=True, slots=True)
class PossibleDraw(Generic[EntryT]):
    """The pairs of the next round, who has a bye, and the expected minor units of every player then."""

    pairs: tuple[tuple[EntryT, EntryT], ...]
    bye: EntryT | None
    amounts: Mapping[EntryT, Fraction]


class LastLives(Generic[EntryT]):
    """Every pair is equally likely in each round. Players who lose their last life in the same round share places.

    `prizes` are those of places 1, 2, ... `pair_of_three` is what each of the two gets who play when, for the first
    time, three are left and one has a bye. `chance` is that of the first player, out of CERTAIN.
    """

    def __init__(
        self, prizes: Sequence[int], pair_of_three: int, chance: Callable[[EntryT, EntryT], int]
    ) -> None:
        self.prizes, self.pair_of_three, self.chance = prizes, pair_of_three, chance
        self.expected_by_lives: dict[tuple[frozenset[tuple[EntryT, int]], bool], dict[EntryT, Fraction]] = {}

    def possible_draws(
        self, lives: Mapping[EntryT, int], *, is_bonus_paid: bool = False
    ) -> list[PossibleDraw[EntryT]]:
        """`lives` are those that each remaining player has left."""
        return [
            PossibleDraw(pairs, bye, self._after(dict(lives), pairs, bye, is_bonus_paid=is_bonus_paid))
            for pairs, bye in _draws(tuple(lives))
        ]

    def _expected(self, lives: Mapping[EntryT, int], *, is_bonus_paid: bool) -> dict[EntryT, Fraction]:
        if len(lives) <= 1:
            return {entry: Fraction(self._prize(1)) for entry in lives}
        state = (frozenset(lives.items()), is_bonus_paid)
        if state not in self.expected_by_lives:
            draws = self.possible_draws(lives, is_bonus_paid=is_bonus_paid)
            self.expected_by_lives[state] = {
                entry: sum((draw.amounts[entry] for draw in draws), Fraction(0)) / len(draws)
                for entry in lives
            }
        return self.expected_by_lives[state]

    def _after(
        self,
        lives: dict[EntryT, int],
        pairs: Sequence[tuple[EntryT, EntryT]],
        bye: EntryT | None,
        *,
        is_bonus_paid: bool,
    ) -> dict[EntryT, Fraction]:
        """The expectation of each player once this round is drawn: the mean over the winners of its pairs."""
        amounts = dict.fromkeys(lives, Fraction(0))
        has_bonus = bye is not None and len(lives) == THREE and not is_bonus_paid
        if has_bonus:
            for entry in pairs[0]:
                amounts[entry] += self.pair_of_three
        for losers in product(*pairs):
            weight = Fraction(1)
            for (first, second), loser in zip(pairs, losers, strict=True):
                share = self.chance(first, second)
                weight *= Fraction(CERTAIN - share if loser == first else share, CERTAIN)
            left = {entry: own - (entry in losers) for entry, own in lives.items()}
            for entry, minor in self._ended(left, is_bonus_paid=is_bonus_paid or has_bonus).items():
                amounts[entry] += weight * minor
        return amounts

    def _ended(self, lives: Mapping[EntryT, int], *, is_bonus_paid: bool) -> dict[EntryT, Fraction]:
        remaining = {entry: own for entry, own in lives.items() if own}
        out = [entry for entry, own in lives.items() if not own]
        places = range(len(remaining) + 1, len(lives) + 1)
        shared = Fraction(sum(map(self._prize, places)), len(out)) if out else Fraction(0)
        return {**dict.fromkeys(out, shared), **self._expected(remaining, is_bonus_paid=is_bonus_paid)}

    def _prize(self, place: int) -> int:
        return self.prizes[place - 1] if place <= len(self.prizes) else 0


def _draws(
    entries: tuple[EntryT, ...],
) -> Iterator[tuple[tuple[tuple[EntryT, EntryT], ...], EntryT | None]]:
    if len(entries) % 2:
        for bye in entries:
            others = tuple(entry for entry in entries if entry != bye)
            yield from ((pairs, bye) for pairs in _matchings(others))
        return
    yield from ((pairs, None) for pairs in _matchings(entries))


def _matchings(entries: tuple[EntryT, ...]) -> Iterator[tuple[tuple[EntryT, EntryT], ...]]:
    if not entries:
        yield ()
        return
    first, *others = entries
    for rival in others:
        rest = tuple(entry for entry in others if entry != rival)
        yield from (((first, rival), *more) for more in _matchings(rest))
