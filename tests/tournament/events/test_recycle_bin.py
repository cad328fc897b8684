"""The bin: what is deleted is gone for everybody, comes back unchanged, and after 30 days leaves no row behind."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from matches.models import CardRow, GameRecord, Match
from tests.tournament import stories
from tests.tournament.access.test_access import stored_rows, world
from tests.tournament.access.world import has_a_record, is_corrected
from tests.tournament.conftest import Program
from tests.tournament.live.published import messages_until_now, published_messages
from tournament.events import cleanup, recycle_bin, visibility
from tournament.models import Call, Entry, Event, JournalLine, Player, Room, Tournament
from tournament.queries.screens.deck import load_deck
from tournament.room import calls
from tournament.runtime.errors import Refused
from tournament.screens import display_links
from tournament.screens.plan import Plan

__all__ = ["world"]

pytestmark = pytest.mark.django_db

LOGGED = {"JournalLine", "User", "AccountEvent", "Account", "Room", "Session"}


def stored() -> dict[str, list]:
    return {name: rows for name, rows in stored_rows().items() if name not in LOGGED}


def test_a_deleted_event_is_gone_for_its_staff_and_players_and_comes_back_unchanged(world):
    event, owner = world.tournament.event, world.hall.owner
    before = stored()
    recycle_bin.delete_event(event, owner)
    staff = Client()
    staff.force_login(owner.user)
    for path in (
        f"/e/{event.slug}/",
        f"/e/{event.slug}/overview/",
        f"/e/{event.slug}/{world.tournament.slug}/desk/",
    ):
        assert staff.get(path).status_code == 404, path
    assert event.slug not in staff.get("/").content.decode()
    assert Program(world.hall.left).get("/me/").status_code == 401
    assert not Event.objects.exists()
    recycle_bin.restore_event(event, owner)
    assert stored() == before
    assert staff.get(f"/e/{event.slug}/overview/").status_code == 200
    assert Program(world.hall.left).get("/me/").status_code == 200
    verbs = JournalLine.objects.values_list("verb", flat=True).order_by("-pk")[:2]
    assert list(verbs) == ["restore event", "delete event"]


def test_a_deleted_tournament_frees_its_tables_and_leaves_the_room(world):
    owner = world.hall.owner
    assert Call.objects.filter(ended_at__isnull=True).exists()
    recycle_bin.delete_tournament(world.tournament, owner)
    assert not Call.objects.filter(ended_at__isnull=True).exists()
    staff = Client()
    staff.force_login(owner.user)
    event = world.tournament.event
    for path in ("", "overview/", "room/", "find/", "forecast/"):
        page = staff.get(f"/e/{event.slug}/{path}")
        assert page.status_code == 200
        assert world.pairing.left.name not in page.content.decode(), path
    assert staff.get(f"/e/{event.slug}/{world.tournament.slug}/desk/").status_code == 404
    assert Program(world.hall.left).get("/me/").status_code == 401
    recycle_bin.restore_tournament(world.tournament, owner)
    assert staff.get(f"/e/{event.slug}/{world.tournament.slug}/desk/").status_code == 200
    assert Program(world.hall.left).get("/me/").status_code == 200


def test_an_archived_tournament_frees_its_tables_and_is_neither_called_nor_on_a_screen_that_names_it(world):
    owner, called = world.hall.owner, Call.objects.get(ended_at__isnull=True)
    plan = Plan(tournaments=(world.tournament.pk,))
    link, _ = display_links.create_display(world.tournament.event, "Wall", plan, owner)
    shown = {slide.title for slide in load_deck(link).slides}
    visibility.set_archived(world.tournament, is_archived=True, actor=owner)
    assert not Call.objects.filter(ended_at__isnull=True).exists()
    assert world.tournament.name in shown - {slide.title for slide in load_deck(link).slides}
    with pytest.raises(Refused) as refused:
        calls.call(called.pairing_id, None, owner)
    assert refused.value.code == "tournament-archived"
    visibility.set_archived(world.tournament, is_archived=False, actor=owner)
    assert calls.call(called.pairing_id, None, owner)


@pytest.mark.django_db(transaction=True)
def test_screens_fetch_their_slides_when_an_event_comes_back():
    owner = stories.director()
    event = stories.event(owner)
    link, _ = display_links.create_display(event, "Wall", Plan(), owner)
    recycle_bin.delete_event(event, owner)
    with published_messages() as next_message:
        recycle_bin.restore_event(event, owner)
        messages = messages_until_now(next_message)
    assert any(str(link.pk) in message for message in messages)


def test_after_30_days_no_row_of_an_event_is_left(world):
    has_a_record(world)
    is_corrected(world)
    owner, neighbour = world.hall.owner, stories.released(stories.director("neighbour"), 4)
    recycle_bin.delete_event(world.tournament.event, owner)
    for days, is_there in ((29, True), (31, False)):
        Event.with_deleted.filter(pk=world.tournament.event_id).update(
            deleted_at=timezone.now() - timedelta(days=days)
        )
        cleanup.clean_up()
        assert Event.with_deleted.filter(pk=world.tournament.event_id).exists() == is_there
    assert set(Event.objects.all()) == {neighbour.event}
    assert set(Tournament.with_deleted.all()) == {neighbour}
    assert {entry.tournament for entry in Entry.objects.all()} == {neighbour}
    entries = set(Entry.objects.values_list("pk", flat=True))
    assert {match.left for match in Match.objects.all()} <= entries
    assert [model.objects.count() for model in (CardRow, GameRecord, Room)] == [0, 0, 0]
    assert {player.event for player in Player.objects.all()} == {neighbour.event}
    assert not User.objects.get(username="desk").is_active  # an account that the event made
    assert User.objects.get(pk=owner.user.pk).is_active


def test_after_30_days_a_deleted_tournament_leaves_the_rest_of_its_event(world):
    is_corrected(world)
    recycle_bin.delete_tournament(world.tournament, world.hall.owner)
    Tournament.with_deleted.filter(pk=world.tournament.pk).update(
        deleted_at=timezone.now() - timedelta(days=31)
    )
    cleanup.clean_up()
    assert list(Tournament.with_deleted.all()) == [world.novice]
    assert set(Player.objects.values_list("name", flat=True)) == {"New Comer", "New Goer"}
    for model in apps.get_app_config("matches").get_models():
        assert not model.objects.exists(), model
