"""Template filters of amounts of money."""

from collections.abc import Iterable

from babel.numbers import format_decimal
from django import template
from django.utils.translation import get_language

from tournament.fees.amounts import Amount, exponent_of, format_amount, locale_of
from tournament.fees.exchange import Rate
from tournament.models import Player

register = template.Library()


@register.filter
def money(amount: Amount) -> str:
    """The amount with its currency, as the reader's language writes it."""
    return format_amount(amount, get_language() or "en")


@register.filter
def absolute(amount: Amount) -> Amount:
    return abs(amount)


@register.filter
def negated(amount: Amount) -> Amount:
    return -amount


@register.filter
def conversions(debt: Amount, rates: Iterable[Rate]) -> list[Amount]:
    """The price of the debt in each other currency that has a rate."""
    return [rate.convert(debt) for rate in rates if rate.base == debt.currency]


@register.filter
def plain_number(amount: Amount) -> str:
    """The amount as a number that an input field takes back: `12.50`, or `12,50` where that is the decimal point."""
    digits = exponent_of(amount.currency)
    pattern = f"0.{'0' * digits}" if digits else "0"
    return format_decimal(amount.decimal, format=pattern, locale=locale_of(get_language() or "en"))


@register.filter
def selection(player: Player, open_amounts: Iterable[Amount]) -> str:
    """The value of a checkbox: the player, and the open amounts as they are shown."""
    return " ".join([str(player.pk), *(f"{amount.minor}{amount.currency}" for amount in open_amounts)])
