"""Rounds that nobody has paired yet, as matches: all of a round start when all of the round before has ended.

How many rounds an event with lives takes is left to chance: everybody meets the neighbour by losses, and either may
lose. Whoever is paired while others still play is earlier than this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tournament.draw.pairing import LivesRules, Stop
from tournament.forecast.chances import Chance
from tournament.forecast.moment import Growing, Key, Moment
from tournament.forecast.open_matches import EVEN, Known, OpenMatch, Part

SIDES: Final = 2
LONGEST: Final = 200
"""Rounds after which nobody asks any more."""


def with_rounds_ahead(moment: Moment, chance: Chance) -> tuple[OpenMatch[Any], ...]:
    """Every match to come, those of rounds not paired yet included, in an order that `Moment` promises."""
    found = list(moment.matches)
    for growing in moment.growing:
        before = tuple(one.key for one in found if one.part[:2] == (growing.tournament, growing.bracket))
        open_now = len(before)
        for ahead, met in enumerate(_rounds(growing, open_now, chance), start=1):
            part = growing.part(ahead)
            known = Known(growing.length(ahead), is_session=growing.is_session)
            new = [
                OpenMatch((part, line), part, known, before, earliest=growing.earliest, people=people)
                for line, people in enumerate(met, start=1)
            ]
            found += new
            before = tuple(one.key for one in new)
    return tuple(found)


@dataclass(slots=True)
class _StillIn:
    losses: int
    person: tuple[Key, ...]


def _rounds(growing: Growing, open_now: int, chance: Chance) -> Iterator[list[tuple[Key, ...]]]:
    """Who meets in each match of each round to come, as far as it is known who they are."""
    people: list[tuple[Key, ...]] = [(person,) for person in growing.people]
    people = people or [()] * len(growing.losses)
    still_in = [_StillIn(losses, person) for losses, person in zip(growing.losses, people, strict=True)]
    if growing.lives is None:
        for _ in range(growing.rounds):
            yield _meet(still_in, len(still_in) // SIDES, chance)
        return
    _meet(still_in, open_now, chance)
    played = growing.last
    while not _is_over(still_in, growing.lives, played) and played < LONGEST:
        still_in = [one for one in still_in if one.losses < growing.lives.lives]
        yield _meet(still_in, len(still_in) // SIDES, chance)
        played += 1


def _meet(still_in: list[_StillIn], matches: int, chance: Chance) -> list[tuple[Key, ...]]:
    """So many matches between neighbours by losses, as far as players are enough, each lost by one of the two."""
    drawn = {id(one): chance.random() for one in still_in}
    still_in.sort(key=lambda one: (one.losses, drawn[id(one)]))
    most = min(matches, len(still_in) // SIDES)
    pairs = [still_in[SIDES * number : SIDES * number + SIDES] for number in range(most)]
    for pair in pairs:
        pair[chance.random() < EVEN].losses += 1
    return [pair[0].person + pair[1].person for pair in pairs]


def _is_over(still_in: Iterable[_StillIn], rules: LivesRules, played: int) -> bool:
    left = [one for one in still_in if one.losses < rules.lives]
    if len(left) <= 1:
        return True
    if rules.stop == Stop.BELOW:
        return sum(one.losses < rules.lives - 1 for one in left) == 1
    return rules.stop == Stop.ROUNDS and played >= rules.rounds


def parts_ahead(moment: Moment) -> tuple[Part, ...]:
    """The first round to come of each bracket that grows."""
    return tuple(one.part(1) for one in moment.growing if one.lives is not None or one.rounds > 0)
