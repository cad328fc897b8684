"""Reads the body of a list into lines. Each line is accepted, or refused with reasons."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tournament.entries.lists import remarks, values
from tournament.entries.lists.choices import CHOICES
from tournament.entries.lists.cleaning import (
    cell_text,
    could_hold_columns,
    given_name_first,
    split_bracket,
    without_list_mark,
)
from tournament.entries.lists.countries import bracketed_code
from tournament.entries.lists.layout import Layout
from tournament.entries.lists.limits import LONGEST_NAME
from tournament.entries.lists.listing import Cell, Column, Line, MissingValue, Row, Severity, Trouble
from tournament.entries.lists.payments import amount_reader
from tournament.entries.lists.remarks import Remark
from tournament.fees.amounts import Amount
from tournament.runtime.text import abbreviate, has_letter

T = TypeVar("T")

_CHOICE_READERS = {Column.MEMBER: values.number_or_yes, Column.TITLE: values.title_or_yes}
_BYES = frozenset({"bye", "byes", "freilos", "exempt", "oversidder", "frirunde"})


@dataclass(frozen=True, slots=True)
class ReadLines:
    """The accepted lines. `can_turn_names`: a name has the form "surname, given name"."""

    lines: Sequence[Line]
    troubles: Sequence[Trouble]
    can_turn_names: bool
    turns_names: bool


def read_lines(layout: Layout, currency: str = "") -> ReadLines:
    """`currency`: the currency of amounts under "Paid"; without it the column says yes or no."""
    lines: list[Line] = []
    troubles: list[Trouble] = []
    for row in layout.body:
        reader = _LineReader(layout, row, currency)
        line = reader.line()
        troubles += reader.troubles
        if all(trouble.severity is Severity.WARNING for trouble in reader.troubles):
            lines.append(line)
    return _turn_names(layout, lines, troubles)


def _turn_names(layout: Layout, lines: Sequence[Line], troubles: Sequence[Trouble]) -> ReadLines:
    """Turns "Berg, Anna" into "Anna Berg". Under a heading most names must have this form, unless a person chose it.

    Adds one remark on the first name of this form, turned or not, and without headings one on the first other comma.
    """
    turned = [line for line in lines if given_name_first(line.name) != line.name]
    is_usual = not layout.has_headings or len(turned) * 2 > len(lines)
    turns = bool(turned) and (is_usual if layout.turns_names is None else layout.turns_names)
    names = {line.number: given_name_first(line.name) if turns else line.name for line in lines}
    remark = remarks.NAMES_TURNED if turns else remarks.NAMES_NOT_TURNED
    remarks_on_names = [
        remark.on(None, before=abbreviate(line.name), after=abbreviate(given_name_first(line.name)))
        for line in turned[:1]
    ]
    if not layout.has_headings:
        kept = [line.name for line in lines if "," in line.name and line not in turned][:1]
        remarks_on_names += [remarks.COMMAS_KEPT.on(None, name=abbreviate(name)) for name in kept]
    return ReadLines(
        [replace(line, name=names[line.number]) for line in lines],
        [*troubles, *remarks_on_names],
        can_turn_names=bool(turned),
        turns_names=turns,
    )


class _LineReader:
    """Reads the cells of one row and collects troubles with them."""

    def __init__(self, layout: Layout, row: Row, currency: str) -> None:
        self.layout = layout
        self.row = row
        self.currency = currency
        self.troubles: list[Trouble] = []

    def line(self) -> Line:
        name = self.name()
        country: str = self.read(Column.COUNTRY, values.country)
        name, country = _split_country(name, country)
        paid, paid_amount = self.payment()
        return Line(
            number=self.row.number,
            name=name,
            country=country,
            club=self.read(Column.CLUB, values.club),
            team=self.read(Column.TEAM, values.team),
            federation_id=self.read(Column.FEDERATION_ID, values.federation_id),
            rating=self.read(Column.RATING, values.rating),
            seed=self.read(Column.SEED, values.seed),
            paid=paid,
            paid_amount=paid_amount,
            checked_in=self.read(Column.CHECKED_IN, values.yes_or_no),
            choices=tuple(self.choices()),
        )

    def payment(self) -> tuple[bool | None, Amount | None]:
        paid = values.yes_or_no(self.layout.cell(self.row, Column.PAID)).value
        if self.currency and paid is None:
            return None, self.read(Column.PAID, amount_reader(self.currency))
        return self.read(Column.PAID, values.yes_or_no), None

    def choices(self) -> Iterator[tuple[Column, bool]]:
        for column in self.layout.places:
            if column in CHOICES:
                answer = self.read(column, _CHOICE_READERS.get(column, values.yes_or_no))
                if answer is not None:
                    yield column, answer

    def read(self, column: Column, reader: Callable[[Cell], values.Reading[T]]) -> T:
        cell = self.layout.cell(self.row, column)
        if isinstance(cell, MissingValue):
            self.note(remarks.NO_RESULT, column=self.title(column))
        reading = reader(cell)
        if reading.remark is not None:
            self.note(reading.remark, column=self.title(column), **reading.params)
        return reading.value

    def note(self, remark: Remark, **params: str | int) -> None:
        self.troubles.append(remark.on(self.row.number, **params))

    def title(self, column: Column) -> str:
        return self.layout.titles.get(column, column.value)

    def name(self) -> str:
        cells = self.layout.name_cells(self.row)
        if any(isinstance(cell, MissingValue) for cell in cells):
            self.note(remarks.NAME_WITHOUT_RESULT, column=self.title(Column.NAME))
            return ""
        name = values.join_name([cell_text(cell) for cell in cells])
        if not self.layout.has_headings:
            name = without_list_mark(name)
            if could_hold_columns(name):
                self.note(remarks.NAME_WITH_DIVIDER, value=abbreviate(name))
        remark = _name_problem(name)
        if remark is not None:
            self.note(remark, column=self.title(Column.NAME), value=abbreviate(name), most=LONGEST_NAME)
        return name


def _name_problem(name: str) -> Remark | None:
    """Returns the reason why a text is not a player's name, or None."""
    if not name:
        return remarks.NAME_MISSING
    if len(name) > LONGEST_NAME:
        return remarks.NAME_TOO_LONG
    if not has_letter(name):
        return remarks.NOT_A_NAME
    return remarks.BYE_LISTED if name.strip("()[]").casefold() in _BYES else None


def _split_country(name: str, country: str) -> tuple[str, str]:
    """Splits "Anna Berg (GER)" into name and country, unless the list has another country."""
    before, inside = split_bracket(name)
    code = bracketed_code(inside)
    if code is None or country not in {"", code} or not has_letter(before):
        return name, country
    return before, code
