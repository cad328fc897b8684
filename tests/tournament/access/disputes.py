"""Who may do what about disputes, photos, rulings and taking a card over: rows of the table of access."""

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

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
from tournament.models import Evidence
from tournament.results import disputes

OWN_CARDS = DESKS | THIS_MATCH
RULING = says(ruling="Both saw the last roll.", keeper="right", decision="card")
TAKE = {"theirs": WRITTEN[Keeper.RIGHT]}


def a_photo(size: tuple[int, int] = (32, 24), kind: str = "JPEG") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "green").save(made, kind)
    return made.getvalue()


def sent(world: World, name: str = "photo") -> dict[str, Any]:
    return {name: SimpleUploadedFile("board.jpg", a_photo())}


def is_disputed_with_a_photo(world: World) -> None:
    is_disputed(world)
    disputes.add_photo(world.pairing, Keeper.LEFT, a_photo(), world.hall.desk)


def photo(world: World) -> list[Any]:
    evidence = Evidence.objects.first()
    return [evidence.pk if evidence else WRITTEN[Keeper.DESK]]


def take(world: World) -> dict[str, Any]:
    """The right player's card, by the left one whose card is empty."""
    return {**TAKE, "mine": world.pairing.match_id}


DISPUTE_API_ROWS = [
    *rows("dispute", "GET", OWN_CARDS, match, ready=is_disputed),
    *rows("dispute", "POST", THIS_MATCH, match),
    *rows("dispute", "DELETE", THIS_MATCH, match, ready=is_disputed),
    *rows(
        "dispute-photos", "POST", THIS_MATCH, match,
        ready=is_disputed, body=lambda world: sent(world, "file"), done=201,
    ),
    *rows("photo", "GET", OWN_CARDS, photo, ready=is_disputed_with_a_photo),
    *rows("take-over", "POST", THIS_MATCH, match, ready=is_reported, body=take),
    *rows("take-over-undo", "POST", THIS_MATCH, match, ready=is_reported, body=take, done=409),
    *rows("ruling", "POST", DESKS, match, ready=is_disputed, body=RULING),
]  # fmt: skip

DISPUTE_ROWS = [
    *press(
        "desk-action", DESKS, at_desk("rule"),
        ready=is_disputed, body=says(decision="card:right", ruling="Both saw the last roll."),
    ),
    *press("my-dispute", THIS_MATCH, match, body=says(note="Look at the cube.")),
    *press("my-dispute-end", THIS_MATCH, match, ready=is_disputed),
    *press("my-photo", THIS_MATCH, match, ready=is_disputed, body=sent),
    *rows("evidence", "GET", OWN_CARDS, photo, ready=is_disputed_with_a_photo),
    *press("my-take-card", THIS_MATCH, match, ready=is_reported, body=take),
    *press("my-take-undo", THIS_MATCH, match, ready=is_reported, body=take, done=409),
    *press(
        "my-take-line", THIS_MATCH, match,
        ready=is_reported, body=lambda world: {**take(world), "line": WRITTEN[Keeper.RIGHT]}, done=409,
    ),
]  # fmt: skip
