"""Serializes a player's own card for offline use by their phone. Contains values only, no labels."""

from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from matches.card_totals import effective_rows, row_content
from matches.rows import FinalScore, Stop
from rules.ruleset import Ruleset
from rules.score import Game, Penalty
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.row_keys import next_row_keys

SCORING = (
    "automatic_doubles", "crawford", "crawford_after_penalty", "cube", "cube_limit", "jacoby", "uncubed_single"
)  # fmt: skip


def offline_card_json(phone: PhoneMatch) -> dict[str, Any]:
    """`keys` are the keys of the next rows in their order; `rows` are the rows that count."""
    left_is_me = phone.side.value == "left"
    left, right = (phone.me, phone.other) if left_is_me else (phone.other, phone.me)
    return {
        "match": str(phone.match.pk),
        "entry": str(phone.me.pk),
        "side": phone.side.value,
        "names": {"left": left.name, "right": right.name},
        "length": phone.match.length,
        "games": phone.match.games,
        "is_open": phone.is_open,
        "version": phone.match.version,
        "rules": scoring_rules(phone.ruleset),
        "tail": str(phone.own.tail),
        "keys": [str(key) for key in next_row_keys(phone)],
        "written": [str(row.key) for row in phone.own.rows],
        "rows": [
            {"key": str(row.key), **line_json(row_content(row))} for row in effective_rows(phone.own.rows)
        ],
    }


def scoring_rules(ruleset: Ruleset) -> dict[str, Any]:
    """Returns the fields of a ruleset that decide the points of a game."""
    return {name: value for name, value in ruleset.as_json().items() if name in SCORING}


def line_json(content: Game | Penalty | FinalScore | Stop) -> dict[str, Any]:
    match content:
        case Game() as game:
            return {
                "what": "game",
                "winner": game.winner.value,
                "win": int(game.win),
                "ending": game.ending.value,
                "cube": game.cube,
                "checkers_left": game.checkers_left,
                "automatic_doubles": game.automatic_doubles,
            }
        case Penalty() as penalty:
            against = penalty.against.value
            return {
                "what": "penalty",
                "against": against,
                "points": penalty.points,
                "mid_game": penalty.mid_game,
            }
        case FinalScore() as final:
            return {"what": "final", "left": final.left, "right": final.right}
        case Stop() as stop:
            return {"what": "stop", "games": stop.games}


def time_at_event(phone: PhoneMatch) -> str:
    """Returns the current time of the event, because the clock of the phone may be wrong."""
    return date_format(timezone.localtime(timezone.now(), ZoneInfo(phone.event.time_zone)), "H:i")
