"""Access to disputes, photos, rulings and the takeover of a card."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from matches.keepers import Keeper
from tests.tournament.access.world import (
    DESKS,
    THIS_MATCH,
    WRITTEN,
    World,
    at_desk,
    is_disputed,
    is_reported,
    match,
    press,
    rows,
    says,
)
from tests.tournament.images import image_file
from tournament.models import Evidence
from tournament.results import disputes

OWN_CARDS = DESKS | THIS_MATCH
RULING = says(ruling="Both saw the last roll.", keeper="right", decision="card")
RIGHT_CARD = {"theirs": WRITTEN[Keeper.RIGHT]}


def photo_upload(world: World, name: str = "photo") -> dict[str, Any]:
    return {name: SimpleUploadedFile("board.jpg", image_file())}


def is_disputed_with_a_photo(world: World) -> None:
    is_disputed(world)
    disputes.add_photo(world.pairing, Keeper.LEFT, image_file(), world.hall.desk)


def photo(world: World) -> list[Any]:
    evidence = Evidence.objects.first()
    return [evidence.pk if evidence else WRITTEN[Keeper.DESK]]


def take_over(world: World) -> dict[str, Any]:
    """The left player, whose card is empty, takes over the right player's card."""
    return {**RIGHT_CARD, "mine": world.pairing.match_id}


DISPUTE_API_ROWS = [
    *rows("dispute", "GET", OWN_CARDS, match, ready=is_disputed),
    *rows("dispute", "POST", THIS_MATCH, match),
    *rows("dispute", "DELETE", THIS_MATCH, match, ready=is_disputed),
    *rows(
        "dispute-photos", "POST", THIS_MATCH, match,
        ready=is_disputed, body=lambda world: photo_upload(world, "file"), done=201,
    ),
    *rows("photo", "GET", OWN_CARDS, photo, ready=is_disputed_with_a_photo),
    *rows("take-over", "POST", THIS_MATCH, match, ready=is_reported, body=take_over),
    *rows("take-over-undo", "POST", THIS_MATCH, match, ready=is_reported, body=take_over, done=409),
    *rows("ruling", "POST", DESKS, match, ready=is_disputed, body=RULING),
]  # fmt: skip

DISPUTE_ROWS = [
    *press(
        "desk-action", DESKS, at_desk("rule"),
        ready=is_disputed, body=says(decision="card:right", ruling="Both saw the last roll."),
    ),
    *press("my-dispute", THIS_MATCH, match, body=says(note="Look at the cube.")),
    *press("my-dispute-end", THIS_MATCH, match, ready=is_disputed),
    *press("my-photo", THIS_MATCH, match, ready=is_disputed, body=photo_upload),
    *rows("evidence", "GET", OWN_CARDS, photo, ready=is_disputed_with_a_photo),
    *press("my-take-card", THIS_MATCH, match, ready=is_reported, body=take_over),
    *press("my-take-undo", THIS_MATCH, match, ready=is_reported, body=take_over, done=409),
    *press(
        "my-take-line", THIS_MATCH, match,
        ready=is_reported, body=lambda world: {**take_over(world), "line": WRITTEN[Keeper.RIGHT]}, done=409,
    ),
]  # fmt: skip
