"""Awards, draws and undone results are refused when the shown state has changed."""

import uuid
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournament import stories
from tests.tournament.conftest import Program
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at, match
from tests.tournament.races import outcomes_at_once
from tournament.accounts import links
from tournament.drawing import draws as drawing
from tournament.models import Draw, Result
from tournament.results import desk
from tournament.results.awards import ExpectedResult

pytestmark = pytest.mark.django_db


def body(winner: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "walkover", "winner": winner, **more}


def test_an_award_over_an_unseen_result_is_refused_with_the_posted_result(hall, at_desk):
    award = f"/pairings/{hall.pairing.pk}/award/"
    assert at_desk.post(award, body(hall.pairing.left_id)).status_code == 204
    answer = at_desk.post(award, body(hall.pairing.right_id))
    left, right = hall.pairing.left.player.name, hall.pairing.right.player.name
    assert (answer.status_code, answer.json()["code"]) == (409, "result-changed")
    assert f"{left} – {right}: walkover, posted by desk." in answer.json()["detail"]
    assert Result.objects.count() == 1
    key = str(Result.objects.get().pk)
    assert at_desk.post(award, body(hall.pairing.right_id, result=key)).status_code == 204
    assert at_desk.post(award, body(hall.pairing.left_id, result=key)).status_code == 409


def test_only_the_current_result_can_be_undone_and_then_no_longer_replaced(hall, at_desk):
    stories.post(hall.pairing, hall.owner)
    retract = f"/pairings/{hall.pairing.pk}/retract/"
    answer = at_desk.post(retract, {"result": str(uuid.uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (409, "result-changed")
    key = str(Result.objects.get().pk)
    assert at_desk.post(retract, {"result": key}).status_code == 204
    answer = at_desk.post(f"/pairings/{hall.pairing.pk}/award/", body(hall.pairing.left_id, result=key))
    assert (answer.status_code, answer.json()["code"]) == (409, "result-changed")


def test_the_second_of_two_desks_is_refused_with_the_posted_result(hall):
    first, second = Browser(hall.desk.user), Browser(hall.owner.user)
    for browser in (first, second):
        browser.open("desk-match", *match(hall.pairing))
    first.press("Post result", outcome="walkover:left")
    second.press("Post result", outcome="no_show:right")
    assert second.status == 422
    assert second.says("walkover, posted by desk.")
    assert Result.objects.get().kind == "walkover"
    second.press("Post result", outcome="no_show:right")
    assert Result.objects.filter(kind="no_show").exists()


def test_two_quick_entries_show_the_second_desk_the_posted_result(hall):
    first, second = Browser(hall.desk.user), Browser(hall.owner.user)
    name = hall.pairing.left.player.name
    for browser in (first, second):
        browser.open("desk", *at(hall.tournament))
    first.press("Enter", who=name, own=3, other=1)
    second.press("Enter", who=name, own=1, other=3)
    assert second.status == 422
    right = hall.pairing.right.player.name
    assert second.says(f"{name} – {right}: 3–1, posted by desk.")


def test_a_draw_over_an_unseen_draw_is_refused():
    owner = stories.director()
    made = stories.entered(owner, 4)
    program, draws = Program(links.make_api_token(owner.user, "program")), f"/tournaments/{made.pk}/draws/"
    assert program.post(draws, {}).status_code == 201
    answer = program.post(draws, {})
    assert (answer.status_code, answer.json()["code"]) == (409, "draw-changed")
    assert f"{owner.user.username} made draw 1 in the meantime." in answer.json()["detail"]
    assert program.post(draws, {"draw": 1}).status_code == 201
    assert program.post(draws, {"draw": 1}).status_code == 409
    drawing.undo(made.pk, owner)
    answer = program.post(draws, {"draw": 2})
    assert (answer.status_code, "was taken back in the meantime" in answer.json()["detail"]) == (409, True)
    assert Draw.objects.count() == 2


def test_a_draw_from_a_stale_page_is_refused_with_a_notice(browser_of_two):
    first, second, made = browser_of_two
    for browser in (first, second):
        browser.open("draw", *at(made))
    first.press("Draw", nth=0)
    second.press("Draw", nth=0)
    assert second.status == 422
    assert second.says("made draw 1 in the meantime")
    assert Draw.objects.count() == 1
    second.press("Draw again")
    assert Draw.objects.count() == 2


@pytest.fixture
def browser_of_two(db):
    owner = stories.director("owner")
    made = stories.entered(owner, 4)
    stories.helper(made.event, "director", owner, "helper")
    return Browser(owner.user), Browser(User.objects.get(username="helper")), made


@pytest.mark.django_db(transaction=True)
def test_one_of_eight_concurrent_awards_succeeds():
    owner = stories.director()
    pairing = stories.playable(stories.released(owner, 4))[0]
    sides = [pairing.left_id, pairing.right_id] * 4

    def award(winner: uuid.UUID) -> None:
        desk.award(pairing, winner, "walkover", "", owner, expected=ExpectedResult(None))

    outcomes = outcomes_at_once(*[partial(award, winner) for winner in sides])
    assert sorted(outcomes) == ["done"] + ["result-changed"] * 7
    assert Result.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_of_eight_concurrent_draws_succeeds():
    owner = stories.director()
    made = stories.entered(owner, 4)
    draw = partial(drawing.make, made.pk, drawing.DrawPlan(), owner, drawing.ExpectedDraw(None))
    assert sorted(outcomes_at_once(*[draw] * 8)) == ["done"] + ["draw-changed"] * 7
    assert Draw.objects.count() == 1
