"""The statements of each page and each GET of the API do not grow with the players or tournaments of an event.

A screen needs some for each tournament that it shows; here it shows one.
"""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.keepers import Keeper
from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.access.money import player_of
from tests.tournament.access.table import TABLE
from tests.tournament.access.test_access import (
    ask,
    group_by_preparation,
    make_world,
)
from tests.tournament.access.world import ADMINISTRATOR, OWNER, PLAYER, World
from tests.tournament.conftest import Hall, make_hall
from tests.tournament.images import image_file
from tests.tournament.money.stories import pay
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.ledger.tills import till_of
from tournament.money import tills
from tournament.money.tills import Count
from tournament.queries.money.tills import find_till
from tournament.results import questions
from tournament.room import calls, tables
from tournament.screens.slides import add_slide

SMALL, LARGE = 8, 16


def make_event(entries: int) -> World:
    """An event in which every list grows with the number of entries."""
    hall = make_hall(entries)
    world = make_world(hall)
    director, many = hall.owner, entries // SMALL
    for number in range(2 * many):
        registration.enter(world.novice.pk, EntryDetails(PlayerDetails(f"Late Comer {number}")), director)
        jackpots.open_jackpot(hall.tournament.pk, JackpotPlan(4, 5), director)
        add_slide(hall.tournament.event, f"Supper at {number}", image_file("PNG"), director)
    for number, kind in enumerate((Kind.GROUPS, Kind.SWISS) * many):
        add_side_event(hall, f"Side {number}", Format(kind, rounds=3 * (kind == Kind.SWISS), groups=2))
    for number in range(2 * many):
        pay_into_a_till(world, f"till {number}")
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


def add_side_event(hall: Hall, name: str, form: Format) -> None:
    plan = setup.TournamentPlan(name, PRESETS["tournament"], (3,), format=form)
    made = setup.create_tournament(hall.tournament.event, plan, hall.owner)
    stories.draw_and_release(made, hall.owner, 4)
    stories.play(stories.playable(made)[0], hall.owner)


def pay_into_a_till(world: World, name: str) -> None:
    """The player of the table pays a helper, who counts the cash."""
    event = world.tournament.event
    helper = stories.helper(event, "cash", world.hall.owner, name)
    pay(event, player_of(world).pk, 1_00, helper)
    till = find_till(event, till_of(helper), "EUR")
    tills.close_till(event, till.name, "EUR", Count(90, till.last_transfer, "Ana", "Lost"), helper)


def statements(world: World) -> dict[str, int]:
    """The number of statements of each URL, requested by the role that sees most of it."""
    counts = {}
    addresses = [row for row in TABLE if row.verb == "GET" and row.roles]
    for ready, rows in group_by_preparation(addresses):
        with stories.rolled_back():
            ready(world)
            for row in rows:
                world.role = next(role for role in (OWNER, PLAYER, ADMINISTRATOR) if role in row.roles)
                with stories.rolled_back(), CaptureQueriesContext(connection) as queries:
                    answer = ask(world, row)
                assert answer.status_code == row.status(world), row
                counts[f"{len(counts)} {row.name}"] = len(queries)
    return counts


@pytest.mark.django_db
def test_the_number_of_statements_of_a_page_is_independent_of_players_and_tournaments():
    counts = []
    for entries in (SMALL, LARGE):
        with stories.rolled_back():
            counts.append(statements(make_event(entries)))
    few, many = counts
    assert len(few) > 50
    assert {address: (count, many[address]) for address, count in few.items() if many[address] > count} == {}
    assert {address: count for address, count in many.items() if count > 50} == {}
