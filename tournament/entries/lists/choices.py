"""Columns about what the fees of a player depend on: conditions and side pools. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Column, Line, Trouble
from tournament.entries.lists.matching import ExistingPlayer
from tournament.fees.choices import ChoiceError, check_choices
from tournament.fees.schedule import Condition, FeeChoices, FeeSchedule
from tournament.fees.stored import POOL_KEYS
from tournament.runtime.text import abbreviate

CONDITION_OF = {Column(condition.value): condition for condition in Condition}
POOL_KEY_OF = {Column(f"pool_{key}"): key for key in POOL_KEYS}
CHOICES = (*CONDITION_OF, *POOL_KEY_OF)


def columns_of(conditions: Iterable[str], pools: Iterable[str]) -> frozenset[Column]:
    """The columns under which a list says yes for these conditions and keys of side pools."""
    return frozenset({*map(Column, conditions), *(Column(f"pool_{key}") for key in pools)})


def fee_choices(columns: Collection[Column]) -> FeeChoices:
    return FeeChoices(
        frozenset(CONDITION_OF[column] for column in columns if column in CONDITION_OF),
        frozenset(POOL_KEY_OF[column] for column in columns if column in POOL_KEY_OF),
    )


def chosen_columns(line: Line, player: ExistingPlayer | None) -> frozenset[Column]:
    """The choices of a player after the line. A blank cell changes nothing."""
    before = player.choices if player else frozenset()
    listed = dict(line.choices)
    return frozenset(column for column in CHOICES if listed.get(column, column in before))


def fit_choices(
    line: Line, player: ExistingPlayer | None, schedule: FeeSchedule
) -> tuple[Line, Trouble | None]:
    """The line without cells about side pools that the player may not join, with a remark on them."""
    if not line.choices or _is_possible(line, player, schedule):
        return line, None
    fitted = replace(line, choices=tuple(choice for choice in line.choices if choice[0] not in POOL_KEY_OF))
    if not _is_possible(fitted, player, schedule):
        fitted = replace(line, choices=())
    for choice in line.choices:
        more = replace(fitted, choices=(*fitted.choices, choice))
        if choice[0] in POOL_KEY_OF and _is_possible(more, player, schedule):
            fitted = more
    return fitted, remarks.POOL_NOT_POSSIBLE.on(line.number, name=abbreviate(line.name))


def _is_possible(line: Line, player: ExistingPlayer | None, schedule: FeeSchedule) -> bool:
    rating = player.rating if player and line.rating is None else line.rating
    try:
        check_choices(schedule, fee_choices(chosen_columns(line, player)), rating)
    except ChoiceError:
        return False
    return True
