"""Constraints are named and exist in the database, and no migration is missing."""

import io

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

HOUSE_NAMES = {
    "game_follows_once", "superseded_once", "cube_is_a_power_of_two", "points_in_range", "nobody_plays_themselves",
    "one_winner", "seat_filled_once", "outcome_fed_once", "entered_once", "seed_given_once",
}  # fmt: skip


def _models():
    return [model for label in ("matches", "tournament") for model in apps.get_app_config(label).get_models()]


def test_every_constraint_has_a_name():
    names = [constraint.name for model in _models() for constraint in model._meta.constraints]
    assert set(names) >= HOUSE_NAMES
    assert [
        name for name in names if len(name.split("_")) < 3 and name != "one_winner" and "_once" not in name
    ] == []


NAMES_IN_THE_DATABASE = {
    "postgresql": "SELECT conname FROM pg_constraint UNION SELECT indexname FROM pg_indexes",
    "sqlite": "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL",
}


@pytest.mark.django_db
def test_every_constraint_exists_in_the_database():
    with connection.cursor() as cursor:
        cursor.execute(NAMES_IN_THE_DATABASE[connection.vendor])
        there = " ".join(row[0] for row in cursor.fetchall())
    names = [constraint.name for model in _models() for constraint in model._meta.constraints]
    assert [name for name in names if name not in there] == []


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "--check", "--dry-run", stdout=io.StringIO())
