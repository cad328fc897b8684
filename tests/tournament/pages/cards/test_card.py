"""A score card on a phone without scripts: every tap is a form, every answer a page."""

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.keepers import Keeper
from matches.models import CardRow, Match
from rules.score import Win
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, fields, phone
from tests.tournament.queries.cards import Phone
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.models import JournalLine, Question, Result, Tournament
from tournament.results import desk
from tournament.results.posting import find_current_result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def mine(hall) -> Card:
    return Card(phone(hall.left), hall.pairing.match_id)


@pytest.fixture
def theirs(hall) -> Card:
    return Card(phone(hall.right), hall.pairing.match_id)


def match_of(hall) -> Match:
    return Match.objects.get(pk=hall.pairing.match_id)


def wrote(hall, *games: tuple[str, Win], keeper: Keeper = Keeper.LEFT) -> None:
    """The player of this side has written these games."""
    own = Phone(hall.pairing, keeper)
    for winner, win in games:
        own.game(winner, win=win)


def test_a_match_from_the_first_game_to_the_confirmation(hall, mine, theirs):
    page = mine.text()
    assert "<span>match to</span><b>3</b>" in page
    assert is_checked(page, "single", "1"), "an ordinary game needs the winner only"
    looked_at = mine.look("left", "gammon")
    assert "+2" in looked_at.content.decode()
    assert "2–0" in looked_at.content.decode()
    assert not CardRow.objects.exists()
    assert mine.save(looked_at).status_code == 302
    mine.game("right")
    mine.game("left")
    assert (match_of(hall).left_points, match_of(hall).right_points) == (3, 1)
    assert "Is that right?" in theirs.text()
    theirs.confirm()
    result = Result.objects.get()
    assert result.winner_id == hall.pairing.left_id
    assert result.confirmed_by == "right"
    assert "final result" in mine.text()


def test_the_crawford_game_is_named_and_offers_neither_cube_nor_drop(hall, mine):
    wrote(hall, ("left", Win.GAMMON))
    page = mine.text()
    assert "Crawford game: played without the cube." in page
    assert 'value="drop"' not in page
    assert 'type="radio" name="cube"' not in page


def test_a_missing_tap_is_asked_for_and_the_others_stay_down(mine):
    sent = {**fields(mine.page(), mine.at("my-row")), "kind": "gammon", "cube": 2, "step": "look"}
    answer = mine.client.post(mine.at("my-row"), sent)
    assert answer.status_code == 422
    assert "Tap who won the game." in answer.content.decode()
    assert is_checked(answer.content.decode(), "gammon", "2")


def is_checked(page: str, *values: str) -> bool:
    return all(
        "checked" in page.split(f'value="{value}" required')[1].split(">", maxsplit=1)[0] for value in values
    )


def test_at_double_match_point_neither_cube_nor_drop_is_offered(hall, mine):
    wrote(hall, ("left", Win.GAMMON), ("right", Win.GAMMON))
    page = mine.text()
    assert "Double match point: cube and gammons no longer matter." in page
    assert 'value="gammon"' not in page
    assert 'value="drop"' not in page
    assert 'type="radio" name="cube"' not in page


def test_what_cannot_be_is_refused_with_its_rule(hall, mine):
    sent = {**fields(mine.page(), mine.at("my-row")), "winner": "left", "kind": "single", "cube": 3}
    for step in ("look", "save"):
        answer = mine.client.post(mine.at("my-row"), {**sent, "step": step})
        assert answer.status_code == 422
        assert "never 3" in answer.content.decode()
        assert "Rule CUBE-6" in answer.content.decode()
    assert not CardRow.objects.exists()


def test_a_double_tap_writes_one_game(mine):
    looked_at = mine.look("left")
    assert mine.save(looked_at).status_code == 302
    assert mine.save(looked_at).status_code == 302
    assert CardRow.objects.count() == 1


def test_another_game_from_a_stale_page_gets_the_card_as_it_is_now(mine):
    stale = fields(mine.page(), mine.at("my-row"))
    mine.game("left")
    sent = {**stale, "winner": "right", "kind": "single", "cube": 1, "step": "save"}
    sentences = {
        stale["key"]: "This was already sent with other content.",
        str(uuid.uuid4()): "Another game was entered on this card",
    }
    for key, sentence in sentences.items():
        answer = mine.client.post(mine.at("my-row"), {**sent, "key": key})
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
    assert CardRow.objects.count() == 1


def test_two_phones_of_one_player_say_the_same_game_once(hall, mine):
    second = Card(phone(links.make_link(hall.pairing.left, hall.owner)), hall.pairing.match_id)
    on_the_second = second.look("left")
    mine.game("left")
    assert second.save(on_the_second).status_code == 302
    assert CardRow.objects.count() == 1


def test_the_last_game_can_be_taken_back(hall, mine):
    wrote(hall, ("left", Win.GAMMON), ("right", Win.SINGLE))
    mine.undo()
    assert (match_of(hall).left_points, match_of(hall).right_points) == (2, 0)
    assert "Who won game 2?" in mine.text()


def test_a_report_can_be_taken_back_until_it_is_confirmed(hall, mine, theirs):
    mine.final(3, 0)
    mine.undo()
    assert match_of(hall).state == "open"
    assert "Is that right?" not in theirs.text()


def test_a_final_score_is_previewed_then_reported_unless_it_cannot_be(hall, mine):
    answer = mine.final(3, 3)
    assert answer.status_code == 422
    assert "Only one player can reach 3." in answer.content.decode()
    assert "3–1" in mine.final(3, 1, step="look").content.decode()
    assert not CardRow.objects.exists()
    mine.final(3, 1)
    assert match_of(hall).state == "reported"


def test_a_tournament_that_wants_every_game_offers_no_final_score(db):
    director = stories.director()
    made = stories.released(director, 2, final_score_allowed=False)
    pairing = stories.playable(made)[0]
    card = Card(phone(links.make_link(pairing.left, director)), pairing.match_id)
    assert card.at("my-final") not in card.text()
    answer = card.client.post(
        card.at("my-final"),
        {"key": uuid.uuid4(), "predecessor": pairing.match_id, "left": 3, "right": 0, "step": "save"},
    )
    assert answer.status_code == 409
    assert "records every game" in answer.content.decode()


def test_a_report_is_confirmed_from_the_list_of_matches_and_the_confirmation_undone(hall, mine, theirs):
    mine.final(3, 1)
    page = theirs.client.get(reverse("my-matches"))
    assert "you lose 1–3. Is that right?" in page.content.decode()
    sent = fields(page, theirs.at("my-confirm"))
    answer = theirs.client.post(theirs.at("my-confirm"), sent, follow=True)
    assert answer.redirect_chain == [(reverse("my-matches"), 302)]
    assert theirs.at("my-confirm-undo") in answer.content.decode()
    assert Result.objects.get().confirmed_by == "right"

    assert mine.client.post(mine.at("my-confirm-undo")).status_code == 409
    theirs.client.post(theirs.at("my-confirm-undo"))
    assert not find_current_result(hall.pairing.pk)
    assert theirs.at("my-confirm") in theirs.text()
    assert JournalLine.objects.latest("pk").verb == "take result back"


def test_a_confirmation_is_undone_for_two_minutes_only(hall, mine, theirs):
    mine.final(3, 1)
    theirs.confirm()
    assert theirs.at("my-confirm-undo") in theirs.text()
    Result.objects.update(posted_at=timezone.now() - desk.UNDO_CONFIRMATION)
    assert theirs.at("my-confirm-undo") not in theirs.text()
    answer = theirs.client.post(theirs.at("my-confirm-undo"))
    assert (answer.status_code, "Ask the desk" in answer.content.decode()) == (409, True)


def test_a_disagreement_goes_to_the_desk_with_its_note(hall, mine, theirs):
    mine.final(3, 0)
    theirs.disagree("I won the second game.")
    assert Question.objects.get().note == "I won the second game."
    assert "The desk decides this match" in mine.text()
    assert mine.at("my-confirm") not in theirs.text()


def test_a_game_that_arrives_after_posting_becomes_a_question_for_the_desk(hall, mine, theirs):
    late = {**fields(theirs.page(), theirs.at("my-row")), "winner": "right", "kind": "single", "cube": 1}
    mine.final(3, 0)
    theirs.confirm()
    answer = theirs.client.post(theirs.at("my-row"), {**late, "step": "save"}, follow=True)
    assert "The desk has what you sent" in answer.content.decode()
    assert Question.objects.get().kind == "late_card"
    assert Result.objects.count() == 1


def test_a_player_without_a_card_sees_the_score_of_the_other_card(theirs, hall):
    wrote(hall, ("left", Win.GAMMON))
    page = theirs.text()
    assert "keeps the score card" in page
    assert '<b class="side__points">0</b>' in page
    assert '<b class="side__points">2</b>' in page


def test_an_incomplete_card_gets_one_question_about_the_card_that_ends_the_match(hall, theirs):
    wrote(hall, ("left", Win.SINGLE), keeper=Keeper.RIGHT)
    wrote(hall, *[("left", Win.SINGLE)] * 3)
    page = theirs.text()
    assert page.count("Is that right?") == 1
    assert page.count(f'action="{theirs.at("my-final")}"') == 1
    assert 'id="differences"' not in page
    theirs.confirm()
    assert Result.objects.count() == 1


def test_the_answer_no_gives_the_other_score_and_the_desk_decides(hall, theirs):
    Tournament.objects.update(final_score_allowed=False)
    wrote(hall, *[("left", Win.SINGLE)] * 3)
    assert theirs.final(3, 2).status_code == 302
    assert match_of(hall).state == "disputed"
    assert Question.objects.get().detail == {"by_itself": True}
    assert "Your scores don’t match" in theirs.text()


def test_an_unusually_large_cube_shows_a_warning(mine):
    looked_at = mine.look("left", "single", 8)
    assert "Check the cube of 8" in looked_at.content.decode()
    assert "3–0" in looked_at.content.decode(), "without points beyond the length"
    mine.save(looked_at)
    assert "Check the cube of 8" in mine.text()


def test_checkers_are_asked_for_where_they_are_the_score(db):
    director = stories.director()
    made = stories.entered(director, 2, lengths=(5,))
    made.ruleset = stories.PRESETS["boxed-set"].as_json()
    made.save(update_fields=["ruleset"])
    stories.draws.make(made.pk, stories.draws.DrawPlan(), director)
    stories.draws.release(made.pk, director)
    pairing = stories.playable(made)[0]
    card = Card(phone(links.make_link(pairing.left, director)), pairing.match_id)
    assert "Checkers the loser had left" in card.text()
    assert card.look("left").status_code == 422
    card.game("left", checkers_left=4)
    assert Match.objects.get(pk=pairing.match_id).left_points == 4


def test_a_match_of_others_is_not_there(hall):
    stranger = Card(phone(hall.elsewhere), hall.pairing.match_id)
    assert stranger.page().status_code == 404
    answer = stranger.client.post(stranger.at("my-final"), {"left": 3, "right": 0, "step": "save"})
    assert answer.status_code == 404


def test_the_fragment_is_not_built_again_while_nothing_changed(hall, mine):
    fragment = mine.at("my-match-fragment")
    first = mine.client.get(fragment)
    again = mine.client.get(fragment, headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    wrote(hall, ("left", Win.SINGLE))
    changed = mine.client.get(fragment, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert "Who won game 2?" in changed.content.decode()


def test_the_next_match_is_shown_after_the_match(hall, mine, theirs):
    mine.final(3, 0)
    theirs.confirm()
    advancing.advance_waiting()
    names = [hall.second_pairing.left.player.name, hall.second_pairing.right.player.name]
    page = mine.client.get("/me/").content.decode()
    assert "Waiting for the winner of match 2" in page
    assert all(name in page for name in names)
    assert "You are out" in theirs.client.get("/me/").content.decode()
