"""What brackets are called on pages and in files, the letters before their match numbers, and their addresses.

The one room that knows brackets by name. A key that is not told here is called by the key itself.
"""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
RANKED_TOGETHER, RANKED_ABOVE = (MAIN, "third place", "lower"), ("final",)
"""Brackets whose players share one list of places, and those that rank above the others in it."""
LETTERS: Mapping[str, str] = {MAIN: "", "lower": "B"}
WITH_A_NUMBER = re.compile(r"(?P<kind>.+?) (?P<number>\d+)")


def bracket_title(key: str) -> str:
    """“Consolation”, “Group 3”."""
    if key in TITLES:
        return str(TITLES[key])
    parts = WITH_A_NUMBER.fullmatch(key)
    if parts is not None and parts["kind"] in NUMBERED:
        return str(NUMBERED[parts["kind"]]).format(number=parts["number"])
    return key[:1].upper() + key[1:]


def called(key: str, number: int) -> str:
    """A match number that no other bracket of the tournament has: “12”, “C12”, “G3.1”."""
    parts = WITH_A_NUMBER.fullmatch(key)
    if parts is not None:
        return f"{parts['kind'][0].upper()}{parts['number']}.{number}"
    return f"{LETTERS.get(key, key[:1].upper())}{number}"


def bracket_slug(key: str) -> str:
    """The key as it stands in addresses: last-chance."""
    return slugify(key)


def coming_words(outcome: str, number: int, bracket: str, of_match: str) -> str:
    """Who will sit on a seat, from the parts of a `Coming`; `of_match` is what the match is called."""
    if outcome == "place":
        return _("Place {place} of {bracket}").format(place=number, bracket=bracket_title(bracket))
    if outcome == "winner":
        return _("Winner of match {number}").format(number=of_match)
    if outcome == "first_loss":
        return _("Loser of match {number}, if beaten for the first time").format(number=of_match)
    return _("Loser of match {number}").format(number=of_match)
