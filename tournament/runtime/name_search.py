"""Searches and sorts names without regard to case, accents and joiners. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from tournament.runtime.text import comparison_key

LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "e"}
)

WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""Letters that banks, passports and addresses in capitals write with two."""
_APOSTROPHES = re.compile("['’ʼ`]")
_SEPARATORS = re.compile(r"[\s.,;:/+()_-]+")

CACHE_SIZE = 20_000


def split_words(name: str) -> list[str]:
    return _fold(name).split()


def has_words(text: str, words: Sequence[str]) -> bool:
    folded = fold(text) if words else ""
    return all(word in folded for word in words)


@lru_cache(maxsize=CACHE_SIZE)
def sort_key(name: str) -> str:
    """Returns the sort key of a stored name. Cached, because large lists are sorted for each request."""
    return comparison_key(name)


@lru_cache(maxsize=CACHE_SIZE)
def fold(text: str) -> str:
    """Returns a stored name without case, accents and joiners: “soren” finds Søren. Cached like `sort_key`."""
    return _fold(text)


def spellings_of_words(text: str) -> list[set[str]]:
    """Returns the spellings of each word in plain letters: “Müller” as muller and mueller."""
    words = _SEPARATORS.split(_APOSTROPHES.sub("", comparison_key(text)))
    return [{_fold(word), _fold(word.translate(WRITTEN_OUT))} for word in words if word]


def _fold(text: str) -> str:
    parts = unicodedata.normalize("NFKD", comparison_key(text).translate(LETTERS))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
