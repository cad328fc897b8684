"""A session of stake play on a phone without scripts: so many games, or until time is over; never points to reach."""

import re

import pytest
from django.urls import reverse

from matches.models import Match, RowKind
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, fields, phone
from tournament.models import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def card(hall, games: int | None) -> Card:
    stories.as_session(hall.pairing, games)
    return Card(phone(hall.left), hall.pairing.match_id)


def theirs(hall) -> Card:
    return Card(phone(hall.right), hall.pairing.match_id)


def test_the_board_says_which_game_of_how_many_is_played(hall):
    mine = card(hall, 5)
    assert "Game 1 of 5" in mine.text()
    mine.game("left", "gammon", 4)
    text = mine.text()
    assert "Game 2 of 5" in text
    assert re.search(r'class="board__to">\s*<b>5</b><span>games</span>', text)
    assert "match to" not in text
    assert "None" not in re.sub("<[^>]+>", " ", text)


def test_a_level_session_says_that_one_more_game_decides_and_ends_with_it(hall):
    mine = card(hall, 2)
    mine.game("left", cube=4)
    mine.game("right", "gammon", 2)
    assert "Level after game 2: one more game decides" in mine.text()
    mine.game("right")
    assert "wins 5–4" in theirs(hall).text() or "you win 5–4" in theirs(hall).text()
    theirs(hall).confirm()
    result = Result.objects.get()
    assert (result.left_points, result.right_points) == (4, 5)


def test_time_is_over_ends_a_session_and_can_be_taken_back(hall):
    mine = card(hall, None)
    mine.game("left")
    assert "Game 2</span>" in mine.text()
    answer = mine.stop()
    assert answer.status_code == 302
    assert Match.objects.get(pk=hall.pairing.match_id).state == "reported"
    text = mine.text()
    assert "Time is over after game 1" in text
    assert "Undo “Time is over”" in text
    assert "data-stop>" not in text
    mine.undo()
    assert Match.objects.get(pk=hall.pairing.match_id).state == "open"
    assert "data-stop>" in mine.text()


def test_time_over_at_level_points_asks_for_one_more_game(hall):
    mine = card(hall, None)
    assert "The points are level: one more game decides." in mine.text()
    mine.game("left")
    mine.game("right")
    mine.stop()
    text = mine.text()
    assert "Level after game 2: one more game decides" in text
    assert "Who won game 3?" in text
    assert "data-stop>" not in text


def test_the_final_score_of_a_session_is_any_that_is_not_level(hall):
    mine = card(hall, 3)
    assert "max=" not in mine.text().split("data-final")[1].split("</form>")[0]
    assert mine.final(7, 7).status_code == 422
    looked_at = mine.final(12, 7, step="look").content.decode()
    assert "12–7" in looked_at
    assert "+12" not in looked_at
    assert mine.final(12, 7).status_code == 302
    assert Match.objects.get(pk=hall.pairing.match_id).state == "reported"


def test_only_a_session_by_time_can_be_stopped(hall):
    for games, can in ((3, False), (None, True)):
        assert ("data-stop>" in card(hall, games).text()) is can


def test_a_stop_sent_by_a_phone_again_is_one_row(hall):
    mine = card(hall, None)
    mine.game("left")
    sent = {**fields(mine.page(), mine.at("my-stop")), "entry": str(hall.pairing.left_id)}
    for _ in range(2):
        answer = mine.client.post(mine.at("my-stop"), sent, headers={"Accept": "application/json"})
        assert answer.json()["card"]["rows"][-1] == {"key": sent["key"], "what": "stop", "games": 1}
    rows = Match.objects.get(pk=hall.pairing.match_id).cards.get().rows
    assert rows.filter(kind=RowKind.STOP).count() == 1


@pytest.mark.parametrize(
    ("games", "board"), [(3, "<b>3</b><span>games</span>"), (None, "<b>60</b><span>minutes</span>")]
)
def test_spectators_see_what_a_session_is_played_to(hall, client, games, board):
    stories.as_session(hall.pairing, games)
    made = hall.tournament
    page = client.get(reverse("match-page", args=[made.event.slug, made.slug, hall.pairing.match_id]))
    assert board in page.content.decode()
    assert "match to" not in page.content.decode()
