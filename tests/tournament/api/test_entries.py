"""Entries over the API: one by one, as a pasted list, as a file; and paged lists."""

import io
import uuid

import pytest
from openpyxl import Workbook

from tests.tournament.api.openapi import PROBLEM, problem_of
from tournament.entries import registration
from tournament.models import Entry
from tournament.web.one_at_a_time import Work, one_at_a_time

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

LIST = "name;country\nΒασίλης;GRE\n;GER\nŁukasz;POL\n"
NIL = str(uuid.UUID(int=0))
NO_LISTS = {
    "noise": b"\x01\x02" * 5000,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(2000),
    "a folder that is none": b"PK\x03\x04" + bytes(range(256)) * 20,
    "a document": b"%PDF-1.7\n" + bytes(500),
    "nothing": b"",
    "blank lines": b"\n" * 3000,
    "nuls": bytes(9000),
    "one endless line": b"a" * 1_000_000,
    "more than five megabytes": b"Ana\n" * 1_300_000,
}


@pytest.fixture
def novice(owning, hall) -> str:
    """Where the entry list is still open."""
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Novice"}).json()
    return f"/tournaments/{made['id']}"


def workbook(*rows) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def test_a_player_is_entered_changed_and_removed(owning, novice):
    fields = {
        "name": "Şule",
        "country": "TUR",
        "club": "Boğaz",
        "team": "Martılar",
        "federation_id": "T-1",
        "rating": "1812.50",
        "seed": 1,
    }
    entry = owning.post(f"{novice}/entries/", fields).json()
    assert {name: entry[name] for name in fields} == fields
    changed = owning.put(
        f"/entries/{entry['id']}/", {**fields, "rating": None, "seed": 2, "is_paid": True}
    ).json()
    assert (changed["rating"], changed["seed"], changed["is_paid"]) == (None, 2, True)
    assert owning.get(f"/entries/{entry['id']}/").json() == changed
    same = owning.post(f"{novice}/entries/", {"name": "Şule", "is_new_person": True}).json()
    assert same["player"] not in (None, entry["player"])
    assert problem_of(owning.post(f"{novice}/entries/", {"name": "Eva", "player": NIL})) == (404, "not-found")
    assert owning.delete(f"/entries/{entry['id']}/").status_code == 204
    assert owning.get(f"/entries/{entry['id']}/").status_code == 404


def test_an_impossible_player_is_refused_with_the_field_named(owning, novice):
    for field, value in (
        ("name", " "), ("country", "GREECE"), ("rating", "NaN"), ("rating", "1e9"), ("rating", 10**9), ("seed", 0),
        ("seed", 1025), ("is_paid", "perhaps"), ("name", "\x00"), ("club", ["a"]),
    ):  # fmt: skip
        answer = owning.post(f"{novice}/entries/", {"name": "Ana", field: value})
        assert (field, value, answer.status_code) == (field, value, 400)
    assert not Entry.objects.filter(tournament_id=novice.split("/")[2]).exists()


def test_a_seed_is_unique(owning, novice):
    assert owning.post(f"{novice}/entries/", {"name": "Ana", "seed": 1}).status_code == 201
    answer = owning.post(f"{novice}/entries/", {"name": "Bo", "seed": 1})
    assert (answer.status_code, answer.json()["code"]) == (409, "seed-taken")


def test_imports_are_refused_after_the_draw(owning, hall):
    assert owning.post(f"{hall.here}/entries/", {"name": "Late"}).json()["code"] == "already-drawn"
    assert owning.post(f"{hall.here}/import/", {"text": "Late"}).json()["code"] == "already-drawn"
    assert owning.delete(f"/entries/{hall.pairing.left_id}/").json()["code"] == "already-drawn"


def test_payments_are_visible_to_organizers_only(owning, stranger, hall):
    assert {entry["is_paid"] for entry in owning.get(f"{hall.here}/entries/").json()["results"]} == {False}
    assert {entry["is_paid"] for entry in stranger.get(f"{hall.here}/entries/").json()["results"]} == {None}


def test_a_pasted_list_is_imported_like_its_preview(owning, novice):
    preview = owning.post(f"{novice}/import/", {"text": LIST}).json()
    assert [planned["name"] for planned in preview["added"]] == ["Βασίλης", "Łukasz"]
    assert preview["troubles"][0]["line"] == 3
    assert not Entry.objects.filter(tournament_id=novice.split("/")[2]).exists()
    stale = owning.put(f"{novice}/import/", {"text": "name\nBo", "digest": preview["digest"]})
    assert (stale.status_code, stale.json()["code"]) == (409, "preview-is-old")
    done = owning.put(f"{novice}/import/", {"text": LIST, "digest": preview["digest"]})
    assert done.json() == {"added": 2, "changed": 0, "unchanged": 0, "payments": []}
    assert len(owning.post(f"{novice}/import/", {"text": LIST}).json()["added"]) == 0


def test_a_list_records_payments_in_advance_once(owning, novice):
    owning.put(f"{novice}/fees/", {"fees": {"currency": "EUR", "entry": {"price": 20_00}}})
    body = {"text": "Name;Paid\nBo;20.50", "method": "cash"}
    preview, amount = owning.post(f"{novice}/import/", body).json(), {"minor": 20_50, "currency": "EUR"}
    assert [planned["payment"] for planned in preview["added"]] == [amount]
    body["digest"] = preview["digest"]
    assert owning.put(f"{novice}/import/", body).json()["payments"] == [amount]
    assert owning.put(f"{novice}/import/", body).status_code == 409
    more = {"text": "Name;Paid\nBo;30"}
    assert owning.post(f"{novice}/import/", more).json()["changed"] == []
    (changed,) = owning.post(f"{novice}/import/", {**more, "above_debt": True}).json()["changed"]
    change = changed["changes"]
    assert change == [{"field": "paid_amount", "before": "20.50 EUR", "after": "30.00 EUR"}]


@pytest.mark.parametrize(
    ("name", "content"),
    [("list.csv", LIST.encode("utf-8-sig")), ("../../é\".TXT", LIST.replace("\n", "\r\n").encode("utf-16")),
     ("list.xlsx", workbook(["Name", "Country"], ["Βασίλης", "GRE"], [None, "GER"], ["Łukasz", "POL"])),
     ],
)  # fmt: skip
def test_a_file_is_imported_like_its_preview(owning, novice, name, content):
    preview = owning.upload("POST", f"{novice}/import/", content, name).json()
    assert [planned["name"] for planned in preview["added"]] == ["Βασίλης", "Łukasz"]
    done = owning.upload("PUT", f"{novice}/import/", content, name, digest=preview["digest"])
    assert done.json() == {"added": 2, "changed": 0, "unchanged": 0, "payments": []}


def test_a_text_that_is_no_list_is_refused_with_one_problem(owning, novice):
    for what, content in NO_LISTS.items():
        answer = owning.upload("POST", f"{novice}/import/", content)
        assert (what, answer.status_code) == (what, 200)
        document = answer.json()
        assert document["added"] == []
        assert document["troubles"][0]["sentence"].endswith(".")
    answer = owning.upload("PUT", f"{novice}/import/", content, digest=document["digest"])
    assert answer.status_code == 409


@pytest.mark.parametrize("megabytes", [7, 12])
def test_a_file_that_is_too_long_is_not_read(owning, novice, megabytes):
    answer = owning.upload("POST", f"{novice}/import/", bytes(megabytes * 1024 * 1024))
    assert (answer.status_code, answer["Content-Type"]) == (413, PROBLEM)


def test_a_form_that_is_broken_is_a_problem_document(owning, novice):
    for kind in (
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=\u00ff",
    ):
        answer = owning.raw("POST", f"{novice}/import/", b"--x\r\nrubbish", content_type=kind)
        assert answer.status_code in (400, 409)
        assert answer["Content-Type"] == PROBLEM


def test_an_empty_paste_is_refused(owning, novice):
    for body in ({}, {"text": " \n"}, {"text": ""}):
        assert owning.post(f"{novice}/import/", body).json()["code"] == "list-is-empty"


def test_a_long_list_is_paged_without_repetitions(owning, novice):
    names = [f"Player {number:02}" for number in range(12)] + ["Same Name", "same name ", "Źrebak"]
    text = "Name;Club\n" + "\n".join(f"{name};{number}" for number, name in enumerate(names))
    digest = owning.post(f"{novice}/import/", {"text": text}).json()["digest"]
    assert owning.put(f"{novice}/import/", {"text": text, "digest": digest}).status_code == 200
    path, ids = f"{novice}/entries/?page_size=4", []
    while path:
        page = owning.get(path).json()
        ids += [entry["id"] for entry in page["results"]]
        path = page["next"]
    assert len(ids) == len(set(ids)) == Entry.objects.filter(tournament_id=novice.split("/")[2]).count()


def test_a_page_links_to_the_previous_one(owning, hall):
    path = f"/events/{hall.tournament.event.slug}/journal/?page_size=2"
    first = owning.get(path).json()
    second = owning.get(first["next"]).json()
    assert owning.get(second["previous"]).json()["results"] == first["results"]
    assert first["results"] != second["results"]


def test_a_page_has_no_more_than_five_hundred_lines(owning, hall):
    assert len(owning.get(f"{hall.here}/entries/?page_size=100000").json()["results"]) == 4
    assert len(owning.get(f"{hall.here}/entries/?page_size=-1").json()["results"]) == 4


def test_an_entry_that_no_draw_could_hold_is_refused_when_it_is_entered(owning, novice, monkeypatch):
    monkeypatch.setattr(registration, "MOST_ENTRIES", 2)
    assert owning.post(f"{novice}/entries/", {"name": "Ana"}).status_code == 201
    answer = owning.post(f"{novice}/import/", {"text": "Bo\nCleo"})
    assert (answer.status_code, answer.json()["code"]) == (409, "field-is-full")
    assert owning.post(f"{novice}/entries/", {"name": "Bo"}).status_code == 201
    answer = owning.post(f"{novice}/entries/", {"name": "Cleo"})
    assert (answer.status_code, answer.json()["code"]) == (409, "field-is-full")


@pytest.mark.parametrize("send", ["post", "put"])
def test_a_second_import_at_the_same_time_is_refused(owning, hall, novice, send):
    with one_at_a_time(hall.owner, Work.IMPORT):
        answer = getattr(owning, send)(f"{novice}/import/", {"text": LIST})
    assert (answer.status_code, answer.json()["code"]) == (409, "still-under-way")
