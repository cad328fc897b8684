"""A damaged, foreign or newer archive is refused and changes nothing."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournament import stories
from tests.tournament.access.database_rows import rows
from tournament.models import AccountEvent, Event, Organizer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lines(tmp_path) -> list[str]:
    """Returns the lines of a valid archive of one event. The database is empty afterwards."""
    stories.event(stories.director())
    call_command("backup", str(tmp_path / "intact.archive"))
    Event.objects.all().delete()
    AccountEvent.objects.all().delete()
    return gzip.decompress((tmp_path / "intact.archive").read_bytes()).decode().splitlines()


def restore(lines: list[str], folder: Path) -> None:
    file = folder / "archive"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    call_command("restore", str(file))


def hostile_archives(lines: list[str], row: int) -> dict[str, list[str]]:
    """Returns forged archives by the expected message."""
    head, table, values = (
        json.loads(lines[0]),
        json.loads(lines[row - 1]),
        json.loads(lines[row]),
    )
    nonsense = ({"a": 1}, 10**400)
    swapped = [[value for _ in values] for value in nonsense]
    return {
        "The first line of the file": [json.dumps({**head, "migrations": [5]}), *lines[1:]],
        "invalid value .KeyError": [
            *lines[: row - 1],
            json.dumps({"table": table["table"]}),
            *lines[row:],
        ],
        "invalid value .TypeError": [
            *lines[: row - 1],
            json.dumps({"table": [], "fields": []}),
            *lines[row:],
        ],
        "damaged or not an archive .": [*lines[:row], "[" * 100_000],
        **{
            f"nothing was changed.{'|never' * number}": [
                *lines[:row],
                json.dumps(values),
                *lines[row + 1 :],
            ]
            for number, values in enumerate(swapped)
        },
    }


def test_an_intact_archive_is_restored_where_only_an_organizer_is_left(lines, tmp_path):
    restore(lines, tmp_path)
    assert Event.objects.count() == 1
    with pytest.raises(CommandError, match="This database contains events"):
        restore(lines, tmp_path)


def test_an_invalid_archive_changes_nothing(lines, tmp_path):
    Organizer.objects.all().delete()
    rows_before = rows()
    head = json.loads(lines[0])
    newer = {**head, "migrations": [["tournament", "9999_from_the_future"]]}
    row = next(number for number, line in enumerate(lines) if line.startswith("["))
    damaged_archives = {
        "its end is missing": lines[:-1],
        "The file is truncated": lines[:1],
        "The rows do not match the counts": [*lines[:row], *lines[row + 1 :]],
        "comes from a newer release": [json.dumps(newer), *lines[1:]],
        "This is not an archive": ["{}", *lines[1:]],
        "an unknown table": [lines[0], '{"table": "auth.secrets", "fields": []}'],
        "has 1 values": [*lines[:row], "[1]", *lines[row + 1 :]],
        "damaged or not an archive": [*lines[:row], "not json"],
    }
    for message, changed_lines in (
        *damaged_archives.items(),
        *hostile_archives(lines, row).items(),
    ):
        with pytest.raises(CommandError, match=message):
            restore(changed_lines, tmp_path)
        assert rows() == rows_before
    truncated = tmp_path / "cut.archive"
    truncated.write_bytes((tmp_path / "intact.archive").read_bytes()[:-30])
    broken = tmp_path / "broken.archive"
    broken.write_bytes((tmp_path / "intact.archive").read_bytes()[:300] + bytes(range(256)) * 8)
    for file in (truncated, broken):
        with pytest.raises(CommandError, match="nothing was changed"):
            call_command("restore", str(file))
    with pytest.raises(CommandError, match="Cannot read"):
        call_command("restore", str(tmp_path / "nowhere.archive"))
    assert rows() == rows_before
