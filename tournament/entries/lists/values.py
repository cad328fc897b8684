"""Reads the value of a cell under a known column, with a remark if it is invalid.

An invalid cell reads as blank. The caller adds the line number.
"""

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, TypeVar

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import cell_text, is_placeholder
from tournament.entries.lists.countries import country_code
from tournament.entries.lists.limits import (
    HIGHEST_RATING,
    HIGHEST_SEED,
    LONGEST_CLUB,
    LONGEST_FEDERATION_ID,
    LONGEST_TEAM,
)
from tournament.entries.lists.listing import Cell
from tournament.entries.lists.remarks import Remark
from tournament.runtime.text import abbreviate, clean

T = TypeVar("T")

_PLAIN = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?")
_GROUPED = re.compile(r"([1-9])([.,])(\d{3})(?:(?!\2)[.,](\d{1,9}))?")
_GROUP_SEPARATOR = re.compile(r"(?<=\d)[\s'’](?=\d{3})")
_ARABIC_SIGNS = str.maketrans({"٫": ".", "٬": ","})
_SEED = re.compile(r"[#(\[]?(\d{1,9})[.)\]]?")
_SURNAME_FIRST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YES_WORDS = """
yes y true 1 x ✓ ✔ ☑ ok paid ja j oui si sí sì s sim da tak ano igen evet kyllä ναι да так כן نعم はい
"""
_NO_WORDS = """
no n false 0 ☐ ✗ ✘ unpaid open nein non não nao nej nei nee nie ne nem hayır ei όχι нет ні לא لا いいえ
"""
_TITLE_WORDS = """
gm gm1 gm2 gm3 g1 g2 g3 m1 m2 m3 s1 s2 s3 sgm grandmaster master champion grossmeister meister weltmeister maître
campeón campione campeão maestro mestre grootmeester meester stormester mester stormästare mästare
гроссмейстер мастер
"""
_YES = frozenset(_YES_WORDS.split())
_NO = frozenset(_NO_WORDS.split())
_TITLES = frozenset(_TITLE_WORDS.split())


@dataclass(frozen=True)
class Reading(Generic[T]):
    """A value, and the remark on it if there is one."""

    value: T
    remark: Remark | None = None
    params: dict[str, str | int] = field(default_factory=dict)


def _cell_value(cell: Cell) -> str:
    text = cell_text(cell)
    return "" if is_placeholder(text) else text


def _text_reader(longest: int) -> Callable[[Cell], Reading[str]]:
    def read(cell: Cell) -> Reading[str]:
        text = _cell_value(cell)
        if len(text) > longest:
            return Reading("", remarks.TOO_LONG, {"value": abbreviate(text), "most": longest})
        return Reading(text)

    return read


def join_name(parts: list[str]) -> str:
    """Joins given name and surname in the order of their script. A single part is returned unchanged."""
    texts = ["" if is_placeholder(part) else part for part in parts]
    if any(_SURNAME_FIRST.search(part) for part in texts):
        texts.reverse()
    return clean(" ".join(texts))


club = _text_reader(LONGEST_CLUB)
team = _text_reader(LONGEST_TEAM)
federation_id = _text_reader(LONGEST_FEDERATION_ID)


def country(cell: Cell) -> Reading[str]:
    """Returns the code of a known country."""
    text = _cell_value(cell)
    code = country_code(text)
    if text and code is None:
        return Reading("", remarks.COUNTRY_LEFT_OUT, {"value": abbreviate(text)})
    return Reading(code or "")


def decimal_of(text: str) -> Decimal | None:
    """Parses a number with a comma or a point. "1,543" and "1.543,27" are above a thousand."""
    plain = _GROUP_SEPARATOR.sub("", western_digits(text))
    grouped = _GROUPED.fullmatch(plain)
    if grouped:
        return Decimal(f"{grouped[1]}{grouped[3]}.{grouped[4] or 0}")
    return Decimal(plain.replace(",", ".")) if _PLAIN.fullmatch(plain) else None


def western_digits(text: str) -> str:
    return re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text.translate(_ARABIC_SIGNS))


def rating(cell: Cell) -> Reading[Decimal | None]:
    """Reads a rating to two decimals. An empty cell, a dash and 0 mean "not rated"."""
    text = _cell_value(cell)
    if not text:
        return Reading(None)
    value = Decimal(str(cell)) if _is_finite_number(cell) else decimal_of(text)
    if value is None or not 0 <= value <= HIGHEST_RATING:
        return Reading(None, remarks.NOT_A_RATING, {"value": abbreviate(text), "most": HIGHEST_RATING})
    return Reading(value.quantize(Decimal("0.01")) if value else None)


def _is_finite_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool) and math.isfinite(cell)


def seed(cell: Cell) -> Reading[int | None]:
    text = _cell_value(cell)
    if not text:
        return Reading(None)
    match = _SEED.fullmatch(western_digits(text))
    if match is None or not 1 <= int(match[1]) <= HIGHEST_SEED:
        return Reading(None, remarks.NOT_A_SEED, {"value": abbreviate(text), "most": HIGHEST_SEED})
    return Reading(int(match[1]))


def yes_or_no(cell: Cell) -> Reading[bool | None]:
    """Reads "yes" in several languages, a tick or a cross. A blank cell has no value."""
    word = clean(_cell_value_or_tick(cell).casefold())
    if word in _YES:
        return Reading(value=True)
    if word in _NO:
        return Reading(value=False)
    return Reading(None, remarks.NEITHER_YES_NOR_NO, {"value": abbreviate(word)}) if word else Reading(None)


def number_or_yes(cell: Cell) -> Reading[bool | None]:
    """Reads a number above zero, such as that of a member, as yes."""
    number = decimal_of(_cell_value(cell))
    return Reading(value=True) if number else yes_or_no(cell)


def title_or_yes(cell: Cell) -> Reading[bool | None]:
    """Reads a playing title, such as "GM" or "BMAB Master", as yes. "Mrs" and "Dr." are none."""
    words = re.findall(r"\w+", _cell_value(cell).casefold())
    return Reading(value=True) if _TITLES.intersection(words) else yes_or_no(cell)


def _cell_value_or_tick(cell: Cell) -> str:
    text = cell_text(cell)
    return text if text in _YES | _NO else _cell_value(cell)
