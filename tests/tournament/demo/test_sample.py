"""The sample event: one for each director, created without touching other events."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from django.db import transaction

from tests.tournament import stories
from tests.tournament.races import race
from tournament.demo import weekend
from tournament.models import Event, Result

pytestmark = pytest.mark.django_db


def open_sample(director) -> Event:
    return weekend.open_sample(director, Random(1))


def test_the_sample_advances_its_own_results_only_and_is_created_once():
    director = stories.director()
    other = stories.released(director, 4)
    result = stories.post(stories.playable(other)[0], director)
    sample = open_sample(director)
    assert open_sample(director) == sample
    assert list(Result.objects.filter(advanced_at__isnull=True)) == [result]
    assert [tournament.name for tournament in sample.tournaments.all()] == ["Friday evening", "Doubles"]
    assert open_sample(stories.director("other")) != sample


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_open_one_sample():
    director = stories.director()
    samples: list[Event] = []

    @contextmanager
    def first_request() -> Iterator[None]:
        with transaction.atomic():
            samples.append(open_sample(director))
            yield

    race(first_request(), lambda: samples.append(open_sample(director)))
    assert samples[0] == samples[1] == Event.objects.get()
