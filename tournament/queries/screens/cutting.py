"""Cuts brackets and long lists into slides. Pure: takes what is shown elsewhere, leaves nothing out of it twice.

Of a tree the rounds in which somebody can play are told as lists, and the end of it, once somebody is there, as one
small tree. Of a table the first round that can be played, and others in which somebody plays already. A pairing of two
stands on one slide; byes stand on none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TypeVar

from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView

MOST_LINES = 12
MOST_COLUMNS = 2
MOST_TABLES = 16
WIDEST_END = 4
MOST_END_ROUNDS = 3
BEGUN = ("playing", "reported", "disputed")
PLAYABLE = ("ready", *BEGUN)
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class RoundPart:
    """Some pairings of one round; `part` of `parts`, from one."""

    round: RoundView
    pairings: tuple[PairingView, ...]
    part: int
    parts: int


@dataclass(frozen=True, slots=True)
class BracketEnd:
    """The last rounds of a tree, each half as wide as the one before."""

    rounds: tuple[RoundView, ...]


def in_parts(lines: Sequence[Line], most: int) -> list[tuple[Line, ...]]:
    """All of them in their order, in as few parts as can be, which are as long as each other but for one line."""
    parts = ceil(len(lines) / most)
    cuts = [round(len(lines) * part / parts) for part in range(parts + 1)] if parts else []
    return [tuple(lines[start:end]) for start, end in pairwise(cuts)]


def in_columns(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """What stands on one slide, beside each other where it is more than fits under each other."""
    return in_parts(lines, MOST_LINES)


def bracket_cut(bracket: BracketView) -> list[RoundPart | BracketEnd]:
    """The slides of one bracket; none before anybody sits in it."""
    end = () if bracket.is_table else _end(bracket.rounds)
    lists = _played_in(bracket) if bracket.is_table else _under_way(bracket)
    told = [one for one in lists if one not in end]
    if bracket.is_table and not told:
        told = [one for one in bracket.rounds if _meetings(one)][-1:]
    parts: list[RoundPart | BracketEnd] = [part for one in told for part in _parts(one)]
    if any(_is_known(pairing) for one in end for pairing in one.pairings):
        parts.append(BracketEnd(end))
    return parts


def _parts(shown: RoundView) -> list[RoundPart]:
    cut = in_parts(_meetings(shown), MOST_LINES)
    return [RoundPart(shown, pairings, number, len(cut)) for number, pairings in enumerate(cut, start=1)]


def _end(rounds: Sequence[RoundView]) -> tuple[RoundView, ...]:
    """The longest run of rounds that halve, up to the last, and fit on one slide."""
    found: list[RoundView] = []
    for shown in reversed(rounds):
        is_joined = not found or len(shown.pairings) == 2 * len(found[0].pairings)
        if not is_joined or len(shown.pairings) > WIDEST_END or len(found) == MOST_END_ROUNDS:
            break
        found.insert(0, shown)
    return tuple(found)


def _under_way(bracket: BracketView) -> list[RoundView]:
    """The rounds that are not decided and in which two already meet."""
    return [one for one in bracket.rounds if not one.is_decided and any(map(_is_met, one.pairings))]


def _played_in(bracket: BracketView) -> list[RoundView]:
    """In a round robin everybody could play everybody at once: only the first of these rounds waits to be played."""
    playable = [one for one in bracket.rounds if any(pairing.state in PLAYABLE for pairing in one.pairings)]
    return [one for one in playable if one is playable[0] or any(p.state in BEGUN for p in one.pairings)]


def _meetings(shown: RoundView) -> list[PairingView]:
    return [pairing for pairing in shown.pairings if pairing.state != "bye"]


def _is_met(pairing: PairingView) -> bool:
    return pairing.left.entry_id is not None and pairing.right.entry_id is not None


def _is_known(pairing: PairingView) -> bool:
    return pairing.left.entry_id is not None or pairing.right.entry_id is not None
