"""Records on the phone: upload with a plain form, verdict on the card's page and on the record's own page."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from matches.models import GameRecord
from tests.matches import files
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.models import Player
from tournament.records import checking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

MEGABYTE = 1024 * 1024


@pytest.fixture
def card(hall) -> Card:
    return Card(phone(hall.left), hall.pairing.match_id)


def bring(card: Card, data: bytes = files.CLEAN, name: str = "final.mat"):
    sent = {"file": SimpleUploadedFile(name, data)}
    return card.client.post(card.at("my-record"), sent, follow=True)


def checked(card: Card, data: bytes = files.CLEAN) -> GameRecord:
    bring(card, data)
    record = GameRecord.objects.get()
    checking.check_record(record.pk)
    return record


def text(answer) -> str:
    """The text of the page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_a_record_is_uploaded_with_a_plain_form_and_the_page_says_that_it_is_checked(card):
    assert "up to 5 MB" in card.text()
    answer = bring(card)
    assert answer.redirect_chain[-1][0].endswith("#records")
    assert "Record uploaded" in text(answer)
    assert "being checked" in text(answer)
    assert '<meta http-equiv="refresh" content="5">' in answer.content.decode()


@pytest.mark.parametrize("size", [5 * MEGABYTE + 1, 13 * MEGABYTE])
def test_a_record_that_is_too_large_is_refused_with_the_size_limit(card, size):
    answer = bring(card, bytes(size))
    assert answer.status_code == 409
    assert "larger than 5 MB" in text(answer)
    assert not GameRecord.objects.exists()


def test_a_form_without_a_file_says_what_to_do(card):
    answer = card.client.post(card.at("my-record"))
    assert answer.status_code == 422
    assert "Choose the file of the record first." in text(answer)


def test_the_card_page_shows_a_clean_record_and_both_scores(card, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    checked(card)
    content = text(card.page())
    assert "nothing breaks a rule" in content or "0 errors" in content
    assert "By the record" in content
    assert "The score of the record equals the reported score." in content


def test_the_card_page_shows_each_error_with_its_board(card):
    record = checked(card, files.WRONG)
    page = text(card.page())
    assert "error" in page
    for words in ("game 1", "move 10", "line 16 of the file", "rule MOVE"):
        assert words in page
    board = reverse("record-board", args=[record.pk, 1])
    assert f'src="{board}"' in card.text()
    picture = card.client.get(board)
    assert picture["Content-Type"] == "image/svg+xml"
    assert b"to play 5 and 2" in picture.content
    assert files.LEFT_COLUMN.encode() in picture.content
    assert "default-src 'none'" in picture["Content-Security-Policy"]
    assert card.client.get(reverse("record-board", args=[record.pk, 999])).status_code == 404


def test_players_see_a_difference_between_record_and_card(card, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    checked(card)
    assert "differs from the reported score" in text(card.page())


def test_matching_names_identify_the_players_of_a_record(card, hall):
    for entry, name in ((hall.pairing.left, "Ana Novák"), (hall.pairing.right, "Søren Holm")):
        Player.objects.filter(pk=entry.player_id).update(name=name)
    checked(card, files.named("SOREN", "ana"))
    content = card.text()
    assert "Ana Novák</bdi> <b>0</b>–<b>3</b> <bdi>Søren Holm" in content


def test_the_fragment_changes_with_the_verdict_and_not_before(card):
    bring(card)
    fragment = card.client.get(card.at("my-match-fragment"))
    again = {"headers": {"If-None-Match": fragment["ETag"]}}
    assert card.client.get(card.at("my-match-fragment"), **again).status_code == 304
    checking.check_record(GameRecord.objects.get().pk)
    assert card.client.get(card.at("my-match-fragment"), **again).status_code == 200


def test_a_record_has_its_own_live_page(card):
    bring(card)
    record = GameRecord.objects.get()
    waiting = card.client.get(reverse("record-page", args=[record.pk]))
    assert "The record is being checked" in text(waiting)
    fragment = card.client.get(reverse("record-fragment", args=[record.pk]))
    etag = {"headers": {"If-None-Match": fragment["ETag"]}}
    assert card.client.get(reverse("record-fragment", args=[record.pk]), **etag).status_code == 304
    checking.check_record(record.pk)
    fresh = card.client.get(reverse("record-fragment", args=[record.pk]), **etag)
    assert fresh.status_code == 200
    assert "Game by game" in text(fresh)
    assert record.sha256 in text(fresh)


def full_of_errors() -> bytes:
    rows = b"".join(
        b"%4d) 66: 24/18 24/18 13/7 13/7      66: 24/18 24/18 13/7 13/7\n" % row for row in range(3, 200)
    )
    return files.CLEAN.partition(b"  1)")[0] + b"  1) 66: 24/18 24/18 13/7 13/7      61: 13/7 8/7\n" + rows


def test_likely_consequences_of_an_error_are_folded_and_all_errors_shown_on_request(card):
    address = reverse("record-page", args=[checked(card, full_of_errors()).pk])
    own_page = card.client.get(address)
    assert own_page.content.count(b'id="problem-') < 30
    assert card.client.get(address, {"all": "1"}).content.count(b'id="problem-') > 100
    for page in (card.text(), own_page.content.decode()):
        unfolded, _, folded = page.partition('<details class="problems__more">')
        assert "cannot be" in unfolded
        assert "more in this game; most likely follow from it" in folded
        assert unfolded.count('id="problem-') < 4


def test_the_file_is_downloaded_unchanged(card):
    bring(card, files.HOSTILE["a page"], "Zoë.html")
    answer = card.client.get(reverse("record-file", args=[GameRecord.objects.get().pk]))
    assert answer.content == files.HOSTILE["a page"]
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''Zo%C3%AB.html"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_players_of_other_matches_and_strangers_cannot_see_a_record(card, hall):
    bring(card)
    address = reverse("record-page", args=[GameRecord.objects.get().pk])
    assert phone(hall.elsewhere).get(address).status_code == 404
    assert Client().get(address)["Location"].startswith("/sign-in/")
    assert phone(hall.right).get(address).status_code == 200


@pytest.mark.parametrize("what", ["a page", "a figure of 5000 digits", "half a record"])
def test_pages_show_files_that_are_no_records(card, what):
    record = checked(card, files.HOSTILE[what])
    for address in (card.address, reverse("record-page", args=[record.pk])):
        answer = card.client.get(address)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.content.decode()
