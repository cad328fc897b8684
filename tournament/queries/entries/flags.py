"""Converts country codes to flag emoji. Pure."""

from tournament.entries.lists.countries import two_letter_code

LETTER_A = 0x1F1E6
BLACK_FLAG, TAG_OF_A, END_OF_TAG = chr(0x1F3F4), 0xE0061, chr(0xE007F)
SUBDIVISION_TAGS = {"ENG": "gbeng", "SCO": "gbsct", "WAL": "gbwls"}


def country_flag(country: str) -> str:
    """Returns the flag emoji for a stored country code, or an empty string if there is none."""
    if country in SUBDIVISION_TAGS:
        return (
            BLACK_FLAG
            + "".join(chr(TAG_OF_A + ord(letter) - ord("a")) for letter in SUBDIVISION_TAGS[country])
            + END_OF_TAG
        )
    code = two_letter_code(country)
    return "".join(chr(LETTER_A + ord(letter) - ord("A")) for letter in code) if code else ""
