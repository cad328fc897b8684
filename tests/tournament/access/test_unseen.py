"""What is not for everybody leaves no trace in anything that others are sent: no byte, no header, no ETag differs.

Nor does how many statements it takes, which a clock could tell.
"""

import re

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test.utils import CaptureQueriesContext

from matches.keepers import Keeper
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, shared_out, world
from tests.tournament.access.world import OTHER, STRANGER, World, has_a_record
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER as NOBODY
from tournament.drawing import draws
from tournament.models import Pairing, Tournament
from tournament.results import disputes

__all__ = ["world"]

pytestmark = pytest.mark.django_db

AROUND = ("match", "round__bracket__tournament__event", "left__player", "right__player")
OF_THE_MOMENT = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"|\b\d\d:\d\d\b|"seconds":[\d.]+')
# That there is a draw the API says to everybody; what was drawn it does not.
THAT_IT_IS_DRAWN = re.compile(rb'"is_drawn":\w+')
NOT_COMPARED = {"Set-Cookie", "Content-Length", "Expires", "X-Live-Ids"}
"""The last never leaves the house."""
REMEMBERS_FOR_SECONDS = {"readyz"}


def body_of(answer: HttpResponseBase) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def sent_to(world: World, role: str) -> dict[tuple[str, ...], tuple[int, bytes, dict[str, str], int]]:
    """All that this role is sent by whatever it may look at, and how many statements each takes."""
    world.role, answers = role, {}
    for row in TABLE:
        if row.verb == "GET" and role in row.roles:
            with CaptureQueriesContext(connection) as queries:
                answer = ask(world, row)
            whole = body_of(answer)
            body = THAT_IT_IS_DRAWN.sub(b"", OF_THE_MOMENT.sub(b"", whole))
            if body != whole:
                del answer.headers["ETag"]  # it is a digest of the whole body
            statements = len(queries) if row.name not in REMEMBERS_FOR_SECONDS else 0
            headers = {name: value for name, value in answer.headers.items() if name not in NOT_COMPARED}
            answers[row.name, *map(str, row.arguments(world))] = answer.status_code, body, headers, statements
    return answers


@pytest.mark.parametrize(("role", "delay"), shared_out([(STRANGER, None), (OTHER, 10)]))
def test_of_games_a_report_and_a_dispute_behind_held_back_scores_and_of_a_hidden_draw_nothing_is_seen(
    world, role, delay
):
    has_a_record(world)
    has_a_screen(world)
    Tournament.objects.update(score_delay=delay)
    phone = Phone(world.pairing, Keeper.LEFT)
    phone.game("left")
    sent_to(world, role)  # the first visit fills caches and records that the phone connected
    before = sent_to(world, role)
    phone.game("right")
    phone.undo()
    phone.final(3, 2)
    pairing = Pairing.objects.select_related(*AROUND).get(pk=world.pairing.pk)
    disputes.open_dispute(pairing, Keeper.RIGHT, "The cube was at 2", NOBODY)
    draws.make(world.novice.pk, draws.DrawPlan(), world.hall.owner)
    after = sent_to(world, role)
    assert len(before) > 50
    assert [name for name, sent in before.items() if after[name] != sent] == []
