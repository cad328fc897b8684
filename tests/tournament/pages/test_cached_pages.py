"""Cached answers are identical for all readers."""

import pytest
from django.http import QueryDict
from django.test import Client

from deploy.shared_requests import INVALID_LINK, PARAMETERS
from tests.tournament.conftest import Hall
from tournament.models import Tournament, Visibility
from tournament.screens import display_links, plan
from tournament.web.conditional import LIVE_IDS, SHARED_WITH, Readers
from tournament.web.request import KEY_PARAMETER

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]

DELAYS = (0, None)


def pages(hall: Hall) -> list[str]:
    event = f"/e/{hall.tournament.event.slug}/"
    here = f"{event}{hall.tournament.slug}/"
    player, match = f"{here}players/{hall.pairing.left_id}/", f"{here}match/{hall.pairing.match_id}/"
    parts = (
        "",
        "print/",
        "standings/",
        "results/",
        "players/",
        "rules/",
        "draw-proof/",
        "results.csv",
        "bracket.svg",
    )
    return ["/", event, f"{event}find/", f"{event}join/", *(f"{here}{part}" for part in parts), player, match]


def live_parts(hall: Hall) -> list[str]:
    here = f"/e/{hall.tournament.event.slug}/{hall.tournament.slug}/"
    match = f"{here}match/{hall.pairing.match_id}/"
    _, token = display_links.create_display(hall.tournament.event, "Hall", plan.Plan(), hall.owner)
    return [f"{here}fragment/", f"{match}fragment/", f"{match}overlay/fragment/", f"/d/{token}/deck/"]


def signed_in(hall: Hall) -> Client:
    client = Client()
    client.force_login(hall.desk.user)
    return client


def phone(token: str) -> Client:
    client = Client()
    client.cookies["link"] = token
    return client


@pytest.mark.parametrize("delay", DELAYS)
def test_a_public_page_is_the_same_with_a_valid_and_an_invalid_link(hall, left_pen, delay):
    left_pen.game()
    Tournament.objects.update(score_delay=delay)
    for address in pages(hall):
        shared, own = (
            phone(INVALID_LINK).get(address),
            phone(hall.left).get(address),
        )
        assert LIVE_IDS in shared, address
        if shared[SHARED_WITH] != Readers.STRANGERS:
            assert own.content == shared.content, address
        assert shared["Cache-Control"] == "no-cache, private", address
        assert {"Cookie", "Accept-Language"} <= set(shared["Vary"].split(", ")), address


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.BY_LINK])
def test_a_page_that_shows_players_their_hidden_tournament_is_not_shared_with_them(hall, visibility):
    Tournament.objects.filter(pk=hall.tournament.pk).update(visibility=visibility)
    event = f"/e/{hall.tournament.event.slug}/"
    for address in (event, f"{event}fragment/"):
        stranger, player = Client().get(address), phone(hall.left).get(address)
        assert stranger[SHARED_WITH] == Readers.STRANGERS, address
        names = [hall.tournament.name in answer.content.decode() for answer in (stranger, player)]
        assert names == [False, True], address
    for address in ("/", f"{event}find/", f"{event}join/"):
        assert phone(hall.left).get(address).content == phone(INVALID_LINK).get(address).content, address


@pytest.mark.parametrize("delay", DELAYS)
def test_a_fragment_is_the_same_for_all_its_readers(hall, left_pen, delay):
    left_pen.game()
    Tournament.objects.update(score_delay=delay)
    for address in live_parts(hall):
        shared = Client().get(address)
        if shared[SHARED_WITH] == Readers.PLAYERS:
            assert phone(hall.left).get(address).content == shared.content, address
        if delay == 0:
            assert shared[SHARED_WITH] == Readers.PLAYERS, address


def test_players_see_their_own_delayed_score_at_once(hall, left_pen):
    left_pen.game()
    Tournament.objects.update(score_delay=None)
    for address in (*pages(hall)[-2:], live_parts(hall)[1]):
        assert Client().get(address)[SHARED_WITH] == Readers.STRANGERS, address
        assert phone(hall.left).get(address).content != Client().get(address).content, address


def test_shared_pages_have_an_etag_and_the_front_passes_on_every_parameter(hall, monkeypatch):
    read = set()

    def recording(method):
        def record(self, name, *rest):
            read.add(name)
            return method(self, name, *rest)

        return record

    for method in ("get", "getlist", "__getitem__", "__contains__"):
        monkeypatch.setattr(QueryDict, method, recording(getattr(QueryDict, method)))
    api = f"/api/v1/tournaments/{hall.tournament.pk}/"
    in_api = (f"{api}{part}" for part in ("", "entries/", "draws/", "brackets/main/", "results/"))
    in_api = (*in_api, f"{api}brackets/", f"{api}standings/", f"{api}jackpots/", "/api/v1/events/")
    for address in (*live_parts(hall), *in_api):
        Client().get(address, {"x": "1"})
    for address in pages(hall):
        etag = Client().get(address, {"x": "1"})["ETag"]
        again = Client().get(address, {"x": "1"}, headers={"If-None-Match": etag, "Accept-Encoding": "gzip"})
        assert (again.status_code, again["ETag"]) == (304, etag), address
    # Pages that need a key are not shared, so Django gets the whole request.
    assert read - {"x", KEY_PARAMETER} <= set(PARAMETERS)


def test_public_pages_with_a_session_are_not_cached_and_have_no_etag(hall):
    client = signed_in(hall)
    for address in pages(hall):
        answer = client.get(address)
        assert "ETag" not in answer, address
        cache_control = answer["Cache-Control"]
        assert "private" in cache_control, address
        assert "no-store" in cache_control or ".csv" in address or ".svg" in address, address
