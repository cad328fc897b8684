"""The time zones that the form of an event offers, grouped by continent."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from zoneinfo import TZPATH, available_timezones

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CONTINENTS: Mapping[str, Promise] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}
Group = tuple[Promise, list[tuple[str, str]]]


@cache
def grouped_zones() -> list[Group]:
    """Returns the zones of each continent by city, and UTC at the end."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for zone in current_zones():
        continent, *_more = zone.split("/")
        groups[continent].append((zone, city_of(zone)))
    by_city = [
        (CONTINENTS[name], sorted(groups[name], key=lambda choice: choice[1])) for name in sorted(groups)
    ]
    return [*by_city, (_("Other"), [("UTC", "UTC")])]


def current_zones() -> set[str]:
    """Returns the zones of the system's `zone.tab`, which leaves out deprecated names, or all zones without it."""
    tables = (Path(folder, "zone.tab") for folder in TZPATH)
    table = next((path for path in tables if path.is_file()), None)
    if table is None:
        return {zone for zone in available_timezones() if zone.split("/")[0] in CONTINENTS}
    lines = table.read_text(encoding="utf-8").splitlines()
    zones = {line.split("\t")[2] for line in lines if line and not line.startswith("#")}
    return zones & available_timezones()


def city_of(zone: str) -> str:
    """Returns "Salta (Argentina)" for "America/Argentina/Salta", so that typing the city selects it."""
    _continent, *areas, city = zone.replace("_", " ").split("/")
    return f"{city} ({', '.join(areas)})" if areas else city
