"""Rubbish and strangers: always a problem document, never a fault of ours, nothing changed."""

import json
import uuid
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from matches.models import CardRow
from tests.tournament.conftest import API, Program
from tournament import links
from tournament.models import ApiToken, Event, JournalLine, PersonalLink

pytestmark = pytest.mark.django_db

PROBLEM = "application/problem+json"
RUBBISH = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"x"',
    b"12",
    b"\xff\xfe",
    b'{"key": {"a": [1]}}',
    b"[" * 2000,
    b'{"winner": 1e400}',
]


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_a_body_of_rubbish_is_a_problem_document(left, hall, rubbish):
    path = f"{API}{hall.match}/games/"
    answer = left.client.generic("POST", path, rubbish, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)
    assert not CardRow.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("cube", 2**70), ("cube", "x"), ("cube", None), ("cube", 1.5), ("winner", "nobody"), ("key", "1"),
     ("predecessor", None), ("checkers_left", -1), ("win", 3), ("ending", {}), ("supersedes", "x")],
)  # fmt: skip
def test_a_wrong_value_is_named(left, hall, field, value):
    body = {
        "key": str(uuid.uuid4()),
        "predecessor": str(hall.pairing.match_id),
        "winner": "left",
        field: value,
    }
    answer = left.post(f"{hall.match}/games/", body)
    assert answer.status_code == 400
    assert field in answer.json()["invalid"]


@pytest.mark.parametrize(
    "body",
    [{"name": "\x00", "starts_on": "2026-11-21"}, {"name": "", "starts_on": "2026-11-21"},
     {"name": "x" * 1000, "starts_on": "2026-11-21"}, {"name": "x", "starts_on": "yesterday"},
     {"name": "x", "starts_on": "2026-11-21", "time_zone": "Mars/Base"}],
)  # fmt: skip
def test_an_event_that_cannot_be_is_not_made(owning, body):
    before = Event.objects.count()
    assert owning.post("/events/", body).status_code == 400
    assert Event.objects.count() == before


def test_methods_media_types_and_places_that_are_not_there(left, hall):
    assert left.put(f"{hall.match}/games/", {}).status_code == 405
    assert left.get(f"{hall.match}/", headers={"Accept": "text/csv"}).status_code == 406
    path = f"{API}{hall.match}/games/"
    assert left.client.post(path, "a=1", content_type="application/x-www-form-urlencoded").status_code == 415
    for path in (f"/matches/{uuid.uuid4()}/", f"/pairings/{10**30}/award/", f"/tournaments/{uuid.uuid4()}/"):
        answer = left.get(path)
        assert answer.status_code in (404, 405)
    assert left.post(f"/pairings/{10**30}/award/", {"kind": "walkover"}).status_code == 404


def test_a_wrong_cursor_is_no_fault_of_ours(stranger):
    for cursor in ("x", "%00", "cD0y", "=" * 50):
        assert stranger.get(f"/events/?cursor={cursor}").status_code in (200, 404)


def test_a_players_phone_opens_nothing_of_another_player(left, elsewhere, hall):
    body = {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}
    for kind in ("games", "final", "strikes", "confirm", "disagree"):
        full = {**body, "left": 3, "right": 0, "supersedes": str(uuid.uuid4())}
        assert elsewhere.post(f"{hall.match}/{kind}/", full).status_code == 404
    assert elsewhere.get(f"{hall.match}/").json()["cards"] == []
    left.post(f"{hall.match}/games/", body)
    assert len(left.get(f"{hall.match}/").json()["cards"]) == 1


def test_a_hidden_draw_is_not_there_for_strangers(stranger, owning, hall):
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Novice"}).json()
    here = f"/tournaments/{made['id']}"
    owning.post(f"{here}/import/", {"text": "Ana\nBo"})
    for name in ("Ana", "Bo"):
        assert owning.post(f"{here}/entries/", {"name": name}).status_code == 201
    assert owning.post(f"{here}/draws/").status_code == 201
    for what in ("brackets/main", "standings", "results"):
        assert stranger.get(f"{here}/{what}/").status_code == 404
        assert owning.get(f"{here}/{what}/").status_code == 200
    assert stranger.get(f"{here}/draws/").json()["results"] == []
    assert owning.post(f"{here}/release/").status_code == 204
    assert stranger.get(f"{here}/brackets/main/").status_code == 200


def test_a_list_is_imported_as_its_preview_said(owning, hall):
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Novice"}).json()
    path = f"/tournaments/{made['id']}/import/"
    preview = owning.post(path, {"text": "name;country\nΒασίλης;GRE\n;GER\n"}).json()
    assert [planned["name"] for planned in preview["added"]] == ["Βασίλης"]
    assert preview["troubles"][0]["line"] == 3
    assert owning.put(path, {"text": "name\nBo", "digest": preview["digest"]}).status_code == 409
    done = owning.put(path, {"text": "name;country\nΒασίλης;GRE\n;GER\n", "digest": preview["digest"]})
    assert done.json() == {"added": 1, "changed": 0, "unchanged": 0}


def test_rubbish_for_a_list_is_one_clear_answer(owning, hall):
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Novice"}).json()
    answer = owning.post(f"/tournaments/{made['id']}/import/", {"text": "\x01\x02" * 5000})
    assert answer.status_code in (200, 400, 409)
    assert not answer.json().get("added")


def test_a_revoked_token_opens_nothing_from_that_moment(left, owning, hall):
    assert left.get("/me/").status_code == 200
    links.revoke(PersonalLink.objects.get(entry=hall.pairing.left), hall.owner)
    answer = left.get("/me/")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    links.revoke_api_token(ApiToken.objects.get(user=hall.owner.user))
    assert owning.get("/account/tokens/").status_code == 401


def test_only_the_digest_of_a_token_is_stored(owning):
    token = owning.post("/account/tokens/", {"name": "scoreboard"}).json()["token"]
    assert token not in json.dumps([str(list(row.values())) for row in ApiToken.objects.values()])
    assert Program(token).get("/account/tokens/").status_code == 200


def test_a_link_that_waits_for_the_desk_opens_nothing(hall):
    token = links.ask_for_link(hall.pairing.left)
    assert Program(token).get("/me/").status_code == 401
    links.approve(PersonalLink.objects.get(approved_at__isnull=True), hall.desk)
    assert Program(token).get("/me/").status_code == 200


def test_a_cookie_changes_something_only_with_the_csrf_token(hall):
    phone = Client(enforce_csrf_checks=True)
    phone.cookies["link"] = hall.left
    body = {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}
    path = f"{API}{hall.match}/games/"
    assert phone.get(f"{API}/me/").status_code == 200
    assert phone.post(path, json.dumps(body), content_type="application/json").status_code == 403
    assert not CardRow.objects.exists()


def test_too_many_requests_of_one_token_do_not_shut_out_another(hall, left, right, monkeypatch):
    monkeypatch.setattr("tournament.api.throttling.PerToken.rate", "2/min")
    assert [left.get("/me/").status_code for _ in range(3)] == [200, 200, 429]
    assert right.get("/me/").status_code == 200


def test_while_the_cache_is_away_everybody_is_let_through(left):
    away = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 0.2},
        }
    }
    with override_settings(CACHES=away):
        assert left.get("/me/").status_code == 200


def test_a_bracket_is_told_again_only_when_it_changed(stranger, left, hall):
    path = f"{hall.here}/brackets/main/"
    first = stranger.get(path)
    same = stranger.get(path, headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    body = {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}
    left.post(f"{hall.match}/games/", body)
    changed = stranger.get(path, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed.json()["rounds"][0]["pairings"][0]["left"]["points"] == 1


def test_lists_come_in_pages(owning, stranger, hall):
    slug = hall.tournament.event.slug
    first = owning.get(f"/events/{slug}/journal/?page_size=2").json()
    second = owning.get(first["next"]).json()
    assert len(first["results"]) == len(second["results"]) == 2
    assert JournalLine.objects.count() > 4
    assert stranger.get(f"/events/{slug}/journal/").status_code == 401


def test_the_document_describes_the_api_without_a_warning(tmp_path):
    file = tmp_path / "schema.yml"
    call_command("spectacular", "--api-version", "v1", "--validate", "--fail-on-warn", "--file", str(file))
    assert "/api/v1/matches/{match_id}/games/" in Path(file).read_text()


def test_the_document_is_served(stranger):
    answer = stranger.get("/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    assert answer.json()["info"]["title"]
