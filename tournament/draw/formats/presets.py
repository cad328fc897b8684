"""Presets: formats that directors choose by name and then adjust. Data only; the names are with the form."""

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
"""No preset for matches breaks ties by a difference of points, because the margin of a match does not count
(CARD-2).
"""
STAKE_ALL_MEET = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.SCORE, TieBreak.HEAD_TO_HEAD, TieBreak.LOT), SITTING_OUT_IS_NOTHING
)
STAKE_BY_OPPONENTS = StandingRules(
    (TieBreak.POINTS_DIFFERENCE, TieBreak.HEAD_TO_HEAD, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER)
)
STAKE_BY_LOSSES = StandingRules(
    (TieBreak.LIVES_LEFT, TieBreak.LASTED, TieBreak.SCORE, TieBreak.POINTS_DIFFERENCE, TieBreak.BUCHHOLZ)
)
"""In stake play points count: first in a round robin, right after wins or losses in rounds paired by records."""


@dataclass(frozen=True, slots=True)
class FormatPreset:
    """A format with match lengths from the final backwards, and lengths for brackets beside the main one.

    `games` is set for stake play: the number of games in a session.
    """

    format: Format
    lengths: Lengths
    side_lengths: Mapping[str, Lengths] = field(default_factory=dict)
    ruleset: str = "tournament"
    games: int | None = None


def stake_standings(kind: Kind) -> StandingRules:
    """Returns the default ranking rules for stake play."""
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
