"""A match that the desk cancelled while it was being played: what its players and the desk still see of it."""

import uuid

import pytest
from django.db import connection

from matches.keepers import Keeper
from tests.tournament.pages.phone_clients import Card, fields, phone
from tournament import corrections
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.models import Pairing, ResultKind
from tournament.queries.desk.desk import load_desk
from tournament.queries.events.overview import tournament_overview
from tournament.results import desk, disputes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
SAID = "The desk cancelled this match"


@pytest.fixture
def cancelled(hall) -> Card:
    """The left player has written a game when the right one goes home; their phone still shows the card."""
    mine = Card(phone(hall.left), hall.pairing.match_id)
    mine.game("left")
    return mine


def leaves(hall) -> None:
    registration.withdraw(hall.pairing.right, hall.director, "Went home")


def test_a_row_for_a_cancelled_match_is_refused_on_the_phone(hall, cancelled):
    typed = fields(cancelled.page(), cancelled.at("my-row"))
    leaves(hall)
    sent = {**typed, "winner": "left", "kind": "single", "cube": 1, "step": "save"}
    answers = [
        cancelled.client.post(cancelled.at("my-row"), sent),
        cancelled.client.get(cancelled.at("my-match-fragment")),
        cancelled.page(),
    ]
    assert [answer.status_code for answer in answers] == [409, 409, 409]
    assert all(SAID in answer.content.decode() for answer in answers)


def test_a_row_for_a_cancelled_match_is_refused_by_the_api(hall, left, left_pen, elsewhere):
    left_pen.game()
    leaves(hall)
    answer = left_pen.game()
    assert (answer.status_code, answer.json()["code"]) == (409, "match-cancelled")
    assert left.get(f"{hall.match}/records/").status_code == 409
    row = {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}
    assert elsewhere.post(f"{hall.match}/games/", row).status_code == 404


def test_a_match_cancelled_during_an_api_request_is_not_found(hall, left, left_pen):
    left_pen.game()
    looked: list[str] = []

    def cancelled_before_the_first_read(execute, sql, params, many, context):
        if sql.startswith("SELECT") and 'FROM "tournament_pairing"' in sql and not looked:
            looked.append(sql)
            leaves(hall)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(cancelled_before_the_first_read):
        answer = left.get(f"{hall.match}/")
    assert looked
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_questions_about_a_cancelled_match_are_not_counted_as_open(hall, cancelled):
    final_of(hall)
    final = Pairing.objects.select_related("round__bracket__tournament", "left").get(round__number=2)
    card = Card(phone(links.make_link(final.left, hall.desk)), final.match_id)
    card.final(3, 0)
    disputes.open_dispute(final, Keeper.RIGHT, "I won", Actor())
    assert tournament_overview(hall.tournament).questions == 1
    change = corrections.Change(ResultKind.WALKOVER, hall.second_pairing.right_id)
    preview = corrections.preview(hall.second_pairing.pk, change)
    made = corrections.correct(preview, preview.digest, "Wrong player", hall.director)
    assert tournament_overview(hall.tournament).questions == len(load_desk(hall.tournament).urgent) == 0
    corrections.undo(made.pk, hall.director)
    assert tournament_overview(hall.tournament).questions == len(load_desk(hall.tournament).urgent) == 1


def final_of(hall) -> None:
    for pairing in (hall.pairing, hall.second_pairing):
        desk.award(pairing, pairing.left_id, "walkover", "", hall.desk)
    advancing.advance_waiting()
