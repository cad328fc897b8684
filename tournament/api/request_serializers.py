"""Validates the shape of request bodies. `rules` decides if a row is possible."""

from typing import Any
from zoneinfo import available_timezones

from rest_framework import serializers

from matches.models import LARGEST_POINTS, MOST_GAMES, PenaltyKind
from matches.rows import FinalScore, NewRow, Stop, Strike
from rules.ruleset import DEFAULT_PRESET, PRESETS, Ruleset, RulesetError
from rules.score import Ending, Game, Penalty, Side, Win
from tournament.api.format_serializers import (
    FormatBody,
    LengthsField,
    RulesBody,
    SideLengthsField,
    format_of,
    order_rules_of,
    side_lengths_of,
)
from tournament.api.prize_serializers import PrizesBody, prizes_from_body
from tournament.brackets.lengths import LONGEST, SHORTEST, PlayedTo, StakePlay, stake_play
from tournament.draw.formats import Format
from tournament.draw.public_draw.secret_hash import LONGEST_PUBLIC_TEXT
from tournament.drawing.draws import DrawPlan
from tournament.entries.lists.limits import (
    HIGHEST_RATING,
    HIGHEST_SEED,
    LONGEST_CLUB,
    LONGEST_FEDERATION_ID,
    LONGEST_NAME,
    LONGEST_TEAM,
)
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events.setup import LONGEST_DELAY, EventPlan, TournamentPlan
from tournament.models import Event, Role, Tournament, Visibility
from tournament.models.events import MOST_MINUTES
from tournament.runtime.text import clean

SIDES = [side.value for side in Side]
WINS = {win.name.lower(): win for win in Win}
LARGEST = 2**31 - 1


def games_field(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_GAMES, help_text=help_text
    )


def minutes_field() -> serializers.IntegerField:
    help_text = "Instead of games: a session lasts until time is over, which a row on the card records."
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST_MINUTES, help_text=help_text
    )


class RowBody(serializers.Serializer[Any]):
    """The fields of every row: its key (made by the client) and the key of the row before it on the card."""

    key = serializers.UUIDField(help_text="Made by the client; the same key and body get the same answer.")
    predecessor = serializers.UUIDField(help_text="Key of the row before; the match's id for the first.")


class GameBody(RowBody):
    winner = serializers.ChoiceField(choices=SIDES)
    win = serializers.ChoiceField(choices=list(WINS), default="single")
    ending = serializers.ChoiceField(choices=[ending.value for ending in Ending], default=Ending.PLAYED.value)
    cube = serializers.IntegerField(default=1, min_value=0, max_value=LARGEST)
    checkers_left = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=30000)
    automatic_doubles = serializers.IntegerField(default=0, min_value=0, max_value=30000)
    supersedes = serializers.UUIDField(required=False, allow_null=True)


class PenaltyBody(RowBody):
    against = serializers.ChoiceField(choices=SIDES)
    points = serializers.IntegerField(min_value=0, max_value=LARGEST_POINTS)
    penalty_kind = serializers.ChoiceField(choices=PenaltyKind.values, default=PenaltyKind.OTHER.value)
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    mid_game = serializers.BooleanField(default=False, help_text="Given while a game was under way.")


class FinalBody(RowBody):
    left = serializers.IntegerField(min_value=0, max_value=LARGEST)
    right = serializers.IntegerField(min_value=0, max_value=LARGEST)


class StrikeBody(RowBody):
    supersedes = serializers.UUIDField(help_text="Key of the row to take back.")


class StopBody(RowBody):
    """Time is over: the session ends with the games that count on the card, at least one."""


class ConfirmBody(serializers.Serializer[Any]):
    tail = serializers.UUIDField(required=False, allow_null=True, help_text="Key of the last row you saw.")


class ReasonBody(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ClosingBody(serializers.Serializer[Any]):
    ruling = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class EventBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    starts_on = serializers.DateField()
    venue = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    time_zone = serializers.CharField(max_length=60, required=False, default="UTC")
    is_indexed = serializers.BooleanField(
        required=False,
        help_text="Search engines may list the event. Left out: as it is, or not for a new event.",
    )
    shows_initials = serializers.BooleanField(
        required=False,
        help_text="Surnames are shortened to initials. Left out: as it is, or not for a new event.",
    )
    visibility = serializers.ChoiceField(
        choices=Visibility.choices,
        required=False,
        help_text="Who may see the event. Left out: as it is, or everybody for a new event.",
    )

    def validate_time_zone(self, name: str) -> str:
        if name not in available_timezones():
            raise serializers.ValidationError("No such time zone. An example: Europe/Athens.")
        return name


class TournamentBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80)
    preset = serializers.ChoiceField(choices=sorted(PRESETS), default=DEFAULT_PRESET)
    ruleset = serializers.JSONField(required=False, help_text="A whole ruleset; instead of a preset.")
    lengths = LengthsField(default=[7], help_text="Match lengths from the final backwards.")
    format = FormatBody(required=False, help_text="Left out: a knock-out; when changing, as it is.")
    side_lengths = SideLengthsField(required=False)
    games = games_field(
        "In stake play; in brackets without `side_lengths`. Left out, as `minutes`: as it is, or none."
    )
    minutes = minutes_field()
    confirm_after = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=1440)
    final_score_allowed = serializers.BooleanField(default=True)
    prizes = PrizesBody(required=False, help_text="Left out: none, or as they are.")
    two_cards = serializers.BooleanField(
        required=False, help_text="Each side keeps a card of its own; left out: off, or as it is."
    )
    doubles = serializers.BooleanField(
        required=False, help_text="Pairs play, each of them one entry; left out: off, or as it is."
    )
    score_delay = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LONGEST_DELAY,
        help_text="Minutes; null: spectators see no running score. Left out: 0, or as it is.",
    )


class CleanText(serializers.CharField):
    """Normalizes text like an imported list: one Unicode form, no invisible characters."""

    def to_internal_value(self, data: Any) -> str:
        text = clean(super().to_internal_value(data))
        if not text and not self.allow_blank:
            self.fail("blank")
        return text


class EntryBody(serializers.Serializer[Any]):
    name = CleanText(max_length=LONGEST_NAME)
    country = CleanText(max_length=3, required=False, allow_blank=True, default="")
    club = CleanText(max_length=LONGEST_CLUB, required=False, allow_blank=True, default="")
    team = CleanText(max_length=LONGEST_TEAM, required=False, allow_blank=True, default="")
    federation_id = CleanText(max_length=LONGEST_FEDERATION_ID, required=False, allow_blank=True, default="")
    rating = serializers.DecimalField(
        7, 2, required=False, allow_null=True, min_value=0, max_value=HIGHEST_RATING, default=None
    )
    seed = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=HIGHEST_SEED, default=None
    )
    is_paid = serializers.BooleanField(default=False)

    def validate_country(self, country: str) -> str:
        return country.upper()


class DrawBody(RulesBody):
    """Where a secret waits, only `public` and `reason` count: the rest was fixed when entries were closed."""

    draw = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=LARGEST,
        help_text="Number of the current draw that this replaces; left out where there is none. Else 409.",
    )
    seed_text = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    public = serializers.CharField(
        max_length=LONGEST_PUBLIC_TEXT,
        required=False,
        allow_blank=True,
        default="",
        help_text="Dice thrown in the hall.",
    )


class SeedingBody(serializers.Serializer[Any]):
    how_many = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_SEED, help_text="0 takes all seeds away."
    )


class LengthBody(serializers.Serializer[Any]):
    """A match length, or in stake play a number of games or of minutes: one of the three."""

    length = serializers.IntegerField(required=False, allow_null=True, min_value=SHORTEST, max_value=LONGEST)
    games = games_field("Of each session of stake play.")
    minutes = minutes_field()

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        if sum(body.get(name) is not None for name in ("length", "games", "minutes")) != 1:
            raise serializers.ValidationError(
                "Give a length, a number of games, or minutes: one of the three."
            )
        return body


class RoleBody(serializers.Serializer[Any]):
    user_name = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.values)


class ListBody(serializers.Serializer[Any]):
    """An entry list: pasted text, or a file (multipart)."""

    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    file = serializers.FileField(required=False, allow_empty_file=True)
    digest = serializers.CharField(required=False, help_text="From the preview; needed to apply.")
    other_people = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        required=False,
        help_text="Numbers of lines that are not the player of another tournament with the same name.",
    )


def game_of(body: dict[str, Any]) -> NewRow:
    game = Game(
        winner=Side(body["winner"]),
        win=WINS[body["win"]],
        ending=Ending(body["ending"]),
        cube=body["cube"],
        checkers_left=body.get("checkers_left"),
        automatic_doubles=body["automatic_doubles"],
    )
    return NewRow(body["key"], body["predecessor"], game, body.get("supersedes"))


def penalty_of(body: dict[str, Any]) -> NewRow:
    penalty = Penalty(
        Side(body["against"]),
        body["points"],
        body["reason"],
        mid_game=body["mid_game"],
        given_for=body["penalty_kind"],
    )
    return NewRow(body["key"], body["predecessor"], penalty)


def final_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], FinalScore(body["left"], body["right"]))


def stop_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], Stop())


def length_of(body: dict[str, Any]) -> PlayedTo:
    length: int | None = body.get("length")
    return StakePlay(body.get("games"), body.get("minutes")) if length is None else length


def strike_of(body: dict[str, Any]) -> NewRow:
    return NewRow(body["key"], body["predecessor"], Strike(), supersedes=body["supersedes"])


def event_of(body: dict[str, Any], before: Event | None = None) -> EventPlan:
    """Returns the plan of an event, without its visibility. Settings missing from the body stay unchanged."""
    body = {name: value for name, value in body.items() if name != "visibility"}
    stored = {name: getattr(before, name) for name in ("is_indexed", "shows_initials")} if before else {}
    return EventPlan(**{**stored, **body})


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


def draw_of(body: dict[str, Any]) -> DrawPlan:
    fields = {name: body[name] for name in ("method", "seed_text", "reason", "public", "byes_reason")}
    return DrawPlan(rules=order_rules_of(body), **fields)


def entry_of(body: dict[str, Any]) -> EntryDetails:
    fields = {name: body[name] for name in ("name", "country", "club", "team", "federation_id", "rating")}
    return EntryDetails(PlayerDetails(**fields), seed=body["seed"], is_paid=body["is_paid"])


def _ruleset_of(body: dict[str, Any]) -> Ruleset:
    if body.get("ruleset") is None:
        return PRESETS[body["preset"]]
    try:
        return Ruleset.from_json(body["ruleset"])
    except RulesetError as error:
        sentences = [problem.sentence for problem in error.problems]
        raise serializers.ValidationError({"ruleset": sentences}) from None
