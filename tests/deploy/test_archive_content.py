"""The number of rows in memory while an archive is written or restored."""

from django.apps import apps

from deploy.archive.content import batch_size, tables
from matches.models import MOST_RECORD_BYTES

FILES = {
    "matches.gamerecord", "tournament.eventlogo", "tournament.evidence", "tournament.slide", "tournament.winnerpicture",
}  # fmt: skip
MEMORY_LIMIT = 64 * 1024 * 1024


def test_rows_with_files_are_handled_in_small_batches():
    held = {name: batch_size(model) for name, model in tables(apps).items()}
    assert {name for name, rows in held.items() if rows * MOST_RECORD_BYTES <= MEMORY_LIMIT} == FILES
    assert {held[name] for name in set(held) - FILES} == {500}
