"""The public page of a match: the score, the games of the posted card and the verdict on a record."""

import re
import uuid
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from matches.rows import NewRow
from rules.score import Game, Side, Win
from tests.matches import files
from tests.tournament import stories
from tests.tournament.conftest import Hall
from tournament.models import Draw, Player
from tournament.records import checking
from tournament.results import desk

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def at(hall: Hall, name: str = "match-page", *more) -> str:
    made = hall.tournament
    return reverse(name, args=[made.event.slug, made.slug, hall.pairing.match_id, *more])


def page(hall: Hall, name: str = "match-page") -> str:
    answer = Client().get(at(hall, name))
    assert answer.status_code == 200
    return answer.content.decode()


def words(written: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", written).split())


def write(hall: Hall, keeper: Keeper, game: Game, after: uuid.UUID | None = None) -> uuid.UUID:
    key = uuid.uuid4()
    desk.enter(hall.pairing, keeper, NewRow(key, after or hall.pairing.match_id, game), hall.desk)
    return key


def bring(hall: Hall, data: bytes, name: str = "secret name.mat"):
    record, _ = checking.upload(hall.pairing, Keeper.LEFT, data, name, hall.desk)
    checking.check_record(record.pk)
    return record


def play_by_games(hall: Hall) -> None:
    """Left wins 3-0: a gammon with the cube in the middle, then a single."""
    first = write(hall, Keeper.LEFT, Game(Side.LEFT, Win.GAMMON))
    write(hall, Keeper.LEFT, Game(Side.LEFT), first)
    desk.confirm(hall.pairing, Keeper.DESK, None, hall.desk)


def test_the_bracket_links_to_the_match(hall):
    made = hall.tournament
    address = reverse("bracket", args=[made.event.slug, made.slug])
    links = re.findall(r'href="([^"]+)"', Client().get(address).content.decode())
    assert at(hall) in {urljoin(address, link) for link in links}


def test_a_match_before_its_start_shows_players_and_length(hall):
    text = words(page(hall))
    assert hall.pairing.left.player.name in text
    assert hall.pairing.right.player.name in text
    assert "match to 3" in text
    assert "has not begun" in text


def test_a_running_match_shows_its_score_and_games(hall):
    write(hall, Keeper.RIGHT, Game(Side.RIGHT, cube=2))
    text = words(page(hall))
    assert "playing" in text
    assert " 0 match to 3 " in text
    assert "Crawford game" in text
    assert re.search(r"Games so far .* 1 0–2 \+2 single, cube 2", text, re.I)


def test_a_posted_match_shows_every_game_of_the_counting_card(hall):
    play_by_games(hall)
    text = words(page(hall))
    assert "decided" in text
    assert re.search(r"\+2 gammon 2–0", text, re.I)
    assert re.search(r"\+1 single · Crawford game 3–0", text, re.I)


def test_a_posted_final_score_says_that_there_are_no_games(hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    assert "Only the final score of this match was handed in." in words(page(hall))


def test_a_walkover_is_shown_as_a_walkover(hall):
    desk.award(hall.pairing, hall.pairing.left_id, "walkover", "", hall.owner)
    text = words(page(hall))
    assert "walkover" in text
    assert "Game by game" not in text


def test_a_clean_record_is_called_free_of_errors_once_the_result_is_posted(hall):
    bring(hall, files.CLEAN)
    assert "Game record of this match" not in page(hall)
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    assert "none breaks a rule" in words(page(hall))


def test_the_first_error_of_a_record_is_shown_with_its_board(hall):
    record = bring(hall, files.WRONG)
    board = at(hall, "match-board", record.pk)
    assert Client().get(board).status_code == 404
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    text = page(hall)
    assert "Game 1, move 10:" in words(text)
    assert f'src="{board}"' in text
    picture = Client().get(board)
    assert picture["Content-Type"] == "image/svg+xml"
    assert "default-src 'none'" in picture["Content-Security-Policy"]


def test_strangers_see_no_files_uploaders_or_questions(hall):
    wrong = files.named("some_login_17", "another_login", files.WRONG)
    record = bring(hall, wrong)
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    text = page(hall) + Client().get(at(hall, "match-board", record.pk)).content.decode()
    for secret in (
        "secret name",
        "login",
        record.sha256,
        "uploaded by",
        "differs from",
        "question",
        "Download",
    ):
        assert secret not in text, secret


def test_matching_names_identify_the_columns_of_a_record(hall):
    for entry, name in ((hall.pairing.left, "Ana Novák"), (hall.pairing.right, "Søren Holm")):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    record = bring(hall, files.named("SOREN", "ana", files.WRONG))
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    assert "Søren Holm" in Client().get(at(hall, "match-board", record.pk)).content.decode()


def test_the_page_shows_no_code_of_a_file(hall):
    bring(hall, files.HOSTILE["a page"])
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    assert "<script>alert" not in page(hall)


@pytest.mark.parametrize("name", ["match-page", "match-fragment"])
def test_only_the_desk_sees_a_match_of_a_hidden_draw(hall, name):
    Draw.objects.filter(tournament=hall.tournament).update(released_at=None)
    assert Client().get(at(hall, name)).status_code == 404
    at_desk = Client()
    at_desk.force_login(hall.desk.user, backend="django.contrib.auth.backends.ModelBackend")
    assert at_desk.get(at(hall, name)).status_code == 200


def test_a_match_of_another_tournament_is_not_found(hall):
    elsewhere = stories.released(hall.owner, 2)
    address = reverse("match-page", args=[elsewhere.event.slug, elsewhere.slug, hall.pairing.match_id])
    assert Client().get(address).status_code == 404


def test_the_fragment_is_sent_again_only_when_something_changed(hall):
    first = Client().get(at(hall, "match-fragment"))
    again = {"headers": {"If-None-Match": first["ETag"]}}
    assert Client().get(at(hall, "match-fragment"), **again).status_code == 304
    write(hall, Keeper.LEFT, Game(Side.LEFT))
    fresh = Client().get(at(hall, "match-fragment"), **again)
    assert fresh.status_code == 200
    again = {"headers": {"If-None-Match": fresh["ETag"]}}
    bring(hall, files.CLEAN)
    assert Client().get(at(hall, "match-fragment"), **again).status_code == 200
