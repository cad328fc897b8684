"""`manage.py rehearse`: its refusals, and that its tokens are revoked at the end."""

import socket
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.tournament import stories
from tournament.models import ApiToken, PersonalLink
from tournament.rehearsal.wire import NotLoopback, Wire

pytestmark = pytest.mark.django_db


@pytest.fixture
def silent_port():
    """A port that is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def rehearse(*arguments: str) -> str:
    output = StringIO()
    call_command("rehearse", *arguments, stdout=output)
    return output.getvalue()


def test_an_event_that_is_not_there():
    with pytest.raises(CommandError, match="There is no event at /e/nowhere/"):
        rehearse("nowhere")


def test_a_draw_that_nobody_has_seen_yet():
    made = stories.drawn(stories.director(), 4)
    with pytest.raises(CommandError, match="Draw and release one first"):
        rehearse(made.event.slug)


def test_results_that_are_not_made_up():
    director = stories.director()
    made = stories.released(director, 4)
    stories.post(stories.playable(made)[0], director)
    with pytest.raises(CommandError, match="This event has posted results"):
        rehearse(made.event.slug)


def test_a_server_that_is_not_on_this_machine():
    made = stories.released(stories.director(), 4)
    with pytest.raises(CommandError, match="is not on this machine"):
        rehearse(made.event.slug, "--url", "http://192.0.2.7:8000")
    with pytest.raises(NotLoopback):
        Wire("https://127.0.0.1")


def test_nobody_who_answers(silent_port):
    made = stories.released(stories.director(), 4)
    with pytest.raises(CommandError, match="Nothing answers at"):
        rehearse(made.event.slug, "--url", f"http://127.0.0.1:{silent_port}")
    assert not ApiToken.objects.filter(revoked_at__isnull=True).exists()
    assert not PersonalLink.objects.filter(revoked_at__isnull=True).exists()


def test_an_installation_with_a_name_is_asked_for_by_its_name(settings):
    settings.ALLOWED_HOSTS = ["play.example.org"]
    made = stories.released(stories.director(), 4)
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as thread:
        request = thread.submit(_first_words, listening)
        with pytest.raises(CommandError, match="Nothing answers at"):
            rehearse(made.event.slug, "--url", f"http://127.0.0.1:{listening.getsockname()[1]}")
    assert b"\r\nHost: play.example.org\r\n" in request.result()


def _first_words(listening: socket.socket) -> bytes:
    """Of whoever comes; hangs up on them."""
    listening.settimeout(60)
    client, _ = listening.accept()
    with client:
        return client.recv(65536)
