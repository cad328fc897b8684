"""Validates formats and draw rules of requests, and converts them into plans."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.brackets.lengths import LONGEST, SHORTEST
from tournament.draw.formats import LIMITS, LONGEST_NOTATION, Format, FormatError, Kind
from tournament.draw.formats.layouts import knockout_format
from tournament.draw.pairing import Seeding, Stop
from tournament.draw.recipes import Byes, OrderRules, SeededLines, Separate
from tournament.draw.recipes.drops import FEED_IN, PROGRESSIVE, SIMPLE, NotationError, parse
from tournament.draw.standings import (
    OFFERED,
    CountingRules,
    StandIn,
    StandingRules,
    StandingsError,
    TieBreak,
    Unplayed,
)
from tournament.drawing.order import DrawRules
from tournament.models.brackets import DrawMethod
from tournament.web.sentences import refusal_sentence

SIDE_BRACKETS = ("consolation", "final", "group", "last chance", "lower", "play-off", "third place")
MOST_LENGTHS = 10
MOST_TIE_BREAKS = 20
APART = [separate.value for separate in Separate]
NAMED = ("", SIMPLE, PROGRESSIVE, FEED_IN)
A_LAST_CHANCE = f"Empty for none, {SIMPLE}, {PROGRESSIVE}, or a drop notation such as A.B.C.D.|.|"
A_CONSOLATION = (
    f"Empty for none. {SIMPLE}: losers of the first match they play. {PROGRESSIVE}: losers of all rounds but the"
    f" final, with few rematches and no long waits. {FEED_IN}: losers of the first round play at once, later losers"
    " meet the winners from below. Or a drop notation such as A.B.C.D.|.|"
)


def number(name: str, usual: int) -> serializers.IntegerField:
    least, most = LIMITS[name]
    return serializers.IntegerField(min_value=least, max_value=most, default=usual)


def chance(help_text: str) -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_NOTATION, allow_blank=True, default="", help_text=help_text
    )


class LengthsField(serializers.ListField):
    """Match lengths from the last round backwards."""

    def __init__(self, **more: Any) -> None:
        child = serializers.IntegerField(min_value=SHORTEST, max_value=LONGEST)
        super().__init__(child=child, min_length=1, max_length=MOST_LENGTHS, **more)


class ByeBody(serializers.Serializer[Any]):
    wins = serializers.BooleanField(default=True)
    credited = serializers.BooleanField(default=False)
    stand_in = serializers.ChoiceField(
        choices=[StandIn.OWN_SCORE.value, StandIn.NOTHING.value], default=StandIn.OWN_SCORE.value
    )


class WalkoverBody(serializers.Serializer[Any]):
    wins = serializers.BooleanField(default=True)
    credited = serializers.BooleanField(default=False)
    stand_in = serializers.ChoiceField(
        choices=[stand_in.value for stand_in in StandIn], default=StandIn.OPPONENT.value
    )


class CountingBody(serializers.Serializer[Any]):
    """The counting of byes and walkovers."""

    bye = ByeBody(required=False)
    walkover = WalkoverBody(required=False)


class StandingsBody(serializers.Serializer[Any]):
    """The tie-breaks of rankings by records. The score comes first unless the list has it elsewhere."""

    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[tie_break.value for tie_break in OFFERED]),
        max_length=MOST_TIE_BREAKS,
        required=False,
    )
    counting = CountingBody(required=False)


class FormatBody(serializers.Serializer[Any]):
    """The format of play. Values that do not apply to the kind are ignored."""

    kind = serializers.ChoiceField(choices=[kind.value for kind in Kind], default=Kind.KNOCKOUT.value)
    third_place = serializers.BooleanField(default=False)
    consolation = chance(A_CONSOLATION)
    dropping = number("dropping", 0)
    last_chance = chance(A_LAST_CHANCE)
    last_chance_rounds = number("last_chance_rounds", 0)
    reset = serializers.BooleanField(
        default=False, help_text="A second final where the unbeaten player loses."
    )
    rounds = number("rounds", 0)
    lives = number("lives", 3)
    stop = serializers.ChoiceField(choices=[stop.value for stop in Stop], default=Stop.ONE_LEFT.value)
    meetings = number("meetings", 1)
    groups = number("groups", 4)
    qualifiers = number("qualifiers", 2)
    seeding = serializers.ChoiceField(
        choices=[seeding.value for seeding in Seeding], default=Seeding.FOLD.value
    )
    separate = serializers.ChoiceField(choices=APART, default=Separate.NONE.value)
    standings = StandingsBody(required=False)


class SideLengthsField(serializers.DictField):
    """Match lengths of side brackets, by their keys."""

    def __init__(self, **more: Any) -> None:
        help_text = (
            f"Keys: {', '.join(SIDE_BRACKETS)}. A missing key means `lengths`, for `group` the last of them."
        )
        super().__init__(child=LengthsField(), help_text=help_text, **more)

    def to_internal_value(self, data: Any) -> Any:
        lengths = super().to_internal_value(data)
        unknown_keys = [key for key in lengths if key not in SIDE_BRACKETS]
        if unknown_keys:
            raise serializers.ValidationError(
                gettext("There are lengths for {brackets} only.").format(brackets=", ".join(SIDE_BRACKETS))
            )
        return lengths


class RulesBody(serializers.Serializer[Any]):
    """The rules of a draw: seeding, byes and separation."""

    method = serializers.ChoiceField(choices=DrawMethod.values, default=DrawMethod.RANDOM.value)
    byes = serializers.ChoiceField(choices=[byes.value for byes in Byes], default=Byes.TOP_SEEDS.value)
    by_hand = serializers.ListField(
        child=serializers.UUIDField(), max_length=512, default=list, help_text="Entries given a bye by hand."
    )
    byes_reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    seeded_lines = serializers.ChoiceField(
        choices=[lines.value for lines in SeededLines], default=SeededLines.FIXED.value
    )
    separate = serializers.ChoiceField(choices=APART, default=Separate.NONE.value)
    protected_rounds = serializers.IntegerField(min_value=1, max_value=5, default=1)


def format_of(body: Mapping[str, Any]) -> Format:
    """Returns the format. Raises ValidationError, at the field, if it is impossible."""
    values = {name: value for name, value in body.items() if name not in CODES and name != "standings"}
    values |= {name: code(body[name]) for name, code in CODES.items()}
    try:
        for name in ("consolation", "last_chance"):
            if values[name] not in NAMED:
                parse(values[name])
        chosen = Format(**values, standings=_standings_of(body.get("standings", {})))
        if chosen.kind in (Kind.KNOCKOUT, Kind.DOUBLE):
            knockout_format(chosen)
    except (FormatError, NotationError, StandingsError) as cannot:
        raise serializers.ValidationError({"format": [refusal_sentence(cannot)]}) from None
    return chosen


CODES: Mapping[str, Any] = {"kind": Kind, "stop": Stop, "seeding": Seeding, "separate": Separate}


def side_lengths_of(body: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    return {key: tuple(lengths) for key, lengths in body.items()}


def order_rules_of(body: Mapping[str, Any]) -> OrderRules[str]:
    return OrderRules(
        byes=Byes(body["byes"]),
        seeded_lines=SeededLines(body["seeded_lines"]),
        separate=Separate(body["separate"]),
        protected_rounds=body["protected_rounds"],
        by_hand=tuple(str(entry) for entry in body["by_hand"]),
    )


def draw_rules_of(body: Mapping[str, Any]) -> DrawRules:
    return DrawRules(body["method"], order_rules_of(body), body["byes_reason"])


def _standings_of(body: Mapping[str, Any]) -> StandingRules:
    usual = StandingRules()
    counting = body.get("counting", {})
    return StandingRules(
        tuple(TieBreak(name) for name in body["tie_breaks"]) if "tie_breaks" in body else usual.tie_breaks,
        CountingRules(
            _unplayed(counting.get("bye"), usual.counting.bye),
            _unplayed(counting.get("walkover"), usual.counting.walkover),
        ),
    )


def _unplayed(body: Mapping[str, Any] | None, usual: Unplayed) -> Unplayed:
    if body is None:
        return usual
    return Unplayed(body["wins"], body["credited"], StandIn(body["stand_in"]))
