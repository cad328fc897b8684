"""Browsers of the people who run the event."""

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.access.actors import Actor
from tournament.models import Tournament


@pytest.fixture
def owner(actor) -> Actor:
    return actor


@pytest.fixture
def browser(owner) -> Browser:
    """The owner's."""
    return Browser(owner.user)


@pytest.fixture
def at_desk(hall) -> Browser:
    return Browser(hall.desk.user)


@pytest.fixture
def directing(hall) -> Browser:
    return Browser(hall.director.user)


@pytest.fixture
def owning(hall) -> Browser:
    return Browser(hall.owner.user)


@pytest.fixture
def stranger(db) -> Browser:
    return Browser()


@pytest.fixture
def club_night(owner) -> Tournament:
    """An empty tournament."""
    return stories.tournament(owner)
