"""An archive that is damaged, foreign or newer is not opened, and leaves everything as it was."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournament import stories
from tests.tournament.everything import rows
from tournament.models import Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def whole(tmp_path) -> list[str]:
    """The lines of a sound archive of one event; the database is empty again."""
    stories.event(stories.director())
    call_command("backup", str(tmp_path / "sound.archive"))
    Event.objects.all().delete()
    return gzip.decompress((tmp_path / "sound.archive").read_bytes()).decode().splitlines()


def opened(lines: list[str], folder: Path) -> None:
    file = folder / "given.archive"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    call_command("restore", str(file))


def test_a_sound_archive_opens(whole, tmp_path):
    opened(whole, tmp_path)
    assert Event.objects.count() == 1
    with pytest.raises(CommandError, match="There are events in this database"):
        opened(whole, tmp_path)


def test_what_is_no_sound_archive_changes_nothing(whole, tmp_path):
    before = rows()
    head = json.loads(whole[0])
    newer = {**head, "migrations": [["tournament", "9999_from_the_future"]]}
    older = {
        **head,
        "migrations": [
            ["matches", "0003_records_of_a_match"],
            ["tournament", "0003_formats_and_corrections"],
        ],
    }
    row = next(number for number, line in enumerate(whole) if line.startswith("["))
    for said, lines in {
        "its end is missing": whole[:-1],
        "The file is cut off": [json.dumps(older)],
        "does not hold what its last line says": [*whole[:row], *whole[row + 1 :]],
        "comes from a newer release": [json.dumps(newer), *whole[1:]],
        "This is no archive": ["{}", *whole[1:]],
        "a table that is not known": [whole[0], '{"table": "auth.secrets", "fields": []}'],
        "has 1 values": [*whole[:row], "[1]", *whole[row + 1 :]],
        "damaged or no archive": [*whole[:row], "not json"],
    }.items():
        with pytest.raises(CommandError, match=said):
            opened(lines, tmp_path)
        assert rows() == before
    cut = tmp_path / "cut.archive"
    cut.write_bytes((tmp_path / "sound.archive").read_bytes()[:-30])
    broken = tmp_path / "broken.archive"
    broken.write_bytes((tmp_path / "sound.archive").read_bytes()[:300] + bytes(range(256)) * 8)
    for file in (cut, broken):
        with pytest.raises(CommandError, match="nothing was changed"):
            call_command("restore", str(file))
    with pytest.raises(CommandError, match="Cannot read"):
        call_command("restore", str(tmp_path / "nowhere.archive"))
    assert rows() == before
