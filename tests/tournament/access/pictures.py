"""Access to pictures of winners and logos of events."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.tournament import stories
from tests.tournament.access.screens import CODE, TOKEN, has_a_screen
from tests.tournament.access.world import DIRECTORS, EVERYBODY, WRITTEN, World, event, novice, press, rows
from tests.tournament.images import image_file
from tournament.events.logos import store_logo
from tournament.events.winner_pictures import PictureUpload, store_picture
from tournament.models import EventLogo, WinnerPicture


def is_over(world: World) -> None:
    stories.draw_and_release(world.novice, world.hall.owner, 0)
    while pairings := stories.playable(world.novice):
        for pairing in pairings:
            stories.play(pairing, world.hall.owner)


def has_a_picture(world: World) -> None:
    is_over(world)
    winners = world.novice.entries.values_list("pk", flat=True)
    upload = PictureUpload("", image_file(), "The winner", winners, is_permitted=True)
    store_picture(world.novice.pk, upload, world.hall.owner)


def of_winners(world: World) -> list[Any]:
    return [*novice(world), "all"]


def picture_file(world: World) -> list[Any]:
    picture = WinnerPicture.objects.first()
    return [*novice(world), picture.pk if picture else WRITTEN[next(iter(WRITTEN))]]


def removal(world: World) -> list[Any]:
    return [*picture_file(world), "remove"]


def picture_upload(world: World) -> dict[str, Any]:
    photo = SimpleUploadedFile("winner.jpg", image_file())
    return {"photo": photo, "description": "The winner", "is_permitted": "on"}


def has_a_logo(world: World) -> None:
    has_a_screen(world)
    store_logo(world.tournament.event, image_file(), world.hall.owner)


def logo(world: World) -> Any:
    stored = EventLogo.objects.first()
    return stored.pk if stored else WRITTEN[next(iter(WRITTEN))]


def logo_of(world: World) -> list[Any]:
    return [*event(world), logo(world)]


def logo_upload(world: World) -> dict[str, Any]:
    return {"photo": SimpleUploadedFile("club.png", image_file("PNG"))}


def logo_file(world: World) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("club.png", image_file("PNG"))}


LOGO_API_ROWS = [
    *rows("logo", "POST", DIRECTORS, event, body=logo_file, done=201),
    *rows("logo", "DELETE", DIRECTORS, event, ready=has_a_logo, done=204),
]

PICTURE_ROWS = [
    *press("event-logo", DIRECTORS, event, body=logo_upload),
    *press("event-logo-remove", DIRECTORS, logo_of, ready=has_a_logo),
    *press("event-logo-restore", DIRECTORS, logo_of, ready=has_a_logo),
    *rows("event-logo-file", "GET", EVERYBODY, logo_of, ready=has_a_logo),
    *rows("screen-logo", "GET", EVERYBODY, lambda world: [TOKEN, logo(world)], ready=has_a_logo),
    *rows("screen-logo-by-code", "GET", EVERYBODY, lambda world: [CODE, logo(world)], ready=has_a_logo),
    *rows("winner-picture", "GET", DIRECTORS, of_winners, ready=is_over),
    *press("winner-picture", DIRECTORS, of_winners, ready=is_over, body=picture_upload),
    *press("winner-picture-action", DIRECTORS, removal, ready=has_a_picture),
    *rows("winner-picture-file", "GET", EVERYBODY, picture_file, ready=has_a_picture),
]
