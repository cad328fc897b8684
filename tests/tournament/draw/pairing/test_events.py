"""Whole events paired round by round: rematches, byes, late entries and withdrawals."""

from random import Random

import pytest

from tests.tournament.draw.pairing.oracle import played, with_bye
from tournament.draw.pairing import MONRAD, Aims, Alike, Contender, Seeding, pair_round

SWISS = Aims()
BY_LOT = Aims(seeding=Seeding.CHANCE, clubs_apart=True)


def play(players, paired, chance):
    """The records after this round, with random winners."""
    for pair in paired.pairs:
        winner, loser = chance.sample((pair.left, pair.right), 2)
        players[winner], players[loser] = played(players[winner], players[loser])
    if paired.bye is not None:
        players[paired.bye.entry] = with_bye(players[paired.bye.entry])


def field(number):
    return {entry: Contender(entry, strength=entry, club="ABCDE"[entry % 5]) for entry in range(number)}


@pytest.mark.parametrize("aims", [SWISS, BY_LOT, MONRAD], ids=["swiss", "by lot", "monrad"])
@pytest.mark.parametrize("number", [8, 9, 13, 16, 27, 32, 41, 64])
def test_nobody_meets_twice_or_has_two_byes_while_that_can_be_avoided(number, aims):
    """In half as many rounds as there are players, Dirac's theorem leaves a round without a rematch."""
    players, chance = field(number), Random(number)
    for round_ in range(min(number // 2 - 1, 12)):
        paired = pair_round(players.values(), aims, f"round {round_}")
        assert paired.is_optimal
        assert paired.total.rematches == 0
        assert paired.total.second_byes == 0
        play(players, paired, chance)
    assert {player.byes for player in players.values()} <= {0, 1}
    assert all(len(set(player.opponents)) == len(player.opponents) for player in players.values())


@pytest.mark.parametrize("number", [5, 6, 9, 10])
def test_over_very_many_rounds_rematches_are_spread(number):
    """Each single round is optimal; its effect on later rounds is not considered."""
    players, chance = field(number), Random(number)
    for round_ in range(2 * number):
        paired = pair_round(players.values(), SWISS, f"round {round_}")
        assert paired.is_optimal
        play(players, paired, chance)
    most_met = max(
        player.opponents.count(opponent) for player in players.values() for opponent in player.opponents
    )
    assert most_met <= 4


@pytest.mark.parametrize("number", [3, 5, 7])
@pytest.mark.parametrize("aims", [SWISS, BY_LOT, MONRAD], ids=["swiss", "by lot", "monrad"])
def test_nobody_has_a_second_bye_before_everybody_had_one(number, aims):
    """Not even where only a rematch avoids it."""
    for seed in range(10):
        players, chance = field(number), Random(seed)
        for _ in range(3 * number):
            play(players, pair_round(players.values(), aims, "dice"), chance)
            byes = [player.byes for player in players.values()]
            assert max(byes) - min(byes) <= 1


@pytest.mark.parametrize("aims", [SWISS, BY_LOT, MONRAD], ids=["swiss", "by lot", "monrad"])
@pytest.mark.parametrize(("number", "rounds"), [(6, 4), (6, 5), (7, 6), (8, 6), (8, 7), (9, 8), (10, 9)])
def test_a_small_field_plays_the_rounds_planned_without_a_rematch_or_a_second_bye(number, rounds, aims):
    for seed in range(20 if number < 9 else 3):
        players, chance = field(number), Random(seed)
        for round_ in range(1, rounds + 1):
            paired = pair_round(players.values(), aims, f"round {round_}", rounds - round_)
            assert (paired.total.rematches, paired.total.second_byes) == (0, 0)
            play(players, paired, chance)


def test_too_many_rounds_are_each_paired_optimally():
    players, chance = field(4), Random(4)
    for round_ in range(1, 6):
        paired = pair_round(players.values(), SWISS, "dice", 5 - round_)
        assert paired.total == pair_round(players.values(), SWISS, "dice").total
        play(players, paired, chance)


def test_players_come_late_and_withdraw_between_rounds():
    players, chance = field(30), Random(5)
    gone = set()
    for round_ in range(9):
        if round_ in (2, 4):
            players[100 + round_] = Contender(100 + round_, losses=round_ // 2, strength=100 + round_)
        if round_ in (3, 5, 6):
            gone.add(chance.choice(sorted(players.keys() - gone)))
        paired = pair_round(
            [player for player in players.values() if player.entry not in gone], SWISS, "dice"
        )
        seated = [entry for pair in paired.pairs for entry in (pair.left, pair.right)]
        seated += [] if paired.bye is None else [paired.bye.entry]
        assert sorted(seated) == sorted(players.keys() - gone)
        assert paired.total.rematches == paired.total.second_byes == 0
        play(players, paired, chance)


def test_balance_separates_a_late_entrant_from_beaten_players():
    beaten = [Contender(entry, losses=4, strength=entry) for entry in (1, 2)]
    late = Contender("late", strength=9)
    even = Contender("even", wins=2, losses=2, strength=8)
    by_wins = pair_round([*beaten, late, even], SWISS, "dice")
    by_balance = pair_round([*beaten, late, even], Aims(alike=Alike.BALANCE), "dice")
    assert ("even", "late") not in [(pair.left, pair.right) for pair in by_wins.pairs]
    assert {"even", "late"} in [{pair.left, pair.right} for pair in by_balance.pairs]
