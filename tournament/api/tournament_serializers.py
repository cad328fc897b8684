"""Bodies and answers of the API about tournaments."""

from typing import Any

from rest_framework import serializers

from rules.ruleset import DEFAULT_PRESET, PRESETS, Ruleset, RulesetError
from tournament.api.format_serializers import (
    FormatBody,
    LengthsField,
    SideLengthsField,
    format_of,
    side_lengths_of,
)
from tournament.api.prize_serializers import PrizesBody, prizes_from_body
from tournament.api.shared_serializers import games_field, minutes_field
from tournament.brackets.lengths import StakePlay, stake_play
from tournament.draw.formats import Format
from tournament.events.setup import LONGEST_DELAY, TournamentPlan
from tournament.models import Tournament


class TournamentBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    preset = serializers.ChoiceField(choices=sorted(PRESETS), default=DEFAULT_PRESET)
    ruleset = serializers.JSONField(required=False, help_text="A whole ruleset; instead of a preset.")
    lengths = LengthsField(default=[7], help_text="Match lengths from the final backwards.")
    format = FormatBody(required=False, help_text="Left out: a knock-out, or unchanged.")
    side_lengths = SideLengthsField(required=False)
    games = games_field(
        "In stake play; in brackets without `side_lengths`. Left out, as `minutes`: unchanged, or none."
    )
    minutes = minutes_field()
    confirm_after = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=1440)
    final_score_allowed = serializers.BooleanField(default=True)
    prizes = PrizesBody(required=False, help_text="Left out: none, or as they are.")
    two_cards = serializers.BooleanField(
        required=False, help_text="Each side keeps a card of its own; left out: off, or unchanged."
    )
    doubles = serializers.BooleanField(
        required=False, help_text="Pairs play, each of them one entry; left out: off, or unchanged."
    )
    uses_clocks = serializers.BooleanField(
        required=False, help_text="Every match is played with a clock; left out: off, or unchanged."
    )
    score_delay = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LONGEST_DELAY,
        help_text="Minutes; null: spectators see no running score. Left out: 0, or unchanged.",
    )


class TournamentDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    event = serializers.CharField()
    slug = serializers.CharField()
    name = serializers.CharField()
    ruleset = serializers.DictField()
    lengths = serializers.ListField(
        child=serializers.IntegerField(), help_text="They say nothing in stake play."
    )
    side_lengths = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    games = serializers.IntegerField(allow_null=True, help_text="Stake play: games of each session.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Stake play: minutes of each session.")
    format = serializers.DictField(help_text="As in the body of create_tournament, every field told.")
    confirm_after = serializers.IntegerField(allow_null=True)
    final_score_allowed = serializers.BooleanField()
    two_cards = serializers.BooleanField(help_text="Each side keeps a card; a result counts when both agree.")
    doubles = serializers.BooleanField(help_text="Pairs play: an entry is a pair.")
    uses_clocks = serializers.BooleanField(help_text="Every match is played with the clock of the ruleset.")
    score_delay = serializers.IntegerField(
        allow_null=True, help_text="Minutes; null: only the result is seen."
    )
    prizes = serializers.DictField(help_text="As in the body of create_tournament; empty: none.")
    is_drawn = serializers.BooleanField()
    is_released = serializers.BooleanField()


class PresetsDocument(serializers.Serializer[Any]):
    """Rulesets by name."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.DictField() for name in sorted(PRESETS)}


def tournament_of(body: dict[str, Any], before: Tournament | None = None) -> TournamentPlan:
    """Returns the plan. Raises ValidationError for an impossible ruleset or format."""
    stored_format = Format.from_json(before.format) if before else Format()
    side_lengths = body.get("side_lengths", before.side_lengths if before else {})
    return TournamentPlan(
        name=body["name"],
        ruleset=_ruleset_of(body),
        lengths=tuple(body["lengths"]),
        confirm_after=body.get("confirm_after"),
        final_score_allowed=body["final_score_allowed"],
        two_cards=body.get("two_cards", before is not None and before.two_cards),
        doubles=body.get("doubles", before is not None and before.doubles),
        uses_clocks=body.get("uses_clocks", before is not None and before.uses_clocks),
        score_delay=body.get("score_delay", before.score_delay if before else 0),
        format=format_of(body["format"]) if "format" in body else stored_format,
        side_lengths=side_lengths_of(side_lengths),
        prizes=prizes_from_body(body, before),
        stake=_stake_of(body, before),
    )


def _stake_of(body: dict[str, Any], before: Tournament | None) -> StakePlay | None:
    if body.keys().isdisjoint(("games", "minutes")):
        return stake_play(before) if before else None
    games, minutes = body.get("games"), body.get("minutes")
    return None if games is None and minutes is None else StakePlay(games, minutes)


def _ruleset_of(body: dict[str, Any]) -> Ruleset:
    if body.get("ruleset") is None:
        return PRESETS[body["preset"]]
    try:
        return Ruleset.from_json(body["ruleset"])
    except RulesetError as error:
        sentences = [problem.sentence for problem in error.problems]
        raise serializers.ValidationError({"ruleset": sentences}) from None
