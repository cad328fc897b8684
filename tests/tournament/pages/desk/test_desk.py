"""The desk's page: columns of matches, results by keyboard, one tap for reports and waiting phones."""

import re
import uuid
from datetime import timedelta

import pytest
import redis
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow
from rules.score import Game, Side
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Pairing, Question, Result
from tournament.pages.desk import desk_view
from tournament.queries.desk.desk import load_desk
from tournament.queries.desk.match_search import find_matches
from tournament.results import desk, disputes
from tournament.runtime import publish
from tournament.runtime.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def page(at_desk, hall) -> Browser:
    return at_desk.open("desk", *at(hall.tournament))


def hand_in(pairing: Pairing, keeper: Keeper, what) -> None:
    fresh = stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)
    card = fresh.match.cards.filter(keeper=keeper.value).first()
    desk.enter(fresh, keeper, NewRow(uuid.uuid4(), card.tail if card else fresh.match.pk, what), Actor())


def part(browser: Browser, name: str) -> str:
    """The HTML of the part of the desk with this heading; empty when there is none."""
    return browser.text.partition(f'aria-labelledby="{name}"')[2].partition("</section>")[0]


def row(browser: Browser, pairing: Pairing) -> str:
    """The HTML of the match in the table; empty when it is not listed."""
    return browser.text.partition(f'data-row="{pairing.pk}"')[2].partition("</tr>")[0]


def name(pairing: Pairing, seat: str = "left") -> str:
    return getattr(pairing, seat).player.name


def test_a_match_is_listed_with_its_state_and_score(page, hall):
    first, second = hall.pairing, hall.second_pairing
    assert "to be played" in row(page, first)
    hand_in(first, Keeper.LEFT, Game(Side.LEFT))
    hand_in(second, Keeper.RIGHT, FinalScore(1, 3))
    page.go(page.path)
    assert "playing" in row(page, first)
    assert '<b class="num">1</b>' in row(page, first)
    assert "reported" in row(page, second)
    assert f"reported by {name(second, 'right')}" in part(page, "urgent")
    assert "Match 2 · Semifinals to 3" in part(page, "urgent")


def test_the_desk_shows_the_number_that_a_waiting_phone_shows(page, hall):
    """Two phones that chose one name are told apart by it."""
    numbers = set()
    for _ in range(2):
        phone = Client()
        phone.post(reverse("poster", args=[hall.tournament.event.slug]), {"entry": hall.pairing.left_id})
        waiting = phone.get(reverse("poster-wait", args=[hall.tournament.event.slug])).content.decode()
        numbers.add(re.search(r"Tell the desk this number</dt><dd>(\d+)</dd>", waiting)[1])
    desk_page = part(page.go(page.path), "urgent")
    assert len(numbers) == 2
    assert all(f"number {number}" in desk_page for number in numbers)


def test_a_report_is_confirmed_by_one_tap(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(3, 2))
    page.go(page.path).press("Confirm")
    result = Result.objects.get()
    assert (result.winner_id, result.confirmed_by) == (hall.pairing.left_id, "desk")
    assert page.says(f"Posted: {name(hall.pairing)} 3–2 {name(hall.pairing, 'right')} ")
    assert name(hall.pairing) in part(page, "recent")


def test_an_outdated_report_is_not_confirmed(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(3, 2))
    page.go(page.path)
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(2, 3))
    page.press("Confirm")
    assert page.says("The score card has changed since you looked")
    assert not Result.objects.exists()


def test_a_result_in_a_few_keys_by_some_letters_of_a_name(page, hall):
    page.press("Enter the result", who=name(hall.pairing, "right"), own=3, other=1)
    result = Result.objects.get()
    assert (result.winner_id, result.left_points) == (hall.pairing.right_id, 1)
    assert page.says(f"Posted: {name(hall.pairing)} 1–3 {name(hall.pairing, 'right')} ")
    assert page.says("Look at it or take it back")


def test_a_result_by_the_number_of_the_match(page, hall):
    page.press("Enter the result", who="1", own=1, other=3)
    first = stories.pairings(hall.tournament).first()
    assert page.says("Choose the right result")
    assert not Result.objects.exists()
    assert page.press("1–3", nth=1).says(f"Posted: {name(first)} 3–1 {name(first, 'right')} ")


def test_the_result_of_a_player_with_several_open_matches_is_chosen(browser, owner):
    made = stories.released(owner, 4, format=Format(Kind.ROUND_ROBIN))
    page = browser.open("desk", *at(made))
    wanted = stories.playable(made)[0]
    own, other = name(wanted), name(wanted, "right")
    sent = {**page.fields("Enter the result"), "who": own, "own": 3, "other": 1}
    page.press("Enter the result", **sent)
    assert len(page.buttons("3–1")) == 3
    place = next(n for n, (_, button) in enumerate(page.buttons("3–1")) if f"3–1 {other} " in button.text)
    chosen = page.buttons("3–1")[place][1].value
    assert [page.fields("3–1")[field] for field in ("who", "own", "other")] == [own, "3", "1"]
    page.press("3–1", nth=place)
    assert list(Result.objects.values_list("pairing", "winner")) == [(wanted.pk, wanted.left_id)]
    assert "autofocus" in page.text.partition('name="who"')[2].partition(">")[0]
    assert f"Posted: {own} 3–1 {other} " in page.text.partition('id="quick"')[2].partition("</form>")[0]
    stale = page.client.post(page.path, {**sent, "key": uuid.uuid4(), "which": chosen})
    assert f"{own} – {other}: 3–1, posted by" in stale.content.decode()
    assert Result.objects.count() == 1, "no other match of the player gets it"


def test_a_result_that_cannot_be_is_refused_and_stays_typed(page, hall):
    for typed, sentence in (
        ({"who": "nobody"}, "No player with “nobody” in the name has an open match."),
        ({"who": " "}, "Type some letters of a player&#x27;s name"),
        ({"own": ""}, "Enter the points of both players as whole numbers."),
        ({"own": 2}, "Nobody has reached 3 yet. Check the score, or play on."),
    ):
        sent = {"who": name(hall.pairing), "own": 3, "other": 1, **typed}
        page.press("Enter the result", **sent)
        assert page.status == 422
        assert page.says(sentence)
        fields = page.fields("Enter the result")
        assert (fields["who"], fields["other"]) == (sent["who"], "1")
    assert not Result.objects.exists()
    with pytest.raises(Refused, match="Match 77 is not open"):
        find_matches(load_desk(hall.tournament).open_lines, "77")


def test_letters_that_fit_several_players_ask_for_more(browser, owner):
    made = stories.tournament(owner)
    for full_name in ("Anna Berg", "Bo Berg", "Zoë Ångström", "Anna"):
        registration.enter(made.pk, EntryDetails(PlayerDetails(full_name)), owner)
    draws.make(made.pk, draws.DrawPlan(), owner)
    draws.release(made.pk, owner)
    page = browser.open("desk", *at(made))
    page.press("Enter the result", who="berg", own=3, other=1)
    assert page.says("Several players fit:")
    assert page.press("Enter the result", who="anna").says("Posted: ")
    assert page.press("Enter the result", who="ÅNGSTRÖM", own=3, other=0).says("Zoë Ångström")


def test_enter_pressed_twice_posts_once_and_another_score_is_not_taken_for_the_same(page, hall):
    sent = {**page.fields("Enter the result"), "who": name(hall.pairing), "own": 3, "other": 1}
    for _ in range(2):
        assert page.client.post(page.path, sent).status_code == 302
    answer = page.client.post(page.path, {**sent, "own": 1, "other": 3}).content.decode()
    assert "This was already sent with other content." in answer
    assert sent["key"] not in answer
    assert Result.objects.get().winner_id == hall.pairing.left_id


def test_a_match_that_has_a_card_of_the_desk_is_finished_there(page, hall):
    row = NewRow(uuid.uuid4(), hall.pairing.match_id, Game(Side.LEFT))
    desk.enter_at_desk(stories.pairings(hall.tournament).get(pk=hall.pairing.pk), Keeper.DESK, row, hall.desk)
    page.press("Enter the result", who=name(hall.pairing), own=3, other=1)
    assert page.says("The desk already has a card of this match.")


def test_a_phone_is_approved_or_rejected_by_one_tap(page, hall):
    links.request_link(hall.pairing.left)
    links.request_link(hall.second_pairing.left)
    page.go(page.path).press("Approve")
    assert page.says(f"The phone of {name(hall.pairing)} has been approved.")
    page.press("Reject")
    assert "All clear" in part(page, "urgent")
    assert [link.is_open for link in hall.second_pairing.left.links.order_by("pk")] == [True, False]


def test_a_disagreement_shows_both_versions_and_the_note(page, hall):
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(3, 2))
    fresh = stories.pairings(hall.tournament).get(pk=hall.pairing.pk)
    disputes.open_dispute(fresh, Keeper.RIGHT, "It was 3–2 for me", Actor())
    page.go(page.path)
    assert "It was 3–2 for me" in part(page, "urgent")
    assert "<b>3</b>–<b>2</b>" in part(page, "urgent")


def test_a_late_card_is_a_question_that_one_tap_closes(page, hall):
    stories.play(hall.pairing, hall.desk)
    hand_in(hall.pairing, Keeper.RIGHT, FinalScore(1, 3))
    page.go(page.path)
    assert "final score 1–3" in part(page, "urgent")
    page.press("Keep the result")
    assert Question.objects.get().closed_by == hall.desk.user
    assert Result.objects.get().winner_id == hall.pairing.left_id


def test_the_live_part_is_sent_again_only_when_something_changed(page, hall):
    path = f"{page.path}fragment/"
    first = page.client.get(path)
    assert f'data-etag="{escape(first["ETag"])}"' in page.text
    again = page.client.get(path, headers={"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    links.request_link(hall.pairing.left)
    asked = page.client.get(path, headers={"if-none-match": first["ETag"]})
    assert asked.status_code == 200
    hand_in(hall.pairing, Keeper.LEFT, Game(Side.LEFT))
    changed = page.client.get(path, headers={"if-none-match": asked["ETag"]})
    assert changed.status_code == 200
    assert "csrfmiddlewaretoken" not in changed.content.decode()
    key = f'data-which="{hall.pairing.pk}:'
    assert key in changed.content.decode()
    hand_in(hall.pairing, Keeper.DESK, FinalScore(3, 1))
    assert key not in page.client.get(path).content.decode()


def test_the_live_part_has_the_same_parts_as_the_page_in_every_state(page, hall):
    """A script replaces them one by one, so that a filter or a result that is being typed stays."""
    before = re.findall('data-part="([^"]+)"(?! data-outside)', page.text)
    hand_in(hall.pairing, Keeper.LEFT, FinalScore(3, 2))
    after = re.findall('data-part="([^"]+)"', page.go(f"{page.path}fragment/?find=nobody").text)
    assert sorted(after) == sorted(before) == sorted(set(before))


def test_a_long_desk_shows_the_first_matches_and_finds_the_rest(page, hall, monkeypatch):
    here = page.path
    monkeypatch.setattr(desk_view, "AT_FIRST", 1)
    page.go(here)
    assert (row(page, hall.pairing) != "", row(page, hall.second_pairing), page.says("Show all 2")) == (
        True,
        "",
        True,
    )
    assert row(page.go(f"{here}?find={name(hall.second_pairing)}"), hall.second_pairing)
    assert row(page.go(f"{here}?columns=all"), hall.second_pairing)
    assert row(page.go(here), hall.second_pairing), "what was chosen is remembered"
    assert page.says("Show only the first")


def test_the_desk_warns_when_a_winner_advances_late_and_when_the_broker_is_gone(page, hall, monkeypatch):
    assert not page.says("Players advance with a delay")
    result = stories.post(hall.pairing, hall.desk)
    Result.objects.filter(pk=result.pk).update(posted_at=timezone.now() - timedelta(minutes=1))
    assert page.go(page.path).says("Players advance with a delay. All results are saved.")
    gone = redis.Redis(unix_socket_path="/nowhere/broker.sock", socket_connect_timeout=0.2, retry=None)
    monkeypatch.setattr(publish, "_server", gone)
    assert page.go(page.path).says("Players advance with a delay, because Redis does not answer.")


def test_before_the_release_the_desk_takes_no_results(browser, owner):
    made = stories.entered(owner, 2)
    assert browser.open("desk", *at(made)).says("There is no draw yet")
    assert not browser.has_button("Enter the result")
    draws.make(made.pk, draws.DrawPlan(), owner)
    assert browser.open("desk", *at(made)).says("The draw is ready, but not released")
    sent = {"key": uuid.uuid4(), "who": "1", "own": 3, "other": 1}
    assert "is not open" in browser.client.post(browser.path, sent).content.decode()
