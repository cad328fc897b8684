"""Backed up while phones report, opened in an empty database, a server on a laptop: one moment of the same event."""

import threading

import pytest
from django.core.management import CommandError, call_command

from deploy.archive.backup import write_archive
from deploy.bench.installation import Installation
from tests.database_template import is_sqlite
from tests.flows.hall import open_hall
from tests.flows.waiting import until_all_advanced
from tests.tournament.access.database_rows import rows
from tournament.brackets import advancing
from tournament.models import Result


def test_a_backup_under_load_is_consistent_and_restores_elsewhere(stage, tmp_path, capsys):
    hall = open_hall(stage, entries=8)
    early, late, moved = (tmp_path / f"{name}.archive" for name in ("early", "late", "moved"))
    begun = threading.Event()
    taken = threading.Thread(target=lambda: begun.wait(60) and stage.manage("backup", str(early)))
    taken.start()
    hall.play_out(4, lambda decided: begun.set() if decided == 2 else None)
    taken.join()
    assert early.stat().st_mode & 0o077 == 0
    url = stage.stores.fresh("elsewhere") if is_sqlite() else f"sqlite://{tmp_path}/elsewhere.sqlite3"
    with Installation(tmp_path, url, stage.broker_binary).database():
        call_command("restore", str(early))
        assert 0 < Result.objects.count() <= 7
        advancing.advance_waiting()  # what was committed and not yet moved on is in the archive like everything else
        call_command("rebuild", hall.tournament.event.slug, check=True)
        with pytest.raises(CommandError, match="This database contains events"):
            call_command("restore", str(early))
        grown = rows()
        write_archive(moved)
    with Installation(tmp_path, stage.stores.fresh("moved"), stage.broker_binary).database():
        call_command("restore", str(moved))
        assert rows() == grown, "a laptop's SQLite moves to a server as it is"
    with stage.database():
        until_all_advanced(stage)
        whole = rows()
        counts = write_archive(late)
    assert counts["tournament.result"] == 7
    with Installation(tmp_path, stage.stores.fresh("restored"), stage.broker_binary).database():
        call_command("restore", str(late))
        assert rows() == whole
        assert Result.objects.create(**copied(Result.objects.first())).pk, "the next row finds its number"


def copied(result: Result) -> dict[str, object]:
    """The same result once more, which supersedes it."""
    names = [
        field.attname
        for field in Result._meta.concrete_fields
        if field.attname not in ("id", "supersedes_id")
    ]
    return {**{name: getattr(result, name) for name in names}, "supersedes_id": result.pk}
