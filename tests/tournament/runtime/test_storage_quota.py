"""Space for game records and photos of one event."""

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.models import Pairing
from tournament.records import checking
from tournament.runtime import storage_quota
from tournament.runtime.errors import Refused

from matches.keepers import Keeper  # isort: skip

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return stories.director()


@pytest.fixture
def pairing(owner) -> Pairing:
    return stories.playable(stories.released(owner, 4))[0]


def bring(pairing: Pairing, owner, data: bytes):
    return checking.upload(pairing, Keeper.LEFT, data, "match.mat", owner)


def test_a_file_beyond_the_quota_of_the_event_is_refused(pairing, owner, settings):
    settings.EVENT_STORAGE_MB = 1
    bring(pairing, owner, b"a" * 900_000)
    with pytest.raises(Refused) as refused:
        bring(pairing, owner, b"b" * 200_000)
    assert refused.value.code == "event-storage-full"
    assert storage_quota.used_bytes(pairing.round.bracket.tournament.event) == 900_000


def test_the_overview_warns_before_uploads_are_refused(pairing, owner, settings):
    settings.EVENT_STORAGE_MB = 1
    overview = Browser(owner.user)
    event = pairing.round.bracket.tournament.event
    assert not overview.open("event-overview", event.slug).says("EVENT_STORAGE_MB")
    bring(pairing, owner, b"a" * 900_000)
    assert overview.open("event-overview", event.slug).says("EVENT_STORAGE_MB")


def test_at_most_two_records_of_a_match_wait_for_their_check(pairing, owner):
    for data in (b"one", b"two"):
        bring(pairing, owner, data)
    with pytest.raises(Refused) as refused:
        bring(pairing, owner, b"three")
    assert refused.value.code == "records-waiting"
    assert bring(pairing, owner, b"two")[1] is False
