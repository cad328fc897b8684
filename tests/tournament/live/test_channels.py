"""Channels: delayed or hidden scores are published on private channels only."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.live.published import messages_until_now, published_messages
from tests.tournament.pages.phone_clients import phone as phone_with
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER
from tournament.drawing import draws
from tournament.live import channels
from tournament.models import Bracket, Pairing, Tournament
from tournament.results import desk, disputes

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT
AROUND = ("match", "round__bracket__tournament__event", "left__player", "right__player")


@pytest.fixture
def published_ids(django_capture_on_commit_callbacks):
    """Returns the published channel ids of an action, without those of the event."""

    def ids(do, event: uuid.UUID) -> set[str]:
        with published_messages() as next_message:
            with django_capture_on_commit_callbacks(execute=True):
                do()
            messages = messages_until_now(next_message)
            published = {line.partition(" ")[0] for message in messages for line in message.splitlines()}
        return published - {str(channels.event_channel(subject)) for subject in (event, channels.ANY_EVENT)}

    return ids


def released_match(delay: int | None) -> tuple[Tournament, Pairing, str, set[str]]:
    """A match of two players, the public channel of its bracket, and its private channels."""
    made = stories.released(stories.director(), 2, lengths=(3,), score_delay=delay)
    pairing = Pairing.objects.select_related(*AROUND).get(round__bracket__tournament=made)
    bracket = pairing.round.bracket_id
    private = {channels.private_channel(subject) for subject in (bracket, pairing.match_id)}
    return made, pairing, str(bracket), private


@pytest.mark.parametrize("delay", [None, 10])
def test_delayed_scores_are_published_on_private_channels_only(published_ids, delay):
    made, pairing, bracket, private = released_match(delay)
    phone, actor = Phone(pairing, LEFT), stories.director()
    event = made.event_id
    assert published_ids(lambda: phone.game("left"), event) == {bracket}, (
        "everybody may know that the match has begun"
    )
    assert published_ids(lambda: phone.game("right"), event) == private
    assert published_ids(phone.undo, event) == private
    assert published_ids(lambda: phone.final(3, 2), event) == private
    assert (
        published_ids(
            lambda: disputes.open_dispute(_reload(pairing), RIGHT, "The cube was at 2", STRANGER), event
        )
        == private
    )
    closed = published_ids(lambda: stories.play(_reload(pairing), actor, score=(3, 2)), event)
    assert bracket in closed, "a result is for everybody"


def test_scores_without_delay_are_published_on_the_public_channel(published_ids):
    made, pairing, bracket, _ = released_match(0)
    phone = Phone(pairing, LEFT)
    for winner in ("left", "right"):
        assert published_ids(lambda winner=winner: phone.game(winner), made.event_id) == {bracket}
    opponent = Phone(pairing, RIGHT)
    assert published_ids(lambda: opponent.final(0, 3), made.event_id) == {bracket}
    assert published_ids(lambda: desk.settle_report(_reload(pairing)), made.event_id) <= {bracket}


def test_changes_of_a_hidden_draw_are_published_to_staff_only(published_ids):
    made, _, bracket, _ = released_match(0)
    director, versions = stories.director(), set()

    def redraw() -> None:
        draws.make(made.pk, draws.DrawPlan(reason="A player was missing"), director)

    for changes in (1, 2):
        assert published_ids(redraw, made.event_id) == {bracket}, "everybody may know that the draw is gone"
        for _ in range(changes):
            assert published_ids(redraw, made.event_id) == {f"inside-{bracket}"}
        assert bracket in published_ids(lambda: draws.release(made.pk, director), made.event_id)
        versions.add(Bracket.objects.get(pk=bracket).version % 1000)
    assert len(versions) == 1, "a version does not say how often the hidden draw was changed"


def test_only_private_pages_contain_private_channels(hall):
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=None)
    arguments = [hall.tournament.event.slug, hall.tournament.slug]
    match, bracket = (
        str(channels.private_channel(pk)) for pk in (hall.pairing.match_id, hall.pairing.round.bracket_id)
    )
    director, stranger, player = Client(), Client(), phone_with(hall.right)
    director.force_login(hall.owner.user)
    pages = {
        reverse("match-page", args=[*arguments, hall.pairing.match_id]): match,
        reverse("bracket", args=arguments): bracket,
        reverse("desk", args=arguments): bracket,
        reverse("forecast", args=arguments[:1]): bracket,
    }
    for address, channel in pages.items():
        assert channel in director.get(address).content.decode(), address
        page = stranger.get(address).content.decode()
        assert match not in page, address
        assert bracket not in page, address
    for address in (reverse("my-matches"), reverse("my-match", args=[hall.pairing.match_id])):
        page = player.get(address, follow=True).content.decode()
        assert match in page, address
        assert bracket not in page, "players follow only their own matches"


def _reload(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related(*AROUND).get(pk=pairing.pk)
