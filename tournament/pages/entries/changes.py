"""Labels the lines of an imported list: the player, and each field before and after. Decides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.entries.lists.comparison import Change, PlannedLine, Value

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
    is_matched_by_name_only: bool


def listed_player(item: PlannedLine) -> ListedPlayer:
    line = item.line
    seed = gettext("seed {seed}").format(seed=line.seed) if line.seed else ""
    facts = (line.country, line.club, line.team, line.federation_id, _value(line.rating, empty=""), seed)
    return ListedPlayer(
        line=line.number,
        name=line.name,
        facts=tuple(fact for fact in facts if fact),
        changes=tuple(_change(change) for change in item.changes),
        elsewhere=item.elsewhere,
        is_matched_by_name_only=item.is_matched_by_name_only,
    )


def _change(change: Change) -> ChangeLabels:
    return ChangeLabels(str(FIELDS[change.field]), _value(change.before), _value(change.after))


def _value(value: Value, empty: str = NOTHING) -> str:
    if value is None or value == "":
        return empty
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)
