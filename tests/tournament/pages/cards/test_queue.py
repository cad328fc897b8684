"""What a phone's queue is told when it sends what it kept: the card as it is now, or why not in a word."""

import io
import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from matches.keepers import Keeper
from matches.models import CardRow
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.accounts import links
from tournament.models import Pairing, Question

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


class Queue:
    """A phone that sends rows one by one, each with the key that the card told beforehand."""

    def __init__(self, hall, *tokens: str, **more) -> None:
        self.client = Client(headers=JSON, **more)
        for token in tokens:
            self.client.get(reverse("personal-link", args=[token]))
        self.match = hall.pairing.match_id
        self.entry = str(hall.pairing.left_id)

    def at(self, name: str) -> str:
        return reverse(name, args=[self.match])

    def card(self):
        return self.client.get(self.at("my-card"), {"entry": self.entry})

    def send(self, name: str = "my-row", card=None, **said):
        card = card or self.card().json()["card"]
        keys = {"key": card["keys"][0], "predecessor": card["tail"], "entry": self.entry, "step": "save"}
        return self.client.post(self.at(name), {**keys, **said})

    def game(self, winner: str = "left", kind: str = "single", **said):
        return self.send(winner=winner, kind=kind, **{"cube": 1, **said})


@pytest.fixture
def queue(hall) -> Queue:
    return Queue(hall, hall.left)


def code(answer) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["detail"].endswith(".")
    return answer.status_code, told["code"]


def test_the_card_is_told_with_the_keys_of_the_next_rows_and_all_that_scoring_needs(hall, queue):
    answer = queue.card()
    told = answer.json()["card"]
    assert (told["tail"], told["rows"], told["written"]) == (str(hall.pairing.match_id), [], [])
    assert (told["side"], told["length"], told["is_open"]) == ("left", 3, True)
    assert len(set(told["keys"])) == 6
    assert told["rules"]["crawford"] == "on"
    assert "private" in answer["Cache-Control"]
    on_the_page = Card(phone(hall.left), hall.pairing.match_id).text()
    assert f'name="key" value="{told["keys"][0]}"' in on_the_page


def test_rows_follow_each_other_with_the_keys_that_were_told_before_the_first(hall, queue):
    before = queue.card().json()["card"]
    first = queue.game("left", "gammon", cube=2, card=None).json()
    assert (first["key"], first["question"], first["card"]["tail"]) == (
        before["keys"][0],
        "",
        before["keys"][0],
    )
    assert first["card"]["keys"][:5] == before["keys"][1:]
    assert first["card"]["rows"] == [
        {
            "key": before["keys"][0], "what": "game", "winner": "left", "win": 2, "ending": "played", "cube": 2,
            "checkers_left": None, "automatic_doubles": 0,
        }
    ]  # fmt: skip
    struck = queue.send("my-undo", supersedes=before["keys"][0]).json()
    assert struck["card"]["rows"] == []
    assert struck["card"]["written"] == before["keys"][:2]
    final = queue.send("my-final", left=3, right=1).json()
    assert final["card"]["rows"] == [{"key": before["keys"][2], "what": "final", "left": 3, "right": 1}]


def test_a_row_sent_again_is_written_once_and_told_again(queue):
    card = queue.card().json()["card"]
    sent = {"card": card, "winner": "left", "kind": "single", "cube": 1}
    assert [queue.send(**sent).status_code for _ in range(3)] == [200] * 3
    assert CardRow.objects.count() == 1


def test_each_no_has_its_word_and_the_card_as_it_is_now(hall, queue):
    card = queue.card().json()["card"]
    queue.game("left")
    said = {"winner": "right", "kind": "single", "cube": 1}
    reused = queue.send(card=card, **said)
    assert code(reused) == (409, "key-reused")
    assert reused.json()["card"]["tail"] == card["keys"][0]
    assert code(queue.send(card=card, **said, key=uuid.uuid4())) == (409, "card-conflict")
    assert code(queue.send("my-undo", supersedes=uuid.uuid4())) == (409, "no-such-row")
    assert code(queue.game(cube=3)) == (422, "rule-broken")
    assert code(queue.game("nobody")) == (422, "unreadable")
    assert code(queue.send("my-undo", supersedes="x")) == (422, "unreadable")
    assert CardRow.objects.count() == 1


def test_rows_of_one_player_are_never_written_for_another(hall, queue):
    queue.client = Queue(hall, hall.right).client
    assert code(queue.card()) == (404, "not-your-match")
    card = Queue(hall, hall.left).card().json()["card"]
    said = {"card": card, "winner": "left", "kind": "single", "cube": 1}
    assert code(queue.send(**said)) == (404, "not-your-match")
    queue.client = Queue(hall, hall.elsewhere).client
    assert code(queue.send(**said)) == (404, "not-your-match")
    queue.client = Client(headers=JSON)
    assert code(queue.send(**said)) == (403, "phone-unknown")
    assert not CardRow.objects.exists()


def test_a_phone_of_both_players_writes_on_the_card_of_the_one_that_is_named(hall):
    both = Queue(hall, hall.left, hall.right)
    assert both.game("left").status_code == 200
    assert CardRow.objects.get().card.keeper == Keeper.LEFT


def test_a_link_that_was_taken_back_sends_nothing_until_the_new_one_is_scanned(hall, queue):
    card = queue.card().json()["card"]
    token = links.reissue(hall.pairing.left, hall.owner)
    said = {"card": card, "winner": "left", "kind": "single", "cube": 1}
    assert code(queue.send(**said)) == (403, "phone-unknown")
    queue.client.get(reverse("personal-link", args=[token]))
    assert queue.send(**said).status_code == 200


def test_rows_that_come_after_the_result_are_a_question_for_the_desk(hall, queue):
    card = queue.card().json()["card"]
    stories.post(hall.pairing, hall.owner, "right")
    for _ in range(2):
        answer = queue.send(card=card, winner="left", kind="single", cube=1)
        assert answer.status_code == 200
        assert "The desk was told what you sent." in answer.json()["question"]
        assert answer.json()["card"]["is_open"] is False
    assert Question.objects.get().key == uuid.UUID(card["keys"][0])


def test_of_a_match_that_is_gone_a_phone_is_told_so(hall, queue):
    card = queue.card().json()["card"]
    Pairing.objects.filter(pk=hall.pairing.pk).update(match=None)
    assert code(queue.send(card=card, winner="left", kind="single", cube=1)) == (404, "not-your-match")
    page = queue.client.get(
        reverse("my-match", args=[hall.pairing.match_id]), headers={"accept": "text/html"}
    )
    assert page.status_code == 404
    assert 'id="kept"' in page.content.decode()


def test_a_secret_that_is_old_is_refused_and_the_card_brings_a_fresh_one(hall):
    queue = Queue(hall, hall.left, enforce_csrf_checks=True)
    assert queue.game().status_code == 403
    token = queue.card().json()["token"]
    card = queue.card().json()["card"]
    said = {
        "key": card["keys"][0],
        "predecessor": card["tail"],
        "winner": "left",
        "kind": "single",
        "cube": 1,
    }
    answer = queue.client.post(queue.at("my-row"), {**said, "step": "save"}, headers={"x-csrftoken": token})
    assert answer.status_code == 200


def test_browsers_get_a_worker_for_the_whole_site_and_a_manifest_that_opens_ones_own_matches():
    worker = Client().get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "no-cache" in worker["Cache-Control"]
    assert "const VERSION" in worker.content.decode()
    manifest = json.loads(Client().get("/manifest.webmanifest").content)
    assert (manifest["start_url"], manifest["display"]) == ("/me/", "standalone")
    assert [icon["sizes"] for icon in manifest["icons"] if icon.get("purpose") == "maskable"] == ["512x512"]
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    for icon in drawn:
        sent = b"".join(Client().get(icon["src"]).streaming_content)
        assert "{}x{}".format(*Image.open(io.BytesIO(sent)).size) == icon["sizes"]
        assert len(sent) < 10_000
    assert {icon["sizes"] for icon in drawn} == {"192x192", "512x512"}
    assert all(Client().get(icon["src"]).status_code == 200 for icon in manifest["icons"])
