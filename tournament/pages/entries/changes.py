"""Labels the lines of an imported list: the player, and each field before and after. Decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from tournament.entries.lists.choices import CONDITION_OF, POOL_KEY_OF
from tournament.entries.lists.comparison import PAID_AMOUNT, Change, PlannedLine, Value
from tournament.entries.lists.countries import country_name
from tournament.entries.lists.listing import NO_POOLS, Column, Line, PoolNames
from tournament.entries.lists.matching import ExistingPlayer
from tournament.fees.amounts import Amount, format_amount
from tournament.ledger import labels
from tournament.runtime.text import plain_number

CONDITION_LABELS: Mapping[Column, Promise] = {
    column: labels.CONDITION_LABELS[condition] for column, condition in CONDITION_OF.items()
}
FIELDS: Mapping[str, Promise | str] = {
    "name": _("Name"),
    "country": _("Country"),
    "club": _("Club"),
    "team": _("Team"),
    "federation_id": _("Federation number"),
    "rating": _("Rating"),
    "seed": _("Seed"),
    "paid": _("Paid"),
    PAID_AMOUNT: _("Paid in advance"),
    "checked_in": _("Arrived"),
    **{column.value: label for column, label in CONDITION_LABELS.items()},
    **{column.value: format_lazy(_("Side pool {number}"), number=key) for column, key in POOL_KEY_OF.items()},
}
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class ChangeLabels:
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A line of the list. A new player has `facts`; an existing player has `changes`.

    `elsewhere` lists the other tournaments of an existing player.
    """

    line: int
    name: str
    facts: tuple[str, ...]
    changes: tuple[ChangeLabels, ...]
    elsewhere: tuple[str, ...]


def listed_player(item: PlannedLine, pools: PoolNames = NO_POOLS) -> ListedPlayer:
    paid = [gettext("paid {amount}").format(amount=_value(item.payment))] if item.payment else []
    return ListedPlayer(
        line=item.line.number,
        name=item.line.name,
        facts=(*facts_of(item.line, pools), *paid),
        changes=tuple(change_labels(change, pools) for change in item.changes),
        elsewhere=item.elsewhere,
    )


def facts_of(person: Line | ExistingPlayer, pools: PoolNames = NO_POOLS) -> tuple[str, ...]:
    """Returns the data of a listed or existing player that are not blank, without the name.

    `pools` are the names of side pools; others are left out.
    """
    seed = gettext("seed {seed}").format(seed=person.seed) if person.seed else ""
    rating = _value(person.rating, empty="")
    facts = (country_name(person.country), person.club, person.team, person.federation_id, rating, seed)
    labels: Mapping[Column, Promise | str] = {**CONDITION_LABELS, **pools}
    chosen = [str(label) for column, label in labels.items() if _applies(person, column)]
    return tuple(fact for fact in (*facts, *chosen) if fact)


def _applies(person: Line | ExistingPlayer, column: Column) -> bool:
    return column in person.choices or (column, True) in person.choices


def change_labels(change: Change, pools: PoolNames = NO_POOLS) -> ChangeLabels:
    before, after = change.before, change.after
    if change.field == "country":
        before, after = country_name(str(before)), country_name(str(after))
    return ChangeLabels(_field_label(change.field, pools), _value(before), _value(after))


def _field_label(field: str, pools: PoolNames) -> str:
    name = pools.get(Column(field)) if field in set(Column) else None
    return name or str(FIELDS[field])


def _value(value: Value, empty: str = NOTHING) -> str:
    if value is None or value == "":
        return empty
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, Amount):
        return format_amount(value, get_language() or "en")
    return str(plain_number(value) if isinstance(value, Decimal) else value)
