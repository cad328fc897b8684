"""The statements of each page and each GET of the API do not grow with the players or tournaments of an event.

A screen needs some for each tournament that it shows; here it shows one.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.access.screens import a_picture
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import ask, prepared_alike, shared_out, undone, world_of
from tests.tournament.access.world import ADMINISTRATOR, OWNER, PLAYER, World
from tests.tournament.conftest import Hall, make_hall
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.results import questions
from tournament.room import calls, tables
from tournament.screens.slides import add_slide

SMALL, LARGE = 8, 16


def crowded(entries: int) -> World:
    """Of everything that is listed anywhere there is more where there are more entries."""
    hall = make_hall(entries)
    world = world_of(hall)
    director, many = hall.owner, entries // SMALL
    for number in range(2 * many):
        registration.enter(world.novice.pk, EntryDetails(PlayerDetails(f"Late Comer {number}")), director)
        jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(4, 5), director)
        add_slide(hall.tournament.event, f"Supper at {number}", a_picture(), director)
    for number, kind in enumerate((Kind.GROUPS, Kind.SWISS) * many):
        a_side_event(hall, f"Side {number}", Format(kind, rounds=3 * (kind == Kind.SWISS), groups=2))
    tables.add(hall.tournament.event_id, f"3-{4 * many}", director)
    waiting = stories.playable(hall.tournament)[2:]
    for pairing in waiting[: 2 * many : 2]:
        stories.play(pairing, director)
    for pairing in waiting[1 : 2 * many : 2]:
        calls.call(pairing.pk, None, director)
        links.make_link(pairing.left, director)
        links.request_link(pairing.right)
        questions.open_for_dispute(hall.tournament, pairing.match, Keeper.LEFT, "", hall.desk)
    return world


def a_side_event(hall: Hall, name: str, form: Format) -> None:
    """Another tournament of the weekend, under way."""
    plan = setup.TournamentPlan(name, PRESETS["tournament"], (3,), format=form)
    made = setup.create_tournament(hall.tournament.event, plan, hall.owner)
    stories.draw_and_release(made, hall.owner, 4)
    stories.play(stories.playable(made)[0], hall.owner)


def statements(world: World) -> dict[str, int]:
    """The number of statements of each URL, requested by the role that sees most of it."""
    counts = {}
    addresses = shared_out([row for row in TABLE if row.verb == "GET" and row.roles])
    for ready, rows in prepared_alike(addresses):
        with undone():
            ready(world)
            for row in rows:
                world.role = next(role for role in (OWNER, PLAYER, ADMINISTRATOR) if role in row.roles)
                with undone(), CaptureQueriesContext(connection) as done:
                    answer = ask(world, row)
                assert answer.status_code == row.status(world), row
                counts[f"{len(counts)} {row.name}"] = len(done)
    return counts


@pytest.mark.django_db
def test_the_number_of_statements_of_a_page_is_independent_of_players_and_tournaments():
    counts = []
    for entries in (SMALL, LARGE):
        with undone():
            counts.append(statements(crowded(entries)))
    few, many = counts
    assert len(few) > 50
    assert {address: (count, many[address]) for address, count in few.items() if many[address] > count} == {}
    assert {address: count for address, count in many.items() if count > 40} == {}
