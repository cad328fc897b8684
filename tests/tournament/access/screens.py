"""Access to screens, overlays and followed players."""

import uuid
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.tournament.access.world import (
    DIRECTORS,
    EVERYBODY,
    World,
    doing,
    event,
    page,
    press,
    rows,
    says,
    with_entry,
    with_match,
)
from tests.tournament.images import image_file
from tournament.access.permissions import digest
from tournament.entries import attendance
from tournament.models import DisplayLink, KioskLink, Slide
from tournament.screens.plan import Plan
from tournament.screens.slides import add_slide

TOKEN, CODE = "a-token-of-a-screen", "7KQ4M"
SCREEN_FORM = {"label": "By the bar", "shows_calls": "on", "seconds_calls": 10, "theme": "dark"}


def has_a_screen(world: World) -> None:
    """Adds a screen with the token `TOKEN`, and a slide."""
    event_of_screen = world.tournament.event
    DisplayLink.objects.create(
        event=event_of_screen,
        label="Wall",
        digest=digest(TOKEN),
        code=CODE,
        plan=Plan(tournaments=(world.tournament.pk,)).as_json(),
        made_at=timezone.now(),
    )
    add_slide(event_of_screen, "Supper at seven", image_file("PNG"), world.hall.owner)


def screen(world: World) -> list[Any]:
    return [TOKEN]


def screen_of(world: World) -> list[Any]:
    link = DisplayLink.objects.first()
    return [*event(world), link.pk if link else uuid.uuid4()]


def slide(world: World) -> uuid.UUID:
    stored = Slide.objects.first()
    return stored.pk if stored else uuid.uuid4()


def slide_of(world: World) -> list[Any]:
    return [*event(world), slide(world)]


def slide_form(world: World) -> dict[str, Any]:
    return {"text": "Supper at seven", "picture": SimpleUploadedFile("board.png", image_file("PNG"))}


def slide_upload(world: World) -> dict[str, Any]:
    return {"text": "Supper at seven", "file": SimpleUploadedFile("board.png", image_file("PNG"))}


def code(world: World) -> list[Any]:
    return [CODE]


def has_a_kiosk(world: World) -> None:
    """Turns the kiosk on, with the token `TOKEN`."""
    KioskLink.objects.create(event=world.tournament.event, digest=digest(TOKEN), made_at=timezone.now())


def kiosk(world: World) -> list[Any]:
    return [TOKEN]


def newcomer_at_kiosk(world: World) -> list[Any]:
    return [TOKEN, world.newcomer.pk]


def newcomer_form(world: World) -> dict[str, Any]:
    return {"entry": world.newcomer.pk}


def newcomer_is_checked_in(world: World) -> None:
    has_a_kiosk(world)
    attendance.check_in_at_kiosk(world.newcomer, present=True)


SCREEN_JSON = {"label": "By the bar", "seconds": {"calls": 10}}

SCREEN_API_ROWS = [
    *rows("screens slides", "GET", DIRECTORS, event, ready=has_a_screen),
    *rows("screens", "POST", DIRECTORS, event, body=says(**SCREEN_JSON), done=201),
    *rows("screen", "PUT", DIRECTORS, screen_of, ready=has_a_screen, body=says(**SCREEN_JSON)),
    *rows("screen", "DELETE", DIRECTORS, screen_of, ready=has_a_screen, done=204),
    *rows("slides", "POST", DIRECTORS, event, body=slide_upload, done=201),
    *rows("slide", "PUT", DIRECTORS, slide_of, ready=has_a_screen, body=says(place=1), done=204),
    *rows("slide", "DELETE", DIRECTORS, slide_of, ready=has_a_screen, done=204),
]

SCREEN_ROWS = [
    *rows("screen screen-deck", "GET", EVERYBODY, screen, ready=has_a_screen),
    *rows("screen-picture", "GET", EVERYBODY, lambda world: [TOKEN, slide(world)], ready=has_a_screen),
    *rows("screen-by-code screen-deck-by-code", "GET", EVERYBODY, code, ready=has_a_screen),
    *rows("screen-picture-by-code", "GET", EVERYBODY, lambda world: [CODE, slide(world)], ready=has_a_screen),
    *rows("kiosk", "GET", EVERYBODY, kiosk, ready=has_a_kiosk),
    *press("kiosk-lock", EVERYBODY, kiosk, ready=has_a_kiosk),
    *press("kiosk-check-in", EVERYBODY, kiosk, ready=has_a_kiosk, body=newcomer_form),
    *rows("kiosk-entry", "GET", EVERYBODY, newcomer_at_kiosk, ready=has_a_kiosk),
    *press("kiosk-undo", EVERYBODY, newcomer_at_kiosk, ready=newcomer_is_checked_in),
    *page("kiosk-setup", DIRECTORS, event, done=200),
    *press("kiosk-off", DIRECTORS, event, ready=has_a_kiosk),
    *page("screens", DIRECTORS, event, body=says(**SCREEN_FORM), done=200),
    *rows("screen-edit", "GET", DIRECTORS, screen_of, ready=has_a_screen),
    *press("screen-edit", DIRECTORS, screen_of, ready=has_a_screen, body=says(**SCREEN_FORM)),
    *press("screen-renew", DIRECTORS, screen_of, ready=has_a_screen, done=200),
    *press("screen-revoke", DIRECTORS, screen_of, ready=has_a_screen),
    *press("slide-add", DIRECTORS, event, body=slide_form),
    *rows("slide-picture", "GET", DIRECTORS, slide_of, ready=has_a_screen),
    *press("slide-action", DIRECTORS, doing("up", slide_of), ready=has_a_screen),
    *press("slide-action", DIRECTORS, doing("remove", slide_of), ready=has_a_screen),
    *rows("overlay overlay-fragment", "GET", EVERYBODY, with_match),
    *rows("stream-auth", "GET", EVERYBODY),
    *rows("find-player followed", "GET", EVERYBODY, event),
    *press("follow", EVERYBODY, doing("follow", with_entry)),
    *press("follow", EVERYBODY, doing("unfollow", with_entry)),
]
