"""How simulated players play: what they write down can have happened, at rates that a director would believe."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.card import inspect
from rules.ruleset import PRESETS
from rules.score import Ending, Game, Win
from tests.rules.cards import has_errors
from tournament.rehearsal.people import Answer, player, scene
from tournament.rehearsal.play import chance_of_left, play_match

SEEDS = st.integers(0, 2**32)


@given(seed=SEEDS, length=st.integers(1, 25), preset=st.sampled_from(sorted(PRESETS)))
def test_a_simulated_match_ends_and_breaks_no_rule(seed, length, preset):
    games = play_match(length, PRESETS[preset], 0.5, Random(seed))
    card = inspect([played.game for played in games], length, PRESETS[preset])
    assert not has_errors(card)
    assert card.score.winner is not None
    assert all(played.minutes > 0 for played in games)


def many_games() -> list[Game]:
    rng = Random(7)
    return [played.game for _ in range(400) for played in play_match(9, PRESETS["tournament"], 0.5, rng)]


def test_gammons_drops_and_cubes_have_realistic_frequencies():
    games = many_games()
    played_on = [game for game in games if game.ending is not Ending.DROPPED]
    gammons = sum(game.win is Win.GAMMON for game in played_on) / len(played_on)
    drops = 1 - len(played_on) / len(games)
    cubes = Counter(game.cube for game in played_on)
    assert 0.22 < gammons < 0.30
    assert 0.20 < drops < 0.40
    assert cubes[2] > cubes[4] > cubes[8] > 0


def test_the_stronger_player_wins_more_often_but_not_always():
    chance = chance_of_left(1800, 1500)
    assert 0.55 < chance < 0.65
    assert chance_of_left(1500, 1800) == pytest.approx(1 - chance)


def test_the_same_seed_gives_the_same_players_and_match():
    story = [
        (player(None, rng), scene(rng), play_match(7, PRESETS["tournament"], 0.5, rng))
        for rng in (Random(3), Random(3))
    ]
    assert story[0] == story[1]


def test_some_players_are_late_some_disagree_and_some_forget():
    rng = Random(1)
    scenes = [scene(rng) for _ in range(500)]
    assert 0.05 < sum(scene.minutes_late > 3 for scene in scenes) / 500 < 0.20
    assert {scene.answer for scene in scenes} == set(Answer)
    assert any(not scene.comes for scene in scenes)
