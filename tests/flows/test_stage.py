"""The stage itself: what it starts are the real parts, and it leaves nothing behind."""

from django.db import connection

from tests.flows.stores import is_sqlite
from tournament.models import Event


def test_parts_run_on_the_database_of_this_run(stage):
    said = stage.manage(
        "shell", "-v", "0", "-c", "from django.db import connection; print(connection.vendor)"
    )
    assert said.split()[-1] == ("sqlite" if is_sqlite() else "postgresql")
    with stage.database():
        assert connection.vendor == said.split()[-1]
        assert not Event.objects.exists()
