"""What the remaining players of a tournament can expect to win."""

import random
from dataclasses import replace

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import with_pot
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Stop
from tournament.fees.schedule import Condition
from tournament.models import Player
from tournament.money import worth
from tournament.money.worth import ENTRIES_OF_ALL_TRIALS, compute_worth
from tournament.prizes.stored import structure_as_json
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure

pytestmark = pytest.mark.django_db
SPLIT = PrizeStructure(
    "EUR",
    (Part("main", 1, 1, 4), Part("main", 2, 2, 2), Part("main", 3, 4, 1), Part("consolation", 1, 1, 2)),
)
WITH_POOL = PrizeStructure(
    "EUR", SPLIT.parts, pools=(PoolPrizes("all", (2, 1), ("main", "consolation"), added=9_00, is_open=True),)
)


def remaining(actor, structure, entries=8):
    """A knock-out with a consolation whose first round is played."""
    form = Format(Kind.KNOCKOUT, consolation="simple")
    made = with_pot(stories.released(actor, entries, format=form), actor, structure)
    for pairing in stories.playable(made):
        stories.play(pairing, actor, random.Random(pairing.line).choice(["left", "right"]))
    return made


def test_equal_players_of_an_even_draw_are_worth_the_same(actor):
    made = with_pot(stories.released(actor, 4), actor)
    table = compute_worth(made)
    assert (set(table.amounts.values()), len(table.amounts), table.trials) == ({30_00}, 4, 0)


def test_a_running_score_moves_the_worth_and_keeps_the_sum(actor):
    made = with_pot(stories.released(actor, 4), actor)
    leading = stories.playable(made)[0]
    stories.begin(leading)
    amounts = compute_worth(made).amounts
    assert amounts[leading.left_id] > 30_00 > amounts[leading.right_id]
    assert sum(amounts.values()) == pytest.approx(120_00, abs=2)


@pytest.mark.parametrize("structure", [SPLIT, WITH_POOL])
def test_learned_places_give_the_amounts_of_complete_ends(actor, structure):
    made = remaining(actor, structure)
    quick = compute_worth(made)
    Player.objects.filter(event=made.event).update(conditions=[Condition.MEMBER])
    for_members = replace(structure, condition=Condition.MEMBER)
    made.prize_structure = structure_as_json(for_members)
    assert compute_worth(made) == quick
    assert quick.trials == 0


def test_a_sample_is_the_same_each_time(actor):
    made = remaining(actor, WITH_POOL, 16)
    table = compute_worth(made)
    assert table.trials > 0
    assert table == compute_worth(made)
    pot = 16 * 30_00 + 9_00
    assert sum(table.amounts.values()) == pytest.approx(pot, abs=16)


@pytest.mark.parametrize(
    "form",
    [
        Format(Kind.SWISS, rounds=3),
        Format(Kind.GROUPS, groups=2, qualifiers=2),
        Format(Kind.LIVES, lives=2, stop=Stop.ONE_LEFT),
    ],
    ids=lambda form: form.kind,
)
def test_rounds_that_are_not_paired_yet_are_paired_in_a_sample(actor, form):
    bracket = "play-off" if form.kind is Kind.GROUPS else "main"
    parts = (
        Part(bracket, 1, 1, 2),
        Part(bracket, 2, 2, 1),
        Part(bracket, 1, 1, minor=1_00, feat=Feat.WIN),
    )
    made = with_pot(stories.released(actor, 7, format=form), actor, PrizeStructure("EUR", parts))
    played = stories.playable(made)[0]
    stories.play(played, actor)
    table = compute_worth(made)
    assert (len(table.amounts), table.error > 0) == (7, True)
    assert table.error <= 2_10 or table.trials == ENTRIES_OF_ALL_TRIALS // 7
    assert sum(table.amounts.values()) == pytest.approx(7 * 30_00, abs=7)
    assert table.amounts[played.left_id] > table.amounts[played.right_id]


def test_a_decided_draw_leaves_nothing_to_expect(actor):
    made = with_pot(stories.released(actor, 4), actor, WITH_POOL)
    while open_matches := stories.playable(made):
        for pairing in open_matches:
            stories.play(pairing, actor)
    assert compute_worth(made).is_over


def test_a_worker_computes_the_table_once_for_each_state_of_the_draw(actor):
    made = with_pot(stories.released(actor, 4), actor)
    assert worth.cached_worth(made) is None
    worth.compute_and_cache(made.pk)
    assert worth.cached_worth(made) == compute_worth(made)
    stories.play(stories.playable(made)[0], actor)
    assert worth.cached_worth(made) is None


def test_the_last_three_of_an_event_with_lives_see_every_draw_before_it_is_made(actor):
    form = Format(Kind.LIVES, lives=1)
    thirds = (Part("main", 1, 1, 24), Part("main", 2, 2, 16), Part("main", 3, 3, 8))
    pair = Part("main", 1, 2, 6, feat=Feat.PAIR_OF_THREE)
    made = with_pot(stories.released(actor, 6, format=form), actor, PrizeStructure("EUR", (*thirds, pair)))
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    table = compute_worth(made)
    assert (len(table.draws), {draw.bye for draw in table.draws}) == (3, set(table.amounts))
    assert set(table.amounts.values()) == {60_00}
    assert all(set(draw.amounts.values()) == {60_00} for draw in table.draws)
