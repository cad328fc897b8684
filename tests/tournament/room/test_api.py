"""The room over the API: a program sets it up, calls, moves and takes back; a call made again changes nothing."""

import pytest

from tests.tournament import stories
from tests.tournament.conftest import Hall, Program
from tests.tournament.room.halls import no_table_is_taken
from tournament.accounts import links
from tournament.events import recycle_bin
from tournament.models import Call, Entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def here(hall: Hall) -> str:
    return f"/events/{hall.tournament.event.slug}"


@pytest.fixture
def monitor(hall: Hall) -> Program:
    return Program(links.make_api_token(hall.monitor.user, "radio"))


def test_the_api_calls_moves_and_undoes_calls(hall, here, directing, monitor):
    first, second, stream = directing.post(f"{here}/tables/", {"names": "1-2, Stream"}).json()
    directing.put(f"/tables/{stream['id']}/", {"name": "Stream", "note": "cameras", "is_reserved": True})
    called = monitor.post(f"{here}/calls/", {"pairing": hall.pairing.pk, "table": first["id"]})
    assert (called.status_code, called.json()["table_name"], called.json()["state"]) == (201, "1", "called")
    call = f"/calls/{called.json()['id']}"
    assert (
        monitor.post(f"{here}/calls/", {"pairing": hall.pairing.pk, "table": first["id"]}).json()
        == called.json()
    )
    assert monitor.post(f"{call}/second/").json()["text"].startswith("Second call for table 1: ")
    assert monitor.post(f"{call}/move/", {"table": second["id"]}).json()["table_name"] == "2"
    assert monitor.post(f"{call}/playing/").json()["state"] == "playing"
    match = monitor.get(f"{hall.match}/").json()
    assert (match["is_called"], match["table"]) == (True, "2")
    (made,) = monitor.post(f"{here}/room/next/").json()
    assert (made["table_name"], made["because"]) == ("1", "waits_longest")
    answer = monitor.get(f"{here}/room/").json()
    assert {table["name"]: bool(table["call"]) for table in answer["tables"]} == {
        "1": True,
        "2": True,
        "Stream": False,
    }
    assert answer["waiting"] == []
    for _ in range(2):
        assert monitor.post(f"{call}/take-back/").status_code == 204
    assert len(monitor.get(f"{here}/room/").json()["waiting"]) == 1


def test_the_api_limits_and_searches_waiting_matches(hall, here, monitor):
    def waiting(query: str) -> tuple[list[int], int]:
        room = monitor.get(f"{here}/room/{query}").json()
        return [match["pairing"] for match in room["waiting"]], room["waiting_in_all"]

    both = [hall.pairing.pk, hall.second_pairing.pk]
    for query in ("", "?most=2", "?most=rubbish", f"?most={'9' * 5000}"):
        assert waiting(query) == (both, 2), query
    assert waiting("?most=1") == waiting("?most=-7") == (both[:1], 2)
    assert waiting(f"?find={hall.second_pairing.left.name}") == (both[1:], 1)
    Entry.objects.filter(pk=hall.second_pairing.right_id).update(number=2)
    assert waiting(f"?find={hall.second_pairing.right.player.name} (2)") == (both[1:], 1)
    stories.begin(hall.pairing)
    room = monitor.get(f"{here}/room/?most=1").json()
    assert ([match["pairing"] for match in room["begun"]], room["begun_in_all"]) == (both[:1], 1)
    assert waiting("?most=1") == (both[1:], 1)


def test_no_match_of_a_deleted_tournament_is_pinned(hall, here, directing):
    (table,) = directing.post(f"{here}/tables/", {"names": "1"}).json()
    recycle_bin.delete_tournament(hall.tournament, hall.owner)
    pin = {"pairing": hall.pairing.pk, "reason": "Filmed"}
    assert directing.post(f"/tables/{table['id']}/pins/", pin).status_code == 404


def test_calling_a_finished_match_is_refused_with_a_sentence(hall, here, directing, monitor):
    (table,) = directing.post(f"{here}/tables/", {"names": "1"}).json()
    body = {"pairing": hall.pairing.pk, "table": table["id"]}
    call = f"/calls/{monitor.post(f'{here}/calls/', body).json()['id']}"
    stories.post(hall.pairing, hall.owner)
    for path, sent in ((f"{here}/calls/", body), (f"{call}/second/", {}), (f"{call}/move/", {"table": None})):
        answer = monitor.post(path, sent)
        assert (answer.status_code, answer.json()["code"]) == (409, "match-is-over")
        assert answer.json()["detail"].startswith("This match is over")
    assert no_table_is_taken()
    assert Call.objects.get().second_call_at is None


@pytest.mark.parametrize(
    "body", [{}, {"pairing": "first"}, {"pairing": 10**12}, {"pairing": 1, "table": "x"}, []]
)
def test_an_unreadable_call_is_a_bad_request(here, monitor, body):
    assert monitor.post(f"{here}/calls/", body).status_code == 400


def test_a_pin_names_a_player_or_a_pairing_of_this_event(hall, here, directing):
    (table,) = directing.post(f"{here}/tables/", {"names": "1"}).json()
    second_tournament = stories.released(stories.director(), 4)
    path = f"/tables/{table['id']}/pins/"
    player = hall.pairing.left.player_id
    assert directing.post(path, {}).status_code == 400
    assert directing.post(path, {"player": player, "pairing": hall.pairing.pk}).status_code == 400
    assert directing.post(path, {"player": second_tournament.entries.first().player_id}).status_code == 404
    pin = directing.post(path, {"player": player, "reason": "near the door"})
    assert (pin.status_code, pin.json()["player"]) == (201, str(player))
    assert directing.delete(f"/pins/{pin.json()['id']}/").status_code == 204
    closed = directing.put(f"/tables/{table['id']}/", {"name": "Door", "is_closed": True})
    assert (closed.json()["name"], closed.json()["is_closed"]) == ("Door", True)
    assert directing.delete(f"/tables/{table['id']}/").status_code == 204
