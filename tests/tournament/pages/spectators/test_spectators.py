"""Pages for spectators: search for players, and followed players stored in a cookie."""

import socket
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.access import database_rows
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Call, Room, Table
from tournament.pages.spectators.following import MOST_FOLLOWED
from tournament.web import addresses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
TRICKY = '"><script>alert("x")</script>'


def event_page(client: Client) -> str:
    return client.get("/e/friday-night/").content.decode()


def press(client: Client, made, entry, action="follow", **more):
    return client.post(reverse("follow", args=[made.event.slug, made.slug, entry.pk, action]), **more)


def test_a_player_is_found_in_every_tournament_of_the_event_whatever_the_accents(hall):
    plan = setup.TournamentPlan("Novice", PRESETS["tournament"])
    second = setup.create_tournament(hall.tournament.event, plan, hall.owner)
    registration.change(hall.pairing.left, EntryDetails(PlayerDetails("Sören Lukasz")), hall.owner)
    registration.enter(second.pk, EntryDetails(PlayerDetails("Søren Łukasz")), hall.owner)
    page = Client().get("/e/friday-night/find/?find=soren LUKASZ").content.decode()
    assert page.count("<strong>") == 2
    assert "Novice" in page
    assert "Nobody of that name" in Client().get("/e/friday-night/find/?find=zzz").content.decode()


def test_followed_players_are_listed_first_with_their_next_match_and_table(hall):
    client, entry = Client(), hall.pairing.left
    assert "You follow" not in event_page(client)
    answer = press(
        client, hall.tournament, entry, headers={"referer": "http://testserver/e/friday-night/find/"}
    )
    assert answer["Location"] == "http://testserver/e/friday-night/find/"
    cookie = answer.cookies["followed"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    room = Room.objects.create(event=hall.tournament.event)
    table = Table.objects.create(room=room, name="Window", position=1)
    Call.objects.create(
        room=room, pairing=hall.pairing, match=hall.pairing.match, table=table, called_at=timezone.now()
    )
    page = event_page(client)
    for words in ("You follow", entry.player.name, hall.pairing.right.player.name, "Table Window", "called"):
        assert words in page
    assert str(room.pk) in page
    stories.play(hall.pairing, hall.owner, "right")
    fragment = client.get(reverse("followed", args=["friday-night"]))
    assert "Out: Semifinals" in fragment.content.decode()
    assert "You follow" in client.get("/e/friday-night/open/").content.decode()
    press(client, hall.tournament, entry, "unfollow")
    assert "You follow" not in event_page(client)


def test_a_cookie_that_was_tampered_with_shows_nothing_and_changes_nothing(hall):
    elsewhere = stories.drawn(stories.director(), 4)
    stranger = elsewhere.entries.first()
    before = database_rows.rows()
    for cookie in (
        "x", TRICKY, "." * 4000, "0" * 32, str(uuid.uuid4()), stranger.pk.hex, f"{'é' * 32}.{uuid.uuid4().hex}",
        ".".join(uuid.uuid4().hex for _ in range(200)),
    ):  # fmt: skip
        client = Client()
        client.cookies["followed"] = cookie
        page = event_page(client)
        assert "You follow" not in page
        assert "<script>alert" not in page
        assert client.get("/e/friday-night/followed/").status_code == 200
    assert database_rows.rows() == before


def test_the_number_of_followed_players_is_limited_and_unknown_players_are_refused(hall):
    client = Client()
    client.cookies["followed"] = ".".join(uuid.uuid4().hex for _ in range(MOST_FOLLOWED))
    followed = press(client, hall.tournament, hall.pairing.left).cookies["followed"].value.split(".")
    assert len(followed) == MOST_FOLLOWED
    assert followed[0] == hall.pairing.left.pk.hex
    missing = reverse("follow", args=["friday-night", "open", uuid.uuid4(), "follow"])
    assert client.post(missing).status_code == 404
    assert press(client, hall.tournament, hall.pairing.left, "adore").status_code == 404
    away = press(
        client, hall.tournament, hall.pairing.left, headers={"referer": "https://elsewhere.example/"}
    )
    assert away["Location"].startswith("/e/friday-night/")


def test_only_pages_of_this_site_can_follow_a_player(hall):
    """The page is the same for everybody, so it holds no secret of this browser; the browser says where it was."""
    page = Client().get(f"/e/friday-night/open/players/{hall.pairing.left_id}/").content.decode()
    assert "csrfmiddlewaretoken" not in page
    strict = Client(enforce_csrf_checks=True)
    for origin, status in (("http://testserver", 302), ("https://elsewhere.example", 403), ("null", 403)):
        answer = press(strict, hall.tournament, hall.pairing.left, headers={"origin": origin})
        assert (origin, answer.status_code) == (origin, status)
        assert ("followed" in answer.cookies) == (status == 302)
    assert press(strict, hall.tournament, hall.pairing.left).status_code == 403


def test_a_page_shared_on_this_computer_has_the_address_that_phones_reach(hall):
    with socket.create_server(("", 0)) as server:
        port = server.getsockname()[1]
        page = Client().get("/e/friday-night/open/", headers={"host": f"127.0.0.1:{port}"}).content.decode()
    reachable = addresses.network_addresses()
    host = reachable[0] if reachable else "127.0.0.1"
    assert f'data-url="http://{host}:{port}/e/friday-night/open/"' in page


def test_a_shared_page_has_a_title_and_a_description(hall):
    registration.change(hall.pairing.left, EntryDetails(PlayerDetails(TRICKY)), hall.owner)
    page = Client().get(f"/e/friday-night/open/players/{hall.pairing.left_id}/?find=x").content.decode()
    here = f"http://testserver/e/friday-night/open/players/{hall.pairing.left_id}/"
    assert f'<link rel="canonical" href="{here}">' in page
    assert f'property="og:url" content="{here}"' in page
    assert "<script>alert" not in page
    for path in ("", "open/", f"open/match/{hall.pairing.match_id}/"):
        assert "og:description" in Client().get(f"/e/friday-night/{path}").content.decode()
