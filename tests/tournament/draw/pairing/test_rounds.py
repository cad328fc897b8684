"""Paired rounds: meetings among equals, crossings between levels, and the bye."""

from random import Random

import pytest

from tests.tournament.draw.pairing.oracle import some_history
from tournament.draw.pairing import (
    MONRAD,
    Aims,
    Alike,
    Contender,
    PairingError,
    Seeding,
    Tiers,
    pair_round,
    pair_round_with,
)

NOTHING = Tiers()


def newcomers(number):
    return [Contender(entry, strength=entry) for entry in range(1, number + 1)]


def meetings(paired):
    return [(pair.left, pair.right) for pair in paired.pairs]


def test_the_strongest_meets_the_weakest_in_a_fold():
    assert meetings(pair_round(newcomers(8), Aims(), "dice")) == [(1, 8), (2, 7), (3, 6), (4, 5)]


def test_the_upper_half_meets_the_lower_in_a_slide():
    paired = pair_round(newcomers(8), Aims(seeding=Seeding.SLIDE), "dice")
    assert meetings(paired) == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_neighbours_meet_in_a_monrad():
    assert meetings(pair_round(newcomers(6), MONRAD, "dice")) == [(1, 2), (3, 4), (5, 6)]


def test_neighbours_who_have_met_go_one_place_further():
    first, *others = newcomers(4)
    paired = pair_round([first._replace(opponents=(2,)), *others], MONRAD, "dice")
    assert meetings(paired) == [(1, 3), (2, 4)]


def test_the_place_in_a_monrad_is_by_wins_then_fewest_losses_then_strength():
    late = Contender("late", wins=1, losses=0, strength=9)
    one_each = [Contender(name, wins=1, losses=1, strength=at) for at, name in enumerate("ab")]
    winner = Contender("winner", wins=2, strength=8)
    assert meetings(pair_round([*one_each, late, winner], MONRAD, "dice")) == [("winner", "late"), ("a", "b")]


def test_the_weakest_above_meets_the_strongest_below_where_levels_are_odd():
    winners = [Contender(entry, wins=1, strength=entry) for entry in (1, 2, 3)]
    losers = [Contender(entry, losses=1, strength=entry) for entry in (4, 5, 6)]
    paired = pair_round(winners + losers, Aims(), "dice")
    assert meetings(paired) == [(1, 2), (3, 4), (5, 6)]
    assert [pair.cost.tiers.gap for pair in paired.pairs] == [0, 1, 0]


def test_the_bye_of_newcomers_goes_to_the_weakest():
    paired = pair_round(newcomers(5), Aims(), "dice")
    assert paired.bye is not None
    assert paired.bye.entry == 5
    assert meetings(paired) == [(1, 4), (2, 3)]


def test_the_bye_goes_to_the_worst_record_among_those_without_one():
    had_one = Contender("had one", losses=2, byes=1, strength=5)
    worst = Contender("worst", wins=1, losses=2, strength=1)
    better = [Contender(entry, wins=2, losses=1, strength=entry) for entry in (2, 3, 4)]
    paired = pair_round([had_one, worst, *better], Aims(), "dice")
    assert paired.bye is not None
    assert paired.bye.entry == "worst"
    assert paired.bye.cost.tiers == NOTHING


def test_a_rematch_comes_before_a_second_bye():
    had_one = Contender("had one", losses=1, byes=1)
    others = [Contender("a", wins=3), Contender("b")]
    assert pair_round([had_one, *others], Aims(), "dice").bye.entry == "b"
    met = [Contender("a", wins=3, opponents=("had one",)), Contender("b", opponents=("had one",))]
    assert pair_round([had_one, *met], Aims(), "dice").bye.entry == "b"
    assert pair_round([had_one, *met], Aims(byes_first=False), "dice").bye.entry == "had one"


def test_club_mates_are_kept_apart_among_equals_only_where_that_is_asked():
    clubs = {1: "Pip", 2: "Bar", 3: "Bar", 4: "Pip"}
    players = [player._replace(club=clubs[player.entry]) for player in newcomers(4)]
    assert meetings(pair_round(players, Aims(), "dice")) == [(1, 4), (2, 3)]
    apart = pair_round(players, Aims(clubs_apart=True), "dice")
    assert apart.total.same_club == 0
    assert meetings(apart) == [(1, 3), (2, 4)]


def test_like_records_count_for_more_than_clubs_and_clubs_for_more_than_countries():
    mates = [Contender(entry, wins=entry // 3, strength=entry, club="Pip") for entry in (1, 2)]
    rivals = [Contender(entry, wins=entry // 3, strength=entry, club="Bar") for entry in (3, 4)]
    assert pair_round(mates + rivals, Aims(clubs_apart=True), "dice").total == Tiers(same_club=2)
    homes = [("Pip", "X"), ("Pip", "Y"), ("Bar", "X"), ("Bar", "Y")]
    players = [
        player._replace(club=club, country=country)
        for player, (club, country) in zip(newcomers(4), homes, strict=True)
    ]
    both = pair_round(players[:2] + players[2:3], Aims(clubs_apart=True, countries_apart=True), "dice")
    assert both.total.same_club == 0
    assert (
        pair_round(players, Aims(clubs_apart=True, countries_apart=True), "dice").total[:-1] == NOTHING[:-1]
    )


def test_entries_without_a_club_do_not_share_one():
    assert pair_round(newcomers(6), Aims(clubs_apart=True, countries_apart=True), "dice").total == NOTHING


@pytest.mark.parametrize("aims", [Aims(), Aims(seeding=Seeding.CHANCE), MONRAD, Aims(alike=Alike.LOSSES)])
def test_the_order_of_the_players_does_not_matter(aims):
    contenders = some_history(41, rounds=5, seed=4)
    paired = pair_round(contenders, aims, "dice 3 1")
    for seed in range(3):
        Random(seed).shuffle(contenders)
        assert pair_round(contenders, aims, "dice 3 1") == paired


def test_players_of_equal_strength_are_paired_the_same_way_in_any_order():
    contenders = [Contender(f"player {number}") for number in range(12)]
    assert pair_round(contenders, Aims(), "dice") == pair_round(contenders[::-1], Aims(), "dice")


def test_other_dice_give_other_pairs_where_chance_decides_and_only_there():
    lots = {
        tuple(meetings(pair_round(newcomers(16), Aims(seeding=Seeding.CHANCE), f"dice {n}")))
        for n in range(8)
    }
    assert len(lots) == 8
    assert len({pair_round(newcomers(16), Aims(), f"dice {n}") for n in range(3)}) == 1


def test_every_pair_of_equals_is_equally_likely_by_chance():
    drawn = [
        meetings(pair_round(newcomers(4), Aims(seeding=Seeding.CHANCE), f"dice {n}")) for n in range(600)
    ]
    with_one = [next(pair for pair in pairs if 1 in pair) for pairs in drawn]
    partners = [sum(partner in pair for pair in with_one) for partner in (2, 3, 4)]
    assert all(160 < met < 240 for met in partners)


def test_a_meeting_may_be_listed_for_one_player_only():
    first, second, third, fourth = newcomers(4)
    assert (1, 4) not in meetings(
        pair_round([first, second, third, fourth._replace(opponents=(1,))], Aims(), "dice")
    )


def test_opponents_who_withdrew_are_ignored():
    players = [player._replace(opponents=("gone",)) for player in newcomers(2)]
    assert pair_round(players, Aims(), "dice").total == NOTHING


def test_no_player_makes_an_empty_round_and_a_single_one_has_a_bye():
    nobody = pair_round([], Aims(), "dice")
    assert (nobody.pairs, nobody.bye, nobody.is_optimal) == ((), None, True)
    alone = pair_round(newcomers(1), MONRAD, "dice")
    assert (alone.pairs, alone.bye.entry) == ((), 1)


def test_two_who_have_met_meet_again_when_there_is_nobody_else():
    first, second = newcomers(2)
    paired = pair_round([first._replace(opponents=(2, 2)), second], Aims(), "dice")
    assert paired.total == Tiers(rematches=2)
    assert paired.is_optimal


def test_a_player_named_twice_is_refused():
    with pytest.raises(PairingError, match="listed twice"):
        pair_round([*newcomers(3), Contender(2, strength=7)], Aims(), "dice")


def test_extreme_records_are_refused_before_weights_overflow():
    far = [Contender("far", wins=10**18), *newcomers(3)]
    with pytest.raises(PairingError, match="differ too much"):
        pair_round(far, Aims(), "dice")


@pytest.mark.parametrize("number", [4, 7, 12, 600])
def test_two_players_are_kept_apart_and_the_others_follow(number):
    first, *others = newcomers(number)
    opponent = pair_round([first, *others], Aims(), "dice").pairs[0].right
    paired = pair_round([first._replace(apart=(opponent,)), *others], Aims(), "dice")
    assert paired.pairs[0].left == first.entry
    assert paired.pairs[0].right != opponent
    assert paired.total.kept_apart == 0


def test_two_players_kept_apart_meet_if_nobody_else_is_left():
    first, second = newcomers(2)
    assert pair_round([first._replace(apart=(2,)), second], Aims(), "dice").total == Tiers(kept_apart=1)


@pytest.mark.parametrize("number", [2, 5, 8])
def test_a_pair_set_by_hand_meets_and_the_rest_is_paired_at_the_least_cost(number):
    contenders = some_history(number, rounds=2, seed=number)
    left, right = contenders[0].entry, contenders[1].entry
    paired = pair_round_with([(left, right)], contenders, Aims(), "dice")
    assert {left, right} in [set(meeting) for meeting in meetings(paired)]
    seated = [entry for meeting in meetings(paired) for entry in meeting]
    seated += [paired.bye.entry] if paired.bye else []
    assert sorted(seated) == sorted(contender.entry for contender in contenders)
    rest = pair_round(contenders[2:], Aims(), "dice")
    assert {frozenset(pair) for pair in meetings(rest)} < {frozenset(pair) for pair in meetings(paired)}


def test_no_player_is_paired_by_hand_twice_or_from_outside():
    for forced in ([(1, 2), (1, 3)], [(1, 9)]):
        with pytest.raises(PairingError):
            pair_round_with(forced, newcomers(4), Aims(), "dice")
