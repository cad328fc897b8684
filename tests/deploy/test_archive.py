"""An archive that is damaged, foreign or newer is not opened, and leaves everything as it was."""

import gzip
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournament import stories
from tests.tournament.access.everything import rows
from tournament.models import AccountEvent, Event

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def whole(tmp_path) -> list[str]:
    """The lines of a sound archive of one event; the database is empty again."""
    stories.event(stories.director())
    call_command("backup", str(tmp_path / "sound.archive"))
    Event.objects.all().delete()
    AccountEvent.objects.all().delete()
    return gzip.decompress((tmp_path / "sound.archive").read_bytes()).decode().splitlines()


def opened(lines: list[str], folder: Path) -> None:
    file = folder / "given.archive"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    call_command("restore", str(file))


def hostile(whole: list[str], row: int) -> dict[str, list[str]]:
    """What nobody's program has written: it is refused in a sentence, like what is merely damaged."""
    head, table, values = json.loads(whole[0]), json.loads(whole[row - 1]), json.loads(whole[row])
    nonsense = ({"a": 1}, 10**400)
    swapped = [[one for _ in values] for one in nonsense]
    return {
        "The first line of the file": [json.dumps({**head, "migrations": [5]}), *whole[1:]],
        "invalid value .KeyError": [*whole[: row - 1], json.dumps({"table": table["table"]}), *whole[row:]],
        "invalid value .TypeError": [
            *whole[: row - 1],
            json.dumps({"table": [], "fields": []}),
            *whole[row:],
        ],
        "damaged or not an archive .": [*whole[:row], "[" * 100_000],
        **{
            f"nothing was changed.{'|never' * number}": [*whole[:row], json.dumps(one), *whole[row + 1 :]]
            for number, one in enumerate(swapped)
        },
    }


def test_an_intact_archive_is_restored(whole, tmp_path):
    opened(whole, tmp_path)
    assert Event.objects.count() == 1
    with pytest.raises(CommandError, match="This database contains events"):
        opened(whole, tmp_path)


def test_an_invalid_archive_changes_nothing(whole, tmp_path):
    before = rows()
    head = json.loads(whole[0])
    newer = {**head, "migrations": [["tournament", "9999_from_the_future"]]}
    older = {
        **head,
        "migrations": [
            ["matches", "0004_typed_penalties"],
            ["tournament", "0004_the_room"],
        ],
    }
    row = next(number for number, line in enumerate(whole) if line.startswith("["))
    for said, lines in {
        "its end is missing": whole[:-1],
        "The file is truncated": [json.dumps(older)],
        "The rows do not match the counts": [*whole[:row], *whole[row + 1 :]],
        "comes from a newer release": [json.dumps(newer), *whole[1:]],
        "This is not an archive": ["{}", *whole[1:]],
        "an unknown table": [whole[0], '{"table": "auth.secrets", "fields": []}'],
        "has 1 values": [*whole[:row], "[1]", *whole[row + 1 :]],
        "damaged or not an archive": [*whole[:row], "not json"],
        **hostile(whole, row),
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
