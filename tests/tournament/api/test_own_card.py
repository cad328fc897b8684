"""The own card of a phone that stores rows and sends them later, with the cookie of its personal link."""

import json
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.keepers import Keeper
from matches.models import CardRow
from tests.tournament import stories
from tests.tournament.api import openapi
from tests.tournament.api.openapi import problem_of
from tests.tournament.conftest import API
from tests.tournament.pages.phone_clients import Card, phone
from tournament.accounts import links
from tournament.models import Pairing, Question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


class Queue:
    """A phone that sends rows one by one, each with the key that the card supplied."""

    def __init__(self, hall, *tokens: str, **options) -> None:
        self.client = Client(**options)
        for token in tokens:
            self.client.get(reverse("personal-link", args=[token]))
        self.match = hall.pairing.match_id
        self.entry = str(hall.pairing.left_id)

    def address(self, name: str) -> str:
        return f"{API}/matches/{self.match}/{name}/"

    def own_card(self):
        response = self.client.get(self.address("own-card"), {"entry": self.entry})
        openapi.check("GET", self.address("own-card"), response)
        return response

    def card(self):
        return self.own_card().json()["own_card"]

    def send(self, name: str = "games", card=None, **fields):
        card = card or self.card()
        return self.post(name, {"key": card["keys"][0], "predecessor": card["tail"], **fields})

    def post(self, name: str, body, **headers):
        path = f"{self.address(name)}?entry={self.entry}"
        text = json.dumps(body, default=str)
        response = self.client.post(path, text, content_type="application/json", headers=headers)
        openapi.check("POST", self.address(name), response)
        return response

    def game(self, winner: str = "left", win: str = "single", **fields):
        return self.send(winner=winner, win=win, **fields)


@pytest.fixture
def queue(hall) -> Queue:
    return Queue(hall, hall.left)


def test_the_own_card_has_the_keys_of_the_next_rows_and_the_rules_for_scoring(hall, queue):
    response = queue.own_card()
    card = response.json()["own_card"]
    assert (card["tail"], card["rows"], card["written"]) == (str(hall.pairing.match_id), [], [])
    assert (card["side"], card["length"], card["is_open"]) == ("left", 3, True)
    assert len(set(card["keys"])) == 6
    assert card["rules"]["crawford"] == "on"
    assert "private" in response["Cache-Control"]
    page = Card(phone(hall.left), hall.pairing.match_id).text()
    assert f'name="key" value="{card["keys"][0]}"' in page


def test_rows_follow_each_other_with_the_keys_that_the_first_card_supplied(queue):
    before = queue.card()
    first = queue.game("left", "gammon", cube=2).json()
    assert (first["row"]["key"], first["own_card"]["tail"]) == (before["keys"][0], before["keys"][0])
    assert first["own_card"]["keys"][:5] == before["keys"][1:]
    assert first["own_card"]["rows"] == [
        {
            "key": before["keys"][0], "what": "game", "winner": "left", "win": 2, "ending": "played", "cube": 2,
            "checkers_left": None, "automatic_doubles": 0,
        }
    ]  # fmt: skip
    struck = queue.send("strikes", supersedes=before["keys"][0]).json()
    assert struck["own_card"]["rows"] == []
    assert struck["own_card"]["written"] == before["keys"][:2]
    final = queue.send("final", left=3, right=1).json()
    assert final["own_card"]["rows"] == [{"key": before["keys"][2], "what": "final", "left": 3, "right": 1}]


def test_an_answer_has_the_own_card_only_if_the_entry_is_given(hall, left):
    row = {"key": uuid.uuid4(), "predecessor": hall.pairing.match_id, "winner": "left"}
    assert set(left.post(f"{hall.match}/games/", row).json()) == {"row", "card"}


def test_a_write_with_its_entry_loads_the_pairing_once(queue):
    card = queue.card()
    with CaptureQueriesContext(connection) as statements:
        queue.game("left", card=card)
    loads = [query["sql"] for query in statements if 'FROM "tournament_pairing"' in query["sql"]]
    assert len([sql for sql in loads if '"tournament_bracket"' in sql]) == 1


def test_a_repeated_row_is_written_once_and_answered_with_the_current_card(queue):
    card = queue.card()
    first = queue.game("left", card=card)
    queue.game("right")
    repeated = queue.game("left", card=card)
    assert [first.status_code, repeated.status_code] == [201, 201]
    assert repeated.json()["row"] == first.json()["row"]
    assert len(repeated.json()["own_card"]["rows"]) == CardRow.objects.count() == 2


def test_each_refusal_has_its_code_and_the_card_changes_nothing(queue):
    card = queue.card()
    queue.game("left")
    other_game = {"card": card, "winner": "right"}
    reused = queue.send(**other_game)
    assert problem_of(reused) == (409, "key-reused")
    assert reused.json()["card"]["tail"] == card["keys"][0]
    assert problem_of(queue.send(**other_game, key=uuid.uuid4())) == (409, "card-changed")
    assert problem_of(queue.send("strikes", supersedes=uuid.uuid4())) == (409, "no-such-row")
    assert problem_of(queue.game(cube=3))[0] == 422
    assert problem_of(queue.game("nobody")) == (400, "invalid")
    assert problem_of(queue.send("strikes", supersedes="x")) == (400, "invalid")
    assert CardRow.objects.count() == 1


def test_rows_of_one_player_are_never_written_for_another(hall, queue):
    card = queue.card()
    for token in (hall.right, hall.elsewhere):
        queue.client = Queue(hall, token).client
        assert problem_of(queue.own_card()) == (404, "not-found")
        assert problem_of(queue.game(card=card)) == (404, "not-found")
    queue.client = Client()
    assert problem_of(queue.own_card()) == (401, "sign-in-first")
    assert problem_of(queue.game(card=card)) == (401, "sign-in-first")
    assert not CardRow.objects.exists()


def test_a_phone_of_both_players_writes_on_the_card_of_the_given_entry(hall):
    phone_of_both = Queue(hall, hall.left, hall.right)
    assert phone_of_both.game("left").status_code == 201
    assert CardRow.objects.get().card.keeper == Keeper.LEFT


def test_a_phone_without_a_valid_link_sends_nothing_until_the_new_code_is_scanned(hall, queue):
    card = queue.card()
    token = links.reissue(hall.pairing.left, hall.owner)
    response = queue.game(card=card)
    assert problem_of(response) == (401, "sign-in-first")
    assert "Scan the code on your slip again" in response.json()["detail"]
    queue.client.get(reverse("personal-link", args=[token]))
    assert queue.game(card=card).status_code == 201


def test_rows_after_the_result_are_a_question_for_the_desk(hall, queue):
    card = queue.card()
    stories.post(hall.pairing, hall.owner, "right")
    for _ in range(2):
        response = queue.game("left", card=card)
        assert response.status_code == 202
        assert "The desk has what you sent" in response.json()["detail"]
        assert response.json()["own_card"]["is_open"] is False
    assert Question.objects.get().key == uuid.UUID(card["keys"][0])


def test_rows_for_a_deleted_match_are_refused(hall, queue):
    card = queue.card()
    Pairing.objects.filter(pk=hall.pairing.pk).update(match=None)
    response = queue.game(card=card)
    assert problem_of(response) == (404, "not-found")
    assert "This match is not yours" in response.json()["detail"]
    page = queue.client.get(reverse("my-match", args=[hall.pairing.match_id]))
    assert page.status_code == 404
    assert 'id="kept"' in page.content.decode()


def test_a_row_without_a_csrf_token_is_refused_and_the_card_supplies_a_new_one(hall):
    queue = Queue(hall, hall.left, enforce_csrf_checks=True)
    assert problem_of(queue.game()) == (403, "permission-denied")
    token, card = queue.own_card().json()["token"], queue.card()
    body = {"key": card["keys"][0], "predecessor": card["tail"], "winner": "left"}
    assert queue.post("games", body, **{"X-CSRFToken": token}).status_code == 201


def test_a_row_from_a_foreign_origin_is_refused_also_with_a_valid_token(hall):
    queue = Queue(hall, hall.left, enforce_csrf_checks=True)
    token, card = queue.own_card().json()["token"], queue.card()
    body = {"key": card["keys"][0], "predecessor": card["tail"], "winner": "left"}
    for origin in ("https://elsewhere.example", "null"):
        response = queue.post("games", body, **{"X-CSRFToken": token, "Origin": origin})
        assert problem_of(response) == (403, "permission-denied")
    assert not CardRow.objects.exists()


def test_the_desk_has_no_own_card_on_a_phone(at_desk, hall):
    assert at_desk.get(f"{hall.match}/own-card/").status_code == 404
