"""Reads money that players paid in advance, as a list writes it: 60, 60.50, €60, 1.250,00 EUR."""

import re
from collections.abc import Callable
from decimal import Decimal

from babel.numbers import get_currency_symbol

from tournament.entries.lists import remarks
from tournament.entries.lists.cleaning import cell_text, is_placeholder
from tournament.entries.lists.listing import Cell
from tournament.entries.lists.values import Reading, western_digits
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, exponent_of, fits_currency
from tournament.runtime.text import abbreviate

_AMOUNT = re.compile(r"(\D*)(\d[\d.,]*?)(?:[.,][-–—])?(\D*)")
_GROUPED = re.compile(r"([1-9]\d{0,2}(?:([.,])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?")
_PLAIN = re.compile(r"(\d+)(?:[.,](\d+))?")


def amount_reader(currency: str) -> Callable[[Cell], Reading[Amount | None]]:
    """Reads a cell as an amount of this currency. A blank cell and 0 are no payment."""

    def read(cell: Cell) -> Reading[Amount | None]:
        text = cell_text(cell)
        if not text or is_placeholder(text):
            return Reading(None)
        number = _number_of(cell, text, currency)
        if number is None or not fits_currency(number, currency):
            return Reading(None, remarks.NOT_AN_AMOUNT, {"value": abbreviate(text), "currency": currency})
        minor = int(number.scaleb(exponent_of(currency)))
        if minor > MOST_MINOR_UNITS:
            return Reading(None, remarks.NOT_AN_AMOUNT, {"value": abbreviate(text), "currency": currency})
        return Reading(Amount(minor, currency) if minor else None)

    return read


def _number_of(cell: Cell, text: str, currency: str) -> Decimal | None:
    """The number of a cell that names no other currency; None for negative numbers and other texts."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        number = Decimal(str(cell))
        return number if number.is_finite() and number >= 0 else None
    match = _AMOUNT.fullmatch(re.sub(r"[\s'’]", "", western_digits(text)))
    if match is None or not _names(match[1] + match[3], currency):
        return None
    return _decimal_of(match[2], exponent_of(currency))


def _names(sign: str, currency: str) -> bool:
    return sign == "" or sign.upper() == currency or sign in get_currency_symbol(currency, "en")


def _decimal_of(number: str, exponent: int) -> Decimal | None:
    """Three digits after the only separator are a group, such as 1.250, unless the currency has three decimals."""
    plain, grouped = _PLAIN.fullmatch(number), _GROUPED.fullmatch(number)
    if plain is not None and (grouped is None or exponent == 3):
        return Decimal(f"{plain[1]}.{plain[2] or 0}")
    if grouped is None:
        return None
    return Decimal(f"{re.sub('[.,]', '', grouped[1])}.{grouped[3] or 0}")
