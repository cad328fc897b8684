"""Stake play over the API: settings, the end of sessions and refusals."""

import uuid

import pytest

from tests.tournament import stories
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.brackets.lengths import StakePlay
from tournament.draw.formats import Kind
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def tournaments(hall) -> str:
    return f"/events/{hall.tournament.event.slug}/tournaments/"


@pytest.fixture
def timed(owning, tournaments, hall) -> Tournament:
    """Two entries, an hour each session, drawn and released."""
    body = {"name": "Money", "minutes": 60, "format": {"kind": "round_robin"}}
    made = Tournament.objects.get(pk=owning.post(tournaments, body).json()["id"])
    stories.draw_and_release(made, hall.owner, 2)
    return made


def row(predecessor, **more):
    return {"key": str(uuid.uuid4()), "predecessor": str(predecessor), **more}


def test_a_tournament_stores_its_sessions_and_returns_them(owning, tournaments):
    made = owning.post(tournaments, {"name": "Money", "games": 5, "format": {"kind": "round_robin"}}).json()
    assert (made["games"], made["minutes"]) == (5, None)
    assert made["format"]["standings"]["tie_breaks"][0] == "points_difference"
    here = f"/tournaments/{made['id']}/"
    stored = owning.put(here, {"name": "Cash"}).json()
    assert (stored["name"], stored["games"], stored["format"]) == ("Cash", 5, made["format"])
    assert owning.put(here, {"name": "Cash", "minutes": 90}).json()["minutes"] == 90
    again = owning.put(here, {"name": "Cash", "games": None, "minutes": None}).json()
    assert (again["games"], again["minutes"]) == (None, None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"games": 0}, 400),
        ({"games": 100}, 400),
        ({"minutes": 1441}, 400),
        ({"games": 5, "minutes": 60}, 409),
    ],
)
def test_impossible_sessions_are_refused(owning, tournaments, body, status):
    assert owning.post(tournaments, {"name": "Money", **body}).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"games": 0},
        {"games": 100},
        {"length": 7, "games": 5},
        {"games": 5, "minutes": 60},
        {"length": None},
    ],
)
def test_a_round_is_not_played_to_two_things_or_to_none(owning, timed, body):
    assert owning.put(f"/rounds/{stories.pairings(timed)[0].round_id}/", body).status_code == 400


def test_a_round_changes_to_a_number_of_games(owning, timed):
    pairing = stories.pairings(timed)[0]
    assert owning.put(f"/rounds/{pairing.round_id}/", {"games": 3}).status_code == 204
    document = owning.get(f"/matches/{pairing.match_id}/").json()
    assert (document["length"], document["games"]) == (None, 3)
    stage = owning.get(f"/tournaments/{timed.pk}/brackets/main/").json()["rounds"][0]
    assert (stage["length"], stage["games"], stage["minutes"]) == (None, 3, None)
    assert stage["pairings"][0]["games"] == 3


def test_a_player_stops_a_session_and_takes_it_back(timed, hall):
    pairing = stories.playable(timed)[0]
    player = Program(links.make_link(pairing.left, hall.owner))
    match = f"/matches/{pairing.match_id}"
    game = player.post(f"{match}/games/", row(pairing.match_id, winner="left")).json()["row"]
    written = player.post(f"{match}/stop/", row(game["key"]))
    assert written.status_code == 201
    assert (written.json()["row"]["kind"], written.json()["row"]["games"]) == ("stop", 1)
    assert written.json()["card"]["winner"] == "left"
    stop = written.json()["row"]["key"]
    assert player.post(f"{match}/stop/", row(stop)).status_code == 422
    assert player.post(f"{match}/strikes/", row(stop, supersedes=stop)).status_code == 201
    assert player.get(f"{match}/").json()["state"] == "open"


def test_the_desk_stops_a_card_and_a_director_a_round(at_desk, owning, timed):
    pairing = stories.playable(timed)[0]
    card = f"/matches/{pairing.match_id}/cards/left"
    here = f"/rounds/{pairing.round_id}/stop/"
    assert owning.post(here).json() == {"stopped": 0, "not_begun": 1}
    game = at_desk.post(f"{card}/games/", row(pairing.match_id, winner="right")).json()["row"]
    assert owning.post(here).json() == {"stopped": 1, "not_begun": 0}
    document = owning.get(f"/matches/{pairing.match_id}/").json()
    assert (document["state"], document["winner"]) == ("reported", "right")
    assert at_desk.post(f"{card}/stop/", row(game["key"])).status_code == 409


def test_a_match_to_a_length_is_not_stopped(at_desk, owning, hall):
    refused = at_desk.post(f"{hall.match}/cards/left/stop/", row(hall.pairing.match_id))
    assert (refused.status_code, refused.json()["code"]) == (422, "stop_in_match")
    stopped = owning.post(f"/rounds/{hall.pairing.round_id}/stop/")
    assert (stopped.status_code, stopped.json()["code"]) == (409, "no-time-to-stop")


def test_a_session_of_games_is_public(stranger, hall):
    made = stories.tournament(
        hall.owner, stake=StakePlay(games=2), format=stories.Format(kind=Kind.ROUND_ROBIN)
    )
    stories.draw_and_release(made, hall.owner, 2)
    pairing = stories.pairings(made)[0]
    assert stranger.get(f"/matches/{pairing.match_id}/").json()["games"] == 2
