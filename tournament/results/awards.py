"""Validates results that were not played to their end. Reads only; raises Refused with a sentence.

Kinds in WITHOUT_SCORE have no score. Kinds in WITH_SCORE have the points at the moment the match was ended.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from matches.models import LARGEST_POINTS
from rules.ruleset import ClockExpiry, Ruleset
from tournament.models import Pairing, ResultKind
from tournament.refusals.results import (
    CLOCK_COSTS_POINTS,
    KIND_UNKNOWN,
    NO_CLOCK,
    NO_SCORE,
    PLAYERS_UNKNOWN,
    POINTS_OUT_OF_RANGE,
    SCORE_NEEDED,
    SCORE_OUT_OF_RANGE,
    WINNER_UNKNOWN,
)
from tournament.runtime.errors import Refused

WITHOUT_SCORE = (ResultKind.WALKOVER, ResultKind.NO_SHOW, ResultKind.DOUBLE_NO_SHOW, ResultKind.SETTLED)
WITH_SCORE = (ResultKind.PENALTY, ResultKind.CLOCK, ResultKind.UNFINISHED)
KINDS = (*WITHOUT_SCORE, *WITH_SCORE)


@dataclass(frozen=True, slots=True)
class Award:
    """`winner` is the id of the entry that advances, None if both lost. `points` are left and right."""

    kind: ResultKind
    winner: uuid.UUID | None
    points: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """The id of the result that was current when the desk decided; None if there was none."""

    result: uuid.UUID | None


def refuse_invalid(pairing: Pairing, award: Award) -> None:
    """Raises Refused if this award is not possible in this pairing."""
    if pairing.left_id is None or pairing.right_id is None:
        raise Refused(PLAYERS_UNKNOWN)
    if award.kind not in KINDS:
        raise Refused(KIND_UNKNOWN)
    both_lose = award.kind == ResultKind.DOUBLE_NO_SHOW
    if both_lose != (award.winner is None) or award.winner not in (None, pairing.left_id, pairing.right_id):
        raise Refused(WINNER_UNKNOWN)
    if award.kind == ResultKind.CLOCK:
        _refuse_overtime(pairing)
    if award.kind in WITH_SCORE:
        _refuse_score(pairing, award)
    elif award.points is not None:
        raise Refused(NO_SCORE)


def may_be_lost_on_time(pairing: Pairing) -> bool:
    """TIME-2: an expired clock loses the match."""
    ruleset = _rules_of(pairing)
    return ruleset.clock is not None and ruleset.clock_expiry == ClockExpiry.LOSES_MATCH


def _rules_of(pairing: Pairing) -> Ruleset:
    stored_ruleset = pairing.match.ruleset if pairing.match else pairing.round.bracket.tournament.ruleset
    return Ruleset.from_json(stored_ruleset)


def _refuse_overtime(pairing: Pairing) -> None:
    """TIME-2: no loss on time if an expired clock costs points instead of the match."""
    if may_be_lost_on_time(pairing):
        return
    if _rules_of(pairing).clock is None:
        raise Refused(NO_CLOCK)
    raise Refused(CLOCK_COSTS_POINTS)


def _refuse_score(pairing: Pairing, award: Award) -> None:
    """Raises Refused for points that contradict the award. A session may end at any points."""
    if award.points is None:
        raise Refused(SCORE_NEEDED)
    length = pairing.round.length
    left, right = award.points
    if length is None:
        if not (0 <= left <= LARGEST_POINTS and 0 <= right <= LARGEST_POINTS):
            raise Refused(POINTS_OUT_OF_RANGE)
        return
    winner_points, loser_points = (left, right) if award.winner == pairing.left_id else (right, left)
    most = length if award.kind == ResultKind.PENALTY else length - 1
    if not (0 <= winner_points <= most and 0 <= loser_points < length):
        raise Refused(SCORE_OUT_OF_RANGE, length=length)
