"""Explanations of pairs and byes."""

import pytest

from tournament.draw.pairing import (
    MONRAD,
    Aims,
    Alike,
    Contender,
    Cost,
    Ground,
    Seeding,
    Tiers,
    explain,
    pair_round,
)


def grounds(cost, aims):
    return [tuple(reason) for reason in explain(cost, aims).reasons]


def test_two_with_equal_records_who_never_met():
    players = [Contender(entry, wins=2, losses=1, strength=entry) for entry in (1, 2)]
    explanation = explain(pair_round(players, Aims(), "dice").pairs[0].cost, Aims())
    assert [reason.ground for reason in explanation.reasons] == [
        Ground.NEVER_MET,
        Ground.SAME_RECORD,
        Ground.AS_SEEDED,
    ]
    assert explanation.records == ((2, 1), (2, 1))
    assert not explanation.is_bye


@pytest.mark.parametrize(
    ("tiers", "reasons"),
    [
        (Tiers(rematches=2), [("met_before", 2), ("same_record", 0), ("as_seeded", 0)]),
        (Tiers(gap=9, seeding=4), [("never_met", 0), ("records_apart", 3)]),
        (Tiers(seeding=16), [("never_met", 0), ("same_record", 0), ("near_seeding", 4)]),
        (
            Tiers(same_club=1, same_country=1),
            [("never_met", 0), ("same_record", 0), ("same_club", 0), ("same_country", 0), ("as_seeded", 0)],
        ),
    ],
)
def test_a_pair_explains_accepted_drawbacks(tiers, reasons):
    assert grounds(Cost(tiers, ((1, 1), (1, 1))), Aims()) == reasons


def test_by_lot_the_seeding_is_no_reason():
    by_lot = Aims(seeding=Seeding.CHANCE)
    assert grounds(Cost(Tiers(seeding=4), ((1, 1), (1, 1))), by_lot)[-1] == ("by_lot", 0)
    assert grounds(Cost(Tiers(), ((1, 1),)), by_lot)[-1] == ("by_lot", 0)


def test_a_monrad_pairing_is_explained_by_places():
    assert grounds(Cost(Tiers(gap=1), ((1, 0), (1, 0))), MONRAD) == [("never_met", 0), ("neighbours", 1)]
    assert grounds(Cost(Tiers(gap=9), ((1, 0), (0, 1))), MONRAD) == [("never_met", 0), ("places_apart", 3)]
    assert grounds(Cost(Tiers(), ((0, 1),)), MONRAD) == [("first_bye", 0), ("worst_record", 0)]


def test_a_first_bye_goes_to_the_weakest_of_the_worst_record():
    players = [Contender(entry, losses=1, strength=entry) for entry in (1, 2, 3)]
    bye = pair_round(players, Aims(), "dice").bye
    explanation = explain(bye.cost, Aims())
    assert [reason.ground for reason in explanation.reasons] == [
        Ground.FIRST_BYE,
        Ground.WORST_RECORD,
        Ground.WEAKEST,
    ]
    assert explanation.is_bye


def test_a_second_bye_says_whether_others_had_fewer():
    players = [Contender(entry, byes=1, strength=entry) for entry in (1, 2, 3)]
    everybody = pair_round(players, Aims(), "dice").bye
    assert grounds(everybody.cost, Aims())[0] == ("fewest_byes", 1)
    as_before = Aims(byes_first=False)
    met = [players[0]._replace(opponents=(2, 3)), players[1]._replace(byes=0), players[2]._replace(byes=0)]
    alone = pair_round(met, as_before, "dice").bye
    assert grounds(alone.cost, as_before) == [("more_byes", 1), ("worst_record", 0), ("near_weakest", 2)]


def test_a_bye_above_the_worst_record_says_so():
    worst = Contender("worst", losses=2, strength=1)
    others = [Contender("a", wins=1, losses=1, strength=2), Contender("b", wins=1, losses=1, strength=3)]
    met = [
        player._replace(opponents=("a", "b")) if player is others[1] else player
        for player in (worst, *others)
    ]
    bye = pair_round(met, Aims(alike=Alike.LOSSES), "dice").bye
    assert bye.entry == "b"
    assert ("worse_records", 1) in grounds(bye.cost, Aims(alike=Alike.LOSSES))
