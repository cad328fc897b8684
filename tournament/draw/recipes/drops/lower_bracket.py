"""Builds a lower bracket: the pairings and feeds of the losers that a recipe lets drop.

Every bracket is a binary tree: each of its pairings has a level (its round) and a position in it. The lower bracket is
such a tree too, so another bracket can drop from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias

from tournament.draw.graph import FromBye, FromPairing, Outcome, Pairing, Source
from tournament.draw.recipes.drops.exchanges import JoiningLosers, improve
from tournament.draw.recipes.drops.history import History
from tournament.draw.recipes.drops.notation import Fit
from tournament.draw.recipes.drops.spread import Drop, Seat, Spread, reverse_bits, spread
from tournament.draw.recipes.drops.starting_seats import starting_spreads
from tournament.draw.recipes.knockout import Spot

Layout: TypeAlias = list[Pairing[Spot, int]]


class Loser(NamedTuple):
    """The loser of a pairing. `bye_before` is the probability of an earlier bye."""

    key: Spot
    level: int
    position: int
    bye_before: float


Losers: TypeAlias = Mapping[str, Sequence[Loser]]
"""The losers that can drop, by the letter of their round."""


@dataclass(slots=True)
class Tree:
    """A bracket as seen by the brackets below it: the losers of each round and the winner."""

    pairings: Layout
    losers: dict[str, list[Loser]] = field(default_factory=dict)
    """By the letter of the round, A the first."""

    @property
    def winner(self) -> Source[Spot, int]:
        return FromPairing(self.pairings[-1].key, Outcome.WINNER)

    @property
    def rounds(self) -> int:
        return self.pairings[-1].round

    @property
    def entries(self) -> int:
        """The number of players of a main bracket: all but one lose in it."""
        return 1 + sum(map(len, self.losers.values()))


def tree_of(
    pairings: Layout, positions: Sequence[int] = (), bye_before: Mapping[Spot, float] | None = None
) -> Tree:
    """Returns a bracket with its losers; a pairing with a bye has none. Pairings come in the order of their rounds.

    `positions` are the positions of the pairings if they differ from the lines of a full sheet. `bye_before` is the
    probability of an earlier bye for losers of pairings outside this bracket.
    """
    tree = Tree(pairings)
    bye_chance = dict(bye_before or {})
    for pairing, position in zip(pairings, positions or _lines(pairings), strict=True):
        key, _, level, _, left, right = pairing
        if isinstance(left, FromBye) or isinstance(right, FromBye):
            bye_chance[key] = 1.0
            continue
        chance = 0.0
        if bye_chance:
            upper = bye_chance.get(left.pairing, 0.0) if isinstance(left, FromPairing) else 0.0
            lower = bye_chance.get(right.pairing, 0.0) if isinstance(right, FromPairing) else 0.0
            bye_chance[key] = chance = (upper + lower) / 2
        tree.losers.setdefault(ascii_uppercase[level - 1], []).append(Loser(key, level, position, chance))
    return tree


def _lines(pairings: Layout) -> Sequence[int]:
    return [pairing.line - 1 for pairing in pairings]


@dataclass(frozen=True, slots=True)
class SeatedLosers:
    """The losers of a recipe, each with a seat of the lower bracket.

    `excused` are the losers with a bye: they join one round later than others of their round.
    """

    fitting: Fit
    spread: Spread
    excused: frozenset[Spot]


def seat_losers(fitting: Fit, losers: Losers) -> SeatedLosers:
    """Returns seats that delay rematches as long as possible. Byes are in the first round only."""
    drops = _drops(fitting, losers, _losers_with_bye(fitting, losers))
    return _with_spread(fitting, losers, spread(drops, len(fitting.recipe.rounds)))


def seat_losers_by_measure(
    fitting: Fit, losers: Losers, before: History, starts_tried: int
) -> tuple[SeatedLosers, float]:
    """Returns the best seats that exchanges reach from `starts_tried` starting spreads, and their measure."""
    drops = _drops(fitting, losers, _losers_with_bye(fitting, losers))
    first = {loser.key: "" for letter in fitting.recipe.rounds[0] for loser in losers[letter]}
    joining = JoiningLosers(before, first, _second_byes(fitting, losers))
    starts = islice(starting_spreads(drops, len(fitting.recipe.rounds), before.slots), starts_tried)
    improved = [improve(start, joining) for start in starts]
    best = min(improved, key=lambda measured: measured.measure)
    return _with_spread(fitting, losers, best.spread), best.measure


def seat_losers_as_stored(
    fitting: Fit, losers: Losers, seats: Sequence[Seat], *, spares_byes: bool
) -> SeatedLosers:
    """Returns the given seats for the losers in the order of the recipe.

    With `spares_byes` a loser who joins one round later has a bye only if it sits out a round of play.
    """
    rounds = len(fitting.recipe.rounds)
    joining = [loser for letter in fitting.recipe.letters for loser in losers[letter]]
    drops = [_drop(loser, rounds, seat) for loser, seat in zip(joining, seats, strict=True)]
    spread = Spread(rounds, drops, seats)
    return _with_spread(fitting, losers, spread, _seats_that_wait(spread) if spares_byes else None)


def seat_losers_like(seated: SeatedLosers, losers: Losers, before: History | None) -> SeatedLosers:
    """Returns the same seats for other losers, as many in each round.

    With their history, losers of the same round exchange seats while that reduces the measure. Rounds, matches and
    byes stay as they are.
    """
    fitting, rounds = seated.fitting, seated.spread.rounds
    letter_of = {loser.key: letter for letter in fitting.recipe.letters for loser in losers[letter]}
    joining = [loser for letter in fitting.recipe.letters for loser in losers[letter]]
    seats = _seats_at_same_positions(seated.spread, joining)
    drops = [_drop(loser, rounds, seat) for loser, seat in zip(joining, seats, strict=True)]
    start = Spread(rounds, drops, seats)
    bye_seats = {
        seat
        for drop, seat in zip(seated.spread.drops, seated.spread.seats, strict=True)
        if drop.key in seated.excused
    }
    if before is None:
        return _with_spread(fitting, losers, start, bye_seats)
    joining_losers = JoiningLosers(before, letter_of, _second_byes(fitting, losers), bye_seats)
    return _with_spread(fitting, losers, improve(start, joining_losers).spread, bye_seats)


def _seats_at_same_positions(spread: Spread, joining: Sequence[Loser]) -> list[Seat]:
    """Returns the seat of the loser at the same position, or one left over in the same round."""
    seat_at = {
        (drop.bracket, drop.level, drop.position): seat
        for drop, seat in zip(spread.drops, spread.seats, strict=True)
    }
    seats = [seat_at.pop((loser.key[0], loser.level, loser.position), None) for loser in joining]
    left_over: defaultdict[tuple[str, int], list[Seat]] = defaultdict(list)
    for (bracket, level, _), seat in seat_at.items():
        left_over[bracket, level].append(seat)
    return [
        seat or left_over[loser.key[0], loser.level].pop() for loser, seat in zip(joining, seats, strict=True)
    ]


def _drop(loser: Loser, rounds: int, seat: Seat) -> Drop:
    return Drop(loser.key[0], loser.level, loser.position, rounds + 2 - seat.bit_length(), loser.key)


def _with_spread(
    fitting: Fit, losers: Losers, spread: Spread, bye_seats: Collection[Seat] | None = None
) -> SeatedLosers:
    """Gives a bye to the losers who join later: to all, or to those in `bye_seats`."""
    enters = {
        loser.key: number for letter, number in fitting.recipe.enters.items() for loser in losers[letter]
    }
    excused = {
        drop.key
        for drop, seat in zip(spread.drops, spread.seats, strict=True)
        if drop.enters > enters[drop.key] and (bye_seats is None or seat in bye_seats)
    }
    return SeatedLosers(fitting, spread, frozenset(excused))


def _seats_that_wait(spread: Spread) -> set[Seat]:
    """Returns the seats of losers who sit out a round of play, if the upper bracket is played round by round."""
    free_after = {seat: drop.level for drop, seat in zip(spread.drops, spread.seats, strict=True)}
    for seat in range((1 << spread.rounds) - 1, 0, -1):
        if 2 * seat in free_after:
            free_after[seat] = max(free_after[2 * seat], free_after[2 * seat + 1]) + 1
    return {seat for seat in spread.seats if seat > 1 and free_after[seat >> 1] > free_after[seat] + 1}


def _second_byes(fitting: Fit, losers: Losers) -> dict[Spot, int]:
    """Returns the losers who may have had a bye, each with the lower round that it joins without another one."""
    return {
        loser.key: enters
        for letter, enters in fitting.recipe.enters.items()
        for loser in losers[letter]
        if loser.bye_before
    }


def number_without_bye(fitting: Fit, losers: Losers) -> int:
    """Returns the number of losers joining the first round who certainly had no bye."""
    return sum(not loser.bye_before for letter in fitting.recipe.rounds[0] for loser in losers[letter])


def _drops(fitting: Fit, losers: Losers, excused: Collection[Spot]) -> list[Drop]:
    return [
        Drop(key[0], level, position, 2 if key in excused else enters, key)
        for letter, enters in fitting.recipe.enters.items()
        for key, level, position, _ in losers[letter]
    ]


def lower_pairings(name: str, seated: SeatedLosers) -> Layout:
    return _pair_leaves(name, seated)[0]


def lower_bracket(name: str, seated: SeatedLosers, losers: Losers) -> Tree:
    bye_before = {
        loser.key: loser.bye_before for letter in losers.values() for loser in letter if loser.bye_before
    }
    return tree_of(*_pair_leaves(name, seated), bye_before)


def _losers_with_bye(fitting: Fit, losers: Losers) -> frozenset[Spot]:
    """Returns the losers who get the byes of the first round: those without an earlier bye, of earlier rounds first.

    Of these, losers without a neighbour from the same round come first, so that the byes of the upper bracket stay in
    place. Otherwise byes are as far apart as possible.
    """
    ranked: list[tuple[float, str, bool, int, Spot]] = []
    for letter in fitting.recipe.rounds[0] if fitting.byes else "":
        positions = {loser.position for loser in losers[letter]}
        width = max(1, max(positions).bit_length())
        ranked += [
            (
                loser.bye_before,
                letter,
                loser.position ^ 1 in positions,
                reverse_bits(loser.position, width),
                loser.key,
            )
            for loser in losers[letter]
        ]
    return frozenset(key for *_, key in sorted(ranked)[: fitting.byes])


def _pair_leaves(name: str, seated: SeatedLosers) -> tuple[Layout, list[int]]:
    """Returns the pairings of the tree with these seats as leaves, and the position of each pairing in its round."""
    rounds = seated.spread.rounds
    sources = _leaves(seated)
    winner = Outcome.WINNER
    pairings: Layout = []
    positions: list[int] = []
    for number, leaves in enumerate(sources[:-1], 1):
        seats, above, top = sorted(leaves.items()), sources[number], 1 << (rounds - number)
        for line, ((seat, left), (_, right)) in enumerate(zip(seats[::2], seats[1::2], strict=True), 1):
            key = (name, number, line)
            node = seat >> 1
            pairings.append(Pairing(key, name, number, line, left, right))
            positions.append(node ^ top)
            above[node] = FromPairing(key, winner)
    return pairings, positions


def _leaves(seated: SeatedLosers) -> list[dict[Seat, Source[Spot, int]]]:
    """Returns the sources that join each round by seat. One more round is for the winner of the last."""
    loser = Outcome.LOSER
    sources: list[dict[Seat, Source[Spot, int]]] = [{} for _ in range(seated.spread.rounds + 1)]
    for drop, seat in zip(seated.spread.drops, seated.spread.seats, strict=True):
        source = FromPairing(drop.key, loser)
        if drop.key in seated.excused:
            sources[drop.enters - 2] |= {2 * seat: source, 2 * seat + 1: FromBye()}
        else:
            sources[drop.enters - 1][seat] = source
    return sources
