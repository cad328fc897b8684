"""Channels: delayed or hidden scores are published on private channels only."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.pages.phone_clients import phone as phone_with
from tests.tournament.pages.test_told_of import all_heard, listening
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER
from tournament.live import channels
from tournament.models import Pairing, Tournament
from tournament.results import desk, disputes

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT
AROUND = ("match", "round__bracket__tournament__event", "left__player", "right__player")


@pytest.fixture
def published_ids(django_capture_on_commit_callbacks):
    """Returns the published channel ids of an action, without those of the event."""

    def ids(do, event: uuid.UUID) -> set[str]:
        with listening() as heard:
            with django_capture_on_commit_callbacks(execute=True):
                do()
            published = {line.partition(" ")[0] for word in all_heard(heard) for line in word.splitlines()}
        return published - {str(channels.event_channel(subject)) for subject in (event, channels.ANY_EVENT)}

    return ids


def playing(delay: int | None) -> tuple[Tournament, Pairing, str, set[str]]:
    """A match of two players, the public channel of its bracket, and its private channels."""
    made = stories.released(stories.director(), 2, lengths=(3,), score_delay=delay)
    pairing = Pairing.objects.select_related(*AROUND).get(round__bracket__tournament=made)
    bracket = pairing.round.bracket_id
    inside = {channels.private_channel(subject) for subject in (bracket, pairing.match_id)}
    return made, pairing, str(bracket), inside


@pytest.mark.parametrize("delay", [None, 10])
def test_delayed_scores_are_published_on_private_channels_only(published_ids, delay):
    made, pairing, bracket, inside = playing(delay)
    phone, actor = Phone(pairing, LEFT), stories.director()
    event = made.event_id
    assert published_ids(lambda: phone.game("left"), event) == {bracket}, (
        "that it has begun everybody may know"
    )
    assert published_ids(lambda: phone.game("right"), event) == inside
    assert published_ids(phone.undo, event) == inside
    assert published_ids(lambda: phone.final(3, 2), event) == inside
    assert (
        published_ids(
            lambda: disputes.open_dispute(_anew(pairing), RIGHT, "The cube was at 2", STRANGER), event
        )
        == inside
    )
    closed = published_ids(lambda: stories.play(_anew(pairing), actor, score=(3, 2)), event)
    assert bracket in closed, "a result is for everybody"


def test_scores_without_delay_are_published_on_the_public_channel(published_ids):
    made, pairing, bracket, _ = playing(0)
    phone = Phone(pairing, LEFT)
    for winner in ("left", "right"):
        assert published_ids(lambda winner=winner: phone.game(winner), made.event_id) == {bracket}
    other = Phone(pairing, RIGHT)
    assert published_ids(lambda: other.final(0, 3), made.event_id) == {bracket}
    assert published_ids(lambda: desk.settle_report(_anew(pairing)), made.event_id) <= {bracket}


def test_only_private_pages_contain_private_channels(hall):
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=None)
    where = [hall.tournament.event.slug, hall.tournament.slug]
    match, bracket = (
        str(channels.private_channel(pk)) for pk in (hall.pairing.match_id, hall.pairing.round.bracket_id)
    )
    director, stranger, player = Client(), Client(), phone_with(hall.right)
    director.force_login(hall.owner.user)
    pages = {
        reverse("match-page", args=[*where, hall.pairing.match_id]): match,
        reverse("bracket", args=where): bracket,
        reverse("desk", args=where): bracket,
        reverse("forecast", args=where[:1]): bracket,
    }
    for address, channel in pages.items():
        assert channel in director.get(address).content.decode(), address
        page = stranger.get(address).content.decode()
        assert match not in page, address
        assert bracket not in page, address
    for address in (reverse("my-matches"), reverse("my-match", args=[hall.pairing.match_id])):
        page = player.get(address, follow=True).content.decode()
        assert match in page, address
        assert bracket not in page, "a player is told of no other match"
    Tournament.objects.filter(pk=hall.tournament.pk).update(score_delay=0)
    assert bracket not in director.get(reverse("desk", args=where)).content.decode(), "nothing is told there"


def _anew(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related(*AROUND).get(pk=pairing.pk)
