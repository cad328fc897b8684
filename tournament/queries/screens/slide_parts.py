"""Splits brackets and long lists into slides. Pure.

A tree gets a list for each round that can be played, and one small tree of its final rounds once a player has reached
them. A crosstable gets the first playable round and the rounds in which matches have begun. A round with more lines
than fit on a slide leaves out decided pairings. No pairing is on two slides; byes are on none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TypeVar

from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView

MOST_LINES = 12
MOST_COLUMNS = 2
FEW_LINES = 6
MOST_TABLES = 16
MOST_FINAL_PAIRINGS = 4
MOST_FINAL_ROUNDS = 3
BEGUN_STATES = ("playing", "reported", "disputed")
PLAYABLE_STATES = ("ready", *BEGUN_STATES)
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class RoundPart:
    """Some pairings of a round: part number `part`, from 1, of `parts`."""

    round: RoundView
    pairings: tuple[PairingView, ...]
    part: int
    parts: int


@dataclass(frozen=True, slots=True)
class FinalRounds:
    """The last rounds of a tree. Each has half as many pairings as the round before."""

    rounds: tuple[RoundView, ...]


def split_evenly(lines: Sequence[Line], most: int) -> list[tuple[Line, ...]]:
    """Splits lines into as few parts as possible. The lengths of the parts differ by at most one."""
    parts = ceil(len(lines) / most)
    cuts = [round(len(lines) * part / parts) for part in range(parts + 1)] if parts else []
    return [tuple(lines[start:end]) for start, end in pairwise(cuts)]


def split_into_columns(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """Returns one column of few lines, else MOST_COLUMNS of equal length: both use the full width."""
    return split_evenly(lines, max(FEW_LINES, ceil(len(lines) / MOST_COLUMNS)))


def bracket_slides(bracket: BracketView) -> list[RoundPart | FinalRounds]:
    """Returns the slides of a bracket; none if no seat is taken."""
    final_rounds = () if bracket.is_table else _final_rounds(bracket.rounds)
    candidates = _playable_rounds(bracket) if bracket.is_table else _current_rounds(bracket)
    listed = [view for view in candidates if view not in final_rounds]
    if bracket.is_table and not listed:
        listed = [view for view in bracket.rounds if _without_byes(view)][-1:]
    slides: list[RoundPart | FinalRounds] = [part for view in listed for part in _round_parts(view)]
    if any(_has_a_player(pairing) for view in final_rounds for pairing in view.pairings):
        slides.append(FinalRounds(final_rounds))
    return slides


def _round_parts(view: RoundView) -> list[RoundPart]:
    pairings = _without_byes(view)
    if len(pairings) > MOST_LINES:
        pairings = [pairing for pairing in pairings if pairing.state != "decided"] or pairings
    parts = split_evenly(pairings, MOST_LINES)
    return [RoundPart(view, pairings, number, len(parts)) for number, pairings in enumerate(parts, start=1)]


def _final_rounds(rounds: Sequence[RoundView]) -> tuple[RoundView, ...]:
    """Returns the longest series of halving rounds, up to the last one, that fits on one slide."""
    final_rounds: list[RoundView] = []
    for view in reversed(rounds):
        is_joined = not final_rounds or len(view.pairings) == 2 * len(final_rounds[0].pairings)
        if (
            not is_joined
            or len(view.pairings) > MOST_FINAL_PAIRINGS
            or len(final_rounds) == MOST_FINAL_ROUNDS
        ):
            break
        final_rounds.insert(0, view)
    return tuple(final_rounds)


def _current_rounds(bracket: BracketView) -> list[RoundView]:
    """Undecided rounds with at least one pairing of two players."""
    return [
        view for view in bracket.rounds if not view.is_decided and any(map(_has_both_players, view.pairings))
    ]


def _playable_rounds(bracket: BracketView) -> list[RoundView]:
    """In a round robin all rounds are playable at once. Returns the first one and those with begun matches."""
    playable = [
        view for view in bracket.rounds if any(pairing.state in PLAYABLE_STATES for pairing in view.pairings)
    ]
    return [
        view
        for view in playable
        if view is playable[0] or any(p.state in BEGUN_STATES for p in view.pairings)
    ]


def _without_byes(view: RoundView) -> list[PairingView]:
    return [pairing for pairing in view.pairings if pairing.state != "bye"]


def _has_both_players(pairing: PairingView) -> bool:
    return pairing.left.entry_id is not None and pairing.right.entry_id is not None


def _has_a_player(pairing: PairingView) -> bool:
    return pairing.left.entry_id is not None or pairing.right.entry_id is not None
