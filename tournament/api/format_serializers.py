"""What programs say of formats and of how a draw is made, and how it is read into plans. Decides nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

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

SIDES = ("consolation", "final", "group", "last chance", "lower", "play-off", "third place")
MOST_LENGTHS = 10
MOST_TIE_BREAKS = 20
APART = [one.value for one in Separate]
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
    stand_in = serializers.ChoiceField(choices=[one.value for one in StandIn], default=StandIn.OPPONENT.value)


class CountingBody(serializers.Serializer[Any]):
    """How matches that nobody played count."""

    bye = ByeBody(required=False)
    walkover = WalkoverBody(required=False)


class StandingsBody(serializers.Serializer[Any]):
    """How records are ranked; the score comes first unless the list names it elsewhere."""

    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[one.value for one in OFFERED]),
        max_length=MOST_TIE_BREAKS,
        required=False,
    )
    counting = CountingBody(required=False)


class FormatBody(serializers.Serializer[Any]):
    """How it is played. What a kind does not have counts for nothing."""

    kind = serializers.ChoiceField(choices=[one.value for one in Kind], default=Kind.KNOCKOUT.value)
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
    stop = serializers.ChoiceField(choices=[one.value for one in Stop], default=Stop.ONE_LEFT.value)
    meetings = number("meetings", 1)
    groups = number("groups", 4)
    qualifiers = number("qualifiers", 2)
    seeding = serializers.ChoiceField(choices=[one.value for one in Seeding], default=Seeding.FOLD.value)
    separate = serializers.ChoiceField(choices=APART, default=Separate.NONE.value)
    standings = StandingsBody(required=False)


class SideLengthsField(serializers.DictField):
    """Lengths of brackets beside the main one, by their keys."""

    def __init__(self, **more: Any) -> None:
        told = f"Keys: {', '.join(SIDES)}. Where one is missing, `lengths` hold."
        super().__init__(child=LengthsField(), help_text=told, **more)

    def to_internal_value(self, data: Any) -> Any:
        lengths = super().to_internal_value(data)
        strange = [key for key in lengths if key not in SIDES]
        if strange:
            raise serializers.ValidationError(f"There are lengths for {', '.join(SIDES)} only.")
        return lengths


class RulesBody(serializers.Serializer[Any]):
    """How a draw is made: seeded or not, who has the byes, who is kept apart."""

    method = serializers.ChoiceField(choices=DrawMethod.values, default=DrawMethod.RANDOM.value)
    byes = serializers.ChoiceField(choices=[one.value for one in Byes], default=Byes.TOP_SEEDS.value)
    by_hand = serializers.ListField(
        child=serializers.UUIDField(), max_length=512, default=list, help_text="Entries given a bye by hand."
    )
    byes_reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    seeded_lines = serializers.ChoiceField(
        choices=[one.value for one in SeededLines], default=SeededLines.FIXED.value
    )
    separate = serializers.ChoiceField(choices=APART, default=Separate.NONE.value)
    protected_rounds = serializers.IntegerField(min_value=1, max_value=5, default=1)


def format_of(body: Mapping[str, Any]) -> Format:
    """The format; raises ValidationError, beside its field, for one that cannot be."""
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
        raise serializers.ValidationError({"format": [str(cannot)]}) from None
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
