"""Formats that directors ask for by name, ready to be chosen and then changed: data alone, without words.

What each is called stands where it is offered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.draw.formats.definition import Format, Kind
from tournament.draw.recipes.drops import PROGRESSIVE
from tournament.draw.standings import SITTING_OUT_IS_NOTHING, StandingRules, TieBreak

Lengths = tuple[int, ...]
BY_LOSSES = StandingRules((TieBreak.LIVES_LEFT, TieBreak.LASTED, TieBreak.SCORE, TieBreak.BUCHHOLZ))
ALL_MEET = StandingRules(
    (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.LOT), SITTING_OUT_IS_NOTHING
)
BY_OPPONENTS = StandingRules(
    (TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.CUMULATIVE)
)
"""No preset of matches breaks ties by a difference of points: the margin of a match plays no part (CARD-2)."""
STAKE_ALL_MEET = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.SCORE, TieBreak.HEAD_TO_HEAD, TieBreak.LOT), SITTING_OUT_IS_NOTHING
)
STAKE_BY_OPPONENTS = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER)
)
STAKE_BY_LOSSES = StandingRules(
    (TieBreak.LIVES_LEFT, TieBreak.LASTED, TieBreak.SCORE, TieBreak.POINTS_DIFFERENCE, TieBreak.BUCHHOLZ)
)
"""In stake play points count: first where all meet, right after wins or losses where records are paired."""


@dataclass(frozen=True, slots=True)
class FormatPreset:
    """A format with match lengths, from the final backwards, and those of brackets beside the main one.

    With `games` it is stake play, in sessions of so many.
    """

    format: Format
    lengths: Lengths
    side_lengths: Mapping[str, Lengths] = field(default_factory=dict)
    ruleset: str = "tournament"
    games: int | None = None


def stake_standings(kind: Kind) -> StandingRules:
    """How records are ranked in stake play, where a director says nothing."""
    if kind is Kind.LIVES:
        return STAKE_BY_LOSSES
    return STAKE_BY_OPPONENTS if kind in (Kind.SWISS, Kind.MONRAD) else STAKE_ALL_MEET


FORMAT_PRESETS: Mapping[str, FormatPreset] = {
    "club-night": FormatPreset(Format(consolation=PROGRESSIVE), (5,), {"consolation": (3,)}),
    "weekend": FormatPreset(
        Format(consolation=PROGRESSIVE, last_chance=PROGRESSIVE),
        (15, 13, 11),
        {"consolation": (9, 7), "last chance": (7, 5)},
    ),
    "knockout": FormatPreset(Format(third_place=True), (11, 9, 7)),
    "double": FormatPreset(Format(kind=Kind.DOUBLE, reset=True), (9, 7), {"lower": (7, 5)}),
    "swiss": FormatPreset(Format(kind=Kind.SWISS, rounds=5, standings=BY_OPPONENTS), (7,)),
    "lives": FormatPreset(Format(kind=Kind.LIVES, lives=3, standings=BY_LOSSES), (5,)),
    "groups": FormatPreset(
        Format(kind=Kind.GROUPS, groups=4, qualifiers=2, standings=ALL_MEET), (9, 7), {"group": (5,)}
    ),
    "round-robin": FormatPreset(Format(kind=Kind.ROUND_ROBIN, standings=ALL_MEET), (5,)),
    "stake-round-robin": FormatPreset(
        Format(kind=Kind.ROUND_ROBIN, standings=STAKE_ALL_MEET), (5,), ruleset="parker-1994", games=5
    ),
    "monrad": FormatPreset(Format(kind=Kind.MONRAD, rounds=5, standings=BY_OPPONENTS), (7,)),
}
