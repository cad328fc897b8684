"""Names that somebody looks for, in whatever letters they type: the same wherever a list is searched. Pure."""

import unicodedata
from collections.abc import Sequence

from tournament.entrylist.cleaning import key

LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "e"}
)


def words(name: str) -> list[str]:
    return plain(name).split()


def has_words(text: str, wanted: Sequence[str]) -> bool:
    told = plain(text) if wanted else ""
    return all(word in told for word in wanted)


def plain(text: str) -> str:
    """Without case, accents and joiners: “soren” finds Søren."""
    parts = unicodedata.normalize("NFKD", key(text).translate(LETTERS))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))
