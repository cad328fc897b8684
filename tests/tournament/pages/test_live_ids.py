"""The live ids of public pages and API answers: the event and the brackets that they show."""

import uuid

import pytest
from django.test import Client

from tests.tournament import stories
from tournament.drawing import draws
from tournament.live.channels import ANY_EVENT, event_channel
from tournament.models import Tournament
from tournament.web.conditional import LIVE_IDS

pytestmark = pytest.mark.django_db


def ids_of(address: str) -> set[str]:
    return set(Client().get(address)[LIVE_IDS].split(","))


def test_every_public_page_names_its_event_and_its_brackets():
    actor = stories.director()
    made = stories.drawn(actor, 4)
    here, event = f"/e/{made.event.slug}/{made.slug}/", str(event_channel(made.event_id))
    bracket = str(made.brackets.get().pk)
    assert ids_of(here) == ids_of(f"{here}fragment/") == {event}
    draws.release(made.pk, actor)
    files = (f"{here}{file}" for file in ("standings.csv", "results.json", "bracket.svg", "bracket/main.svg"))
    for address in (f"/e/{made.event.slug}/", here, f"{here}standings/", f"{here}print/", *files):
        assert ids_of(address) == {event, bracket}
    match, player = stories.playable(made)[0].match_id, made.entries.first().pk
    for address in (f"{here}players/{player}/", f"{here}match/{match}/", *in_api(made, match)):
        assert ids_of(address) == {event, bracket}, address
    for address in (
        *(f"{here}{page}/" for page in ("players", "rules", "draw-proof")),
        *(f"/api/v1/tournaments/{made.pk}/{part}" for part in ("", "entries/", "draws/")),
        *(f"{start}/{made.event.slug}/" for start in ("/api/v1/events", "/e")),
        f"/e/{made.event.slug}/find/",
        f"/api/v1/events/{made.event.slug}/tournaments/",
    ):
        assert event in ids_of(address), address
    assert ids_of("/") == ids_of("/api/v1/events/") == {str(event_channel(ANY_EVENT))}


def in_api(made: Tournament, match: uuid.UUID) -> list[str]:
    parts = ("brackets/", "brackets/main/", "standings/", "results/")
    return [*(f"/api/v1/tournaments/{made.pk}/{part}" for part in parts), f"/api/v1/matches/{match}/"]


def test_shared_pages_contain_no_secrets(hall):
    here = f"/e/{hall.tournament.event.slug}/{hall.tournament.slug}/"
    for address in (
        "/", f"/e/{hall.tournament.event.slug}/find/", here, f"{here}players/{hall.pairing.left_id}/",
        f"{here}match/{hall.pairing.match_id}/", f"{here}draw-proof/", *in_api(hall.tournament, hall.pairing.match_id),
    ):  # fmt: skip
        first, second = Client().get(address), Client().get(address)
        assert not first.cookies, address
        assert first.content == second.content, address
