"""An auction of players: bids, halves that are bought back, and the split of the pot between the owners."""

import pytest

from tournament.prizes.calcutta import (
    SPLITS,
    Lot,
    bought_back,
    charges_of_lot,
    owner_prizes,
    smallest_bid,
)
from tournament.prizes.places import Place

PLACES = [Place(name, place, place) for place, name in enumerate("ABCDEFGH", 1)]


def prizes(lots, pot=1_000_00, split=(70, 30), places=PLACES):
    found = owner_prizes("EUR", pot, split, "main", places, lots)
    return {(prize.owner, prize.line): prize.minor for prize in found}


def lot(number, entries, **owners):
    return Lot(number, frozenset(entries), owners)


def test_the_first_bid_is_the_minimum_and_later_ones_rise_by_the_step():
    assert smallest_bid(minimum=10_00, step=5_00, highest=0) == 10_00
    assert smallest_bid(minimum=10_00, step=5_00, highest=12_00) == 17_00


def test_owners_pay_their_shares_to_the_cent_and_the_rake_leaves_the_pot():
    charges = charges_of_lot(100_01, {"x": 1, "y": 1}, rake=10_00)
    assert charges.owners == {"x": 50_01, "y": 50_00}
    assert (charges.rake, charges.pot) == (10_00, 90_01)


def test_a_player_buys_half_from_all_owners_alike():
    assert bought_back({"x": 1, "y": 2}, "player") == {"x": 1, "y": 2, "player": 3}
    assert bought_back({"player": 1, "x": 1}, "player") == {"player": 3, "x": 1}
    assert charges_of_lot(90_00, bought_back({"x": 1, "y": 2}, "player"), 0).owners == {
        "x": 15_00, "y": 30_00, "player": 45_00,
    }  # fmt: skip


def test_the_pot_is_split_by_places_between_the_owners_of_the_placed_players():
    lots = [lot(1, "AC", x=1), lot(2, "B", y=1, z=2)]
    assert prizes(lots) == {("x", "lot 1 1"): 700_00, ("y", "lot 2 2"): 100_00, ("z", "lot 2 2"): 200_00}


def test_of_the_field_only_the_player_who_places_counts():
    assert prizes([lot(1, "A", x=1), lot(2, "BCDEFGH", field=1)]) == {
        ("x", "lot 1 1"): 700_00,
        ("field", "lot 2 2"): 300_00,
    }


def test_the_prize_of_a_player_without_an_owner_stays_in_the_pot():
    assert prizes([lot(1, "A", x=1)]) == {("x", "lot 1 1"): 700_00}


def test_players_who_share_places_share_the_prizes_of_their_owners():
    places = [*PLACES[:2], Place("C", 3, 4), Place("D", 3, 4)]
    lots = [lot(1, "C", x=1), lot(2, "D", y=1)]
    assert prizes(lots, split=(40, 30, 20, 10), places=places) == {
        ("x", "lot 1 3-4"): 150_00,
        ("y", "lot 2 3-4"): 150_00,
    }


@pytest.mark.parametrize("split", SPLITS)
def test_every_usual_split_pays_a_pot_out_whole(split):
    assert sum(split) == 100
    assert sum(prizes([lot(1, "ABCDEFGH", x=1, y=1, z=1)], pot=333_33, split=split).values()) == 333_33
