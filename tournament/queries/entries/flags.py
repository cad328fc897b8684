"""Flags for countries, as the signs that fonts draw them with. Pure."""

from tournament.entries.lists.countries import two_letter_code

LETTER_A = 0x1F1E6
BLACK_FLAG, TAG_OF_A, END_OF_TAG = chr(0x1F3F4), 0xE0061, chr(0xE007F)
OWN = {"ENG": "gbeng", "SCO": "gbsct", "WAL": "gbwls"}


def flag_of(country: str) -> str:
    """The flag of a country by the code it is stored under; empty where fonts know none."""
    if country in OWN:
        return (
            BLACK_FLAG
            + "".join(chr(TAG_OF_A + ord(letter) - ord("a")) for letter in OWN[country])
            + END_OF_TAG
        )
    two = two_letter_code(country)
    return "".join(chr(LETTER_A + ord(letter) - ord("A")) for letter in two) if two else ""
