"""Prepares the questions of an import preview: what each column is, and who is the same person. Reads the answers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.entries.lists import Column, ColumnChoices, Listing
from tournament.entries.lists.choices import POOL_KEY_OF
from tournament.entries.lists.comparison import PlannedLine, Preview, changes_for
from tournament.entries.lists.limits import MOST_COLUMNS
from tournament.entries.lists.listing import Interpretation, ListedColumn
from tournament.entries.lists.matching import Answers, ExistingPlayer
from tournament.pages.entries.changes import CONDITION_LABELS, ChangeLabels, change_labels, facts_of
from tournament.pages.entries.forms import NEW_PERSON

COLUMN_LABELS: Mapping[Column, Promise] = {
    Column.NAME: _("Name"),
    Column.GIVEN_NAME: _("First name"),
    Column.SURNAME: _("Last name"),
    Column.COUNTRY: _("Country"),
    Column.CLUB: _("Club"),
    Column.TEAM: _("Team"),
    Column.FEDERATION_ID: _("Federation number"),
    Column.RATING: _("Rating"),
    Column.SEED: _("Seed"),
    Column.PAID: _("Paid"),
    Column.CHECKED_IN: _("Arrived"),
    **CONDITION_LABELS,
}
TURN_BUTTONS = {"turn": True, "keep": False}
"""Values of the buttons that turn names round, or keep them as written."""
ABOVE_DEBT_BUTTONS = {"above": True, "within": False}
"""Values of the buttons that record payments of more than players owe, or leave them out."""
_PERSON_FIELD = re.compile(r"person-(\d{1,9})")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Review:
    """Answers of a person on the preview. `choices` is None if the list is read by its headings and values.

    `has_new_columns`: the page showed the list as read in another way. `above_debt`: payments of more than players owe
    are recorded too.
    """

    choices: ColumnChoices | None = None
    answers: Answers | None = None
    has_new_columns: bool = False
    above_debt: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Self:
        choices = _choices_of(fields)
        is_changed = "shown_columns" in fields and fields["shown_columns"] != encode(choices)
        is_chosen = is_changed or "columns_chosen" in fields
        above_debt = ABOVE_DEBT_BUTTONS.get(fields.get("renew", ""), "above_debt" in fields)
        return cls(choices if is_chosen else None, _answers_of(fields), is_changed, above_debt)


def _choices_of(fields: Mapping[str, str]) -> ColumnChoices:
    values = {place: fields.get(f"column-{place}", "") for place in range(MOST_COLUMNS)}
    columns = {
        place: Column(value) for place, value in values.items() if value in {*COLUMN_LABELS, *POOL_KEY_OF}
    }
    turns_names = TURN_BUTTONS.get(fields.get("renew", ""), "turn_names" in fields)
    return ColumnChoices(columns, has_headings="headings" in fields, turns_names=turns_names)


def _answers_of(fields: Mapping[str, str]) -> dict[int, UUID | None]:
    """Lines without an answer are left out."""
    values = {
        int(match[1]): value for key, value in fields.items() if (match := _PERSON_FIELD.fullmatch(key))
    }
    answers: dict[int, UUID | None] = {line: None for line, value in values.items() if value == NEW_PERSON}
    return answers | {line: UUID(value) for line, value in values.items() if _UUID.fullmatch(value)}


def encode(choices: ColumnChoices) -> str:
    """Returns the choices as text that is equal for equal choices."""
    columns = ",".join(f"{place}={column}" for place, column in sorted(choices.columns.items()))
    return f"{columns};{choices.has_headings:d};{choices.turns_names:d}"


def shown_choices(interpretation: Interpretation) -> ColumnChoices:
    """Returns the choices that the page shows for a list as it was read."""
    columns = {listed.place: listed.column for listed in interpretation.columns if listed.column is not None}
    return ColumnChoices(columns, interpretation.has_headings, interpretation.turns_names)


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A column of the list with its number from 1. `label` names what it is read as, "" if it is left out."""

    listed: ListedColumn
    label: str

    @property
    def number(self) -> int:
        return self.listed.place + 1


@dataclass(frozen=True, slots=True)
class ColumnsPanel:
    """The columns of the list with a choice for each. `is_open`: a person should check them."""

    interpretation: Interpretation
    lines: tuple[ColumnLine, ...]
    summary: str
    options: Mapping[Column, Promise | str]
    encoded: str
    is_chosen: bool
    is_open: bool


def columns_panel(listing: Listing, review: Review) -> ColumnsPanel:
    interpretation = listing.interpretation
    labels: Mapping[Column, Promise | str] = {**COLUMN_LABELS, **interpretation.pools}
    lines = tuple(
        ColumnLine(listed, str(labels[listed.column]) if listed.column else "")
        for listed in interpretation.columns
    )
    return ColumnsPanel(
        interpretation,
        lines,
        ", ".join(line.label for line in lines if line.label),
        labels,
        encode(shown_choices(interpretation)),
        is_chosen=review.choices is not None,
        is_open=review.choices is not None or (interpretation.is_guessed and len(interpretation.columns) > 1),
    )


@dataclass(frozen=True, slots=True)
class PersonOption:
    """An existing player who could be the person of a line, and the changes if so."""

    value: str
    name: str
    facts: tuple[str, ...]
    elsewhere: tuple[str, ...]
    is_here: bool
    changes: tuple[ChangeLabels, ...]
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """Asks who a line is. `may_leave_out`: the line has no answer yet and is left out."""

    line: int
    name: str
    facts: tuple[str, ...]
    options: tuple[PersonOption, ...]
    is_new: bool
    may_leave_out: bool

    @property
    def changes_something(self) -> bool:
        """False if the line only enters a player of another tournament."""
        return self.is_new or self.may_leave_out or any(option.changes for option in self.options)


def person_questions(preview: Preview) -> list[PersonQuestion]:
    items = (*preview.added, *preview.changed, *preview.unchanged, *preview.unclear)
    questions = [
        PersonQuestion(
            line=item.line.number,
            name=item.line.name,
            facts=facts_of(item.line),
            options=tuple(_option(item, player) for player in item.candidates),
            is_new=item.player is None and item not in preview.unclear,
            may_leave_out=item in preview.unclear,
        )
        for item in items
        if item.candidates
    ]
    return sorted(questions, key=lambda question: question.line)


def _option(item: PlannedLine, player: ExistingPlayer) -> PersonOption:
    return PersonOption(
        value=str(player.player_id),
        name=player.name,
        facts=facts_of(player),
        elsewhere=player.elsewhere,
        is_here=player.entry_id is not None,
        changes=tuple(change_labels(change) for change in changes_for(item.line, player)),
        is_chosen=player.player_id == item.player_id,
    )
