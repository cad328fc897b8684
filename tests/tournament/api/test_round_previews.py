"""The next round before its release over the API: preview, swaps, pairs by hand, release."""

import pytest

from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.models import JournalLine, RoundPreview

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def rounds(hall) -> str:
    """The address of the rounds of a Swiss tournament for 7, whose first round is played."""
    made = stories.released(hall.owner, 7, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, hall.owner)
    return f"/tournaments/{made.pk}/rounds"


def test_a_round_is_previewed_swapped_and_released(owning, stranger, rounds):
    assert owning.get(f"{rounds}/preview/").status_code == 404
    preview = owning.post(f"{rounds}/preview/").json()
    assert (preview["number"], len(preview["pairings"]), preview["swaps"]) == (2, 4, [])
    assert preview["pairings"][3]["right"] is None
    first, bye = preview["pairings"][0]["left"], preview["pairings"][3]["left"]
    body = {"number": 1, "first": first, "second": bye, "reason": "Arrives late"}
    swapped = owning.post(f"{rounds}/preview/swaps/", body).json()
    assert (swapped["pairings"][0]["left"], swapped["pairings"][3]["left"]) == (bye, first)
    assert swapped["pairings"][3]["is_by_hand"]
    again = owning.post(f"{rounds}/preview/swaps/", body)
    assert (again.status_code, again.json()["code"]) == (409, "round-preview-changed")
    assert stranger.get(f"{rounds}/preview/").status_code == 401
    released = owning.post(f"{rounds}/preview/release/").json()
    assert [pair["left"] for pair in released["pairings"]] == [pair["left"] for pair in swapped["pairings"]]
    assert owning.post(f"{rounds}/preview/release/").json()["code"] == "no-round-preview"


def test_the_release_of_rounds_is_read_and_set(owning, rounds):
    address = rounds.replace("rounds", "round-release/")
    before = {"round_release": "at_once", "release_grace": 5, "next_round": 2, "automatic_at": None}
    assert owning.get(address).json() == before
    after = {**before, "round_release": "automatic", "release_grace": 0}
    assert owning.put(address, {"round_release": "automatic", "release_grace": 0}).json() == after
    assert owning.put(address, {"round_release": "automatic"}).json() == after
    assert owning.put(address, {"round_release": "automatic", "release_grace": 61}).status_code == 400
    assert JournalLine.objects.filter(verb="set release of rounds").count() == 1


def test_planned_times_are_read_and_replaced(owning, stranger, rounds):
    address = rounds.replace("rounds", "planned-times/")
    times = [{"round": number, "starts_at": f"2026-11-20T1{number}:00:00Z"} for number in (1, 2)]
    assert owning.put(address, {"times": times}).json() == {"times": times}
    assert stranger.get(address).json() == {"times": times}
    swapped = [
        {**times[0], "starts_at": times[1]["starts_at"]},
        {**times[1], "starts_at": times[0]["starts_at"]},
    ]
    assert owning.put(address, {"times": swapped}).json()["code"] == "times-out-of-order"
    for invalid in ([times[0], times[0]], [{**times[0], "starts_at": "9999-12-31T23:00:00Z"}]):
        assert owning.put(address, {"times": invalid}).status_code == 400
    assert owning.put(address, {"times": []}).json() == {"times": []}


def test_the_last_swap_is_undone_and_the_preview_discarded(owning, rounds):
    preview = owning.post(f"{rounds}/preview/").json()
    for number, line in enumerate((0, 1), start=1):
        first, second = (preview["pairings"][row]["left"] for row in (line, line + 1))
        body = {"number": number, "first": first, "second": second, "reason": "Shared car"}
        assert owning.post(f"{rounds}/preview/swaps/", body).status_code == 201
    assert owning.delete(f"{rounds}/preview/swaps/1/").status_code == 409
    assert owning.delete(f"{rounds}/preview/swaps/2/").status_code == 204
    assert len(owning.get(f"{rounds}/preview/").json()["swaps"]) == 1
    assert owning.delete(f"{rounds}/preview/").status_code == 204
    assert not RoundPreview.objects.exists()


def test_pairs_set_by_hand_and_kept_apart_are_in_the_next_preview(owning, rounds):
    rules = rounds.replace("rounds", "pair-rules")
    pairs = owning.post(f"{rounds}/preview/").json()["pairings"]
    apart = {"kind": "apart", "first": pairs[0]["left"], "second": pairs[0]["right"], "reason": "Sisters"}
    together = {
        "kind": "together",
        "first": pairs[1]["left"],
        "second": pairs[2]["left"],
        "reason": "As asked",
    }
    made = [owning.post(f"{rules}/", body).json() for body in (apart, together)]
    assert [(rule["kind"], rule["round"]) for rule in made] == [("apart", None), ("together", 2)]
    assert owning.get(f"{rules}/").json()["results"] == made
    assert owning.get(f"{rounds}/preview/").json()["is_outdated"]
    seats = [{pair["left"], pair["right"]} for pair in owning.post(f"{rounds}/preview/").json()["pairings"]]
    assert {together["first"], together["second"]} in seats
    assert {apart["first"], apart["second"]} not in seats
    assert owning.delete(f"{rules}/{made[1]['id']}/").status_code == 204
    assert owning.delete(f"{rules}/{made[1]['id']}/").json()["code"] == "no-such-rule"
