"""Labels of brackets, rounds, lengths, sessions and results for pages and files, and the slugs of brackets.

The only module that knows brackets by name. An unknown key is its own label.
"""

import re
from collections.abc import Mapping
from typing import Protocol

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.score import Score
from tournament.draw.recipes import RoundName
from tournament.queries.brackets.round_names import BRACKET_FINAL, PLAIN, SECOND_FINAL

MAIN = "main"
TITLES: Mapping[str, Promise] = {
    MAIN: gettext_lazy("Main"),
    "third place": gettext_lazy("Third place"),
    "consolation": gettext_lazy("Consolation"),
    "last chance": gettext_lazy("Last chance"),
    "lower": gettext_lazy("Lower bracket"),
    "final": gettext_lazy("Final"),
    "play-off": gettext_lazy("Play-off"),
}
NUMBERED: Mapping[str, Promise] = {
    "group": gettext_lazy("Group {number}"),
    "jackpot": gettext_lazy("Jackpot {number}"),
}
ROUND_TITLES: Mapping[RoundName, Promise] = {
    RoundName.FINAL: gettext_lazy("Final"),
    RoundName.SEMIFINALS: gettext_lazy("Semifinals"),
    RoundName.QUARTERFINALS: gettext_lazy("Quarterfinals"),
    RoundName.ROUND_OF_16: gettext_lazy("Round of 16"),
    RoundName.ROUND_OF_32: gettext_lazy("Round of 32"),
    RoundName.ROUND_OF_64: gettext_lazy("Round of 64"),
    RoundName.ROUND_OF_128: gettext_lazy("Round of 128"),
    RoundName.ROUND_OF_256: gettext_lazy("Round of 256"),
    RoundName.ROUND_OF_512: gettext_lazy("Round of 512"),
    RoundName.ROUND_OF_1024: gettext_lazy("Round of 1024"),
}
SPECIAL_ROUND_TITLES: Mapping[str, Promise] = {
    SECOND_FINAL: gettext_lazy("Second final"),
    BRACKET_FINAL: gettext_lazy("Round before the final"),
}
SINGLE_MATCH_BRACKETS = ("third place",)
UNNAMED_BRACKETS = (MAIN, "final")
RESULT_LABELS: Mapping[str, Promise] = {
    "walkover": gettext_lazy("walkover"),
    "no_show": gettext_lazy("no-show"),
    "double_no_show": gettext_lazy("both absent"),
    "penalty": gettext_lazy("lost by penalty points"),
    "clock": gettext_lazy("lost on time"),
    "unfinished": gettext_lazy("abandoned"),
    "settled": gettext_lazy("settled by agreement"),
    "withdrawn": gettext_lazy("withdrawn"),
}
"""Labels of results that were not played."""
LETTERS: Mapping[str, str] = {MAIN: "", "lower": "B"}
NUMBERED_KEY = re.compile(r"(?P<kind>.+?) (?P<number>\d+)")


def bracket_title(key: str) -> str:
    """“Consolation”, “Group 3”."""
    if key in TITLES:
        return str(TITLES[key])
    parts = NUMBERED_KEY.fullmatch(key)
    if parts is not None and parts["kind"] in NUMBERED:
        return str(NUMBERED[parts["kind"]]).format(number=parts["number"])
    return key[:1].upper() + key[1:]


def match_label(key: str, number: int) -> str:
    """The number of a match with the letter of its bracket, unique in the tournament: “12”, “C12”, “G3.1”."""
    parts = NUMBERED_KEY.fullmatch(key)
    if parts is not None:
        return f"{parts['kind'][0].upper()}{parts['number']}.{number}"
    return f"{LETTERS.get(key, key[:1].upper())}{number}"


def bracket_slug(key: str) -> str:
    """The key as URLs contain it: last-chance."""
    return slugify(key)


def coming_label(outcome: str, number: int, bracket: str, match: str) -> str:
    """The label of an empty seat, from the fields of a `Coming`; `match` is the label of the match."""
    if outcome == "place":
        return _("Place {place} of {bracket}").format(place=number, bracket=bracket_title(bracket))
    if outcome == "winner":
        return _("Winner of match {number}").format(number=match)
    if outcome == "first_loss":
        return _("Loser of match {number}, if beaten for the first time").format(number=match)
    return _("Loser of match {number}").format(number=match)


def round_title(code: str) -> str:
    """“Semifinals”, “Round 3”."""
    if code in SPECIAL_ROUND_TITLES:
        return str(SPECIAL_ROUND_TITLES[code])
    if code in ROUND_TITLES:
        return str(ROUND_TITLES[RoundName(code)])
    return _("Round {number}").format(number=code.removeprefix(PLAIN))


def round_title_in(code: str, bracket: str) -> str:
    """The title with its bracket where several brackets are listed: “Consolation · Round 3”."""
    if bracket in UNNAMED_BRACKETS:
        return round_title(code)
    if bracket in SINGLE_MATCH_BRACKETS:
        return bracket_title(bracket)
    return f"{bracket_title(bracket)} · {round_title(code)}"


class Session(Protocol):
    """Anything with a number of games; some have `minutes` too."""

    @property
    def games(self) -> int | None: ...


class PlayedTo(Session, Protocol):
    @property
    def length(self) -> int | None: ...


def length_phrase(played: PlayedTo) -> str:
    """“to 7 points”, “5 games”, “60 minutes”."""
    if played.length is None:
        return session_length(played)
    return ngettext("to %(length)s point", "to %(length)s points", played.length) % {"length": played.length}


def short_length(played: PlayedTo) -> str:
    """“to 7”, “5 games”, “60 minutes”."""
    return session_length(played) if played.length is None else _("to %(length)s") % {"length": played.length}


def length_figures(played: PlayedTo) -> str:
    """“7”, “5 games”, “60 minutes”."""
    return session_length(played) if played.length is None else str(played.length)


def session_length(played: Session) -> str:
    """“5 games”, “60 minutes”."""
    minutes: int | None = getattr(played, "minutes", None)
    if played.games is not None:
        return ngettext("%(games)s game", "%(games)s games", played.games) % {"games": played.games}
    if minutes is not None:
        return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}
    return _("stake play")


def session_label(score: Score) -> str:
    """“Game 3 of 5”; empty for a match with a length and for a finished session."""
    if score.length is not None or score.is_over:
        return ""
    if score.agreed is None:
        return _("Game {number}").format(number=score.games + 1)
    if score.games < score.agreed:
        return _("Game {number} of {games}").format(number=score.games + 1, games=score.agreed)
    return _("Level after game {number}: one more game decides").format(number=score.games)
