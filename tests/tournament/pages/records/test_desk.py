"""Records at the desk: upload, differences as questions, the choice of the left player."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from matches.models import GameRecord
from tests.matches import files
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at, match
from tournament.models import Question
from tournament.records import checking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def page(at_desk, hall) -> Browser:
    return at_desk.open("desk-match", *match(hall.pairing))


def bring(page: Browser, data: bytes = files.CLEAN) -> Browser:
    return page.press("Upload the record", file=SimpleUploadedFile("final.mat", data))


def checked(page: Browser, data: bytes = files.CLEAN) -> Browser:
    bring(page, data)
    checking.check_record(GameRecord.objects.get().pk)
    return page.go(page.path)


def test_the_desk_uploads_a_record_and_sees_its_verdict(page):
    assert bring(page).says("being checked")
    assert GameRecord.objects.get().uploaded_by == "desk"
    checking.check_record(GameRecord.objects.get().pk)
    page.go(page.path)
    assert page.says("Checked move by move") or page.says("nothing breaks a rule")
    assert page.says("uploaded by the desk")


def test_a_file_that_cannot_be_stored_is_refused_with_a_sentence(page):
    assert bring(page, bytes(5 * 1024 * 1024 + 1)).says("larger than 5 MB")
    assert not GameRecord.objects.exists()


def test_a_difference_is_a_question_that_the_desk_can_close(page, at_desk, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    checked(page)
    assert page.says("In a game record of this match, the score is 3–0")
    assert page.says("but 3–1 was reported")
    at_desk.open("desk", *at(hall.tournament))
    assert at_desk.says("The score of a game record is")
    at_desk.press("Keep the result")
    assert Question.objects.get(kind="record").closed_at
    assert not at_desk.open("desk", *at(hall.tournament)).says("The score of a game record is")


def test_the_desk_sets_the_left_player_of_a_record(page, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 0))
    checked(page)
    assert page.says("By the score, <bdi>")
    page.press(hall.pairing.right.player.name)
    assert GameRecord.objects.get().left_player == "right"
    assert page.says("The desk set <bdi>")
    assert Question.objects.filter(kind="record", closed_at__isnull=True).exists()


def test_the_journal_describes_records_in_words(page, hall):
    checked(page)
    page.open("event-journal", hall.tournament.event.slug)
    assert page.says("uploaded a game record")
    assert page.says("checked a record")
