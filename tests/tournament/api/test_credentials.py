"""Credentials of the API: tokens, personal links and cookies, their revocation and rate limits."""

import json
import socket
import uuid

import pytest
import redis
from django.test import Client

from matches.models import Card, CardRow
from tests.tournament.api.openapi import PROBLEM
from tests.tournament.conftest import API, Program
from tournament.accounts import links
from tournament.api.rate_limits import RequestThrottle
from tournament.models import ApiToken, PersonalLink
from tournament.runtime import rate_limiter
from tournament.runtime.rate_limiter import BrokerCounts, Limit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

LONG = 10**9
"""Seconds of a span that ends in no test."""
SIGN_IN = "django.contrib.auth.backends.ModelBackend"


def game(pairing):
    return {"key": str(uuid.uuid4()), "predecessor": str(pairing.match_id), "winner": "left"}


def sent(browser: Client, path: str, body, **headers):
    return browser.post(f"{API}{path}", json.dumps(body), content_type="application/json", headers=headers)


@pytest.fixture
def browser() -> Client:
    """Checks the CSRF token, as a real one is checked."""
    return Client(enforce_csrf_checks=True)


def csrf_of(browser: Client) -> str:
    """The token of a page that has a form for whoever asks."""
    browser.get("/sign-in/", follow=True)
    return browser.cookies["csrftoken"].value


def test_a_revoked_link_opens_nothing(left, hall):
    assert left.get("/me/").status_code == 200
    links.revoke(PersonalLink.objects.get(entry=hall.pairing.left), hall.owner)
    answer = left.get("/me/")
    assert (answer.status_code, answer["WWW-Authenticate"], answer["Content-Type"]) == (
        401,
        "Bearer",
        PROBLEM,
    )
    body = game(hall.pairing)
    assert left.post(f"{hall.match}/games/", body).status_code == 401
    assert not CardRow.objects.exists()


def test_a_revoked_token_opens_nothing(owning, hall):
    assert owning.get("/account/tokens/").status_code == 200
    token = ApiToken.objects.get(user=hall.owner.user)
    assert owning.delete(f"/account/tokens/{token.pk}/").status_code == 204
    assert owning.get("/account/tokens/").status_code == 401
    assert owning.get("/events/").status_code == 401


def test_a_deactivated_user_is_a_stranger(at_desk, hall):
    hall.desk.user.is_active = False
    hall.desk.user.save()
    assert at_desk.get(f"{hall.here}/questions/").status_code == 401


def test_an_unknown_token_opens_nothing(hall):
    for token in ("x", "x" * 5000, "é", "' OR 1=1", "Bearer x", "\x7f"):
        assert Program(token.encode().decode("latin-1")).get("/events/").status_code == 401, token


def test_only_the_digest_of_a_token_is_stored(hall, at_desk):
    browser = Client()
    browser.force_login(hall.owner.user, backend=SIGN_IN)
    token = sent(browser, "/account/tokens/", {"name": "scoreboard"}).json()["token"]
    link = at_desk.post(f"/entries/{hall.pairing.left_id}/links/").json()["token"]
    stored = str([*ApiToken.objects.values(), *PersonalLink.objects.values()])
    assert token not in stored
    assert link not in stored
    assert Program(token).get("/account/tokens/").status_code == 200


def test_a_waiting_phone_opens_nothing_until_it_is_approved(hall, at_desk):
    phone = Program(links.request_link(hall.pairing.left))
    assert phone.get("/me/").status_code == 401
    waiting = [
        phone for phone in at_desk.get(f"{hall.here}/phones/").json()["results"] if not phone["approved_at"]
    ]
    assert at_desk.post(f"/phones/{waiting[0]['id']}/approve/").status_code == 204
    assert phone.get("/me/").json()[0]["match"] == str(hall.pairing.match_id)
    assert at_desk.post(f"/phones/{waiting[0]['id']}/revoke/").status_code == 204
    assert phone.get("/me/").status_code == 401


def test_a_new_link_may_shut_out_the_old_ones(left, at_desk, hall):
    another = at_desk.post(f"/entries/{hall.pairing.left_id}/links/").json()["token"]
    assert left.get("/me/").status_code == Program(another).get("/me/").status_code == 200
    only = at_desk.put(f"/entries/{hall.pairing.left_id}/links/", {}).json()["token"]
    assert left.get("/me/").status_code == Program(another).get("/me/").status_code == 401
    assert Program(only).get("/me/").status_code == 200


def test_a_phone_with_two_links_shows_both_players_and_writes_for_either(hall):
    phone = Client()
    phone.cookies["link"] = f"{hall.elsewhere}.{hall.left}"
    matches = phone.get(f"{API}/me/").json()
    assert [line["match"] for line in matches] == [
        str(hall.second_pairing.match_id),
        str(hall.pairing.match_id),
    ]
    for pairing in (hall.pairing, hall.second_pairing):
        assert sent(phone, f"/matches/{pairing.match_id}/games/", game(pairing)).status_code == 201
    assert set(Card.objects.values_list("match_id", "keeper")) == {
        (hall.pairing.match_id, "left"),
        (hall.second_pairing.match_id, "left"),
    }


def test_a_cookie_changes_something_only_with_the_csrf_token(hall, browser):
    browser.cookies["link"] = hall.left
    path = f"{hall.match}/games/"
    assert browser.get(f"{API}/me/").status_code == 200
    refused = sent(browser, path, game(hall.pairing))
    assert (refused.status_code, refused["Content-Type"]) == (403, PROBLEM)
    assert not CardRow.objects.exists()
    token = csrf_of(browser)
    assert sent(browser, path, game(hall.pairing), **{"X-CSRFToken": token}).status_code == 201


def test_a_session_changes_something_only_with_the_csrf_token(hall, browser):
    browser.force_login(hall.owner.user, backend=SIGN_IN)
    assert browser.get(f"{API}/account/tokens/").status_code == 200
    assert sent(browser, "/account/tokens/", {"name": "x"}).status_code == 403
    assert ApiToken.objects.count() == 0
    token = csrf_of(browser)
    assert sent(browser, "/account/tokens/", {"name": "x"}, **{"X-CSRFToken": token}).status_code == 201


def test_a_director_who_plays_directs_and_writes_on_their_own_card_in_one_browser(hall):
    browser = Client()
    browser.force_login(hall.director.user, backend=SIGN_IN)
    browser.cookies["link"] = hall.left
    assert browser.get(f"{API}{hall.here}/questions/").status_code == 200
    assert sent(browser, f"{hall.match}/games/", game(hall.pairing)).status_code == 201
    assert Card.objects.get().keeper == "left"


def test_the_rate_limit_of_one_token_does_not_affect_another(hall, left, right, monkeypatch):
    monkeypatch.setattr(RequestThrottle, "all_requests", Limit("requests", 2, LONG))
    assert [left.get("/me/").status_code for _ in range(2)] == [200, 200]
    answer = left.get("/me/")
    assert (answer.status_code, answer["Content-Type"]) == (429, PROBLEM)
    assert 0 < int(answer["Retry-After"]) <= LONG
    assert answer["Retry-After"] in answer.json()["detail"]
    assert right.get("/me/").status_code == 200


def test_a_token_over_the_limit_of_changes_can_still_read(hall, left, monkeypatch):
    monkeypatch.setattr(RequestThrottle, "changes", Limit("changes", 1, LONG))
    assert left.post(f"{hall.match}/games/", game(hall.pairing)).status_code == 201
    assert left.post(f"{hall.match}/games/", game(hall.pairing)).status_code == 429
    assert left.get("/me/").status_code == 200
    assert CardRow.objects.count() == 1


def test_programs_without_a_token_are_counted_by_address_and_spectators_not_at_all(
    stranger, left, monkeypatch
):
    monkeypatch.setattr(RequestThrottle, "all_requests", Limit("requests", 1, LONG))
    assert [stranger.get("/events/").status_code for _ in range(2)] == [200, 429]
    assert stranger.get("/events/", REMOTE_ADDR="192.0.2.7").status_code == 200
    assert left.get("/me/").status_code == 200
    assert [stranger.client.get("/").status_code for _ in range(3)] == [200, 200, 200]


def test_wrong_tokens_are_limited_and_valid_ones_are_not(left, monkeypatch):
    monkeypatch.setattr("tournament.api.rate_limits.WRONG_TOKENS", Limit("wrong tokens", 2, LONG))
    assert [Program(f"guess-{number}").get("/me/").status_code for number in range(3)] == [401, 401, 429]
    assert left.get("/me/").status_code == 200


def test_without_the_broker_nothing_is_limited_and_only_the_first_request_waits_for_it(
    left, monkeypatch, settings
):
    monkeypatch.setattr(RequestThrottle, "all_requests", Limit("requests", 1, LONG))
    with socket.create_server(("127.0.0.1", 0), backlog=9) as silent_broker:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent_broker.getsockname()[1]}"
        monkeypatch.setattr(rate_limiter, "broker_counts", BrokerCounts(timeout_seconds=0.2))
        assert [left.get("/me/").status_code for _ in range(3)] == [200, 200, 200]
        silent_broker.accept()
        silent_broker.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent_broker.accept()


def test_keys_in_the_broker_name_no_client(stranger, monkeypatch, settings):
    name = f"asked {uuid.uuid4()}"
    monkeypatch.setattr(RequestThrottle, "all_requests", Limit(name, 1, LONG))
    assert stranger.get("/events/", REMOTE_ADDR="192.0.2.77").status_code == 200
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        [key] = broker.keys(f"{settings.REDIS_PREFIX}*{name}*")
    assert b"192.0.2.77" not in key
