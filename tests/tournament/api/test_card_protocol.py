"""The card over HTTP: double taps, two phones, stale pages, late cards, impossible games."""

import uuid

import pytest

from matches.models import CardRow, Match
from tests.tournament.api.openapi import PROBLEM
from tournament.brackets import advancing
from tournament.models import Question, Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def row(hall, **body):
    return {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left", **body}


def test_a_game_is_written_and_answered_with_the_card(left_pen):
    answer = left_pen.game("left", cube=2)
    assert answer.status_code == 201
    card = answer.json()["card"]
    assert (card["left"], card["right"], card["is_crawford"], card["winner"]) == (2, 0, True, None)


def test_a_double_tap_gets_the_very_same_answer(left, hall, left_pen):
    body = row(hall, cube=2)
    first = left.post(f"{hall.match}/games/", body)
    left_pen.tail = body["key"]
    left_pen.game("right")
    again = left.post(f"{hall.match}/games/", body)
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert CardRow.objects.count() == 2


def test_a_deciding_game_tapped_twice_is_answered_the_same_after_posting(left, right, hall):
    body = row(hall, left=3, right=1)
    del body["winner"]
    first = left.post(f"{hall.match}/final/", body)
    assert right.post(f"{hall.match}/confirm/").status_code == 200
    again = left.post(f"{hall.match}/final/", body)
    assert (first.status_code, first.content) == (again.status_code, again.content)


def test_two_phones_of_one_side_write_one_card(left, hall):
    assert left.post(f"{hall.match}/games/", row(hall)).status_code == 201
    answer = left.post(f"{hall.match}/games/", row(hall, winner="right"))
    assert (answer.status_code, answer["Content-Type"]) == (409, PROBLEM)
    assert answer.json()["card"]["left"] == 1
    assert answer.json()["code"] == "card-changed"


def test_a_key_with_another_body_is_refused(left, hall):
    body = row(hall)
    left.post(f"{hall.match}/games/", body)
    answer = left.post(f"{hall.match}/games/", {**body, "winner": "right"})
    assert (answer.status_code, answer.json()["code"]) == (409, "key-reused")


def test_a_card_that_arrives_after_posting_is_a_question_once(left, right, hall, at_desk):
    right.post(
        f"{hall.match}/final/",
        {"key": uuid.uuid4(), "predecessor": hall.pairing.match_id, "left": 1, "right": 3},
    )
    assert at_desk.post(f"{hall.match}/confirm/").status_code == 200
    late = row(hall, cube=2)
    first = left.post(f"{hall.match}/games/", late)
    again = left.post(f"{hall.match}/games/", late)
    assert (first.status_code, first.content) == (202, again.content)
    assert Question.objects.get().detail["cube"] == 2
    assert Result.objects.get().winner_id == hall.pairing.right_id


IMPOSSIBLE = {
    "a gammon on a drop": ({"win": "gammon", "ending": "dropped"}, "CUBE-5"),
    "a cube at three": ({"cube": 3}, "CUBE-6"),
    "a cube at zero": ({"cube": 0}, "CUBE-6"),
    "checkers counted where they do not count": ({"checkers_left": 5}, "SCORE-1"),
    "automatic doubles nobody plays": ({"automatic_doubles": 1, "cube": 2}, "OPEN-4"),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_be_is_refused_with_its_rule(left, hall, what):
    body, rule = IMPOSSIBLE[what]
    answer = left.post(f"{hall.match}/games/", row(hall, **body))
    assert (answer.status_code, answer["Content-Type"]) == (422, PROBLEM)
    assert answer.json()["rule"] == rule
    assert answer.json()["detail"].endswith(".")
    assert not CardRow.objects.exists()


def test_the_crawford_game_has_no_cube(left_pen):
    left_pen.game("left", cube=2)
    answer = left_pen.game("right", cube=2)
    assert (answer.status_code, answer.json()["rule"]) == (422, "CRAW-1")
    assert answer.json()["offer"]


def test_there_is_no_game_after_the_end(left_pen):
    left_pen.game("left", cube=4)
    answer = left_pen.game("left")
    assert (answer.status_code, answer.json()["rule"]) == (422, "MATCH-1")


@pytest.mark.parametrize("score", [(3, 3), (2, 1), (4, 1), (0, 0)])
def test_a_final_score_must_end_the_match(left_pen, score):
    answer = left_pen.send("final", {"left": score[0], "right": score[1]})
    assert answer.status_code == 422


def test_undo_takes_the_last_game_back(left_pen):
    left_pen.game("left", cube=2)
    answer = left_pen.send("strikes", {}, supersedes=left_pen.tail)
    assert answer.json()["card"] == {
        "keeper": "left",
        "left": 0,
        "right": 0,
        "is_crawford": False,
        "winner": None,
    }


def test_a_player_cannot_confirm_their_own_report(left, left_pen, hall):
    left_pen.send("final", {"left": 3, "right": 0})
    answer = left.post(f"{hall.match}/confirm/", {"tail": left_pen.tail})
    assert (answer.status_code, answer.json()["code"]) == (409, "own-report")


def test_the_opponent_confirms_and_the_winner_advances(left_pen, right, hall):
    left_pen.send("final", {"left": 3, "right": 0})
    assert right.post(f"{hall.match}/confirm/", {"tail": str(uuid.uuid4())}).json()["code"] == "card-changed"
    answer = right.post(f"{hall.match}/confirm/", {"tail": left_pen.tail})
    assert answer.json()["state"] == "posted"
    advancing.advance_waiting()
    rounds = right.get(f"{hall.here}/brackets/main/").json()["rounds"]
    assert rounds[1]["pairings"][0]["left"]["entry_id"] == str(hall.pairing.left_id)


def test_a_disagreement_freezes_the_result_until_the_desk_rules(left_pen, right, right_pen, at_desk, hall):
    left_pen.send("final", {"left": 3, "right": 0})
    assert right.post(f"{hall.match}/dispute/", {"note": "It was 3-2"}).json()["state"] == "disputed"
    assert right.post(f"{hall.match}/confirm/").json()["code"] == "disputed"
    body = {"keeper": "left", "ruling": "Both agree now."}
    assert at_desk.post(f"{hall.match}/ruling/", body).json()["state"] == "posted"
    assert Result.objects.get().left_points == 3


def test_the_desk_corrects_a_posted_card(left_pen, right, at_desk, hall):
    left_pen.game("left", cube=2)
    first = left_pen.tail
    left_pen.game("left")
    right.post(f"{hall.match}/confirm/")
    body = {
        "key": str(uuid.uuid4()),
        "predecessor": left_pen.tail,
        "winner": "left",
        "supersedes": first,
        "cube": 4,
    }
    answer = at_desk.post(f"{hall.match}/cards/left/games/", body)
    assert answer.status_code == 422
    body = {**body, "cube": 2, "ending": "resigned", "key": str(uuid.uuid4())}
    assert at_desk.post(f"{hall.match}/cards/left/games/", body).status_code == 201
    assert Result.objects.filter(pairing=hall.pairing).count() == 2


def test_penalty_points_are_the_desks_to_give(left, at_desk, hall):
    body = {
        "key": str(uuid.uuid4()),
        "predecessor": str(hall.pairing.match_id),
        "against": "left",
        "points": 1,
    }
    assert left.post(f"{hall.match}/cards/left/penalties/", body).status_code == 403
    answer = at_desk.post(f"{hall.match}/cards/left/penalties/", {**body, "reason": "late"})
    assert answer.json()["card"]["right"] == 1
    assert at_desk.post(f"{hall.match}/cards/left/penalties/", {**body, "points": 0}).status_code in (
        409,
        422,
    )


def test_an_award_is_posted_and_taken_back(at_desk, hall):
    path = f"/pairings/{hall.pairing.pk}"
    body = {"kind": "walkover", "winner": str(hall.pairing.right_id)}
    assert at_desk.post(f"{path}/award/", body).status_code == 204
    assert at_desk.post(f"{path}/retract/", {"reason": "they came"}).status_code == 204
    assert at_desk.post(f"{path}/retract/").json()["code"] == "nothing-posted"
    assert Match.objects.get(pk=hall.pairing.match_id).state == "open"
