"""Reads the rows of a bank statement: which column is what, dates as text, amounts in minor units. Pure."""

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tournament.fees.amounts import MOST_MINOR_UNITS, Amount, current_currencies, exponent_of

POINT, COMMA = ".", ","
MOST_BYTES, MOST_ROWS, MOST_COLUMNS = 1_000_000, 2_000, 60
MOST_ROWS_ABOVE = 20
CURRENCY_LETTERS = 3
_GROUPING = re.compile("['’\\s]")
_SIGNED = re.compile(r"(?P<sign>[+-]?)(?P<number>\d[\d.,]*)(?P<after>[+-]?)")
_OUTGOING = frozenset({"s", "d", "dr", "dbit", "debit", "soll", "af", "débit", "out"})


class Column(StrEnum):
    """The kind of a column of a statement. DIRECTION: a word for incoming or outgoing beside amounts without sign."""

    DATE = "date"
    AMOUNT = "amount"
    CURRENCY = "currency"
    TEXT = "text"
    NAME = "name"
    DIRECTION = "direction"


HEADINGS: Mapping[Column, tuple[str, ...]] = {
    Column.DATE: ("booking date", "buchungstag", "buchungsdatum", "date", "datum", "fecha", "data", "tarih"),
    Column.AMOUNT: (
        *("credit", "gutschrift", "crédit", "amount", "betrag", "umsatz", "bedrag", "montant", "importe"),
        *("importo", "tutar", "beløp", "belopp"),
    ),
    Column.CURRENCY: ("currency", "währung", "waehrung", "devise", "valuta", "moneda", "döviz"),
    Column.TEXT: (
        *(
            "verwendungszweck",
            "reference",
            "description",
            "mededelingen",
            "omschrijving",
            "text",
            "buchungstext",
        ),
        *("concepto", "libellé", "communication", "açıklama", "details", "purpose", "memo", "remittance"),
        *("narrative", "message", "causale", "tekst", "meddelande", "beskrivning"),
    ),
    Column.NAME: (
        *(
            "auftraggeber",
            "beguenstigter",
            "zahlungspflichtiger",
            "payer",
            "counterparty",
            "name",
            "naam",
            "nom",
        ),
    ),
    Column.DIRECTION: ("soll/haben", "debit/credit", "af bij", "direction", "sens"),
}


@dataclass(frozen=True, slots=True)
class IncomingPayment:
    """A credit of a statement. `number` is the line of the file; `key` is equal for the same line of another file."""

    number: int
    date: str
    amount: Amount
    text: str
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class StatementColumns:
    """The place of each column that the statement has, the decimal sign, and the currency of lines without one."""

    places: Mapping[Column, int]
    decimal_sign: str
    currency: str


def guess_columns(headings: Sequence[str]) -> dict[Column, int]:
    """Finds columns by their headings in the languages of HEADINGS; a column is used once."""
    places: dict[Column, int] = {}
    folded = [heading.strip().casefold() for heading in headings]
    for column in (Column.DIRECTION, *(column for column in Column if column is not Column.DIRECTION)):
        for word in HEADINGS[column]:
            hits = [at for at, heading in enumerate(folded) if word in heading and at not in places.values()]
            if hits:
                places[column] = hits[0]
                break
    return places


def without_wrong_currency(
    places: Mapping[Column, int], rows: Sequence[tuple[int, Sequence[str]]]
) -> dict[Column, int]:
    """The guessed columns without a currency whose cells name none: Swiss banks write the value date under `Valuta`."""
    at = places.get(Column.CURRENCY)
    cells = {cells[at].strip().upper() for _number, cells in rows if at is not None and at < len(cells)}
    is_wrong = at is not None and cells.isdisjoint(current_currencies())
    return {column: place for column, place in places.items() if not (is_wrong and column is Column.CURRENCY)}


def guess_decimal_sign(cells: Sequence[str]) -> str:
    """The sign before the last one or two digits of most amounts."""
    ends = [match[1] for cell in cells if (match := re.search(r"([.,])\d{1,2}\D*$", cell))]
    return POINT if ends.count(POINT) > ends.count(COMMA) else COMMA


def read_payments(
    rows: Sequence[tuple[int, Sequence[str]]], columns: StatementColumns
) -> tuple[list[IncomingPayment], list[int]]:
    """The incoming payments, and the numbers of lines whose amount cannot be read. Outgoing payments are left out."""
    payments, unreadable = [], []
    repeats: dict[str, int] = {}
    for number, cells in rows:
        line = "\x1f".join(" ".join(cell.split()) for cell in cells)
        repeats[line] = repeats.get(line, 0) + 1
        value = {
            column: cells[at].strip() if at < len(cells) else "" for column, at in columns.places.items()
        }
        written = value.get(Column.AMOUNT, "")
        if not written:
            continue
        currency = value.get(Column.CURRENCY, "").upper() or columns.currency
        amount = _read_amount(written, currency, columns.decimal_sign)
        if amount is None:
            unreadable.append(number)
        elif amount.minor > 0 and value.get(Column.DIRECTION, "").casefold() not in _OUTGOING:
            payments.append(
                IncomingPayment(
                    number,
                    value.get(Column.DATE, ""),
                    amount,
                    value.get(Column.TEXT, ""),
                    value.get(Column.NAME, ""),
                    f"{line}\x1e{repeats[line]}",
                )
            )
    return payments, unreadable


def _read_amount(written: str, currency: str, decimal_sign: str) -> Amount | None:
    if currency not in current_currencies():
        return None
    plain = _GROUPING.sub("", written.removesuffix(currency).removeprefix(currency).replace("−", "-"))
    match = _SIGNED.fullmatch(plain)
    if match is None:
        return None
    whole, _sign, part = match["number"].partition(decimal_sign)
    grouping = COMMA if decimal_sign == POINT else POINT
    groups = whole.split(grouping)
    is_grouped = len(groups) == 1 or (
        0 < len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    )
    digits = "".join(groups)
    if not is_grouped or not digits.isdecimal() or (part and not part.isdecimal()):
        return None
    minor = Decimal(f"{digits}.{part or 0}").scaleb(exponent_of(currency))
    if minor != minor.to_integral_value() or minor > MOST_MINOR_UNITS:
        return None
    return Amount(-int(minor) if "-" in (match["sign"], match["after"]) else int(minor), currency)


def split_rows(text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, with the line numbers of the file, by the separator that divides most."""
    lines = text.splitlines()
    separator = max(";,\t|", key=lambda sign: sum(line.count(sign) for line in lines[:50]))
    reader = csv.reader(lines, delimiter=separator)
    return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]


def has_amount(cells: Sequence[str], places: Mapping[Column, int]) -> bool:
    """True if the cell in the column of amounts is a number, beside the letters of a currency at most."""
    at = places.get(Column.AMOUNT, len(cells))
    cell = cells[at] if at < len(cells) else ""
    letters = sum(character.isalpha() for character in cell)
    return letters <= CURRENCY_LETTERS and any(character.isdigit() for character in cell)


def find_headings(rows: Sequence[tuple[int, Sequence[str]]], remembered: Collection[str] = ()) -> int:
    """The index of the row with the headings: banks write lines about the account above it. Without rows, 0.

    A row that has all headings of an earlier statement is it. Without known headings, the first of the fullest rows is.
    """
    for at, (_number, cells) in enumerate(rows[:MOST_ROWS_ABOVE]):
        if remembered and set(remembered) <= {cell.strip() for cell in cells}:
            return at
    counts = [
        (len(guess_columns(cells)), sum(bool(cell.strip()) for cell in cells))
        for _number, cells in rows[:MOST_ROWS_ABOVE]
    ]
    return counts.index(max(counts)) if counts else 0
