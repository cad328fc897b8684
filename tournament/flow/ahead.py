"""Rounds that nobody has paired yet, as matches: all of a round start when all of the round before has ended.

How many rounds an event with lives takes is left to chance: everybody meets the neighbour by losses, and either may
lose. Whoever is paired while others still play is earlier than this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tournament.draw.pairing import LivesRules, Stop
from tournament.flow.chances import Chance
from tournament.flow.moment import Growing, Moment
from tournament.flow.open_matches import Known, OpenMatch, Part

LONGEST: Final = 200
"""Rounds after which nobody asks any more."""


def with_rounds_ahead(moment: Moment, chance: Chance) -> tuple[OpenMatch[Any], ...]:
    """Every match to come, those of rounds not paired yet included, in an order that `Moment` promises."""
    found = list(moment.matches)
    for growing in moment.growing:
        before = tuple(one.key for one in found if one.part[:2] == (growing.tournament, growing.bracket))
        open_now = len(before)
        for ahead, matches in enumerate(_matches_a_round(growing, open_now, chance), start=1):
            part = growing.part(ahead)
            known = Known(growing.length(ahead))
            new = [
                OpenMatch((part, line), part, known, before, earliest=growing.earliest)
                for line in range(1, matches + 1)
            ]
            found += new
            before = tuple(one.key for one in new)
    return tuple(found)


def _matches_a_round(growing: Growing, open_now: int, chance: Chance) -> Iterator[int]:
    """How many matches each round to come has."""
    if growing.lives is None:
        yield from [len(growing.losses) // 2] * growing.rounds
        return
    losses = list(growing.losses)
    _lose(losses, open_now, chance)
    played = growing.last
    while not _is_over(losses, growing.lives, played) and played < LONGEST:
        matches = sum(one < growing.lives.lives for one in losses) // 2
        yield matches
        losses = [one for one in losses if one < growing.lives.lives]
        _lose(losses, matches, chance)
        played += 1


def _lose(losses: list[int], matches: int, chance: Chance) -> None:
    """So many matches between neighbours by losses, each lost by one of the two."""
    losses.sort(key=lambda one: (one, chance.random()))
    for number in range(matches):
        losses[2 * number + (chance.random() < 0.5)] += 1


def _is_over(losses: list[int], rules: LivesRules, played: int) -> bool:
    left = [one for one in losses if one < rules.lives]
    if len(left) <= 1:
        return True
    if rules.stop == Stop.BELOW:
        return sum(one < rules.lives - 1 for one in left) == 1
    return rules.stop == Stop.ROUNDS and played >= rules.rounds


def parts_ahead(moment: Moment) -> tuple[Part, ...]:
    """The first round to come of each bracket that grows."""
    return tuple(one.part(1) for one in moment.growing if one.lives is not None or one.rounds > 0)
