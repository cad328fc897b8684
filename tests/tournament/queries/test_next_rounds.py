"""The state of the next round, for every tournament of an event at once."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournament import stories
from tournament.draw.formats import Format, Kind
from tournament.drawing import rounds
from tournament.queries.next_rounds import NextRoundState, next_rounds
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

GROWING = [Format(Kind.SWISS, rounds=2), Format(Kind.LIVES, lives=2)]


def next_round(made):
    return next_rounds([made])[made.pk]


def play_round(made, actor):
    return [stories.play(pairing, actor) for pairing in stories.playable(made)]


@pytest.mark.parametrize("plan", GROWING, ids=lambda plan: plan.kind)
def test_a_complete_round_waits_for_the_next_one_since_its_last_result(actor, plan):
    made = stories.released(actor, 5, format=plan)
    assert next_round(made).state == NextRoundState.NONE
    results = play_round(made, actor)
    complete = next_round(made)
    assert (complete.state, complete.number) == (NextRoundState.COMPLETE, 2)
    assert complete.since == max(result.posted_at for result in results)
    desk.retract(stories.pairings(made).first(), "Wrong match", actor)
    assert next_round(made).state == NextRoundState.NONE, "it is open again"
    stories.play(stories.pairings(made).first(), actor)
    rounds.pair_next_round(made.pk, actor)
    assert next_round(made).state == NextRoundState.NONE


@pytest.mark.parametrize("plan", GROWING, ids=lambda plan: plan.kind)
def test_no_round_follows_the_last_one(actor, plan):
    made = stories.released(actor, 4, format=plan)
    for _ in range(20):
        play_round(made, actor)
        if next_round(made).state == NextRoundState.NONE:
            break
        rounds.pair_next_round(made.pk, actor)
    with pytest.raises(Refused):
        rounds.pair_next_round(made.pk, actor)


def test_knockouts_and_hidden_draws_have_no_next_round(actor):
    for made in (stories.released(actor, 4), stories.drawn(actor, 4, format=GROWING[0])):
        assert next_round(made).state == NextRoundState.NONE


def test_the_number_of_statements_does_not_depend_on_the_number_of_tournaments(actor):
    counts = []
    all_made = []
    for plan in [*GROWING, *GROWING]:
        all_made.append(stories.released(actor, 4, format=plan))
        play_round(all_made[-1], actor)
        if len(all_made) % 2 == 0:
            with CaptureQueriesContext(
                connection,
            ) as statements:
                states = next_rounds(all_made)
            counts.append(len(statements))
            assert {line.state for line in states.values()} == {NextRoundState.COMPLETE}
    assert counts[0] == counts[1] <= 14
