"""Compares the migrations that the database has applied with those of this release."""

import pkgutil
from collections import defaultdict
from enum import StrEnum
from functools import cache
from importlib.util import find_spec

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext_lazy as _

OWN_APPS = ("tournament", "matches")


class Tables(StrEnum):
    """The release that the tables belong to, seen from this one."""

    CURRENT = "current"
    OLDER = "older"
    NEWER = "newer"


SENTENCES = {
    Tables.CURRENT: "",
    Tables.OLDER: _(
        "The tables in the database are missing or older than the program. Run: python3 manage.py migrate"
    ),
    Tables.NEWER: _(
        "The tables in the database are from a newer release than this program. Start the newer release, "
        "or restore a backup of this release into an empty database."
    ),
}


def state_of_tables() -> Tables:
    """Raises django.db.Error while the database does not answer. A database without tables is OLDER."""
    applied: defaultdict[str, set[str]] = defaultdict(set)
    for app, name in MigrationRecorder(connection).applied_migrations():
        applied[app].add(name)
    here = _migrations_here()
    if any(name > max(here[app]) for app in OWN_APPS for name in applied[app]):
        return Tables.NEWER
    return Tables.CURRENT if all(names <= applied[app] for app, names in here.items()) else Tables.OLDER


def refusal_to_start() -> str:
    """The sentence for a program that is older than its tables, else an empty one."""
    state = state_of_tables()
    return str(SENTENCES[state]) if state is Tables.NEWER else ""


@cache
def _migrations_here() -> dict[str, frozenset[str]]:
    """The names of all migrations of this program by app. Reads folders and imports no migration."""
    named = {}
    for config in apps.get_app_configs():
        module, _is_set = MigrationLoader.migrations_module(config.label)
        spec = find_spec(module) if module else None
        folders = spec.submodule_search_locations if spec else None
        named[config.label] = frozenset(
            module_info.name
            for module_info in pkgutil.iter_modules(folders or [])
            if module_info.name[0] not in "_~"
        )
    return named
