"""What of the tables is held in memory while an archive is written or opened."""

from django.apps import apps

from deploy.archive.content import batch_size, tables
from matches.models import MOST_RECORD_BYTES

FILES = {"matches.gamerecord", "tournament.slide", "tournament.evidence"}
OF_A_SMALL_SERVER = 64 * 1024 * 1024


def test_rows_with_files_are_handled_in_small_batches():
    held = {name: batch_size(model) for name, model in tables(apps).items()}
    assert {name for name, rows in held.items() if rows * MOST_RECORD_BYTES <= OF_A_SMALL_SERVER} == FILES
    assert {held[name] for name in set(held) - FILES} == {500}
