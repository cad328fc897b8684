"""Seats, late entries, re-entries, jackpots and round clocks over the API."""

import uuid

import pytest

from rules.ruleset import Ruleset
from tests.tournament import stories
from tests.tournament.conftest import Program
from tournament.accounts import links
from tournament.models import Entry, Pairing, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def made(hall) -> Tournament:
    """A draw for eight with seven entries, in an event of the same owner."""
    return stories.released(hall.owner, 7, method="seeded")


def here(made: Tournament) -> str:
    return f"/tournaments/{made.pk}"


def first_round(program, made) -> list[dict]:
    return [seat for seat in program.get(f"{here(made)}/seats/").json() if seat["round"] == 1]


def swap(first: dict, second: dict, **more) -> dict:
    body = {"one": first["seat"], "other": second["seat"]}
    return {
        **body,
        "one_entry": first["entry"],
        "other_entry": second["entry"],
        "reason": "One family",
        **more,
    }


def test_two_seats_are_swapped_once_and_a_repetition_is_refused(owning, made):
    seats = [seat for seat in first_round(owning, made) if seat["entry"] and seat["opponent"]]
    body = swap(seats[0], seats[2])
    assert owning.post(f"{here(made)}/swaps/", body).status_code == 204
    again = owning.post(f"{here(made)}/swaps/", body)
    assert (again.status_code, again.json()["code"]) == (409, "seats-changed")
    now = {seat["seat"]: seat["entry"] for seat in first_round(owning, made)}
    assert (now[seats[0]["seat"]], now[seats[2]["seat"]]) == (seats[2]["entry"], seats[0]["entry"])


def test_a_swap_into_a_played_match_is_a_problem_with_a_sentence(owning, made):
    stories.play(stories.playable(made)[0], stories.director())
    seats = first_round(owning, made)
    played = next(seat for seat in seats if seat["is_fixed"])
    free = next(seat for seat in seats if not seat["is_fixed"] and seat["entry"])
    answer = owning.post(f"{here(made)}/swaps/", swap(played, free))
    assert (answer.status_code, answer.json()["code"]) == (409, "seat-is-played")
    assert answer.json()["detail"].endswith("has not begun.")


def test_a_free_seat_names_the_ready_match_that_would_wait(owning, hall):
    made = stories.released(hall.owner, 5, method="seeded")
    ready = {row.pk for row in stories.playable(made) if row.round.number == 2}
    seats = first_round(owning, made)
    assert ready
    assert {seat["would_wait"] for seat in seats if seat["is_free"]} >= ready
    assert {seat["would_wait"] for seat in seats if not seat["is_free"]} == {None}


def test_a_late_player_is_entered_into_the_free_seat(owning, made):
    free = [seat for seat in first_round(owning, made) if seat["is_free"]]
    assert len(free) == 1
    answer = owning.post(f"{here(made)}/late-entries/", {"name": "Late Comer", "seat": free[0]["seat"]})
    assert answer.status_code == 201
    assert [seat for seat in first_round(owning, made) if seat["is_free"]] == []
    lives = owning.post(f"{here(made)}/late-entries/", {"name": "No Lives", "given_losses": 1})
    assert (lives.status_code, lives.json()["code"]) == (409, "no-lives")
    full = owning.post(f"{here(made)}/late-entries/", {"name": "Too Late"})
    assert (full.status_code, full.json()["code"]) == (409, "no-free-seat")


def test_re_entry_terms_are_public_and_an_eliminated_player_re_enters(owning, stranger, made):
    terms = {"allowed": True, "price": "25.00", "until_round": 2, "into": "main", "times": 1}
    assert owning.put(f"{here(made)}/re-entry/", terms).json() == terms
    assert stranger.get(f"{here(made)}/re-entry/").json() == terms
    row = stories.playable(made)[0]
    assert owning.post(f"/entries/{row.left_id}/re-entry/").json()["code"] == "not-out"
    stories.play(row, stories.director(), "right")
    again = owning.post(f"/entries/{row.left_id}/re-entry/", {"seed_text": "dice"})
    assert again.status_code == 201
    assert Entry.objects.get(pk=again.json()["id"]).number == 2
    assert owning.post(f"/entries/{row.left_id}/re-entry/").json()["code"] == "entered-again"


def test_phones_fill_a_jackpot_that_then_draws_itself(at_desk, made, hall):
    made = hall.tournament
    key = str(uuid.uuid4())
    body = {"key": key, "size": 4, "length": 5, "price": "10.00"}
    for _ in (1, 2):
        opened = at_desk.post(f"{hall.here}/jackpots/", body)
        assert (opened.status_code, opened.json()["number"]) == (201, 1)
    for entry in made.entries.all():
        phone = Program(links.make_link(entry, hall.owner))
        joined = phone.send("PUT", f"/jackpots/{key}/seats/{entry.pk}/")
        assert joined.status_code == 200
        assert phone.send("PUT", f"/jackpots/{key}/seats/{entry.pk}/").json() == joined.json()
    assert (joined.json()["state"], joined.json()["bracket"]) == ("drawn", "jackpot 1")
    assert Pairing.objects.filter(round__bracket__key="jackpot 1").count() == 3
    listed = at_desk.get(f"{hall.here}/jackpots/").json()["results"]
    assert [len(jackpot["entries"]) for jackpot in listed] == [4]


def test_a_phone_joins_and_leaves_only_for_its_own_player(at_desk, left, hall):
    key = str(uuid.uuid4())
    at_desk.post(f"{hall.here}/jackpots/", {"key": key, "size": 4, "length": 5})
    own, opponents = (
        f"/jackpots/{key}/seats/{hall.pairing.left_id}/",
        f"/jackpots/{key}/seats/{hall.pairing.right_id}/",
    )
    assert left.send("PUT", own).status_code == 200
    assert left.send("PUT", opponents).status_code == 404
    assert left.delete(own).status_code == 204
    assert left.delete(own).status_code == 204
    assert at_desk.post(f"/jackpots/{key}/close/").status_code == 204
    assert left.send("PUT", own).json()["code"] == "jackpot-closed"


def test_a_rounds_clock_reaches_its_matches(directing, hall):
    path = f"/rounds/{hall.pairing.round_id}/clock/"
    assert directing.put(path, {"point_seconds": 60, "move_seconds": 8}).status_code == 204
    hall.pairing.match.refresh_from_db()
    assert Ruleset.from_json(hall.pairing.match.ruleset).clock.point_seconds == 60
    assert directing.put(path, {"point_seconds": None, "move_seconds": None}).status_code == 204
    half = directing.put(path, {"point_seconds": 60, "move_seconds": None})
    assert half.status_code == 400


def test_a_match_is_lost_by_penalty_points_with_its_score(at_desk, hall):
    path = f"/pairings/{hall.pairing.pk}/award/"
    body = {"kind": "penalty", "winner": str(hall.pairing.right_id)}
    assert at_desk.post(path, body).json()["code"] == "score-needed"
    assert at_desk.post(path, {**body, "left_points": 1, "right_points": 3}).status_code == 204
    result = at_desk.get(f"{hall.here}/results/").json()["results"][0]
    assert (result["kind"], result["left_points"], result["right_points"]) == ("penalty", 1, 3)
