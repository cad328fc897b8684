"""Disputes over the API: calls for the desk, photos, rulings, and copying the opponent's card."""

import uuid

import pytest

from tests.tournament.images import image_file
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def keep_two_cards(hall) -> None:
    Tournament.objects.filter(pk=hall.tournament.pk).update(two_cards=True)


def test_a_player_disputes_with_a_photo_and_the_desk_rules(hall, left, right, directing, stranger):
    assert right.post(f"{hall.match}/dispute/", {"note": "Look"}).json()["state"] == "disputed"
    of_8_megabytes = image_file() + bytes(8 * 1024 * 1024)
    uploaded = left.upload("POST", f"{hall.match}/dispute/photos/", of_8_megabytes, "x.jpg")
    assert uploaded.status_code == 201
    too_large = left.upload("POST", f"{hall.match}/dispute/photos/", b"\xff" * (13 * 1024 * 1024), "x.jpg")
    assert too_large.status_code == 413
    disputes = left.get(f"{hall.match}/dispute/").json()
    assert [(dispute["note"], len(dispute["photos"]), dispute["closed_at"]) for dispute in disputes] == [
        ("Look", 1, None)
    ]
    address = f"/photos/{uploaded.json()['id']}/"
    assert right.get(address)["Content-Type"] == "image/jpeg"
    assert stranger.get(address).status_code == 401
    assert directing.post(f"{hall.match}/ruling/", {"keeper": "left", "ruling": ""}).status_code == 400
    body = {"decision": "score", "left": 1, "right": 3, "ruling": "As both say now", "rule": "CARD-2"}
    assert directing.post(f"{hall.match}/ruling/", body).json()["state"] == "posted"
    assert directing.post(f"{hall.match}/ruling/", body).status_code == 409
    [dispute] = right.get(f"{hall.match}/dispute/").json()
    assert dispute["ruled_by"] == "director"
    assert (dispute["ruling"], dispute["rule"], dispute["decision"]) == ("As both say now", "CARD-2", "score")
    assert left.post(f"{hall.match}/dispute/").json()["code"] == "posted-already"


def test_a_line_is_taken_over_and_undone_and_then_the_card(hall, left_pen, right):
    keep_two_cards(hall)
    take, undo = f"{hall.match}/take-over/", f"{hall.match}/take-over/undo/"

    def tails() -> dict[str, str]:
        own = [
            card["tail"] for card in right.get(f"{hall.match}/").json()["cards"] if card["keeper"] == "right"
        ]
        return {"mine": next(iter(own), str(hall.pairing.match_id)), "theirs": left_pen.tail}

    left_pen.game("left", win="gammon")
    stale = right.post(take, {**tails(), "theirs": str(uuid.uuid4())})
    assert (stale.status_code, stale.json()["code"]) == (409, "cards-changed")
    assert right.post(undo, tails()).json()["code"] == "nothing-to-undo"
    assert right.post(take, {**tails(), "line": left_pen.tail}).json()["left"] == 2
    assert right.post(undo, tails()).json()["left"] == 0
    left_pen.game("left")
    assert right.post(f"{hall.match}/confirm/").json()["code"] == "own-card-wanted"
    body = tails()
    assert [right.post(take, body).json()["state"] for _ in range(2)] == ["posted", "posted"]
    assert right.post(undo, tails()).status_code == 409
