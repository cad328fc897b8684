"""The statements of one result: the same number among 128 entries as among 8, and the same statements each time."""

import uuid
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches.models import Match
from tests.tournament import stories
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.drawing import draws
from tournament.drawing.draws import DrawPlan
from tournament.models import Entry, Pairing, Player, Result, Tournament

TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")


def released(entries: int) -> Tournament:
    actor = stories.director()
    made = stories.tournament(actor)
    players = Player.objects.bulk_create(Player(event=made.event, name=f"Player {n}") for n in range(entries))
    now = timezone.now()
    Entry.objects.bulk_create(Entry(tournament=made, player=player, entered_at=now) for player in players)
    draws.make(made.pk, DrawPlan(), actor)
    draws.release(made.pk, actor)
    return made


def phone(entry: Entry) -> Program:
    (token,) = links.make_links([entry], stories.director()).values()
    return Program(token)


def statements_of(do: Callable[[], Any]) -> list[str]:
    """Returns the SQL statements without those that begin or end a transaction."""
    with CaptureQueriesContext(connection) as statements:
        do()
    return [statement["sql"] for statement in statements if not statement["sql"].startswith(TRANSACTION)]


def play(pairing: Pairing) -> dict[str, int]:
    """Three games, the last of which ends the match; the opponent confirms; a worker moves the winner on."""
    left, right = phone(pairing.left), phone(pairing.right)
    counts, tail = {}, str(pairing.match_id)
    for game in ("first game", "second game", "last game"):
        row = {"key": str(uuid.uuid4()), "predecessor": tail, "winner": "left"}
        counts[game] = len(
            statements_of(lambda row=row: left.post(f"/matches/{pairing.match_id}/games/", row))
        )
        tail = row["key"]
    counts["confirmation"] = len(statements_of(lambda: right.post(f"/matches/{pairing.match_id}/confirm/")))
    result = Result.objects.get(pairing=pairing)
    counts["advance"] = len(statements_of(lambda: advancing.advance(result.pk)))
    return counts


def test_the_number_of_statements_of_a_result_is_independent_of_the_field(db):
    """The first of two neighbours does not know their next opponent yet; with the second the next match is opened."""
    measurements = []
    for entries in (8, 128):
        made = released(entries)
        play(stories.playable(made)[-1])
        first, second = stories.playable(made)[:2]
        measurements.append((play(first), play(second)))
        assert Match.objects.filter(
            pairing__round__number=2, left=first.left_id, right=second.left_id
        ).exists()
    small, large = measurements
    assert small == large
    most = {"first game": 10, "second game": 9, "last game": 9, "confirmation": 13, "advance": 13}
    assert {name: most[name] for counts in small for name in counts if counts[name] > most[name]} == {}
