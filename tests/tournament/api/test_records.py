"""Records over the API: upload, verdict and unchanged download."""

import hashlib

import pytest

from matches.models import GameRecord
from tests.matches import files
from tests.tournament import stories
from tests.tournament.api.openapi import PROBLEM
from tests.tournament.conftest import API
from tournament.records import checking

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

MEGABYTE = 1024 * 1024


def bring(program, hall, data: bytes = files.CLEAN, name: str = "final.mat"):
    return program.upload("POST", f"{hall.match}/records/", data, name)


def checked(answer) -> dict:
    checking.check_record(answer.json()["id"])
    return answer.json()


def test_a_player_uploads_a_record_and_reads_that_it_waits(left, hall):
    answer = bring(left, hall)
    document = answer.json()
    assert answer.status_code == 201
    assert (document["state"], document["brought_by"], document["name"]) == ("waiting", "left", "final.mat")
    assert (document["size"], document["sha256"]) == (
        len(files.CLEAN),
        hashlib.sha256(files.CLEAN).hexdigest(),
    )
    assert (document["score"], document["problems"]) == (None, [])


def test_the_same_file_from_the_other_player_is_the_same_record(left, right, hall):
    first, second = bring(left, hall), bring(right, hall, name="mine.mat")
    assert second.status_code == 200
    assert second.json() == first.json()


def test_a_record_is_downloaded_unchanged_and_never_opened_in_a_browser(left, at_desk, hall):
    data = files.HOSTILE["a page"]
    record = bring(left, hall, data, "Zoë <b>.html").json()
    for program in (left, at_desk):
        answer = program.get(f"/records/{record['id']}/file/")
        assert answer.content == data
        assert answer["Content-Type"] == "application/octet-stream"
        assert answer["Content-Disposition"].startswith("attachment; filename")
        assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_forbidden_download_is_answered_with_a_problem_document(left, stranger, hall):
    record = bring(left, hall).json()
    answer = stranger.get(f"/records/{record['id']}/file/", headers={"Accept": "application/octet-stream"})
    assert (answer.status_code, answer["Content-Type"]) == (401, PROBLEM)


def test_a_verdict_lists_every_problem_and_both_scores(left, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    record = checked(bring(left, hall, files.WRONG))
    verdict = left.get(f"/records/{record['id']}/").json()
    assert verdict["state"] == "checked"
    assert verdict["found"]["error"] >= 1
    assert len(verdict["problems"]) == sum(verdict["found"].values())
    illegal = next(problem for problem in verdict["problems"] if problem["severity"] == "error")
    assert (illegal["game"], illegal["move"], illegal["line"]) == (1, 10, 16)
    assert not illegal["follows"]
    later = [
        problem for problem in verdict["problems"] if problem["severity"] == "error" and problem["game"] == 1
    ][1:]
    assert later
    assert all(problem["follows"] for problem in later)
    score = verdict["score"]
    assert (score["reported_left"], score["reported_right"], score["agrees"]) == (3, 1, False)


def test_all_records_of_a_match_are_listed_for_its_players_and_the_desk(
    left, right, at_desk, elsewhere, hall
):
    record_ids = [bring(left, hall).json()["id"], bring(right, hall, files.WRONG).json()["id"]]
    for program in (left, right, at_desk):
        listed = program.get(f"{hall.match}/records/").json()
        assert [record["id"] for record in listed["results"]] == record_ids
    assert elsewhere.get(f"{hall.match}/records/").status_code == 404
    assert elsewhere.get(f"/records/{record_ids[0]}/").status_code == 404


def test_the_desk_sets_the_left_player_of_a_record(left, at_desk, hall):
    record = checked(bring(left, hall))
    assert left.put(f"/records/{record['id']}/left/", {"side": "right"}).status_code == 403
    score = at_desk.put(f"/records/{record['id']}/left/", {"side": "right"}).json()["score"]
    assert (score["left"], score["right"], score["left_player"], score["known_by"]) == (0, 3, "right", "desk")


@pytest.mark.parametrize("size", [5 * MEGABYTE + 1, 13 * MEGABYTE])
def test_a_file_of_more_than_five_megabytes_is_refused_with_the_limit(left, hall, size):
    answer = bring(left, hall, bytes(size))
    assert answer.status_code in (409, 413)
    assert "5 MB" in answer.json()["detail"]
    assert not GameRecord.objects.exists()


def test_an_empty_file_is_refused_in_a_sentence(left, hall):
    answer = bring(left, hall, b"")
    assert (answer.status_code, answer.json()["code"]) == (409, "record-is-empty")


def test_a_form_without_a_file_is_refused(left, hall):
    answer = left.raw("POST", f"{hall.match}/records/", b"", content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 400


@pytest.mark.parametrize("what", ["a page", "an archive", "half a record", "deep JSON"])
def test_every_uploaded_file_is_stored_and_has_a_verdict(left, hall, what):
    record = checked(bring(left, hall, files.HOSTILE[what], f"{what}.mat"))
    assert left.get(f"/records/{record['id']}/").json()["state"] in ("checked", "unreadable", "too_much")
    assert left.get(f"/records/{record['id']}/file/").content == files.HOSTILE[what]
    assert left.client.get(f"{API}{hall.match}/").status_code == 200
