"""A session of stake play at the desk: any score with a winner, one more game while level, and the end of its time."""

import pytest

from matches.keepers import Keeper
from matches.models import CardRow, Match, RowKind
from rules.score import Game, Side
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.desk.test_match import hand_in, look, score
from tests.tournament.pages.places import match
from tournament.models import Result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def page(at_desk, hall) -> Browser:
    """A session by time, of which the left player keeps the card."""
    stories.as_session(hall.pairing)
    hall.pairing.refresh_from_db()
    return at_desk.open("desk-match", *match(hall.pairing))


def test_the_desk_enters_any_score_with_a_winner(page, hall):
    page.press("Enter the final score", left=7, right=7)
    assert page.status == 422
    assert page.says("A session needs a winner")
    page.press("Enter the final score", left=12, right=7)
    result = Result.objects.get()
    assert (result.left_points, result.right_points) == (12, 7)


def test_the_desk_enters_the_end_of_time_on_a_players_card(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT))
    look(page)
    assert page.says("Game 2")
    look(page, "?card=left&kind=stop")
    assert page.says("The result 1–0 is posted at once.")
    page.press("Time is over")
    assert page.says("Time is over after game 1")
    result = Result.objects.get()
    assert (result.winner_id, result.left_points, result.right_points) == (hall.pairing.left_id, 1, 0)


def test_the_end_of_time_at_level_points_leaves_one_more_game(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT), Game(Side.RIGHT))
    look(page, "?card=left&kind=stop")
    assert page.says("The points are level: one more game decides.")
    page.press("Time is over")
    assert page.says("Level after game 2: one more game decides")
    look(page, "?card=left&kind=game").press("Save game", winner="right", kind="gammon", cube=1)
    assert score(hall.pairing) == (1, 3)
    assert Match.objects.get(pk=hall.pairing.match_id).winner == "right"


def test_a_stop_is_never_corrected_into_something_else(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT))
    look(page, "?card=left&kind=stop").press("Time is over")
    stop = CardRow.objects.get(kind=RowKind.STOP)
    look(page, f"?correct={stop.key}")
    assert page.status == 200


@pytest.mark.parametrize("games", [5, None])
def test_no_time_ends_a_match_to_a_length_or_of_agreed_games(at_desk, hall, games):
    if games:
        stories.as_session(hall.pairing, games)
    hall.pairing.refresh_from_db()
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT))
    page = at_desk.open("desk-match", *match(hall.pairing))
    assert "kind=stop" not in page.text
    look(page, "?card=left&kind=stop")
    assert page.status == 200
    assert page.fields("Enter the final score")
