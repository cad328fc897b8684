"""Screens over the API: creation, changes, revocation, and slides with pictures or words."""

import uuid

import pytest
from django.test import Client

from tests.tournament.access.screens import SCREEN_JSON
from tests.tournament.conftest import Program
from tests.tournament.images import image_file
from tournament.models import Event, Slide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]
HERE = "/events/friday-night"


@pytest.mark.usefixtures("hall")
def test_a_program_makes_a_screen_changes_it_and_revokes_it(directing):
    made = directing.post(f"{HERE}/screens/", SCREEN_JSON).json()
    assert Client().get(made["path"]).status_code == 200
    assert made["seconds"] == {
        "calls": 10,
        "tables": None,
        "brackets": None,
        "standings": None,
        "slides": None,
    }
    results = directing.get(f"{HERE}/screens/").json()["results"]
    assert [screen["id"] for screen in results] == [made["id"]]
    assert "path" not in results[0]
    changed = {**SCREEN_JSON, "label": "Foyer", "seconds": {"tables": 20}, "theme": "light"}
    assert directing.put(f"{HERE}/screens/{made['id']}/", changed).json()["label"] == "Foyer"
    assert directing.delete(f"{HERE}/screens/{made['id']}/").status_code == 204
    assert directing.delete(f"{HERE}/screens/{made['id']}/").status_code == 404
    assert Client().get(made["path"]).status_code == 404


@pytest.mark.usefixtures("hall")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"seconds": {}}, 409),
        ({"seconds": {"calls": 0}}, 400),
        ({"tournaments": [str(uuid.uuid4())]}, 409),
        ({"theme": "pink"}, 400),
        ({"label": " "}, 400),
    ],
)
def test_what_a_screen_cannot_show_is_a_problem_with_a_sentence(directing, body, status):
    answer = directing.post(f"{HERE}/screens/", {**SCREEN_JSON, **body})
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_a_logo_is_stored_replaced_and_removed(hall, directing: Program):
    stored = [
        directing.upload("POST", f"{HERE}/logo/", image_file("PNG"), "club.png").json() for _ in range(2)
    ]
    event = Event.objects.get(pk=hall.tournament.event_id)
    assert str(event.logo_id) == stored[1]["id"]
    assert [Client().get(logo["path"]).status_code for logo in stored] == [404, 200]
    refused = directing.upload("POST", f"{HERE}/logo/", b"<svg/>", "club.svg")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-a-picture")
    for _ in range(2):
        assert directing.delete(f"{HERE}/logo/").status_code == 204
    event.refresh_from_db()
    assert event.logo_id is None


@pytest.mark.usefixtures("hall")
def test_slides_are_uploaded_and_deleted(directing: Program):
    words = directing.upload("POST", f"{HERE}/slides/", b"", "none.png", text="Supper at seven").json()
    picture = directing.upload("POST", f"{HERE}/slides/", image_file("PNG"), "board.png").json()
    assert (words["picture_size"], picture["text"]) == (0, "")
    results = directing.get(f"{HERE}/slides/").json()["results"]
    assert [slide["id"] for slide in results] == [words["id"], picture["id"]]
    third = directing.upload("POST", f"{HERE}/slides/", b"", "none.png", text="Tea").json()
    for moved, place, order in (
        (third, 1, [third, words, picture]),
        (third, 1, [third, words, picture]),
        (third, 99, [words, picture, third]),
        (picture, 1, [picture, words, third]),
        (picture, 2, [words, picture, third]),
    ):
        assert directing.put(f"{HERE}/slides/{moved['id']}/", {"place": place}).status_code == 204
        results = directing.get(f"{HERE}/slides/").json()["results"]
        assert [slide["id"] for slide in results] == [slide["id"] for slide in order]
    assert directing.put(f"{HERE}/slides/{third['id']}/", {"place": 0}).status_code == 400
    assert directing.put(f"{HERE}/slides/{uuid.uuid4()}/", {"place": 1}).status_code == 404
    assert directing.delete(f"{HERE}/slides/{third['id']}/").status_code == 204
    for wrong in (b"<svg/>", b"GIF89a"):
        refused = directing.upload("POST", f"{HERE}/slides/", wrong, "board.png", text="Tea")
        assert (refused.status_code, refused.json()["code"]) == (409, "not-a-picture")
    for _ in range(2):
        assert directing.delete(f"{HERE}/slides/{words['id']}/").status_code == 204
    assert [str(slide.pk) for slide in Slide.objects.all()] == [picture["id"]]
