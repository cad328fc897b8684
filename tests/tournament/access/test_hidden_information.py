"""Hidden information changes no byte, header or ETag of the answers to others.

The number of statements stays equal too, because it could be measured as time.
"""

import re

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test.utils import CaptureQueriesContext

from matches.keepers import Keeper
from tests.tournament.access.screens import has_a_screen
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, world
from tests.tournament.access.world import OTHER, PLAYER, STRANGER, World, a_round_is_played, has_a_record
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER as NOBODY
from tournament.drawing import draws, pair_rules, round_previews
from tournament.models import Pairing, Tournament
from tournament.results import disputes

__all__ = ["world"]

pytestmark = pytest.mark.django_db

RELATED = ("match", "round__bracket__tournament__event", "left__player", "right__player")
OF_THE_MOMENT = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]+"|"token": ?"\w{64}"|\b\d\d:\d\d\b|\b\d+(?= min\b)|"seconds":[\d.]+'
)
# The API says to everybody that a draw exists, but not its content.
IS_DRAWN = re.compile(rb'"is_drawn":\w+')
NOT_COMPARED = {"Set-Cookie", "Content-Length", "Expires", "X-Live-Ids"}  # the server removes the last one
CACHED_FOR_SECONDS = {"readyz"}


def body_of(answer: HttpResponseBase) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def answers_to(world: World, role: str) -> dict[tuple[str, ...], tuple[int, bytes, dict[str, str], int]]:
    """Returns the answer to each GET that this role may send, and its number of statements."""
    world.role, answers = role, {}
    for row in TABLE:
        if row.verb == "GET" and role in row.roles:
            with CaptureQueriesContext(connection) as queries:
                answer = ask(world, row)
            content = body_of(answer)
            body = IS_DRAWN.sub(b"", OF_THE_MOMENT.sub(b"", content))
            if body != content:
                del answer.headers["ETag"]  # it is a digest of the whole body
            statements = len(queries) if row.name not in CACHED_FOR_SECONDS else 0
            headers = {name: value for name, value in answer.headers.items() if name not in NOT_COMPARED}
            answers[row.name, *map(str, row.arguments(world))] = answer.status_code, body, headers, statements
    return answers


@pytest.mark.parametrize(("role", "delay"), [(STRANGER, None), (OTHER, 10)])
def test_delayed_scores_disputes_and_an_unreleased_draw_leave_no_trace(world, role, delay):
    has_a_record(world)
    has_a_screen(world)
    Tournament.objects.update(score_delay=delay)
    phone = Phone(world.pairing, Keeper.LEFT)
    phone.game("left")
    answers_to(world, role)  # the first visit fills caches and records that the phone connected
    before = answers_to(world, role)
    phone.game("right")
    phone.undo()
    phone.final(3, 2)
    pairing = Pairing.objects.select_related(*RELATED).get(pk=world.pairing.pk)
    disputes.open_dispute(pairing, Keeper.RIGHT, "The cube was at 2", NOBODY)
    draws.make(world.novice.pk, draws.DrawPlan(), world.hall.owner)
    after = answers_to(world, role)
    assert len(before) > 50
    assert [name for name, sent in before.items() if after[name] != sent] == []


def test_a_round_that_is_not_released_leaves_no_trace(world):
    """Pages, phones, API, files, overlay and screens. A player may ask for all that strangers may ask for."""
    has_a_record(world)
    a_round_is_played(world)
    has_a_screen(world)
    answers_to(world, PLAYER)
    before = answers_to(world, PLAYER)
    director = world.hall.owner
    preview = round_previews.preview_next_round(world.novice.pk, director)
    (first, second), (third, _), *_ = round_previews.preview_seats(preview)
    round_previews.swap_players(world.novice.pk, first, third, "Shared car", director)
    pair_rules.keep_apart(world.novice.pk, first, second, "Sisters", director)
    after = answers_to(world, PLAYER)
    assert len(before) > 50
    assert [name for name, sent in before.items() if after[name] != sent] == []
