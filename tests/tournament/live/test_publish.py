"""Messages to followers: published after the commit, and complete again after an outage."""

import uuid

import pytest
import redis

from tests.tournament import stories
from tests.tournament.live.published import published_messages
from tournament.events import setup
from tournament.live import journal
from tournament.live.channels import ANY_EVENT, event_channel
from tournament.live.journal import JournalEntry
from tournament.runtime import publish

pytestmark = pytest.mark.django_db


def test_a_change_is_published_to_its_event_and_to_the_list_of_events_after_the_commit(
    django_capture_on_commit_callbacks,
):
    actor = stories.director()
    made = stories.entered(actor, 2)
    messages = {f"{event_channel(event)} 0" for event in (made.event_id, ANY_EVENT)}
    public = {f"{event} 0" for event in (made.event_id, ANY_EVENT)}
    with published_messages() as next_message:
        with django_capture_on_commit_callbacks(execute=True):
            setup.change_event(made.event, setup.EventPlan("Saturday", made.event.starts_on), actor)
            assert next_message(0.05) is None
        assert set(next_message(5).splitlines()) == messages | public
        with django_capture_on_commit_callbacks(execute=True):
            journal.write(made, actor, JournalEntry("entered"))
        assert set(next_message(5).splitlines()) == messages


def test_after_lost_messages_the_next_one_covers_everything(monkeypatch):
    event = uuid.uuid4()
    with published_messages() as next_message:
        with monkeypatch.context() as away:
            away.setattr(publish, "_server", redis.Redis(unix_socket_path="/nowhere", retry=None))
            publish.publish_changes({event: 1})
        for version, lines in ((2, [publish.EVERYTHING, f"{event} 2"]), (3, [f"{event} 3"])):
            publish.publish_changes({event: version})
            assert next_message(5) == "\n".join(lines)
