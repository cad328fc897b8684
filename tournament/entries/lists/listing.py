"""The result of reading an entry list: valid lines, and troubles with the others. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, StrEnum
from types import MappingProxyType

from tournament.fees.amounts import Amount


class Severity(StrEnum):
    """ERROR: the line, or the whole list, is not imported. WARNING: it is imported and should be checked."""

    ERROR = "error"
    WARNING = "warning"


class Column(StrEnum):
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
    MEMBER = "member"
    NEW_MEMBER = "new_member"
    STUDENT = "student"
    TITLE = "title"
    FIRST_VISIT = "first_visit"
    EARLY = "early"
    POOL_1 = "pool_1"
    POOL_2 = "pool_2"
    POOL_3 = "pool_3"
    POOL_4 = "pool_4"
    POOL_5 = "pool_5"
    POOL_6 = "pool_6"
    POOL_7 = "pool_7"
    POOL_8 = "pool_8"
    COUNT = "count"  # 1, 2, 3 … down the margin: recognised in order to be left out


PoolNames = Mapping[Column, str]
NO_POOLS: PoolNames = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem with the list. `line` is None if it concerns the whole list.

    `sentence` is in English. In another language it is `translate(template).format(**params)`.
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
    """A player as listed. A blank cell or a missing column is "" or None.

    `paid_amount`: what the player has paid in advance for the tournament. `choices`: conditions of the player and side
    pools, with yes or no; without blank cells.
    """

    number: int
    name: str
    country: str = ""
    club: str = ""
    team: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    seed: int | None = None
    paid: bool | None = None
    paid_amount: Amount | None = None
    checked_in: bool | None = None
    choices: tuple[tuple[Column, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """The reading that a person chose: the meaning of columns by their place from 0. Other columns are left out."""

    columns: Mapping[int, Column]
    has_headings: bool
    turns_names: bool


@dataclass(frozen=True, slots=True)
class ListedColumn:
    """A column of the list with its first values. `column` is None if it is left out."""

    place: int
    heading: str
    values: tuple[str, ...]
    column: Column | None


@dataclass(frozen=True, slots=True)
class Interpretation:
    """Reading of a list. `is_guessed`: a column was recognised by its values, not by a heading.

    `can_turn_names`: a name has the form "surname, given name". `pools`: the names of the tournament's side pools.
    """

    columns: tuple[ListedColumn, ...] = ()
    has_headings: bool = False
    is_guessed: bool = False
    turns_names: bool = False
    can_turn_names: bool = False
    pools: PoolNames = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that was read. `columns` maps the recognised columns to their headings."""

    columns: Mapping[Column, str]
    rows: tuple[Line, ...]
    problems: tuple[Trouble, ...]
    interpretation: Interpretation = Interpretation()

    @property
    def refusal(self) -> Trouble | None:
        """The reason why the whole list was refused; None if it has lines or troubles with single lines."""
        return next((trouble for trouble in self.problems if not self.rows and trouble.line is None), None)


class MissingValue(Enum):
    """A workbook cell without a value."""

    FORMULA = "a formula without its result"
    FAULT = "an error such as #N/A"


Cell = str | int | float | bool | MissingValue | None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list before its columns are known."""

    number: int
    cells: tuple[Cell, ...]
