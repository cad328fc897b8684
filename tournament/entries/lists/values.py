"""The value of one cell under a known column, with what there is to say against it.

A `Reading` carries both; an unreadable cell reads as blank. Which line it stands on is the caller's.
"""

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Generic, TypeVar

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import is_lone_sign, text_of
from tournament.entries.lists.countries import code_of, looks_like_a_code
from tournament.entries.lists.limits import (
    HIGHEST_RATING,
    HIGHEST_SEED,
    LONGEST_CLUB,
    LONGEST_FEDERATION_ID,
    LONGEST_TEAM,
)
from tournament.entries.lists.listing import Cell
from tournament.entries.lists.remarks import Remark
from tournament.runtime.text import clean, shown

T = TypeVar("T")

_PLAIN = re.compile(r"\d{1,9}(?:[.,]\d{1,9})?")
_GROUPED = re.compile(r"([1-9])([.,])(\d{3})(?:(?!\2)[.,](\d{1,9}))?")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s'’](?=\d{3})")
_ARABIC_SIGNS = str.maketrans({"٫": ".", "٬": ","})
_SEED = re.compile(r"[#(\[]?(\d{1,9})[.)\]]?")
_SURNAME_FIRST = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YES_WORDS = """
yes y true 1 x ✓ ✔ ☑ ok paid ja j oui si sí sì s sim da tak ano igen evet kyllä ναι да так כן نعم はい
"""
_NO_WORDS = """
no n false 0 ☐ ✗ ✘ unpaid open nein non não nao nej nei nee nie ne nem hayır ei όχι нет ні לא لا いいえ
"""
_YES = frozenset(_YES_WORDS.split())
_NO = frozenset(_NO_WORDS.split())


@dataclass(frozen=True)
class Reading(Generic[T]):
    """A value, and the remark against it where there is one."""

    value: T
    remark: Remark | None = None
    params: dict[str, str | int] = field(default_factory=dict)


def _written(cell: Cell) -> str:
    text = text_of(cell)
    return "" if is_lone_sign(text) else text


def _text(longest: int) -> Callable[[Cell], Reading[str]]:
    def read(cell: Cell) -> Reading[str]:
        text = _written(cell)
        if len(text) > longest:
            return Reading("", remarks.TOO_LONG, {"value": shown(text), "most": longest})
        return Reading(text)

    return read


def joined_name(parts: list[str]) -> str:
    """A given name and a surname as one name, in the order of their script; one part stays as it is."""
    written = ["" if is_lone_sign(part) else part for part in parts]
    if any(_SURNAME_FIRST.search(part) for part in written):
        written.reverse()
    return clean(" ".join(written))


club = _text(LONGEST_CLUB)
team = _text(LONGEST_TEAM)
federation_id = _text(LONGEST_FEDERATION_ID)


def country(cell: Cell) -> Reading[str]:
    """Known countries by code; an unknown one only where it could be a code."""
    text = _written(cell)
    if not text:
        return Reading("")
    known = code_of(text)
    if known is not None:
        return Reading(known)
    if looks_like_a_code(text):
        return Reading(text.upper(), remarks.COUNTRY_UNKNOWN, {"value": text.upper()})
    return Reading("", remarks.COUNTRY_LEFT_OUT, {"value": shown(text)})


def decimal_of(text: str) -> Decimal | None:
    """A number with a comma or a point; "1,543" and "1.543,27" are read as a thousand and more."""
    plain = _BETWEEN_DIGITS.sub("", _western_digits(text))
    grouped = _GROUPED.fullmatch(plain)
    if grouped:
        return Decimal(f"{grouped[1]}{grouped[3]}.{grouped[4] or 0}")
    return Decimal(plain.replace(",", ".")) if _PLAIN.fullmatch(plain) else None


def _western_digits(text: str) -> str:
    return re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text.translate(_ARABIC_SIGNS))


def rating(cell: Cell) -> Reading[Decimal | None]:
    """A rating to two decimals. Nothing, a dash and 0 all say "not rated"."""
    text = _written(cell)
    if not text:
        return Reading(None)
    value = Decimal(str(cell)) if _is_finite_number(cell) else decimal_of(text)
    if value is None or not 0 <= value <= HIGHEST_RATING:
        return Reading(None, remarks.NOT_A_RATING, {"value": shown(text), "most": HIGHEST_RATING})
    return Reading(value.quantize(Decimal("0.01")) if value else None)


def _is_finite_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool) and math.isfinite(cell)


def seed(cell: Cell) -> Reading[int | None]:
    text = _written(cell)
    if not text:
        return Reading(None)
    found = _SEED.fullmatch(_western_digits(text))
    if found is None or not 1 <= int(found[1]) <= HIGHEST_SEED:
        return Reading(None, remarks.NOT_A_SEED, {"value": shown(text), "most": HIGHEST_SEED})
    return Reading(int(found[1]))


def yes_or_no(cell: Cell) -> Reading[bool | None]:
    """ "yes" in several languages, a tick, a cross; blank says nothing."""
    word = clean(_written_or_tick(cell).casefold())
    if word in _YES:
        return Reading(value=True)
    if word in _NO:
        return Reading(value=False)
    return Reading(None, remarks.NEITHER_YES_NOR_NO, {"value": shown(word)}) if word else Reading(None)


def _written_or_tick(cell: Cell) -> str:
    text = text_of(cell)
    return text if text in _YES | _NO else _written(cell)
