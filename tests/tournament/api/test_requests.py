"""Unreadable requests and missing resources are answered with a problem document and change nothing."""

import uuid
from wsgiref.util import setup_testing_defaults

import pytest

from deploy.wsgi import Utf8Request
from matches.models import CardRow
from tests.tournament.api.openapi import PROBLEM
from tests.tournament.conftest import API
from tournament.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

NOWHERE = "00000000-0000-4000-8000-000000000000"  # one id in every process: tests are shared out by name

JSON = "application/json"
MEGABYTE = 1024 * 1024
UNREADABLE = {
    "nothing": b"",
    "half a brace": b"{",
    "a list": b"[]",
    "null": b"null",
    "a text": b'"x"',
    "a number": b"12",
    "no UTF-8": b"\xff\xfe",
    "UTF-16": '{"winner": "left"}'.encode("utf-16"),
    "a field inside a field": b'{"key": {"a": [1]}}',
    "brackets without end": b"[" * 2000,
    "a body as deep as a well": b'{"winner": ' * 100_000 + b"1" + b"}" * 100_000,
    "a list without end": b'{"winner": [' + b"1," * 5000 + b"1]}",
    "a list of lists without end": b'{"winner": {"a": [[' + b"1," * 5000 + b"1]]}}",
    "fields without end": b"{" + b",".join(b'"%d": 1' % number for number in range(5001)) + b"}",
    "infinity": b'{"winner": 1e400}',
    "no number": b'{"cube": NaN}',
    "a number of 5000 digits": b'{"cube": ' + b"9" * 5000 + b"}",
    "a letter that is half": b'{"winner": "\\ud800"}',
    "a letter that is none": b'{"winner": "\\u0000"}',
    "a name that is half": b'{"\\udfff": 1}',
}


def row(hall, **body):
    return {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left", **body}


def test_a_body_that_cannot_be_read_is_a_problem_document(left, hall):
    for what, body in UNREADABLE.items():
        answer = left.raw("POST", f"{hall.match}/games/", body, content_type=JSON)
        assert (what, answer.status_code, answer["Content-Type"]) == (what, 400, PROBLEM)
    assert not CardRow.objects.exists()


@pytest.mark.parametrize("charset", ["zip", "hex", "utf-16", "undefined", "no such thing"])
def test_a_body_is_read_as_utf_8_with_any_declared_charset(charset):
    environ = {"CONTENT_TYPE": f"{JSON}; charset={charset}", "QUERY_STRING": "name=%C5%81"}
    setup_testing_defaults(environ)
    request = Utf8Request(environ)
    assert (request.encoding, request.GET["name"], request.content_type) == (None, "Ł", JSON)


def test_a_wrong_value_is_named(left, hall):
    for field, value in (
        ("cube", 2**70), ("cube", "x"), ("cube", None), ("cube", 1.5), ("winner", "nobody"), ("key", "1"),
        ("predecessor", None), ("checkers_left", -1), ("win", 3), ("ending", {}), ("supersedes", "x"),
    ):  # fmt: skip
        answer = left.post(f"{hall.match}/games/", row(hall, **{field: value}))
        assert (field, value, answer.status_code) == (field, value, 400)
        assert field in answer.json()["invalid"]


def test_an_event_that_cannot_be_is_not_made(owning):
    before = Event.objects.count()
    for body in (
        {"name": "\x00", "starts_on": "2026-11-21"}, {"name": "", "starts_on": "2026-11-21"},
        {"name": "x" * 1000, "starts_on": "2026-11-21"}, {"name": "x", "starts_on": "yesterday"},
        {"name": "x", "starts_on": "2026-11-21", "time_zone": "Mars/Base"},
    ):  # fmt: skip
        assert (body, owning.post("/events/", body).status_code) == (body, 400)
    assert Event.objects.count() == before


@pytest.mark.parametrize("megabytes", [7, 12])
def test_a_body_that_is_too_long_is_not_read(left, hall, megabytes):
    text = b'{"note": "' + b"x" * (megabytes * MEGABYTE) + b'"}'
    answer = left.raw("POST", f"{hall.match}/dispute/", text, content_type=JSON)
    assert (answer.status_code, answer["Content-Type"]) == (413, PROBLEM)


def test_an_unsupported_method_is_answered_with_the_supported_ones(left, hall):
    answer = left.put(f"{hall.match}/games/", {})
    assert (answer.status_code, answer["Content-Type"]) == (405, PROBLEM)
    assert "POST" in answer["Allow"]


def test_an_answer_comes_as_json_or_not_at_all(left, hall):
    answer = left.get(f"{hall.match}/", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer["Content-Type"]) == (406, PROBLEM)


def test_a_row_is_sent_as_json(left, hall):
    for kind in ("application/x-www-form-urlencoded", "text/xml", "multipart/form-data; boundary=x"):
        answer = left.raw("POST", f"{hall.match}/games/", "a=1", content_type=kind)
        assert (kind, answer.status_code, answer["Content-Type"]) == (kind, 415, PROBLEM)


def test_a_missing_resource_is_answered_with_a_problem_document(owning):
    for path in (
        f"/matches/{NOWHERE}/", f"/tournaments/{NOWHERE}/", "/events/never-was/", "/no/such/place/",
        "/matches/12/", "/rounds/x/", f"/pairings/{10**30}/award/",
    ):  # fmt: skip
        answer = owning.get(path) if "award" not in path else owning.post(path, {"kind": "walkover"})
        assert (path, answer.status_code, answer["Content-Type"]) == (path, 404, PROBLEM)


def test_an_address_without_its_last_slash_is_redirected(stranger):
    answer = stranger.client.get(f"{API}/events")
    assert (answer.status_code, answer["Location"]) == (301, f"{API}/events/")


def test_an_address_is_found_through_the_same_answer_whether_hidden_or_missing(stranger, owning, hall):
    slug = hall.tournament.event.slug
    made = owning.post(f"/events/{slug}/tournaments/", {"name": "Novice"}).json()
    hidden = stranger.get(f"/tournaments/{made['id']}/standings/")
    missing = stranger.get(f"/tournaments/{uuid.uuid4()}/standings/")
    assert (hidden.status_code, hidden.content) == (404, missing.content)


def test_invalid_headers_do_no_harm(stranger, hall):
    for name, value in (
        ("Accept", "*/*;q=x,,/"), ("Accept-Language", "\u00ff\u00ff,en;q=2;;"), ("If-None-Match", '"\u00e9,W/'),
        ("Authorization", "Basic \u00ff"), ("Cookie", "link=.....; sessionid=\u00ff"),
        ("Cookie", "link=" + "x." * 500), ("X-Forwarded-For", "\u00ff"), ("Referer", "//["), ("Range", "bytes=-"),
    ):  # fmt: skip
        answer = stranger.get(f"{hall.here}/brackets/main/", headers={name: value})
        assert answer.status_code in (200, 406), (name, value)
