"""A draw that many tests of a module read or play on. The changes of each test are rolled back."""

from copy import deepcopy

import pytest

from tests.tournament.queries.cards import seeded
from tournament.models import Tournament


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return seeded(actor_of_module, 4)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    """A released draw of four, whose names are their seeds."""
    return deepcopy(made_of_module)
