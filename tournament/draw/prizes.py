"""Prizes by place: announced prizes and the share of each entry. No money is paid or booked here.

Shared places share equally: entries that share places 3 and 4 each get half of both prizes. The remainder, less than a
cent for each, stays with the organiser, so equal records are always paid equally. A prize that is not an amount (a
trophy) is listed for all who share its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from types import MappingProxyType
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.sentence_error import SentenceError

CENT = Decimal("0.01")
LONGEST_CURRENCY = 8
LONGEST_LABEL = 40
LAST_PLACE = 1_024
_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,2})?")
_LABEL = re.compile(r"[^,;\x00-\x1f\x7f]+")


class PrizeError(SentenceError):
    """These prizes are invalid. The message says why."""


@dataclass(frozen=True, slots=True)
class Prize:
    """The announced prize of a place: an amount, or a label."""

    place: int
    amount: Decimal | None = None
    label: str = ""

    @classmethod
    def parse(cls, place: int, written: str) -> Prize:
        """Parses `300`, `300.00` or `Trophy`. Raises PrizeError."""
        text = written.strip()
        if not 1 <= place <= LAST_PLACE:
            raise PrizeError(gettext_noop("Prizes are for places 1 to {last}."), last=LAST_PLACE)
        if _AMOUNT.fullmatch(text):
            return cls(place, Decimal(text).quantize(CENT))
        if not _LABEL.fullmatch(text) or len(text) > LONGEST_LABEL:
            raise PrizeError(
                gettext_noop(
                    "A prize is an amount such as 300 or 12.50, or up to {most} characters without commas."
                ),
                most=LONGEST_LABEL,
            )
        return cls(place, label=text)

    @property
    def as_text(self) -> str:
        return self.label if self.amount is None else str(self.amount)


@dataclass(frozen=True, slots=True)
class Share:
    """The share of each of `among` entries that share places: an amount (None if none is announced), and labels.

    `besides` are prizes that are not of the place, such as those of side pools, as text.
    """

    amount: Decimal | None
    labels: tuple[str, ...]
    among: int
    currency: str = ""
    besides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes of a tournament: a list for each bracket, by its key, in the order of places."""

    currency: str = ""
    lists: Mapping[str, tuple[Prize, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def share(self, bracket: str, place_from: int, place_to: int) -> Share | None:
        """Returns the share of each entry that shares these places of a bracket; None without prizes."""
        prizes = [prize for prize in self.lists.get(bracket, ()) if place_from <= prize.place <= place_to]
        if not prizes:
            return None
        amounts = [prize.amount for prize in prizes if prize.amount is not None]
        among = place_to - place_from + 1
        amount = (sum(amounts, Decimal(0)) / among).quantize(CENT, ROUND_DOWN) if amounts else None
        labels = tuple(prize.label for prize in prizes if prize.amount is None)
        return Share(amount, labels, among, self.currency)

    @property
    def without_amounts(self) -> Prizes:
        labels = {
            key: tuple(prize for prize in table if prize.amount is None) for key, table in self.lists.items()
        }
        return Prizes(self.currency, {key: table for key, table in labels.items() if table})

    def as_json(self) -> dict[str, Any]:
        """Empty if there are no prizes."""
        tables = {
            key: {str(prize.place): prize.as_text for prize in table}
            for key, table in self.lists.items()
            if table
        }
        return {"currency": self.currency, "tables": tables} if tables else {}


def parse_prizes(data: Mapping[str, Any]) -> Prizes:
    """Parses prizes from JSON: text by place, by bracket. Raises PrizeError."""
    currency = str(data.get("currency", "")).strip()
    if len(currency) > LONGEST_CURRENCY or (currency and not _LABEL.fullmatch(currency)):
        raise PrizeError(
            gettext_noop("A currency has up to {most} characters, such as EUR."), most=LONGEST_CURRENCY
        )
    tables = {
        key: _table(Prize.parse(place, text) for place, text in rows) for key, rows in _rows(data).items()
    }
    return Prizes(currency, {key: table for key, table in tables.items() if table})


def _rows(data: Mapping[str, Any]) -> dict[str, list[tuple[int, str]]]:
    tables = data.get("tables", {})
    try:
        return {
            str(key): [(int(place), str(text)) for place, text in dict(rows).items()]
            for key, rows in dict(tables).items()
        }
    except (TypeError, ValueError) as error:
        raise PrizeError(gettext_noop("Give each prize by the number of its place.")) from error


def _table(prizes: Iterable[Prize]) -> tuple[Prize, ...]:
    table = tuple(sorted(prizes, key=lambda prize: prize.place))
    if len({prize.place for prize in table}) < len(table):
        raise PrizeError(gettext_noop("Each place has one prize."))
    return table
