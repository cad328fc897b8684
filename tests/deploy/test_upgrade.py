"""An older installation is upgraded to the tables of a new one."""

import json
import os

import psycopg
import pytest
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import database_template
from tests.deploy.test_archive import lines, restore  # noqa: F401 (a fixture, found by its name)

OLDER = [["matches", "0004_typed_penalties"], ["tournament", "0004_the_room"]]
COLUMNS = """
SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public'
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid <> 0
"""
NAMED_CHECKS_AND_TRIGGERS = """
SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'c' AND conname NOT LIKE '%\\_check'
UNION SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal
"""


def tables_of(name: str) -> list[set[tuple[object, ...]]]:
    with psycopg.connect(os.environ["DATABASE_URL"], dbname=name) as server:
        return [set(server.execute(query)) for query in (COLUMNS, CONSTRAINTS, NAMED_CHECKS_AND_TRIGGERS)]


@pytest.mark.django_db(transaction=True)
def test_an_older_installation_gets_the_tables_of_a_new_one(lines, tmp_path):  # noqa: F811 (the fixture above)
    """A truncated archive of an older release leaves the tables of that release, which are upgraded at once."""
    head = {**json.loads(lines[0]), "migrations": OLDER}
    with (
        CaptureQueriesContext(connection) as statements,
        pytest.raises(CommandError, match="The file is truncated"),
    ):
        restore([json.dumps(head)], tmp_path)
    executed = [statement["sql"] for statement in statements]
    assert any(sql.startswith('DROP TABLE "tournament_event"') for sql in executed), "the tables were older"
    new = tables_of(database_template.database_name(database_template.template_url()))
    for upgraded, expected in zip(tables_of(connection.settings_dict["NAME"]), new, strict=True):
        assert upgraded == expected
