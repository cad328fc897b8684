"""Lives events: elimination and the end of the event."""

from random import Random

import pytest

from tests.tournament.draw.pairing.oracle import played
from tournament.draw.pairing import (
    Aims,
    Alike,
    Contender,
    LivesRules,
    PairingError,
    Stop,
    is_over,
    pair_round,
    still_in,
)


def with_losses(*losses):
    return [Contender(entry, losses=lost, strength=entry) for entry, lost in enumerate(losses)]


def test_losing_the_last_life_eliminates():
    assert [player.entry for player in still_in(with_losses(0, 3, 2, 4), LivesRules(lives=3))] == [0, 2]


@pytest.mark.parametrize(
    ("losses", "over"), [((0, 3, 3), True), ((2, 3, 3), True), ((2, 2, 3), False), ((3, 3), True)]
)
def test_an_event_to_the_last_is_over_when_one_is_left(losses, over):
    assert is_over(with_losses(*losses), LivesRules(lives=3)) == over


@pytest.mark.parametrize(
    ("losses", "over"), [((1, 2, 2), True), ((1, 1, 2), False), ((2, 2, 2), False), ((2, 3, 3), True)]
)
def test_an_event_may_stop_when_only_one_is_above_the_last_life(losses, over):
    assert is_over(with_losses(*losses), LivesRules(lives=3, stop=Stop.BELOW)) == over


def test_with_one_life_nobody_is_above_it_and_one_is_left_in_the_end():
    rules = LivesRules(lives=1, stop=Stop.BELOW)
    assert not is_over(with_losses(0, 0), rules)
    assert is_over(with_losses(0, 1), rules)


def test_an_event_may_stop_after_a_number_of_rounds():
    rules = LivesRules(lives=3, stop=Stop.ROUNDS, rounds=4)
    assert not is_over(with_losses(1, 1, 2), rules, rounds_played=3)
    assert is_over(with_losses(1, 1, 2), rules, rounds_played=4)
    assert is_over(with_losses(1, 3, 3), rules, rounds_played=3)


@pytest.mark.parametrize("rules", [{"lives": 0}, {"stop": Stop.ROUNDS}])
def test_rules_without_a_number_of_rounds_or_lives_are_refused(rules):
    with pytest.raises(PairingError):
        LivesRules(**rules)


@pytest.mark.parametrize("stop", [Stop.ONE_LEFT, Stop.BELOW])
@pytest.mark.parametrize(("number", "lives"), [(2, 3), (7, 2), (16, 3), (33, 3), (50, 1)])
def test_every_lives_event_ends(number, lives, stop):
    rules, chance = LivesRules(lives, stop), Random(number)
    players = {player.entry: player for player in with_losses(*[0] * number)}
    matches = 0
    while not is_over(players.values(), rules):
        paired = pair_round(still_in(players.values(), rules), Aims(alike=Alike.LOSSES), "dice")
        for pair in paired.pairs:
            winner, loser = chance.sample((pair.left, pair.right), 2)
            players[winner], players[loser] = played(players[winner], players[loser])
        matches += len(paired.pairs)
    assert matches == sum(player.losses for player in players.values()) <= number * lives - 1
    assert 1 <= len(still_in(players.values(), rules)) <= number
