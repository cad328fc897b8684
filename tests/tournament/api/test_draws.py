"""Draws, brackets, standings and results over the API: hidden until released, sent again only after a change."""

import uuid

import pytest

from tests.tournament import stories
from tournament.brackets import advancing

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def novice(owning, hall) -> str:
    """Two entries, not drawn yet."""
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Novice"}).json()
    for name in ("Ana", "Bo"):
        assert owning.post(f"/tournaments/{made['id']}/entries/", {"name": name}).status_code == 201
    return f"/tournaments/{made['id']}"


def game(hall):
    return {"key": str(uuid.uuid4()), "predecessor": str(hall.pairing.match_id), "winner": "left"}


def test_strangers_do_not_find_a_hidden_draw(stranger, left, owning, at_desk, novice):
    assert owning.post(f"{novice}/draws/").status_code == 201
    for what in ("brackets/main", "standings", "results"):
        assert (
            stranger.get(f"{novice}/{what}/").status_code == left.get(f"{novice}/{what}/").status_code == 404
        )
        assert at_desk.get(f"{novice}/{what}/").status_code == 200
    assert stranger.get(f"{novice}/draws/").json()["results"] == []
    assert len(owning.get(f"{novice}/draws/").json()["results"]) == 1
    document = stranger.get(f"{novice}/").json()
    assert (document["is_drawn"], document["is_released"]) == (True, False)
    assert owning.post(f"{novice}/release/").status_code == 204
    assert stranger.get(f"{novice}/brackets/main/").status_code == 200


def test_strangers_do_not_find_a_match_of_a_hidden_draw(stranger, owning, hall):
    assert stranger.get(f"{hall.match}/").status_code == 200
    assert owning.delete(f"{hall.here}/draws/", {"reason": "Somebody was left out"}).status_code == 204
    assert stranger.get(f"{hall.match}/").status_code == 404
    assert stranger.get(f"{hall.here}/brackets/main/").status_code == 404


def test_every_draw_is_stored_when_a_draw_is_repeated(owning, novice):
    first = owning.post(f"{novice}/draws/", {"seed_text": "a seed"}).json()
    again = owning.post(f"{novice}/draws/", {"seed_text": "a seed", "reason": "Once more", "draw": 1}).json()
    assert (first["order"], again["number"]) == (again["order"], 2)
    draws = owning.get(f"{novice}/draws/").json()["results"]
    assert [draw["number"] for draw in draws] == [1, 2]
    assert draws[0]["replaced_at"]
    assert draws[1]["replaced_at"] is None


def test_a_draw_that_was_released_is_taken_back_for_a_reason_only(owning, hall):
    assert owning.delete(f"{hall.here}/draws/", {}).json()["code"] == "reason-needed"
    assert owning.delete(f"{hall.here}/draws/", {"reason": "Wrong seeds"}).status_code == 204


def test_after_the_first_game_the_draw_and_the_length_stay(owning, left, hall):
    assert owning.put(f"/rounds/{hall.pairing.round_id}/", {"length": 5}).status_code == 204
    assert left.post(f"{hall.match}/games/", game(hall)).status_code == 201
    assert owning.delete(f"{hall.here}/draws/", {"reason": "x"}).json()["code"] == "play-has-begun"
    assert owning.put(f"/rounds/{hall.pairing.round_id}/", {"length": 7}).json()["code"] == "round-has-begun"


def test_there_is_nothing_to_draw_release_or_take_back(owning, hall):
    made = owning.post(f"/events/{hall.tournament.event.slug}/tournaments/", {"name": "Empty"}).json()
    here = f"/tournaments/{made['id']}"
    assert owning.post(f"{here}/draws/").json()["code"] == "entries-out-of-range"
    assert owning.post(f"{here}/release/").json()["code"] == "no-draw"
    assert owning.delete(f"{here}/draws/", {}).json()["code"] == "no-draw"
    assert owning.get(f"{here}/brackets/main/").status_code == 404
    assert owning.get(f"{here}/standings/").json() == []


def test_an_unknown_bracket_is_not_found(stranger, hall):
    assert stranger.get(f"{hall.here}/brackets/consolation/").status_code == 404


def test_a_bracket_is_sent_again_only_after_a_change(stranger, left, hall):
    path = f"{hall.here}/brackets/main/"
    first = stranger.get(path)
    for etags in (first["ETag"], f'"other", {first["ETag"]}'):
        same = stranger.get(path, headers={"If-None-Match": etags})
        assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
    left.post(f"{hall.match}/games/", game(hall))
    changed = stranger.get(path, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed.json()["rounds"][0]["pairings"][0]["left"]["points"] == 1


def test_results_and_standings_name_the_winner(stranger, hall):
    stories.play(hall.pairing, hall.owner, "left", (3, 1))
    stories.play(hall.second_pairing, hall.owner, "right", (3, 2))
    advancing.advance_waiting()
    results = stranger.get(f"{hall.here}/results/").json()["results"]
    assert {result["winner"] for result in results} == {
        str(hall.pairing.left_id),
        str(hall.second_pairing.right_id),
    }
    assert {(result["left_points"], result["right_points"]) for result in results} == {(3, 1), (2, 3)}
    lines = stranger.get(f"{hall.here}/standings/").json()
    assert [(line["place_from"], line["place_to"], line["is_in"]) for line in lines] == [
        (1, 2, True), (1, 2, True), (3, 4, False), (3, 4, False),
    ]  # fmt: skip
    assert (lines[0]["won"], lines[0]["lost"], lines[-1]["lost"]) == (1, 0, 1)


def test_a_retracted_result_is_not_listed(stranger, at_desk, hall):
    stories.post(hall.pairing, hall.owner)
    assert len(stranger.get(f"{hall.here}/results/").json()["results"]) == 1
    assert at_desk.post(f"/pairings/{hall.pairing.pk}/retract/").status_code == 204
    assert stranger.get(f"{hall.here}/results/").json()["results"] == []
