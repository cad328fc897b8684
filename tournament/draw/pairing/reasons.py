"""Explains a pair or a bye from its stored cost and the aims, as codes and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isqrt
from typing import NamedTuple

from tournament.draw.pairing.contenders import Aims, Alike, Seeding
from tournament.draw.pairing.costs import Cost, WonLost


class Ground(StrEnum):
    """A reason for a pair or a bye, or a drawback that was accepted."""

    KEPT_APART = "kept_apart"
    """A director keeps these two apart, but no other pairing was possible."""
    NEVER_MET = "never_met"
    MET_BEFORE = "met_before"
    """The number counts their earlier matches."""
    SAME_RECORD = "same_record"
    RECORDS_APART = "records_apart"
    """The number is the difference in wins, losses, or wins less losses, depending on the aims."""
    NEIGHBOURS = "neighbours"
    PLACES_APART = "places_apart"
    """The number is the distance in places."""
    SAME_TEAM = "same_team"
    SAME_CLUB = "same_club"
    SAME_COUNTRY = "same_country"
    AS_SEEDED = "as_seeded"
    NEAR_SEEDING = "near_seeding"
    """The number is the distance in places."""
    BY_LOT = "by_lot"
    FIRST_BYE = "first_bye"
    FEWEST_BYES = "fewest_byes"
    """The number counts the byes before this one. No player had fewer."""
    MORE_BYES = "more_byes"
    """The number counts the byes beyond those of others."""
    WORST_RECORD = "worst_record"
    """The worst record among the players with as many byes."""
    WORSE_RECORDS = "worse_records"
    """The number counts the different worse records among the players with as many byes."""
    WEAKEST = "weakest"
    """The weakest of the players with as many wins, losses, or wins less losses, depending on the aims."""
    NEAR_WEAKEST = "near_weakest"
    """The number counts the weaker players among these."""


class Reason(NamedTuple):
    ground: Ground
    number: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reasons, that of the highest aim first, and the records at the time: two of a pair, one of a bye."""

    reasons: tuple[Reason, ...]
    records: tuple[WonLost, ...]

    @property
    def is_bye(self) -> bool:
        return len(self.records) == 1


def explain(cost: Cost, aims: Aims) -> Explanation:
    reasons = _bye_reasons(cost, aims) if len(cost.records) == 1 else _pair_reasons(cost, aims)
    return Explanation(tuple(reasons), cost.records)


def _pair_reasons(cost: Cost, aims: Aims) -> list[Reason]:
    tiers = cost.tiers
    by_place = aims.alike == Alike.PLACE
    reasons = [Reason(Ground.KEPT_APART)] if tiers.kept_apart else []
    reasons.append(_reason_unless_zero(tiers.rematches, Ground.NEVER_MET, Ground.MET_BEFORE))
    apart = isqrt(tiers.gap)
    if by_place:
        reasons.append(
            _reason_unless_zero(apart - 1, Ground.NEIGHBOURS, Ground.PLACES_APART)._replace(number=apart)
        )
    else:
        reasons.append(_reason_unless_zero(apart, Ground.SAME_RECORD, Ground.RECORDS_APART))
    if tiers.same_team:
        reasons.append(Reason(Ground.SAME_TEAM))
    if tiers.same_club:
        reasons.append(Reason(Ground.SAME_CLUB))
    if tiers.same_country:
        reasons.append(Reason(Ground.SAME_COUNTRY))
    if not by_place and not apart:
        reasons.append(_seeding_reason(cost, aims, Ground.AS_SEEDED, Ground.NEAR_SEEDING))
    return reasons


def _bye_reasons(cost: Cost, aims: Aims) -> list[Reason]:
    tiers = cost.tiers
    if tiers.second_byes:
        byes_reason = Reason(Ground.MORE_BYES, tiers.second_byes)
    else:
        byes_reason = _reason_unless_zero(cost.byes, Ground.FIRST_BYE, Ground.FEWEST_BYES)
    reasons = [byes_reason, _reason_unless_zero(tiers.bye_above, Ground.WORST_RECORD, Ground.WORSE_RECORDS)]
    if aims.alike != Alike.PLACE:
        reasons.append(_seeding_reason(cost, aims, Ground.WEAKEST, Ground.NEAR_WEAKEST))
    return reasons


def _seeding_reason(cost: Cost, aims: Aims, exact: Ground, near: Ground) -> Reason:
    if aims.seeding == Seeding.CHANCE:
        return Reason(Ground.BY_LOT)
    return _reason_unless_zero(isqrt(cost.tiers.seeding), exact, near)


def _reason_unless_zero(number: int, if_zero: Ground, otherwise: Ground) -> Reason:
    return Reason(otherwise, number) if number else Reason(if_zero)
