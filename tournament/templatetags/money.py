"""Template filters of amounts of money."""

from django import template
from django.utils.translation import get_language

from tournament.fees.amounts import Amount, format_amount

register = template.Library()


@register.filter
def money(amount: Amount) -> str:
    """The amount with its currency, as the reader's language writes it."""
    return format_amount(amount, get_language() or "en")


@register.filter
def absolute(amount: Amount) -> Amount:
    return abs(amount)


@register.filter
def plain_number(amount: Amount) -> str:
    """The amount as a number that an input field takes back: `12.50`."""
    return str(amount.decimal)
