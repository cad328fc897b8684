"""Makes names and other typed text safe and comparable: one Unicode form, single blanks, no invisible characters. Pure.

Names of any script keep their spelling. Control characters, marks that change the direction of reading, soft hyphens
and zero-width blanks are removed. The two joiners stay inside a word, where Persian and Indic spelling needs them.
"""

import unicodedata

_JOINERS = "\u200c\u200d"
_UNSEEN = {"Cc", "Cf", "Cs"}
_SHOWN_AT_MOST = 40


def clean(text: str) -> str:
    """The text in NFC without unseen characters, blanks folded. Cleaning twice changes nothing more."""
    spaced = " ".join(text.split())
    seen = spaced if spaced.isprintable() else "".join(filter(_is_seen, spaced))
    return " ".join(unicodedata.normalize("NFC", seen).split()).strip(" " + _JOINERS)


def _is_seen(letter: str) -> bool:
    return letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN


def shown(text: str) -> str:
    """Something typed, short enough to be quoted in a sentence."""
    return text if len(text) <= _SHOWN_AT_MOST else text[:_SHOWN_AT_MOST].rstrip() + "…"


def has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def key(text: str) -> str:
    """What two writings of one name have in common: case, the joiners and the Turkish dot do not count."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("i\u0307", "i")
    return clean(folded.translate({ord(joiner): None for joiner in _JOINERS}))
