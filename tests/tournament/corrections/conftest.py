"""The tournament whose results are corrected."""

import pytest

from tests.tournament import stories
from tournament.models import Tournament


@pytest.fixture
def eight(actor) -> Tournament:
    """Eight players; the first round is played, and one semifinal is finished."""
    return stories.after_one_semifinal(actor, lengths=(5, 3))
