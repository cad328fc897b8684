"""Labels the lines of an imported list: the player, and each field before and after. Decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.entries.lists.comparison import Change, PlannedLine, Value
from tournament.entries.lists.countries import country_name
from tournament.entries.lists.listing import Line
from tournament.entries.lists.matching import ExistingPlayer
from tournament.runtime.text import plain_number

FIELDS: Mapping[str, Promise] = {
    "name": _("Name"),
    "country": _("Country"),
    "club": _("Club"),
    "team": _("Team"),
    "federation_id": _("Federation number"),
    "rating": _("Rating"),
    "seed": _("Seed"),
    "paid": _("Paid"),
    "checked_in": _("Arrived"),
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


def listed_player(item: PlannedLine) -> ListedPlayer:
    return ListedPlayer(
        line=item.line.number,
        name=item.line.name,
        facts=facts_of(item.line),
        changes=tuple(change_labels(change) for change in item.changes),
        elsewhere=item.elsewhere,
    )


def facts_of(person: Line | ExistingPlayer) -> tuple[str, ...]:
    """Returns the data of a listed or existing player that are not blank, without the name."""
    seed = gettext("seed {seed}").format(seed=person.seed) if person.seed else ""
    rating = _value(person.rating, empty="")
    facts = (country_name(person.country), person.club, person.team, person.federation_id, rating, seed)
    return tuple(fact for fact in facts if fact)


def change_labels(change: Change) -> ChangeLabels:
    before, after = change.before, change.after
    if change.field == "country":
        before, after = country_name(str(before)), country_name(str(after))
    return ChangeLabels(str(FIELDS[change.field]), _value(before), _value(after))


def _value(value: Value, empty: str = NOTHING) -> str:
    if value is None or value == "":
        return empty
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(plain_number(value) if isinstance(value, Decimal) else value)
