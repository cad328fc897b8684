"""Weights of pairs, and the pairs that can be part of an optimal pairing.

The weight of a pairing less the unavoidable cost of crossing levels is never negative: the square of a sum is at least
the sum of the squares, and the aims about the bye outweigh all crossings. So a pairing that costs `limit` more than the
unavoidable cost contains no pair that alone costs more than that. Heavier pairs can be left out without loss.

The same holds for unavoidable rematches. Of the players who have met everybody, two can meet each other and one can
have the bye. A pair with one of them is always a rematch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isqrt
from typing import Final, Generic, TypeAlias

from tournament.draw.graph import EntryId
from tournament.draw.pairing.contenders import Seeding
from tournament.draw.pairing.costs import REMATCHES_FIRST, Scale, Tiers
from tournament.draw.pairing.field import Field
from tournament.draw.pairing.matching import Edge

Reach: TypeAlias = Callable[[int], int]
"""For a gap beyond the unavoidable crossings: the largest distance of a pair from its seeding, or -1 if none is
allowed.
"""

OUT_OF_REACH: Final = -1


class Edges(Generic[EntryId]):
    """The pairs of a field. The bye is one more player, numbered after all others."""

    def __init__(self, field: Field[EntryId]) -> None:
        self.field = field
        self.bye = field.number
        self.fewest_byes = min((byes for byes, _ in field.byes), default=0)
        self.players = field.number + field.has_bye
        order = Tiers._fields if field.aims.byes_first else REMATCHES_FIRST
        self.scale = Scale(self._most(), self.players // 2, order)
        units = self.scale.units
        self.rematch, self.gap = units.rematches, units.gap
        self.shared_groups = [
            (unit, belonging)
            for is_asked, unit, belonging in (
                (field.aims.teams_apart, units.same_team, [contender.team for contender in field.contenders]),
                (field.aims.clubs_apart, units.same_club, [contender.club for contender in field.contenders]),
                (
                    field.aims.countries_apart,
                    units.same_country,
                    [contender.country for contender in field.contenders],
                ),
            )
            if is_asked
        ]
        self.is_slide = field.aims.seeding == Seeding.SLIDE
        self.forced_rematches = (self._number_who_met_everybody() - field.has_bye + 1) // 2
        self.must_pay = field.crossing_costs[-1] * self.gap if field.levels else 0
        self.must_pay += self.forced_rematches * self.rematch

    def in_window(self, window: int) -> Iterator[Edge]:
        """Yields all byes, and pairs at most `window` off their seeding and less than its square above the unavoidable
        gaps.
        """
        yield from self._between_levels(lambda beyond: window if beyond < window * window else OUT_OF_REACH)
        yield from self._byes()

    def least_outside(self, window: int) -> int:
        """Returns the least weight above the unavoidable cost of a pair outside this window."""
        alone = all(level.size == 1 for level in self.field.levels)
        gap = self.gap * window * window
        return gap if alone else min(gap, (window + 1) ** 2)

    def up_to(self, limit: int) -> Iterator[Edge]:
        """Yields at least all pairs whose weight is at most `limit` above the unavoidable cost."""

        def reach(beyond: int) -> int:
            rest = limit - beyond * self.gap
            return isqrt(rest) if rest >= 0 else OUT_OF_REACH

        yield from self._between_levels(reach)
        yield from self._byes()

    @property
    def highest_limit(self) -> int:
        """A limit for `up_to` that includes every pair."""
        return self.players * self.scale.weight(self._most())

    def tiers(self, first: int, second: int) -> Tiers:
        """Returns the cost of a pair, with `first` ordered before `second`, or of the bye."""
        return self.scale.tiers(
            self._bye_weight(first) if second == self.bye else self._weight(first, second)
        )

    def _between_levels(self, reach: Reach) -> Iterator[Edge]:
        levels, crossed = self.field.levels, self.field.crossing_costs
        for upper, high in enumerate(levels):
            for lower in range(upper, len(levels)):
                gap = (high.value - levels[lower].value) ** 2
                off = reach(gap - crossed[lower] + crossed[upper])
                if off == OUT_OF_REACH:
                    break
                yield from self._pairs_of_levels(upper, lower, off)

    def _pairs_of_levels(self, upper: int, lower: int, off: int) -> Iterator[Edge]:
        """Yields the pairs of two levels, or within one, that are at most `off` from their seeding."""
        high, low = self.field.levels[upper], self.field.levels[lower]
        gap = (high.value - low.value) ** 2 * self.gap
        for place in range(high.size):
            first = high.first + place
            met, apart = self.field.met[first], self.field.apart[first]
            ideal = low.first + self._ideal(upper, lower, place)
            start = max(ideal - off, first + 1 if upper == lower else low.first)
            for second in range(start, min(ideal + off + 1, low.first + low.size)):
                weight = gap + (second - ideal) ** 2
                if self.shared_groups or second in met or second in apart:
                    weight += self._extra_weight(first, second)
                yield first, second, weight

    def _ideal(self, upper: int, lower: int, place: int) -> int:
        """Returns the place in the lower level, from 0, of the opponent by seeding.

        Across levels the weakest of the upper level meets the strongest of the lower one; the others count back from
        there.
        """
        level = self.field.levels[upper]
        if upper != lower:
            return place + 1 - level.size
        if self.is_slide:
            return place + (level.size - level.up - level.down) // 2
        return level.up + level.size - 1 - level.down - place

    def _weight(self, first: int, second: int) -> int:
        field = self.field
        upper, lower = field.level_of[first], field.level_of[second]
        ideal = field.levels[lower].first + self._ideal(upper, lower, first - field.levels[upper].first)
        gap = (field.levels[upper].value - field.levels[lower].value) ** 2
        return gap * self.gap + (second - ideal) ** 2 + self._extra_weight(first, second)

    def _extra_weight(self, first: int, second: int) -> int:
        """Returns the weight of a pair kept apart, of earlier meetings, and of a shared team, club or country."""
        weight = self.field.met[first].get(second, 0) * self.rematch
        if second in self.field.apart[first]:
            weight += self.scale.units.kept_apart
        for unit, belonging in self.shared_groups:
            if belonging[first] and belonging[first] == belonging[second]:
                weight += unit
        return weight

    def _byes(self) -> Iterator[Edge]:
        if self.field.has_bye:
            for number in range(self.field.number):
                yield number, self.bye, self._bye_weight(number)

    def _bye_weight(self, number: int) -> int:
        field = self.field
        level = field.levels[field.level_of[number]]
        stronger_than = level.first + level.size - 1 - number
        second = field.byes[number][0] - self.fewest_byes
        return self.scale.weight(
            Tiers(second_byes=second, bye_above=field.bye_above[number], seeding=stronger_than**2)
        )

    def _number_who_met_everybody(self) -> int:
        others = self.field.number - 1
        return sum(len(met) == others for met in self.field.met) if others > 0 else 0

    def _most(self) -> Tiers:
        """Returns the largest cost of any pair in each aim."""
        field = self.field
        most_byes = max((byes for byes, _ in field.byes), default=0)
        values = [level.value for level in field.levels] or [0]
        largest = max((level.size for level in field.levels), default=1)
        return Tiers(
            kept_apart=int(any(field.apart)),
            rematches=max((times for met in field.met for times in met.values()), default=0),
            second_byes=most_byes - self.fewest_byes if field.has_bye else 0,
            bye_above=max(field.bye_above, default=0) if field.has_bye else 0,
            gap=(max(values) - min(values)) ** 2,
            same_team=int(field.aims.teams_apart),
            same_club=int(field.aims.clubs_apart),
            same_country=int(field.aims.countries_apart),
            seeding=(2 * largest) ** 2 if largest > 1 else 0,
        )
