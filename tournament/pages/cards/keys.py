"""The keys of the score card on a phone: their labels and which of them are pressed. Decides nothing."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.score import Game
from tournament.pages.cards.forms import KINDS
from tournament.queries.cards.card import PhoneMatch
from tournament.queries.cards.row_keys import next_row_key

SentValues = Mapping[str, str]

LONG_NAME = 14
"""Longer names are in smaller type."""


@dataclass(frozen=True, slots=True)
class Key:
    value: str
    label: str
    note: str = ""
    is_down: bool = False

    @property
    def is_long(self) -> bool:
        return len(self.label) > LONG_NAME


@dataclass(frozen=True, slots=True)
class Keys:
    """The form of the next game: at first a single game with the cube at 1. `given` holds the
    sent values of a refused form.
    """

    row_key: uuid.UUID
    winners: tuple[Key, ...]
    kinds: tuple[Key, ...]
    cubes: tuple[Key, ...]
    why_no_cube: str
    given: SentValues


def keys_of(phone: PhoneMatch, sent_values: SentValues) -> Keys:
    """Returns the keys for the next game of the player's own card."""
    pressed = sent_values.get("kind", "single")
    uses_cube = len(phone.choices.cubes) > 1
    kinds = [key for key in _kinds(pressed) if uses_cube or key.value != "drop"]
    if phone.own.score.is_double_match_point:
        kinds = kinds[:1]
    cubes = tuple(_key(str(cube), str(cube), sent_values.get("cube", "1")) for cube in phone.choices.cubes)
    return Keys(
        row_key=next_row_key(phone),
        winners=(
            _key(phone.side.value, phone.me.name, sent_values.get("winner", ""), _("you")),
            _key(phone.side.other.value, phone.other.name, sent_values.get("winner", "")),
        ),
        kinds=tuple(kinds),
        cubes=cubes,
        why_no_cube="" if uses_cube else _no_cube_reason(phone),
        given=sent_values,
    )


def kind_word(game: Game) -> str:
    """Returns the ending of a game in words."""
    words = {**_words(), **_resigned_words()}
    return next(words[kind] for kind, ending in KINDS.items() if ending == (game.win, game.ending))


def _kinds(pressed: str) -> list[Key]:
    notes = {"gammon": "×2", "backgammon": "×3", "drop": _("double refused")}
    return [_key(kind, word, pressed, notes.get(kind, "")) for kind, word in _words().items()]


def _words() -> dict[str, str]:
    return {"single": _("Single"), "gammon": _("Gammon"), "backgammon": _("Backgammon"), "drop": _("Drop")}


def _resigned_words() -> dict[str, str]:
    return {
        "resigned-single": _("Resigned a single"),
        "resigned-gammon": _("Resigned a gammon"),
        "resigned-backgammon": _("Resigned a backgammon"),
    }


def _key(value: str, label: str, pressed: str, note: str = "") -> Key:
    return Key(value, label, note, is_down=value == pressed)


def _no_cube_reason(phone: PhoneMatch) -> str:
    if phone.choices.is_crawford:
        return _("Crawford game: played without the cube.")
    if phone.match.length == 1:
        return _("A 1-point match has no cube.")
    if phone.own.score.is_double_match_point:
        return _("Double match point: cube and gammons no longer matter.")
    return _("This match is played without a cube.")
