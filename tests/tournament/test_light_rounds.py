"""What a round was paired from is kept with it, a third of a megabyte for a thousand players: only pairing reads it."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament import stories
from tests.tournament.room.halls import with_tables
from tournament import progression, registration
from tournament.draw.formats import Format, Kind
from tournament.models import Tournament
from tournament.room import filling

ROUND = '"tournament_round"."length"'
BASIS = '"tournament_round"."basis"'


def looks(made: Tournament, match: str, entry: str) -> list[str]:
    event, api = f"/e/{made.event.slug}/", f"/api/v1/tournaments/{made.pk}/"
    here = f"{event}{made.slug}/"
    return [
        *(f"{event}{page}" for page in ("overview/", "room/", "flow/")),
        *(f"{here}{page}" for page in ("", "standings/", "desk/", "seats/", "as-at/", "results.csv")),
        *(f"{api}{part}" for part in ("brackets/main/", "standings/", "results/", "seats/")),
        *(f"{here}players/{entry}/", f"{here}match/{match}/", f"/api/v1/matches/{match}/"),
    ]


@pytest.mark.django_db
def test_what_a_round_was_paired_from_is_read_for_pairing_alone():
    actor = stories.director()
    made = stories.released(actor, 6, format=Format(Kind.SWISS, rounds=2))
    with_tables(made)
    browser = Client()
    browser.force_login(actor.user, backend="django.contrib.auth.backends.ModelBackend")
    first, *others = stories.playable(made)
    with CaptureQueriesContext(connection) as done:
        filling.fill(made.event_id, actor)
        progression.advance(stories.post(others[0], actor).pk)
        registration.withdraw(others[1].left, actor, "")
        for address in looks(made, first.match_id, first.left_id):
            assert browser.get(address).status_code == 200, address
    asked = [query["sql"] for query in done.captured_queries]
    assert sum(ROUND in sql for sql in asked) > 10
    assert [sql for sql in asked if BASIS in sql] == []
