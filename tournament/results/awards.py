"""Validates results that were not played to their end. Reads only; raises Refused with a sentence.

Kinds in WITHOUT_SCORE have no score. Kinds in WITH_SCORE have the points at the moment the match was ended.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from matches.models import LARGEST_POINTS
from rules.ruleset import ClockExpiry, Ruleset
from tournament.models import Pairing, ResultKind
from tournament.runtime.errors import Refused

WITHOUT_SCORE = (ResultKind.WALKOVER, ResultKind.NO_SHOW, ResultKind.DOUBLE_NO_SHOW)
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
        raise Refused("players-unknown", "Both players of this match are not known yet.")
    if award.kind not in KINDS:
        raise Refused(
            "kind-unknown",
            "Choose walkover, no-show, double no-show, lost by penalty points, lost on time or broken off.",
        )
    both_lose = award.kind == ResultKind.DOUBLE_NO_SHOW
    if both_lose != (award.winner is None) or award.winner not in (None, pairing.left_id, pairing.right_id):
        raise Refused("winner-unknown", "Choose which of the two players goes on.")
    if award.kind == ResultKind.CLOCK:
        _refuse_overtime(pairing)
    if award.kind in WITH_SCORE:
        _refuse_score(pairing, award)
    elif award.points is not None:
        raise Refused("no-score", "Without play there is no score. Leave the points out.")


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
        raise Refused("no-clock", "This match is played without clocks, so nobody loses it on time.")
    raise Refused(
        "clock-costs-points",
        "By these rules an expired clock does not lose the match. Write penalty points for the clock; they play on.",
    )


def _refuse_score(pairing: Pairing, award: Award) -> None:
    """Raises Refused for points that contradict the award. A session may end at any points."""
    if award.points is None:
        raise Refused("score-needed", "Give the points of both players as they stood.")
    length = pairing.round.length
    left, right = award.points
    if length is None:
        if not (0 <= left <= LARGEST_POINTS and 0 <= right <= LARGEST_POINTS):
            raise Refused("points-out-of-range", "These cannot be the points. Give them as they stood.")
        return
    winner_points, loser_points = (left, right) if award.winner == pairing.left_id else (right, left)
    most = length if award.kind == ResultKind.PENALTY else length - 1
    if not (0 <= winner_points <= most and 0 <= loser_points < length):
        raise Refused(
            "score-out-of-range",
            "In a match to {length} this cannot be the score. Give the points as they stood when play ended.",
            length=length,
        )
