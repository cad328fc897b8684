"""Template filters of amounts of money."""

from collections.abc import Iterable

from django import template
from django.utils.translation import get_language

from tournament.fees.amounts import Amount, format_amount
from tournament.fees.exchange import Rate

register = template.Library()


@register.filter
def money(amount: Amount) -> str:
    """The amount with its currency, as the reader's language writes it."""
    return format_amount(amount, get_language() or "en")


@register.filter
def absolute(amount: Amount) -> Amount:
    return abs(amount)


@register.filter
def conversions(debt: Amount, rates: Iterable[Rate]) -> list[Amount]:
    """What a player pays for the debt in each other currency that has a rate."""
    return [rate.convert(debt) for rate in rates if rate.base == debt.currency]


@register.filter
def plain_number(amount: Amount) -> str:
    """The amount as a number that an input field takes back: `12.50`."""
    return str(amount.decimal)
