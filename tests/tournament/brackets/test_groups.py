"""Groups and a play-off, stored: places fill the play-off, and a corrected group match moves them."""

import random

import pytest

from tests.tournament import stories
from tournament.brackets import storage
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import resolve
from tournament.models import Shape

pytestmark = pytest.mark.django_db


def as_derived(made) -> None:
    sheet = storage.read(made)
    assert sheet.seated() == dict(resolve(sheet.graph, *sheet.facts).states)
    assert consistency.differences(made.event) == []


def test_group_standings_fill_the_play_off(actor):
    made = stories.released(actor, 7, format=Format(Kind.GROUPS, groups=2, qualifiers=2))
    assert set(made.brackets.filter(shape=Shape.TABLE).values_list("key", flat=True)) == {
        "group 1",
        "group 2",
    }
    semifinals = stories.pairings(made).filter(round__bracket__key="play-off", round__number=1)
    assert [row.left_id for row in semifinals] == [None, None]
    chance = random.Random(1)
    while waiting := [row for row in stories.playable(made) if row.round.bracket.key != "play-off"]:
        stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))
        as_derived(made)
    assert None not in {row.left_id for row in semifinals.all()}
    stories.play_out(made, actor, chance)
    as_derived(made)


def test_a_round_robin_pairs_every_two_players(actor):
    made = stories.released(actor, 5, format=Format(Kind.ROUND_ROBIN))
    stories.play_out(made, actor, random.Random(2))
    met = [frozenset((row.left_id, row.right_id)) for row in stories.pairings(made).filter(settled="played")]
    assert len(met) == len(set(met)) == 10
    as_derived(made)
