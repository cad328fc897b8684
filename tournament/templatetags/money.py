"""Template filters of amounts of money."""

import uuid
from collections.abc import Iterable
from decimal import Decimal

from django import template
from django.utils.formats import localize
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.fees.amounts import (
    Amount,
    current_currencies,
    exponent_of,
    format_amount,
    format_number,
    format_price,
)
from tournament.fees.exchange import Rate
from tournament.ledger.labels import BookLabels
from tournament.models import Entry, Player, Tournament

register = template.Library()


@register.filter
def money(amount: Amount) -> str:
    """The amount with its currency, as the reader's language writes it."""
    return format_amount(amount, get_language() or "en")


@register.filter
def amounts(values: Iterable[Amount]) -> str:
    """Amounts of several currencies, separated by a dot."""
    return " · ".join(map(money, values))


@register.filter
def in_cash(amount: Amount) -> str:
    """The label of a button; a filter, because a list has many."""
    return _("{amount} in cash").format(amount=money(amount))


@register.filter
def price(value: Decimal, tournament: Tournament) -> str:
    """A price in the currency of the tournament's fees, else of its prizes or announced prizes.

    Without a currency in use it is the number, with the words of the announced prizes.
    """
    terms = (tournament.fees, tournament.prize_structure, tournament.prizes)
    currency = next((row["currency"] for row in terms if row.get("currency")), "")
    if currency not in current_currencies():
        return f"{localize(value)} {currency}".rstrip()
    return format_price(value, currency, get_language() or "en")


@register.filter
def exchange_rate(rate: Rate) -> str:
    """“€1 = SEK 11.3512”."""
    one = money(Amount(10 ** exponent_of(rate.base), rate.base))
    return f"{one} = {format_price(rate.price, rate.currency, get_language() or 'en')}"


@register.filter
def absolute(amount: Amount) -> Amount:
    return abs(amount)


@register.filter
def negated(amount: Amount) -> Amount:
    return -amount


@register.filter
def conversions(debt: Amount, rates: Iterable[Rate]) -> list[Amount]:
    """The price of the debt in each other currency that has a rate, without prices that round to 0."""
    return [price for rate in rates if rate.base == debt.currency and (price := rate.convert(debt))]


@register.filter
def plain_number(amount: Amount) -> str:
    return format_number(amount, get_language() or "en")


@register.filter
def name_in_books(person: Player | Entry, labels: BookLabels) -> str:
    """The registered name; for a player whose data are removed the number that all pages and files show."""
    return labels.of_entry(person) if isinstance(person, Entry) else labels.of_player(person, person.pk)


@register.filter
def selection(player_id: uuid.UUID, open_amounts: Iterable[Amount]) -> str:
    """The value of a checkbox: the player, and the open amounts as they are shown."""
    return " ".join([str(player_id), *(f"{amount.minor}{amount.currency}" for amount in open_amounts)])
