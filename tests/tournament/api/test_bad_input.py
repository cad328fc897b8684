"""Impossible values over the API are refused with a sentence and a status, and change nothing."""

import uuid

import pytest
from django.test import Client

from tests.tournament import stories
from tests.tournament.access import database_rows
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Format, Kind

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def is_refused(answer, status: int, code: str) -> str:
    """The sentence of a refusal."""
    document = answer.json()
    assert (answer.status_code, document["code"]) == (status, code), document
    assert document["detail"].endswith(".")
    return str(document["detail"])


@pytest.fixture
def made(hall):
    """Four in a knock-out whose first match is played, in an event of the same owner."""
    made = stories.released(hall.owner, 4)
    stories.play(stories.playable(made)[0], hall.owner)
    return made


def final(made):
    return stories.pairings(made).last()


def played(made):
    return stories.pairings(made).filter(settled="played").first()


@pytest.mark.parametrize(
    ("chosen", "entries"), [(Format(consolation="A.B.C"), 8), (Format(consolation="simple"), 2)]
)
def test_a_format_with_too_few_entries_is_not_drawn(owning, hall, chosen, entries):
    made = stories.entered(hall.owner, entries, format=chosen)
    before = database_rows.rows()
    problem = is_refused(owning.post(f"/tournaments/{made.pk}/draws/", {}), 409, "format-cannot-be-drawn")
    assert "Change the format, or the entries." in problem
    assert database_rows.rows() == before


def test_byes_by_lot_in_groups_are_refused_and_change_nothing(owning, hall):
    made = stories.entered(hall.owner, 7, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    before = database_rows.rows()
    problem = is_refused(
        owning.post(f"/tournaments/{made.pk}/draws/", {"byes": "balanced_lottery"}), 409, "no-sheet"
    )
    assert "Draw without them" in problem
    assert database_rows.rows() == before


def test_a_fault_of_the_server_is_a_problem_document(monkeypatch, hall):
    def breaks(*_):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("tournament.api.draws.draw_json", breaks)
    answer = Client(raise_request_exception=False).get(f"/api/v1/tournaments/{hall.tournament.pk}/draws/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "server-error"


def test_nobody_is_swapped_into_a_played_match(owning, made):
    seats = entry_seats(made)
    fixed = next(seat for seat in seats if seat.is_fixed)
    free = next(seat for seat in seats if not seat.is_fixed)
    body = {
        "one": fixed.feed, "other": free.feed,
        "one_entry": fixed.entry, "other_entry": free.entry, "reason": "They share a car",
    }  # fmt: skip
    before = database_rows.rows()
    is_refused(owning.post(f"/tournaments/{made.pk}/swaps/", body), 409, "seat-is-played")
    assert database_rows.rows() == before


def test_a_match_without_players_gets_no_result(owning, made):
    body = {"kind": "walkover", "winner": played(made).winner_id, "reason": "Went home"}
    before = database_rows.rows()
    is_refused(owning.post(f"/pairings/{final(made).pk}/award/", body), 409, "players-unknown")
    assert database_rows.rows() == before


@pytest.mark.parametrize("address", ["pairings/999999/award/", "pairings/999999/corrections/preview/"])
def test_an_unknown_match_is_not_found(owning, address):
    before = database_rows.rows()
    body = {"kind": "walkover", "winner": uuid.uuid4()}
    assert owning.post(f"/{address}", body).status_code == 404
    assert owning.post(f"/matches/{uuid.uuid4()}/final/", {}).status_code == 404
    assert database_rows.rows() == before


def test_somebody_else_does_not_win_a_match(owning, made):
    others = stories.pairings(made).exclude(pk=played(made).pk).first()
    before = database_rows.rows()
    body = {"kind": "walkover", "winner": played(made).winner_id}
    is_refused(owning.post(f"/pairings/{others.pk}/award/", body), 409, "winner-unknown")
    is_refused(
        owning.post(f"/pairings/{played(made).pk}/corrections/preview/", {**body, "winner": others.left_id}),
        409,
        "winner-unknown",
    )
    assert database_rows.rows() == before


def test_correcting_needs_a_role_with_the_permission(at_desk, left, stranger, hall):
    stories.play(hall.pairing, hall.owner)
    body = {"kind": "walkover", "winner": hall.pairing.right_id, "digest": "0" * 64, "reason": "I won"}
    before = database_rows.rows()
    for program, status in ((at_desk, 403), (left, 403), (stranger, 401)):
        for address in ("corrections/preview/", "corrections/"):
            answer = program.post(f"/pairings/{hall.pairing.pk}/{address}", body)
            assert answer.status_code == status
            assert answer.json()["detail"].endswith(".")
    assert database_rows.rows() == before


def test_a_player_cannot_be_entered_twice(owning, hall):
    made = stories.entered(hall.owner, 2)
    name = made.entries.first().player.name
    before = database_rows.rows()
    problem = is_refused(
        owning.post(f"/tournaments/{made.pk}/entries/", {"name": name}), 409, "entered-already"
    )
    assert name in problem
    assert database_rows.rows() == before


def test_a_late_entry_of_an_entered_player_is_refused(owning, hall):
    made = stories.released(hall.owner, 3)
    name = made.entries.first().player.name
    before = database_rows.rows()
    is_refused(owning.post(f"/tournaments/{made.pk}/late-entries/", {"name": name}), 409, "entered-already")
    assert database_rows.rows() == before


def test_a_round_is_neither_paired_nor_taken_back_in_a_knock_out(owning, made):
    before = database_rows.rows()
    is_refused(owning.post(f"/tournaments/{made.pk}/rounds/"), 409, "no-rounds")
    is_refused(owning.delete(f"/tournaments/{made.pk}/rounds/", {"reason": "Wrong"}), 409, "no-rounds")
    assert database_rows.rows() == before


@pytest.mark.parametrize("door", ["corrections", "corrections/preview"])
def test_a_stranger_is_refused_before_the_body_is_read(hall, stranger, door):
    assert stranger.raw("POST", f"/pairings/{hall.pairing.pk}/{door}/", "{ not even JSON").status_code in (
        400,
        401,
    )
    answer = stranger.post(f"/pairings/{hall.pairing.pk}/{door}/", {"kind": "unknown"})
    assert answer.status_code == 401
