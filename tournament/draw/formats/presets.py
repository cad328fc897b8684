"""Presets: formats that directors choose by name and then adjust. Data only; the names are with the form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournament.draw.formats.definition import Format, Kind
from tournament.draw.recipes.drops import PROGRESSIVE
from tournament.draw.standings import StandingRules
from tournament.draw.standings.default_tie_breaks import (
    LIVES_ORDER,
    ROUND_ROBIN_ORDER,
    STAKE_LIVES_ORDER,
    STAKE_ROUND_ROBIN_ORDER,
    STAKE_SWISS_ORDER,
    SWISS_ORDER,
)

Lengths = tuple[int, ...]


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
        return STAKE_LIVES_ORDER
    return STAKE_SWISS_ORDER if kind in (Kind.SWISS, Kind.MONRAD) else STAKE_ROUND_ROBIN_ORDER


FORMAT_PRESETS: Mapping[str, FormatPreset] = {
    "club-night": FormatPreset(Format(consolation=PROGRESSIVE), (5,), {"consolation": (3,)}),
    "weekend": FormatPreset(
        Format(consolation=PROGRESSIVE, last_chance=PROGRESSIVE),
        (15, 13, 11),
        {"consolation": (9, 7), "last chance": (7, 5)},
    ),
    "knockout": FormatPreset(Format(third_place=True), (11, 9, 7)),
    "double": FormatPreset(Format(kind=Kind.DOUBLE, reset=True), (9, 7), {"lower": (7, 5)}),
    "swiss": FormatPreset(Format(kind=Kind.SWISS, rounds=5, standings=SWISS_ORDER), (7,)),
    "lives": FormatPreset(Format(kind=Kind.LIVES, lives=3, standings=LIVES_ORDER), (5,)),
    "groups": FormatPreset(
        Format(kind=Kind.GROUPS, groups=4, qualifiers=2, standings=ROUND_ROBIN_ORDER), (9, 7), {"group": (5,)}
    ),
    "round-robin": FormatPreset(Format(kind=Kind.ROUND_ROBIN, standings=ROUND_ROBIN_ORDER), (5,)),
    "stake-round-robin": FormatPreset(
        Format(kind=Kind.ROUND_ROBIN, standings=STAKE_ROUND_ROBIN_ORDER), (5,), ruleset="parker-1994", games=5
    ),
    "monrad": FormatPreset(Format(kind=Kind.MONRAD, rounds=5, standings=SWISS_ORDER), (7,)),
}
