"""Coming rounds that are not paired yet, as matches. A round starts when the round before has ended.

The number of rounds of a lives event is random: everybody meets the neighbour by losses, and either may lose. Players
who are paired while others still play start earlier than this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tournament.draw.pairing import LivesRules, Stop
from tournament.forecast.minute_columns import RandomSource
from tournament.forecast.moment import GrowingBracket, Key, Moment
from tournament.forecast.open_matches import EVEN, MatchStatus, OpenMatch, Part

SIDES: Final = 2
MOST_ROUNDS: Final = 200
"""The simulation of a lives event stops after this many rounds."""


def with_future_rounds(moment: Moment, chance: RandomSource) -> tuple[OpenMatch[Any], ...]:
    """Returns all open matches including those of unpaired rounds, in the order that `Moment` requires."""
    matches = list(moment.matches)
    for growing in moment.growing:
        before = tuple(
            match.key for match in matches if match.part[:2] == (growing.tournament, growing.bracket)
        )
        open_now = len(before)
        for ahead, people_of_matches in enumerate(_future_rounds(growing, open_now, chance), start=1):
            part = growing.part(ahead)
            status = MatchStatus(growing.length(ahead), is_session=growing.is_session)
            round_matches = [
                OpenMatch((part, line), part, status, before, earliest=growing.earliest, people=people)
                for line, people in enumerate(people_of_matches, start=1)
            ]
            matches += round_matches
            before = tuple(match.key for match in round_matches)
    return tuple(matches)


@dataclass(slots=True)
class _Player:
    losses: int
    people: tuple[Key, ...]


def _future_rounds(
    growing: GrowingBracket, open_now: int, chance: RandomSource
) -> Iterator[list[tuple[Key, ...]]]:
    """Yields the known people of each match of each coming round."""
    people: list[tuple[Key, ...]] = [(person,) for person in growing.people]
    people = people or [()] * len(growing.losses)
    players = [_Player(losses, person) for losses, person in zip(growing.losses, people, strict=True)]
    if growing.lives is None:
        for _ in range(growing.rounds):
            yield _pair_neighbours(players, len(players) // SIDES, chance)
        return
    _pair_neighbours(players, open_now, chance)
    rounds_played = growing.last
    while not _is_over(players, growing.lives, rounds_played) and rounds_played < MOST_ROUNDS:
        players = [player for player in players if player.losses < growing.lives.lives]
        yield _pair_neighbours(players, len(players) // SIDES, chance)
        rounds_played += 1


def _pair_neighbours(players: list[_Player], matches: int, chance: RandomSource) -> list[tuple[Key, ...]]:
    """Pairs up to `matches` pairs of neighbours by losses. One of each pair loses."""
    lot = {id(player): chance.random() for player in players}
    players.sort(key=lambda player: (player.losses, lot[id(player)]))
    most = min(matches, len(players) // SIDES)
    pairs = [players[SIDES * number : SIDES * number + SIDES] for number in range(most)]
    for pair in pairs:
        pair[chance.random() < EVEN].losses += 1
    return [pair[0].people + pair[1].people for pair in pairs]


def _is_over(players: Iterable[_Player], rules: LivesRules, rounds_played: int) -> bool:
    remaining = [player for player in players if player.losses < rules.lives]
    if len(remaining) <= 1:
        return True
    if rules.stop == Stop.BELOW:
        return sum(player.losses < rules.lives - 1 for player in remaining) == 1
    return rules.stop == Stop.ROUNDS and rounds_played >= rules.rounds


def next_rounds(moment: Moment) -> tuple[Part, ...]:
    """Returns the first coming round of each growing bracket."""
    return tuple(
        growing.part(1) for growing in moment.growing if growing.lives is not None or growing.rounds > 0
    )
