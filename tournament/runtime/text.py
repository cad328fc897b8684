"""Makes names and other typed text safe and comparable: one Unicode form, single blanks, no invisible characters. Pure.

Names of any script keep their spelling. Control characters, marks that change the direction of reading, soft hyphens
and zero-width blanks are removed. The two joiners stay inside a word, where Persian and Indic spelling needs them.
"""

import unicodedata
from decimal import Decimal

_JOINERS = "\u200c\u200d"
_INVISIBLE = {"Cc", "Cf", "Cs"}
_LONGEST_QUOTE = 40


def clean(text: str) -> str:
    """Returns the text in NFC without invisible characters, with single spaces. Idempotent."""
    spaced = " ".join(text.split())
    visible = spaced if spaced.isprintable() else "".join(filter(_is_visible, spaced))
    return " ".join(unicodedata.normalize("NFC", visible).split()).strip(" " + _JOINERS)


def _is_visible(letter: str) -> bool:
    return letter in _JOINERS or unicodedata.category(letter) not in _INVISIBLE


def abbreviate(text: str) -> str:
    """Returns the text, shortened for a quotation in a sentence."""
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE].rstrip() + "…"


def has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def comparison_key(text: str) -> str:
    """Returns a form that is equal for two spellings of a name: without case, joiners and the Turkish dot."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("i\u0307", "i")
    return clean(folded.translate({ord(joiner): None for joiner in _JOINERS}))


def plain_number(value: Decimal) -> Decimal:
    """Returns a whole number without decimals: 1543.00 as 1543. Other numbers are returned unchanged."""
    whole = value.to_integral_value()
    return whole if whole == value else value
