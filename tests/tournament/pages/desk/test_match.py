"""One match at the desk: cards side by side, corrected and struck rows, rulings, retracted results."""

import uuid

import pytest
from django.urls import reverse

from matches.keepers import Keeper
from matches.models import CardRow, Match
from matches.rows import FinalScore, NewRow
from rules.score import Game, Penalty, Side, Win
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import match
from tournament.access.actors import Actor
from tournament.models import Pairing, Question, Result, Table
from tournament.results import desk
from tournament.room import tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def page(at_desk, hall) -> Browser:
    return at_desk.open("desk-match", *match(hall.pairing))


def fresh(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def hand_in(pairing: Pairing, keeper: Keeper, *whats) -> None:
    for what in whats:
        now = fresh(pairing)
        card = now.match.cards.filter(keeper=keeper.value).first()
        desk.enter(now, keeper, NewRow(uuid.uuid4(), card.tail if card else now.match.pk, what), Actor())


def look(page: Browser, query: str = "") -> Browser:
    return page.go(page.path.partition("?")[0] + query)


def score(pairing: Pairing) -> tuple[int, int]:
    now = Match.objects.get(pk=pairing.match_id)
    return now.left_points, now.right_points


def counting(pairing: Pairing) -> list[CardRow]:
    rows = CardRow.objects.filter(card__match_id=pairing.match_id, superseded_by=None)
    return list(rows.exclude(kind="strike").order_by("number"))


@pytest.fixture
def dispute(hall) -> Pairing:
    """The left card says 3–1, the right card 1–3; they part in the third game."""
    same = (Game(Side.LEFT), Game(Side.RIGHT))
    hand_in(hall.pairing, Keeper.LEFT, *same, Game(Side.LEFT, Win.GAMMON))
    hand_in(hall.pairing, Keeper.RIGHT, *same, Game(Side.RIGHT, Win.GAMMON))
    return hall.pairing


def test_the_desk_enters_a_final_score_and_a_wrong_one_stays_in_the_form(page, hall):
    page.press("Enter the final score", left="", right=3)
    assert page.status == 422
    assert page.says("Enter the points of both players as whole numbers.")
    assert page.fields("Enter the final score")["right"] == "3"
    assert not CardRow.objects.exists()
    page.press("Enter the final score", left=3, right=0)
    assert Result.objects.get().winner_id == hall.pairing.left_id
    assert page.says("Current result")
    assert page.path == f"/e/{hall.tournament.event.slug}/{hall.tournament.slug}/desk/{hall.pairing.pk}/"


def test_the_desk_enters_game_by_game_until_the_match_is_over(page, hall):
    hand_in(hall.pairing, Keeper.DESK, Game(Side.RIGHT))
    look(page, "?card=desk&kind=game").press("Save game", kind="drop", cube=1)
    assert page.says("Choose who won the game.")
    page.press("Save game", winner="left", kind="drop", cube=1)
    assert page.status == 200
    look(page, "?card=desk&kind=game").press("Save game", winner="left", kind="gammon", cube=1)
    assert score(hall.pairing) == (3, 1)
    assert Result.objects.get().confirmed_by == "desk"


def test_penalty_points_go_to_the_other_side(page, hall):
    look(page, "?kind=penalty").press("Save penalty", against="left", points=2, reason="Late")
    assert score(hall.pairing) == (0, 2)
    assert page.says("2 penalty points")


def test_a_cube_in_the_crawford_game_is_refused_with_the_game_still_in_the_form(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT, Win.GAMMON))
    look(page, "?card=left&kind=game").press("Save game", winner="right", kind="gammon", cube=4)
    assert page.says("This is the Crawford game, played without the cube.")
    fields = page.fields("Save game")
    chosen = [fields[name] for name in ("card", "winner", "kind", "cube")]
    assert chosen == ["left", "right", "gammon", "4"]
    page.press("Save game", cube=1)
    assert score(hall.pairing) == (2, 2)


def test_both_cards_are_shown_side_by_side_and_the_desk_decides_for_one(page, dispute, hall):
    look(page)
    assert page.text.count('class="differs"') == 2
    for entry in (hall.pairing.left, hall.pairing.right):
        assert page.says(f"Card of {entry.player.name}")
    assert page.says("The score cards differ.")
    one_part = page.text.partition('data-part="cards"')[2].partition("data-part=")[0]
    assert "card-at-desk" in one_part
    assert 'name="tail_left"' in one_part, "the ruling is for the cards that the desk sees"
    page.press("Decide", decision="card:right", ruling="Both saw the last roll")
    result = Result.objects.get()
    assert (result.winner_id, result.left_points, result.right_points) == (hall.pairing.right_id, 1, 3)
    assert Question.objects.get().ruling == "Both saw the last roll"


def test_a_game_on_a_players_card_is_corrected_by_a_new_row(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT), Game(Side.RIGHT))
    wrong = counting(hall.pairing)[0]
    look(page, f"?correct={wrong.key}")
    fields = page.fields("Save line")
    assert [fields[name] for name in ("card", "winner", "kind", "cube")] == ["left", "left", "single", "1"]
    page.press("Save line", kind="gammon")
    assert score(hall.pairing) == (2, 1)
    assert CardRow.objects.get(supersedes=wrong).written_by == "desk"
    assert CardRow.objects.count() == 3
    assert page.says("corrected")


def test_a_final_score_and_a_penalty_are_corrected_in_their_own_forms(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(3, 1))
    look(page, f"?correct={counting(hall.pairing)[0].key}").press("Save line", right=2)
    assert score(hall.pairing) == (3, 2)
    row = NewRow(uuid.uuid4(), hall.second_pairing.match_id, Penalty(Side.LEFT, 1))
    desk.enter_at_desk(fresh(hall.second_pairing), Keeper.DESK, row, hall.desk)
    page.open("desk-match", *match(hall.second_pairing))
    look(page, f"?correct={row.key}").press("Save line", against="right", points=2)
    assert score(hall.second_pairing) == (2, 0)


def test_a_line_is_struck_after_a_confirmation(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT), Game(Side.RIGHT))
    last = counting(hall.pairing)[-1]
    look(page, f"?strike={last.key}")
    assert page.says("Delete this line from the card of")
    page.press("Delete the line")
    assert score(hall.pairing) == (1, 0)
    assert not page.has_button("Delete the line")
    assert page.says("1 line deleted or corrected")
    assert page.says("by the desk")


def test_an_outdated_form_shows_the_current_card_and_can_be_sent_again(page, hall):
    look(page, "?card=left&kind=game")
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.RIGHT))
    page.press("Save game", winner="left", kind="gammon", cube=1)
    assert page.says("Another game was entered on this card")
    assert score(hall.pairing) == (0, 1)
    page.press("Save game")
    assert score(hall.pairing) == (2, 1)


def test_writing_twice_by_a_double_tap_writes_once(page, hall):
    look(page, "?kind=game")
    sent = {**page.fields("Save game"), "winner": "left", "kind": "single", "cube": 1}
    path = f"{page.path.partition('?')[0]}enter/"
    assert {page.client.post(path, sent).status_code for _ in range(2)} == {302}
    assert CardRow.objects.count() == 1


def test_a_match_that_nobody_came_to_is_lost_by_both(page):
    assert page.press("Post result", reason="?").says("Choose what happened.")
    assert not Result.objects.exists()
    page.press("Post result", outcome="double_no_show", reason="Nobody came")
    result = Result.objects.get()
    assert (result.kind, result.winner_id) == ("double_no_show", None)
    assert page.says("Current result")


def test_a_result_is_taken_back_while_the_next_match_has_not_begun(page, hall):
    stories.play(hall.pairing, hall.desk)
    look(page).press("Take the result back", **{"retract-reason": "Wrong players"})
    assert Result.objects.filter(superseded_by=None).get().kind == "retracted"
    assert not page.says("Current result")


def test_a_late_score_is_shown_and_can_be_taken_or_the_result_kept(directing, hall):
    stories.play(hall.pairing, hall.desk)
    hand_in(hall.pairing, Keeper.RIGHT, FinalScore(1, 3))
    directing.open("desk-match", *match(hall.pairing))
    assert directing.says("This score came in after the result was posted.")
    address = reverse("desk-correct", args=match(hall.pairing))
    assert f'{address}?outcome=played&amp;left=1&amp;right=3#consequences">Take this score' in directing.text
    assert directing.text.count("Correct the result") == 1
    for button in ("Enter the final score", "Take the result back", "Post result"):
        assert not directing.has_button(button)
    directing.press("Keep the result", ruling="The paper card says 3–2")
    assert Question.objects.get().ruling == "The paper card says 3–2"


def test_a_no_show_withdraws_the_player_and_one_undo_takes_both_back(page, hall):
    page.press(f"{hall.pairing.left.name}: no-show and withdraw")
    assert page.says("did not appear and has been withdrawn.")
    assert (fresh(hall.pairing).winner_id, fresh(hall.pairing).left.is_withdrawn) == (
        hall.pairing.right_id,
        True,
    )
    page.press("Undo")
    assert page.says("The match is open again.")
    assert not fresh(hall.pairing).left.is_withdrawn


def test_a_match_is_called_called_again_and_moved_on_its_page(page, hall):
    tables.add(hall.tournament.event_id, "7-8", hall.owner)
    seven, eight = Table.objects.all()
    here = look(page).press("Call", table=seven.pk).path
    assert page.says('<h2 id="calling">Table 7</h2>')
    page.press("Second call")
    assert (page.path, page.says("second call"), page.has_button("Second call")) == (here, True, False)
    page.press("Move", table=eight.pk)
    assert page.says('<h2 id="calling">Table 8</h2>')
    page.press("Take back")
    assert page.says("Call to a table")
    page.press("Undo")
    assert (page.path, page.says('<h2 id="calling">Table 8</h2>')) == (here, True)
    assert page.press("Start").says("Marked as playing.")


def test_a_pairing_without_players_names_the_matches_it_waits_for(at_desk, hall):
    final = stories.pairings(hall.tournament).last()
    page = at_desk.open("desk-match", *match(final))
    assert page.says("The match opens when both players are known.")
    assert not page.has_button("Enter the final score")
    assert page.client.post(f"{page.path}final/", {"left": 3, "right": 1}).status_code == 422


def test_a_match_of_another_tournament_is_not_found(browser, owner, hall):
    made = stories.tournament(owner)
    slugs = (made.event.slug, made.slug)
    assert browser.open("desk-match", *slugs, hall.pairing.pk).status == 404


def test_an_unknown_action_is_not_found(page):
    assert page.client.post(f"{page.path}celebrate/").status_code == 404
