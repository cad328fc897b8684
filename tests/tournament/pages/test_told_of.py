"""Ids of live data on public pages, and messages that are published after the commit."""

import uuid
from collections.abc import Callable
from contextlib import contextmanager

import pytest
import redis
from django.conf import settings
from django.test import Client

from tests.tournament import stories
from tournament.drawing import draws
from tournament.events import setup
from tournament.live import journal
from tournament.live.channels import ANY_EVENT, event_channel
from tournament.live.journal import JournalEntry
from tournament.models import Tournament
from tournament.runtime import publish
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
    """No cookie comes with it, and it is the same to the letter each time."""
    here = f"/e/{hall.tournament.event.slug}/{hall.tournament.slug}/"
    for address in (
        "/", f"/e/{hall.tournament.event.slug}/find/", here, f"{here}players/{hall.pairing.left_id}/",
        f"{here}match/{hall.pairing.match_id}/", f"{here}draw-proof/", *in_api(hall.tournament, hall.pairing.match_id),
    ):  # fmt: skip
        first, second = Client().get(address), Client().get(address)
        assert not first.cookies, address
        assert first.content == second.content, address


def test_a_change_is_published_to_its_event_and_to_the_list_of_events_after_the_commit(
    django_capture_on_commit_callbacks,
):
    actor = stories.director()
    made = stories.entered(actor, 2)
    messages = {f"{event_channel(channel_event)} 0" for channel_event in (made.event_id, ANY_EVENT)}
    with listening() as heard:
        with django_capture_on_commit_callbacks(execute=True):
            setup.change_event(made.event, setup.EventPlan("Saturday", made.event.starts_on), actor)
            assert heard(0.05) is None
        assert set(heard(5).splitlines()) == messages
        with django_capture_on_commit_callbacks(execute=True):
            journal.write(made, actor, JournalEntry("whatever is done"))
        assert set(heard(5).splitlines()) == messages


def test_after_lost_messages_the_next_one_covers_everything(monkeypatch):
    event = uuid.uuid4()
    with listening() as heard:
        with monkeypatch.context() as away:
            away.setattr(publish, "_server", redis.Redis(unix_socket_path="/nowhere", retry=None))
            publish.publish_changes({event: 1})
        for version, words in ((2, [publish.EVERYTHING, f"{event} 2"]), (3, [f"{event} 3"])):
            publish.publish_changes({event: version})
            assert heard(5) == "\n".join(words)


@contextmanager
def listening():
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        subscription = server.pubsub(ignore_subscribe_messages=True)
        subscription.subscribe(publish.CHANNEL)
        subscription.get_message(timeout=1)

        def heard(seconds: float) -> str | None:
            message = subscription.get_message(timeout=seconds)
            return message["data"].decode() if message else None

        yield heard
        subscription.close()


def all_heard(heard: Callable[[float], str | None]) -> list[str]:
    """Every message until now; they come in the order in which they were said."""
    messages, last = [], f"{publish.REVOKED} all that there was to say"
    publish._server.publish(publish.CHANNEL, last)
    while (message := heard(30)) != last:
        assert message is not None, f"only {messages}"
        messages.append(message)
    return messages
