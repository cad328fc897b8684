"""Names that somebody looks for, in whatever letters they type: the same wherever a list is searched. Pure."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from tournament.runtime.text import comparison_key

LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "e"}
)


CACHE_SIZE = 20_000


def split_words(name: str) -> list[str]:
    return _fold(name).split()


def has_words(text: str, wanted: Sequence[str]) -> bool:
    told = fold(text) if wanted else ""
    return all(word in told for word in wanted)


@lru_cache(maxsize=CACHE_SIZE)
def sort_key(name: str) -> str:
    """The key by which lists of stored names are sorted; kept, because a large list is sorted for each request."""
    return comparison_key(name)


@lru_cache(maxsize=CACHE_SIZE)
def fold(text: str) -> str:
    """A stored name without case, accents and joiners: “soren” finds Søren. Kept like `order`."""
    return _fold(text)


def _fold(text: str) -> str:
    parts = unicodedata.normalize("NFKD", comparison_key(text).translate(LETTERS))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
