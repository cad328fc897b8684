"""Amounts of money: integers in minor units (cents) of one currency, read and written in the reader's language. Pure.

Currencies and their exponents are those of ISO 4217 as Babel lists them. No amount is ever a float.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.numbers import (
    NumberFormatError,
    format_currency,
    format_decimal,
    get_currency_precision,
    get_currency_symbol,
    get_decimal_symbol,
    parse_decimal,
)

from rules.translation import gettext_noop
from tournament.draw.sentence_error import SentenceError

DEFAULT_CURRENCY = "EUR"
MOST_MINOR_UNITS = 10**15
"""The largest amount, far above a real pot and far below the largest integer of a database column."""
_NO_NUMBER = gettext_noop("Write the amount as a number, such as 12 or 12.50.")
_CODE_BEFORE_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)")
_JOURNAL_TEXT = re.compile(r"(-?[0-9]{1,16}(?:\.[0-9]{1,4})?) ([A-Z]{3})")
_GROUPS = re.compile(
    r"(?<=[0-9])['\N{RIGHT SINGLE QUOTATION MARK}\N{ARABIC THOUSANDS SEPARATOR}\s](?=[0-9]{3}(?![0-9]))"
)
_NO_CENTS = re.compile(r"(?<=[0-9])[.,]\s?[-\N{EN DASH}\N{EM DASH}]{1,2}$")
"""“.–” in place of the cents."""
_POINT_AND_COMMA = re.compile(r"-?[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]+|(?:,[0-9]{3})+\.[0-9]+)")
_ONLY_DECIMALS = re.compile(r"-?[.,][0-9]+")
_ONE_GROUP = re.compile(r"-?[1-9][0-9]{0,2}[.,][0-9]{3}")
_SIGNS = "".join(sign for sign in map(chr, range(0x10000)) if unicodedata.category(sign) == "Sc")
_WORD = rf"((?:[^\W\d_]|[{re.escape(_SIGNS)}])+)"
_WORD_BEFORE = re.compile(rf"(-?)\s*{_WORD}(?:\.(?![0-9]))?\s*")
_POINT_BEHIND_LETTER = re.compile(r"[^\W\d_][.,][0-9]")
"""`Fr.50` can mean 50 or 0.50."""
_WORD_AFTER_REVERSED = re.compile(rf"\.?{_WORD}\s*")
_MORE_SIGNS: Mapping[str, frozenset[str]] = {
    "CHF": frozenset({"fr", "sfr"}),
    "CZK": frozenset({"kč"}),
    "DKK": frozenset({"kr"}),
    "HUF": frozenset({"ft"}),
    "ISK": frozenset({"kr"}),
    "NOK": frozenset({"kr"}),
    "PLN": frozenset({"zł"}),
    "SEK": frozenset({"kr"}),
    "TRY": frozenset({"tl", "₺"}),
}
"""What people write before or after an amount beside the signs of Babel, in lower case."""
_PLAIN_NUMBER = re.compile(r"[0-9]{1,13}([.,][0-9]+)?")


class AmountError(SentenceError):
    """This text is no amount of the currency. The message says why."""


@cache
def current_currencies() -> tuple[str, ...]:
    """The codes of all currencies that are legal tender somewhere today, sorted."""
    territories = get_global("territory_currencies").values()
    return tuple(
        sorted(
            {
                code
                for rows in territories
                for code, _start, end, is_tender in rows
                if is_tender and end is None
            }
        )
    )


def exponent_of(currency: str) -> int:
    """The number of decimal digits of the currency: 2 for EUR, 0 for JPY."""
    return get_currency_precision(currency)


def fits_currency(price: Decimal, currency: str) -> bool:
    """True if the price is a whole number of minor units."""
    minor = price.scaleb(exponent_of(currency))
    return minor == minor.to_integral_value()


@dataclass(frozen=True, slots=True)
class Amount:
    """`minor` units of `currency`; negative amounts are debts."""

    minor: int
    currency: str

    def __add__(self, other: Amount) -> Amount:
        self._check(other)
        return Amount(self.minor + other.minor, self.currency)

    def __sub__(self, other: Amount) -> Amount:
        return self + -other

    def __neg__(self) -> Amount:
        return Amount(-self.minor, self.currency)

    def __abs__(self) -> Amount:
        return Amount(abs(self.minor), self.currency)

    def __bool__(self) -> bool:
        return self.minor != 0

    def __str__(self) -> str:
        """`12.50 EUR`, for programs and journals."""
        return f"{self.decimal} {self.currency}"

    @property
    def decimal(self) -> Decimal:
        return Decimal(self.minor).scaleb(-exponent_of(self.currency))

    def _check(self, other: Amount) -> None:
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} cannot be added")


def amount_of_text(text: str) -> Amount | None:
    """The amount of a text that `str` made of one; None for other texts."""
    match = _JOURNAL_TEXT.fullmatch(text)
    if match is None or match[2] not in current_currencies():
        return None
    return Amount(int(Decimal(match[1]).scaleb(exponent_of(match[2]))), match[2])


def sum_by_currency(amounts: Iterable[Amount]) -> list[Amount]:
    """One amount for each currency, in the order of their first amounts."""
    sums: dict[str, int] = {}
    for amount in amounts:
        sums[amount.currency] = sums.get(amount.currency, 0) + amount.minor
    return [Amount(minor, currency) for currency, minor in sums.items()]


@lru_cache(maxsize=2048)  # a list of players repeats few amounts, and Babel takes some 35 µs for each
def format_amount(amount: Amount, locale: str) -> str:
    """The amount with its currency as the locale writes it: `€12.50`, `12,50 €`. Whole amounts have no decimals.

    A no-break space follows a currency that ends in a letter: `CZK 12`. CLDR demands it, Babel leaves it out.
    """
    written = locale_of(locale)
    pattern = written.currency_formats["standard"].pattern
    has_decimals = amount.minor % 10 ** exponent_of(amount.currency) != 0
    text = format_currency(
        amount.decimal,
        amount.currency,
        format=pattern if has_decimals else pattern.replace(".00", ""),
        locale=written,
        currency_digits=has_decimals,
    )
    return _CODE_BEFORE_DIGIT.sub("\N{NO-BREAK SPACE}", text)


def format_price(price: Decimal, currency: str, locale: str) -> str:
    """A price with as many decimals as it has, such as a rate of exchange: `SEK 11.3512`. Else as `format_amount`."""
    if fits_currency(price, currency):
        return format_amount(Amount(int(price.scaleb(exponent_of(currency))), currency), locale)
    written = locale_of(locale)
    text = format_currency(
        price.normalize(),
        currency,
        format=written.currency_formats["standard"].pattern,
        locale=written,
        currency_digits=False,
        decimal_quantization=False,
    )
    return _CODE_BEFORE_DIGIT.sub("\N{NO-BREAK SPACE}", text)


def format_number(amount: Amount, locale: str, *, trims_zeros: bool = False) -> str:
    """The amount as a number that `parse_amount` takes back: `12.50`, or `12,50` where that is the decimal point.

    With `trims_zeros` a whole amount has no decimals: `12`.
    """
    digits = exponent_of(amount.currency)
    if trims_zeros and amount.minor % 10**digits == 0:
        digits = 0
    pattern = f"0.{'0' * digits}" if digits else "0"
    return format_decimal(amount.decimal, format=pattern, locale=locale_of(locale))


def parse_amount(text: str, currency: str, locale: str) -> Amount:
    """Reads `12`, `12.50`, `12,50` and numbers as the locale groups them. Raises AmountError.

    A text that is a number in the locale is read by the locale; `12.50` is also read where the comma is the decimal
    point, because it has no other meaning there. An apostrophe or a space before three digits groups them anywhere.
    If both signs occur, the last is the decimal point: `1.000,50`, `1,000.50`. More decimals than the currency has are
    refused, also zeros: `1.250` is 1250 in other countries.

    The currency may be written before or after, and `190.-` is 190. Digits of all scripts are read.
    """
    plain = _without_currency(_with_latin_digits(text, locale), currency, locale)
    typed = _GROUPS.sub("", _NO_CENTS.sub("", plain))
    number = _read_number(typed, locale)
    minor = number.scaleb(exponent_of(currency))
    if -int(minor.as_tuple().exponent) > 0:
        if exponent_of(currency) and _ONE_GROUP.fullmatch(typed):
            raise AmountError(
                gettext_noop(
                    "“{text}” is not clear: it can mean {thousands} or {decimals}. Write {thousands}, or an amount "
                    "with {digits} decimal places."
                ),
                text=typed,
                thousands=re.sub("[.,]", "", typed),
                decimals=typed.rstrip("0").rstrip(".,"),
                digits=exponent_of(currency),
            )
        raise AmountError(
            gettext_noop("{currency} has {digits} decimal places. Write the amount with no more."),
            currency=currency,
            digits=exponent_of(currency),
        )
    if abs(minor) > MOST_MINOR_UNITS:
        raise AmountError(gettext_noop("This amount is too large. Check the number of digits."))
    return Amount(int(minor), currency)


def _with_latin_digits(text: str, locale: str) -> str:
    """The text with Latin digits, an ordinary minus sign, and without marks of the direction of writing."""
    point = get_decimal_symbol(locale_of(locale))
    replaced = {"\N{ARABIC DECIMAL SEPARATOR}": point, "\N{MINUS SIGN}": "-"}

    def written(character: str) -> str:
        if character in replaced:
            return replaced[character]
        if unicodedata.category(character) == "Cf":
            return ""
        return str(unicodedata.decimal(character, character))

    return "".join(map(written, text)).strip()


def _without_currency(text: str, currency: str, locale: str) -> str:
    """Removes the code or a sign of the currency before or after the number. Raises AmountError for another one."""
    number, words = text, set[str]()
    if _POINT_BEHIND_LETTER.search(text):
        return text
    if match := _WORD_BEFORE.match(number):
        words.add(match[2].casefold())
        number = match[1] + number[match.end() :]
    if match := _WORD_AFTER_REVERSED.match(number[::-1]):
        words.add(match[1][::-1].casefold())
        number = number[: len(number) - match.end()]
    if words <= _signs_of(currency, locale):
        return number
    if any(word.upper() in current_currencies() or set(word) & set(_SIGNS) for word in words):
        raise AmountError(
            gettext_noop("This amount is in {currency}. Write a number, or choose another currency."),
            currency=currency,
        )
    return text


@cache
def _signs_of(currency: str, locale: str) -> frozenset[str]:
    """The code of the currency, its signs in English and in this locale, and single signs such as `$` and `US$`."""
    symbols = {get_currency_symbol(currency, locale_of(language)) for language in ("en", locale)}
    single = {sign for symbol in symbols for sign in symbol if sign in _SIGNS}
    prefixed = {currency[:2] + sign for sign in single}
    written = {word.rstrip(".").casefold() for word in {currency, *symbols, *single, *prefixed}}
    return _MORE_SIGNS.get(currency, frozenset()) | written


def _read_number(text: str, locale: str) -> Decimal:
    if any(character.isalpha() for character in text):
        raise AmountError(_NO_NUMBER)
    if _POINT_AND_COMMA.fullmatch(text):
        decimal_sign = max(".,", key=text.rindex)
        return Decimal(re.sub(r"[.,](?=.*[.,])", "", text).replace(decimal_sign, "."))
    if _ONLY_DECIMALS.fullmatch(text):
        return Decimal(text.replace(",", "."))
    try:
        return parse_decimal(text, locale=locale_of(locale), strict=True)
    except NumberFormatError:
        if _PLAIN_NUMBER.fullmatch(text):
            return Decimal(text.replace(",", "."))
    raise AmountError(_NO_NUMBER)


@cache
def locale_of(language: str) -> Locale:
    """The locale of a language code such as `pt-br`; English for a language that Babel does not know."""
    for code in (language, language.partition("-")[0]):
        try:
            return Locale.parse(code.replace("-", "_"))
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")


def apportion(minor: int, weights: Iterable[int]) -> list[int]:
    """Splits an amount in proportion to the weights, by the largest remainder; the parts add up to it exactly.

    Equal remainders go to the first. Raises ZeroDivisionError if all weights are 0.
    """
    parts = list(weights)
    whole = sum(parts)
    shares = [minor * part // whole for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda place: -(minor * parts[place] % whole))
    for place in by_remainder[: minor - sum(shares)]:
        shares[place] += 1
    return shares
