"""What reading an entry list gives: the lines that can be taken and the troubles with the others.

Values only. Nothing here reads a file, knows a player of the event, or words a sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, StrEnum


class Severity(StrEnum):
    """ERROR: the line, or the whole list, is not read. WARNING: it is read, and somebody should look."""

    ERROR = "error"
    WARNING = "warning"


class Column(StrEnum):
    """What a column of an entry list can be about."""

    NAME = "name"
    FULL_NAME = "full_name"
    GIVEN_NAME = "given_name"
    SURNAME = "surname"
    COUNTRY = "country"
    CLUB = "club"
    TEAM = "team"
    FEDERATION_ID = "federation_id"
    RATING = "rating"
    SEED = "seed"
    PAID = "paid"
    CHECKED_IN = "checked_in"
    COUNT = "count"  # 1, 2, 3 … down the margin: recognised in order to be left out


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing wrong with the list. `line` is None when it is about the list as a whole.

    `sentence` is in English; another language is `translate(template).format(**params)`.
    """

    line: int | None
    code: str
    severity: Severity
    template: str
    params: Mapping[str, str | int]

    @property
    def sentence(self) -> str:
        return self.template.format(**self.params)


@dataclass(frozen=True, slots=True)
class Line:
    """One player as listed. A blank cell, or a column that is not there, is "" or None."""

    number: int
    name: str
    country: str = ""
    club: str = ""
    team: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    seed: int | None = None
    paid: bool | None = None
    checked_in: bool | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as read. `columns` names the headings that were recognised, as the list writes them."""

    columns: Mapping[Column, str]
    rows: tuple[Line, ...]
    problems: tuple[Trouble, ...]

    @property
    def refusal(self) -> Trouble | None:
        """Why the list as a whole was refused; None where its lines are told one by one."""
        return next((trouble for trouble in self.problems if not self.rows and trouble.line is None), None)


class MissingValue(Enum):
    """A workbook cell that shows no value of its own."""

    FORMULA = "a formula without its result"
    FAULT = "an error such as #N/A"


Cell = str | int | float | bool | MissingValue | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list before anybody knows what its columns are about."""

    number: int
    cells: tuple[Cell, ...]
