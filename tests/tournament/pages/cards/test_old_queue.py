"""Rows from phones that still run the scripts of release 0.1: the same addresses, bodies, codes and answers."""

import uuid
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from matches.models import CardRow
from tests.tournament import stories
from tests.tournament.api.openapi import problem_of
from tournament.accounts import links

pytestmark = pytest.mark.django_db


class OldQueue:
    """A phone that posts forms and asks for JSON."""

    def __init__(self, hall, token: str, **options) -> None:
        self.client = Client(headers={"accept": "application/json"}, **options)
        self.client.get(reverse("personal-link", args=[token]))
        self.match = hall.pairing.match_id
        self.entry = str(hall.pairing.left_id)

    def address(self, name: str) -> str:
        return reverse(name, args=[self.match])

    def card(self):
        return self.client.get(self.address("my-card"), {"entry": self.entry})

    def send(self, name: str = "my-row", card=None, **fields):
        card = card or self.card().json()["card"]
        keys = {"key": card["keys"][0], "predecessor": card["tail"], "entry": self.entry, "step": "save"}
        return self.client.post(self.address(name), {**keys, **fields})

    def game(self, winner: str = "left", **fields):
        return self.send(winner=winner, **{"kind": "single", "cube": 1, **fields})


@pytest.fixture
def queue(hall) -> OldQueue:
    return OldQueue(hall, hall.left)


def test_rows_are_written_once_and_answered_with_the_card(queue):
    before = queue.card().json()["card"]
    for _ in range(2):
        answer = queue.game("left", kind="gammon", cube=2, card=before).json()
        assert (answer["key"], answer["question"]) == (before["keys"][0], "")
        assert answer["card"]["tail"] == before["keys"][0]
    struck = queue.send("my-undo", supersedes=before["keys"][0]).json()
    assert struck["card"]["written"] == before["keys"][:2]
    final = queue.send("my-final", left=3, right=1).json()
    assert final["card"]["rows"] == [{"key": before["keys"][2], "what": "final", "left": 3, "right": 1}]
    assert CardRow.objects.count() == 3


def test_refusals_keep_the_codes_that_the_old_scripts_know(hall, queue):
    card = queue.card().json()["card"]
    queue.game("left")
    reused = queue.game("right", card=card)
    assert problem_of(reused) == (409, "key-reused")
    assert reused.json()["card"]["tail"] == card["keys"][0]
    assert problem_of(queue.game("right", card=card, key=uuid.uuid4())) == (409, "card-conflict")
    assert problem_of(queue.send("my-undo", supersedes=uuid.uuid4())) == (409, "no-such-row")
    assert problem_of(queue.game(cube=3)) == (422, "rule-broken")
    assert problem_of(queue.game("nobody{}")) == (422, "unreadable")
    queue.client = OldQueue(hall, hall.elsewhere).client
    assert problem_of(queue.game(card=card)) == (404, "not-your-match")
    queue.client = OldQueue(hall, hall.left).client
    links.reissue(hall.pairing.left, hall.owner)
    assert problem_of(queue.game(card=card)) == (403, "phone-unknown")
    assert problem_of(queue.card()) == (403, "phone-unknown")
    assert CardRow.objects.count() == 1


def test_rows_after_the_result_are_a_question_for_the_desk(hall, queue):
    card = queue.card().json()["card"]
    stories.post(hall.pairing, hall.owner, "right")
    answer = queue.game("left", card=card)
    assert answer.status_code == 200
    assert "The desk has what you sent" in answer.json()["question"]
    assert answer.json()["card"]["is_open"] is False


def test_a_row_without_a_csrf_token_is_refused_and_the_card_supplies_a_new_one(hall):
    queue = OldQueue(hall, hall.left, enforce_csrf_checks=True)
    assert queue.game().status_code == 403
    queue.client.defaults["HTTP_X_CSRFTOKEN"] = queue.card().json()["token"]
    assert queue.game().status_code == 200
    queue.client.defaults["HTTP_ORIGIN"] = "https://elsewhere.example"
    assert queue.game().status_code == 403


def test_old_pages_load_the_renamed_script():
    old, renamed = (Path(str(finders.find(name))) for name in ("kept.js", "outbox.js"))
    assert old.read_bytes() == renamed.read_bytes()
