"""A bank statement as text, read with the columns that were chosen, else the last ones, else a guess. Reads only."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from tournament.entries.lists.decoding import decode
from tournament.entries.lists.remarks import UnreadableError
from tournament.fees.amounts import DEFAULT_CURRENCY
from tournament.fees.bank_statement import (
    COMMA,
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    POINT,
    Column,
    IncomingPayment,
    StatementColumns,
    find_headings,
    guess_columns,
    guess_decimal_sign,
    has_amount,
    read_payments,
    split_rows,
    without_wrong_currency,
)
from tournament.models import Event
from tournament.queries.money.cash_desk import event_currencies
from tournament.refusals.money import STATEMENT_TOO_LARGE, STATEMENT_TOO_LONG, STATEMENT_UNREADABLE
from tournament.runtime.errors import Refused


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """`places` is None before columns were chosen. An empty decimal sign or currency is guessed."""

    places: Mapping[Column, int] | None = None
    decimal_sign: str = ""
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """`unreadable`: the numbers of lines whose amount cannot be read."""

    headings: list[str]
    columns: StatementColumns
    payments: list[IncomingPayment]
    unreadable: list[int]

    @property
    def is_understood(self) -> bool:
        """True if the columns of the date and of the amount are known."""
        return {Column.DATE, Column.AMOUNT} <= self.columns.places.keys()

    @property
    def remembered(self) -> dict[str, str]:
        """The headings of the columns in use, and the decimal sign. Empty if the file has no headings: its first row is
        a payment, with the name of a payer."""
        places = self.columns.places
        if Column.AMOUNT not in places or has_amount(self.headings, places):
            return {}
        headings = {
            str(column): self.headings[at].strip() for column, at in places.items() if at < len(self.headings)
        }
        return headings | {"decimal_sign": self.columns.decimal_sign}


def decode_statement(data: bytes) -> str:
    """Returns the text of a file. Raises Refused for one that is too large or no CSV."""
    if len(data) > MOST_BYTES:
        raise Refused(STATEMENT_TOO_LARGE)
    try:
        text = decode(data)[0].replace("\0", "")  # no database stores it in the remembered headings
        rows = split_rows(text)
    except (UnreadableError, csv.Error) as error:
        raise Refused(STATEMENT_UNREADABLE) from error
    if len(rows) > MOST_ROWS or max((len(cells) for _number, cells in rows), default=0) > MOST_COLUMNS:
        raise Refused(STATEMENT_TOO_LONG, most=MOST_ROWS)
    return text


def read_statement(event: Event, text: str, chosen: ChosenColumns) -> Statement:
    rows = split_rows(text)
    organizer = event.organizer
    remembered = dict(organizer.statement_columns) if organizer else {}
    remembered_sign = remembered.pop("decimal_sign", "")
    at = find_headings(rows, remembered.values())
    headings = rows[at][1] if rows else []
    places = _remembered_places(headings, remembered) if chosen.places is None else chosen.places
    decimal_sign = chosen.decimal_sign or (remembered_sign if places and chosen.places is None else "")
    is_guessed, places = not places, places or guess_columns(headings)
    below = rows[at if has_amount(headings, places) else at + 1 :]
    if is_guessed:
        places = without_wrong_currency(places, below)
    if decimal_sign not in (POINT, COMMA):
        at_amount = places.get(Column.AMOUNT, MOST_COLUMNS)
        decimal_sign = guess_decimal_sign(
            [cells[at_amount] for _number, cells in below if at_amount < len(cells)]
        )
    currency = chosen.currency or next(iter(event_currencies(event)), DEFAULT_CURRENCY)
    columns = StatementColumns(places, decimal_sign, currency)
    payments, unreadable = read_payments(below, columns)
    return Statement(headings, columns, payments, unreadable)


def _remembered_places(headings: list[str], remembered: Mapping[str, str]) -> dict[Column, int]:
    """Empty unless this statement has all headings of the remembered one."""
    at = {heading.strip(): place for place, heading in enumerate(headings)}
    if not all(heading in at for heading in remembered.values()):
        return {}
    return {Column(column): at[heading] for column, heading in remembered.items()}
