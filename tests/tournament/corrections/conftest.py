"""The tournament whose results are corrected."""

from copy import deepcopy

import pytest

from tests.tournament import stories
from tournament.models import Tournament


@pytest.fixture(scope="module")
def eight_of_module(actor_of_module) -> Tournament:
    """Eight players; the first round is played, and one semifinal is finished."""
    return stories.after_one_semifinal(actor_of_module, lengths=(5, 3))


@pytest.fixture
def eight(db, eight_of_module) -> Tournament:
    return deepcopy(eight_of_module)
