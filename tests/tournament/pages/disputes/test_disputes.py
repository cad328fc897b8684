"""Disputes without scripts: cards that differ, photos, and the ruling of the desk."""

import uuid
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from rules.score import Win
from tests.tournament.images import image_file
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.phone_clients import Card, fields, phone
from tests.tournament.queries.cards import Phone
from tournament.models import Evidence, Question, Result, Tournament
from tournament.results import disputes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
HOSTILE = "<script>alert('note')</script>"


@pytest.fixture
def mine(hall) -> Card:
    return Card(phone(hall.left), hall.pairing.match_id)


@pytest.fixture
def theirs(hall) -> Card:
    return Card(phone(hall.right), hall.pairing.match_id)


@pytest.fixture
def at_desk(hall) -> Browser:
    return Browser(hall.desk.user)


def picture(data: bytes | None = None, name: str = "board.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, image_file() if data is None else data)


def dispute(card: Card, note: str = "", **files):
    return card.client.post(card.at("my-dispute"), {"note": note, **files}, follow=True)


def look(at_desk: Browser, hall) -> Browser:
    return at_desk.open("desk-match", hall.tournament.event.slug, hall.tournament.slug, hall.pairing.pk)


def keep_two_cards(hall) -> None:
    Tournament.objects.filter(pk=hall.tournament.pk).update(two_cards=True)


def test_a_differing_game_is_copied_from_the_other_card_and_the_result_counts(hall, mine, theirs):
    keep_two_cards(hall)
    Phone(hall.pairing, Keeper.LEFT).game("left", win=Win.GAMMON)
    Phone(hall.pairing, Keeper.RIGHT).game("left")
    page = theirs.page()
    assert "Your cards differ" in page.content.decode()
    sent = fields(page, theirs.at("my-take-line"))
    for _ in range(2):
        answer = theirs.client.post(theirs.at("my-take-line"), sent, follow=True)
        assert answer.status_code == 200
    assert "Your cards differ" not in theirs.text()
    mine.game("left")
    assert mine.at("my-confirm") not in theirs.text()
    theirs.client.post(theirs.at("my-take-card"), fields(theirs.page(), theirs.at("my-take-card")))
    assert Result.objects.get().confirmed_by == "right"


def test_a_missing_game_is_inserted_undone_and_removed_from_the_other_card(hall, mine, theirs):
    keep_two_cards(hall)
    left, right = Phone(hall.pairing, Keeper.LEFT), Phone(hall.pairing, Keeper.RIGHT)
    for winner in ("left", "right", "left"):
        left.game(winner)
    for winner in ("left", "left"):
        right.game(winner)
    page = theirs.page()
    assert "missing on your card" in page.content.decode()
    assert "Add this game to my card" in page.content.decode()
    theirs.client.post(theirs.at("my-take-line"), fields(page, theirs.at("my-take-line")))
    page = theirs.page()
    assert "Your cards differ" not in page.content.decode()
    for _ in range(2):
        answer = theirs.client.post(theirs.at("my-take-undo"), fields(page, theirs.at("my-take-undo")))
        assert answer.status_code == 302
    assert theirs.at("my-take-undo") not in theirs.text()
    page = mine.page()
    assert "missing on their card" in page.content.decode()
    mine.client.post(mine.at("my-take-line"), fields(page, mine.at("my-take-line")))
    assert "Your cards differ" not in mine.text()
    mine.game("left")
    assert mine.at("my-take-undo") not in mine.text()


def test_with_two_cards_each_player_writes_one(hall, theirs):
    Phone(hall.pairing, Keeper.LEFT).game("left", win=Win.GAMMON)
    assert "keeps the score card" in theirs.text()
    keep_two_cards(hall)
    page = theirs.text()
    assert "keeps the score card" not in page
    assert "Keep a card of my own" not in page
    assert '<b class="side__points">2</b>' not in page


def test_a_dispute_reaches_the_desk_and_the_ruling_reaches_the_phones(hall, mine, theirs, at_desk):
    Phone(hall.pairing, Keeper.LEFT).game("left")
    answer = dispute(theirs, HOSTILE, photo=picture())
    assert "The desk has been informed" in answer.content.decode()
    for card in (mine, theirs):
        page = card.text()
        assert "The desk decides this match" in page
        assert HOSTILE not in page
        assert HOSTILE in unescape(page)
        assert card.at("my-row") in page
    assert mine.at("my-dispute-end") not in mine.text()
    mine.client.post(mine.at("my-photo"), {"photo": picture(image_file(size=(40, 40)))})
    at_desk.open("desk", hall.tournament.event.slug, hall.tournament.slug)
    assert "row--disputed" in at_desk.text
    look(at_desk, hall)
    assert at_desk.text.count("/evidence/") == 4
    assert HOSTILE not in at_desk.text
    assert at_desk.says("Journal of this match")
    assert "CRAW-1" in at_desk.text
    at_desk.press("Decide", decision="score", left=3, right=1, ruling="<b>Seen</b> by two", rule="CARD-4")
    assert Result.objects.get().left_points == 3
    for card, score in ((mine, "3–1"), (theirs, "1–3")):
        page = card.text()
        assert f"The result is {score}." in page
        assert "&lt;b&gt;Seen&lt;/b&gt; by two" in page
        assert "CARD-4" in page
        assert "<bdi>desk</bdi>" in page
    slugs = [hall.tournament.event.slug, hall.tournament.slug]
    public = Client().get(reverse("match-page", args=[*slugs, hall.pairing.match_id])).content.decode()
    assert "decided by the desk" in public
    assert "by two" not in public
    assert "alert" not in public
    again = look(at_desk, hall)
    assert again.says("Decided by the desk")
    assert "/evidence/" in again.text


def test_a_ruling_without_a_text_gives_the_players_the_decision(hall, mine, at_desk):
    folded = "Enter a result without a ruling"
    assert not look(at_desk, hall).says(folded)
    Phone(hall.pairing, Keeper.LEFT).game("left")
    dispute(mine, "Look")
    assert look(at_desk, hall).says(folded)
    assert at_desk.says("Enter a no-show")
    at_desk.press("Enter the final score", left=9, right=9)
    assert at_desk.status == 422
    assert not at_desk.says(folded)
    look(at_desk, hall).press("Decide", decision="score", left=3, right=1)
    assert at_desk.status == 200
    assert "The desk decides that the score is 3–1." in mine.text()
    assert "This card does not count. The final result is 3–1." in mine.text()


def test_a_refused_ruling_keeps_the_typed_values(hall, mine, at_desk):
    dispute(mine, "Look")
    look(at_desk, hall).press("Decide", decision="score", left=3, right=3, ruling="Both won")
    assert at_desk.status == 422
    assert at_desk.fields("Decide")["ruling"].strip() == "Both won"
    assert '<option value="CARD-4">' in at_desk.text
    at_desk.press("Decide", left="", right="")
    assert at_desk.says("Enter the points of both players as whole numbers.")
    assert at_desk.text.count(" autofocus") == 2
    at_desk.press("Decide", ruling="They play on from 0–0", decision="play_on", left="", right="")
    assert at_desk.says("They play on from 0–0")
    assert mine.at("my-row") in mine.text()


def test_a_repeated_or_outdated_ruling_is_refused(hall, mine, theirs, at_desk):
    mine.final(3, 1)
    dispute(theirs)
    second_desk = Browser(hall.owner.user)
    look(at_desk, hall)
    look(second_desk, hall)
    mine.undo()
    mine.final(3, 2)
    at_desk.press("Decide", decision="card:left", ruling="The left card")
    assert at_desk.says("The score card has changed since you looked")
    at_desk.press("Decide", decision="card:left", ruling="The left card")
    second_desk.press("Decide", decision="card:left", ruling="The left card too")
    assert second_desk.says("There is nothing to decide in this match.")
    assert (Result.objects.count(), Question.objects.get().ruling) == (1, "The left card")


def test_a_dispute_is_withdrawn_on_the_phone(hall, mine, theirs):
    dispute(mine, "Wait")
    end = mine.at("my-dispute-end")
    assert end not in theirs.text()
    assert theirs.client.post(end).status_code == 409
    assert mine.client.post(end, follow=True).status_code == 200
    assert "The desk decides this match" not in theirs.text()
    assert mine.client.post(end).status_code == 409


@pytest.mark.parametrize(
    ("photo", "sentence"),
    [
        (picture(b"GIF89a" + b"\0" * 50), "not a picture that can be read"),
        (picture(b"\xff\xd8\xff" + b"\0" * (50 * 1024 * 1024)), "larger than 12 MB"),
    ],
    ids=["not a picture", "50 MB"],
)
def test_a_file_that_is_no_photo_is_refused_and_the_note_stays(mine, photo, sentence):
    answer = mine.client.post(mine.at("my-dispute"), {"note": "The cube was at 4", "photo": photo})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert "The cube was at 4</textarea>" in page
    assert not Question.objects.exists()


def test_a_photo_is_shown_to_the_desk_and_both_players_and_runs_no_code(hall, mine, theirs):
    dispute(mine, "", photo=picture())
    address = reverse("evidence", args=[Evidence.objects.get().pk])
    desk = Browser(hall.desk.user).client
    for client in (mine.client, theirs.client, desk):
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in answer["Content-Security-Policy"]
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert {"no-store", "private"} <= set(answer["Cache-Control"].replace(" ", "").split(","))
        assert answer.content == bytes(Evidence.objects.get().photo)
    assert phone(hall.elsewhere).get(address).status_code == 404
    assert Client().get(address).status_code == 302
    assert mine.client.get(reverse("evidence", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize(
    "name", ["my-dispute", "my-photo", "my-dispute-end", "my-take-card", "my-take-line", "my-take-undo"]
)
def test_only_the_players_of_a_match_dispute_it(hall, name):
    card = Card(phone(hall.elsewhere), hall.pairing.match_id)
    sent = {"note": "mine now", "photo": picture(), "mine": uuid.uuid4(), "theirs": uuid.uuid4()}
    assert card.client.post(card.at(name), sent).status_code == 404
    assert not Question.objects.exists()


def test_after_posting_a_player_is_sent_to_the_desk(hall, mine, theirs):
    mine.final(3, 0)
    theirs.confirm()
    answer = mine.client.post(mine.at("my-dispute"), {"note": "but"})
    assert answer.status_code == 409
    assert "Ask the desk" in answer.content.decode()
    assert mine.at("my-dispute") not in mine.text()
    assert not Question.objects.exists()


@pytest.mark.parametrize("rubbish", [{"mine": "x", "theirs": "y"}, {"mine": "", "line": "\x00"}])
def test_invalid_form_values_are_answered_with_the_card(hall, mine, rubbish):
    Phone(hall.pairing, Keeper.LEFT).game("left")
    for name in ("my-take-card", "my-take-line", "my-take-undo", "my-photo"):
        answer = mine.client.post(mine.at(name), rubbish)
        assert (answer.status_code, "Who won game 2?" in answer.content.decode()) == (422, True)
    assert mine.client.post(mine.at("my-dispute"), {"note": "x" * 501}).status_code == 422


def test_the_number_of_photos_per_side_is_limited(hall, mine):
    dispute(mine, "", photo=picture())
    for width in range(41, 41 + disputes.MOST_PHOTOS):
        answer = mine.client.post(mine.at("my-photo"), {"photo": picture(image_file(size=(width, 30)))})
    assert answer.status_code == 409
    assert "which is the limit" in answer.content.decode()
    assert Evidence.objects.filter(uploaded_by=Keeper.LEFT.value).count() == disputes.MOST_PHOTOS


def test_the_desk_sees_that_two_complete_cards_wait_for_each_other(hall, mine, theirs, at_desk):
    keep_two_cards(hall)
    mine.final(3, 0)
    desk = at_desk.open("desk", hall.tournament.event.slug, hall.tournament.slug)
    assert not desk.says("the cards differ")
    theirs.final(1, 3)
    desk.open("desk", hall.tournament.event.slug, hall.tournament.slug)
    assert desk.says("the cards differ")
    rules = reverse("rules-page", args=[hall.tournament.event.slug, hall.tournament.slug])
    assert "CARD-4" in Client().get(rules).content.decode()
