"""After a large draw PostgreSQL knows how many rows it has; a small one is no reason to count them."""

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from matches.models import Match
from tests.tournament import stories
from tournament.brackets import storage
from tournament.drawing import draws
from tournament.drawing.draws import DrawPlan
from tournament.models import Entry, Pairing, Player, Tournament

ANALYZE_FROM_ROWS = 16
"""In place of the number in the product, so that a draw of 32 is a large one."""


def with_entries(number: int) -> Tournament:
    made = stories.tournament(stories.director())
    players = Player.objects.bulk_create(Player(event=made.event, name=f"Player {n}") for n in range(number))
    Entry.objects.bulk_create(
        Entry(tournament=made, player=player, entered_at=timezone.now()) for player in players
    )
    return made


def rows_expected(model: type[Model]) -> int:
    """Returns the number of rows that PostgreSQL expects; -1 or 0 before its first analysis."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = %s", [model._meta.db_table])
        return int(cursor.fetchone()[0])


def test_postgresql_analyzes_tables_after_a_large_draw_and_release(
    db, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr(storage, "ANALYZE_FROM_ROWS", ANALYZE_FROM_ROWS)
    actor, is_postgresql = stories.director(), connection.vendor == "postgresql"
    small, large = with_entries(4), with_entries(2 * ANALYZE_FROM_ROWS)
    with django_capture_on_commit_callbacks() as after_a_small_one:
        draws.make(small.pk, DrawPlan(), actor)
    with django_capture_on_commit_callbacks(execute=True) as after_a_large_one:
        draws.make(large.pk, DrawPlan(), actor)
    assert len(after_a_large_one) - len(after_a_small_one) == is_postgresql
    assert not is_postgresql or rows_expected(Pairing) == Pairing.objects.count() > ANALYZE_FROM_ROWS
    with django_capture_on_commit_callbacks(execute=True):
        draws.release(large.pk, actor)
    assert not is_postgresql or rows_expected(Match) == Match.objects.count() == ANALYZE_FROM_ROWS
