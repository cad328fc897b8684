"""Formats over the API: presets, creation and changes; draws by secret and dice; seeds by rating."""

import pytest

from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.public_draw.verification import verify
from tournament.models import Entry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.fixture
def tournaments(hall) -> str:
    return f"/events/{hall.tournament.event.slug}/tournaments/"


@pytest.fixture
def six(owning, tournaments) -> str:
    """Six rated entries, not drawn yet."""
    made = owning.post(tournaments, {"name": "Six"}).json()
    for number in range(1, 7):
        body = {"name": f"Player {number}", "rating": 1500 + number}
        assert owning.post(f"/tournaments/{made['id']}/entries/", body).status_code == 201
    return f"/tournaments/{made['id']}"


def test_every_format_to_begin_with_makes_a_tournament(owning, stranger, tournaments):
    presets = stranger.get("/formats/").json()
    assert [preset["name"] for preset in presets] == list(FORMAT_PRESETS)
    for preset in presets:
        made = owning.post(tournaments, {**preset, "name": preset["name"]})
        assert made.status_code == 201
        assert made.json()["format"] == preset["format"]
        assert made.json()["side_lengths"] == preset["side_lengths"]


def test_a_change_that_does_not_name_the_format_leaves_it(owning, tournaments):
    made = owning.post(tournaments, {"name": "Swiss", "format": {"kind": "swiss", "rounds": 5}}).json()
    changed = owning.put(f"/tournaments/{made['id']}/", {"name": "Swiss on Friday"}).json()
    assert (changed["name"], changed["format"]) == ("Swiss on Friday", made["format"])
    changed = owning.put(f"/tournaments/{made['id']}/", {"name": "Plain", "format": {}}).json()
    assert Format.from_json(changed["format"]) == Format()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"kind": "swiss"}, "Set the number of rounds."),
        ({"consolation": "A.A"}, "can drop only once"),
        ({"consolation": "A.B|"}, "is not a round"),
        ({"last_chance": "simple"}, "Choose one first."),
        ({"kind": "double_elimination", "consolation": "simple"}, "every loser drops"),
        ({"standings": {"tie_breaks": ["lot", "lot"]}}, "Name each tie-break once"),
    ],
)
def test_an_impossible_format_is_refused_with_the_field_named(owning, tournaments, body, sentence):
    answer = owning.post(tournaments, {"name": "Impossible", "format": body})
    assert answer.status_code == 400
    assert sentence in answer.json()["invalid"]["format"][0]
    assert not Tournament.objects.filter(name="Impossible").exists()


def test_lengths_of_a_bracket_that_no_format_has_are_refused(owning, tournaments):
    answer = owning.post(tournaments, {"name": "Odd", "side_lengths": {"attic": [5]}})
    assert answer.status_code == 400
    assert "side_lengths" in answer.json()["invalid"]


def test_after_the_draw_another_format_is_refused(owning, hall):
    body = {"name": "Open", "lengths": [3], "confirm_after": 10, "format": {"kind": "double_elimination"}}
    assert owning.put(f"{hall.here}/", body).json()["code"] == "already-drawn"


def test_any_reader_can_verify_a_draw_by_secret_and_dice(owning, stranger, six):
    assert stranger.get(f"{six}/commitment/").status_code == 404
    secret_hash = owning.post(f"{six}/commitment/").json()["secret_hash"]
    assert owning.post(f"{six}/draws/", {"public": "31 52 66"}).json()["code"] == "entries-open"
    closed = owning.put(f"{six}/commitment/", {"byes": "lottery"}).json()
    assert stranger.get(f"{six}/commitment/").json() == closed
    drawn = owning.post(f"{six}/draws/", {"public": "31 52 66"}).json()
    assert drawn["rules"]["byes"] == "lottery"
    assert stranger.get(f"{six}/draws/1/document/").status_code == 404
    owning.post(f"{six}/release/")
    document = stranger.get(f"{six}/draws/1/document/").json()
    assert document["secret_hash"] == secret_hash
    assert document["entries_hash"] == closed["entries_hash"]
    assert verify(document) == []


def test_a_secret_is_discarded_only_with_a_reason(owning, stranger, six):
    owning.post(f"{six}/commitment/")
    assert owning.delete(f"{six}/commitment/", {}).json()["code"] == "reason-needed"
    assert owning.delete(f"{six}/commitment/", {"reason": "No dice"}).status_code == 204
    assert stranger.get(f"{six}/commitment/").status_code == 404


def test_byes_by_lot_are_null_in_the_order(owning, six):
    drawn = owning.post(f"{six}/draws/", {"byes": "balanced_lottery", "seed_text": "b"}).json()
    assert (len(drawn["order"]), drawn["order"].count(None)) == (8, 2)


def test_the_best_rated_are_seeded(owning, six):
    assert owning.put(f"{six}/seeds/", {"how_many": 2}).json() == {"seeded": 2}
    seeded = Entry.objects.filter(seed__isnull=False, tournament__name="Six").order_by("seed")
    assert [entry.player.name for entry in seeded] == ["Player 6", "Player 5"]
    assert owning.put(f"{six}/seeds/", {"how_many": 7}).json()["code"] == "too-few-ratings"


def test_a_tournament_lists_every_field_of_its_format(stranger, owner_of_a_swiss):
    document = stranger.get(f"/tournaments/{owner_of_a_swiss.pk}/").json()
    assert (document["format"]["kind"], document["format"]["rounds"]) == ("swiss", 5)


@pytest.fixture
def owner_of_a_swiss(hall) -> Tournament:
    return stories.tournament(hall.owner, format=Format(kind=Kind.SWISS, rounds=5))
