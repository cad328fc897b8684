"""Progressive consolations of every size: first-round losers play at once, and nobody sits out two rounds."""

from math import ceil, log2

from tests.tournament.draw.recipes.drops.measuring import waits
from tests.tournament.draw.recipes.drops.playing import report_of
from tests.tournament.draw.recipes.drops.test_byes_by_lot import laid
from tournament.draw.graph import FromBye
from tournament.draw.graph.match_plan import round_slots
from tournament.draw.recipes.drops import CONSOLATION_AND_LAST_CHANCE, PROGRESSIVE_CONSOLATION, knockout

SIZES = (*range(6, 66), 96, 128)
"""With five entries the only first-round loser waits for the other two, who may have had a bye."""


def test_losers_play_again_soon_and_at_most_one_has_a_bye() -> None:
    for entries in SIZES:
        report = report_of(entries, PROGRESSIVE_CONSOLATION)
        assert report.longest_wait <= 1, entries
        assert report.first_losers_waiting <= report.first_losers % 2, entries
        byes = [
            pairing
            for pairing in knockout(entries, PROGRESSIVE_CONSOLATION)
            if pairing.bracket == "consolation" and FromBye() in (pairing.left, pairing.right)
        ]
        assert len(byes) <= 1, entries
        assert report.double_byes == 0, entries


def test_a_consolation_ends_as_early_as_possible() -> None:
    """A loser of round r who needs w wins is done after slot r + w, so 2^slots is at least the sum of all 2^r."""
    for entries in SIZES:
        rounds = (entries - 1).bit_length()
        by_round = [entries - 2 ** (rounds - 1), *(2**later for later in range(rounds - 2, 0, -1))]
        filled = sum(count << number for number, count in enumerate(by_round, start=1))
        assert report_of(entries, PROGRESSIVE_CONSOLATION).rounds == ceil(log2(filled)), entries


def test_nobody_can_meet_an_earlier_opponent_before_the_main_final_is_over() -> None:
    for entries in SIZES:
        earliest = report_of(entries, PROGRESSIVE_CONSOLATION).earliest_rematch
        assert earliest is not None
        slots = round_slots(knockout(entries, PROGRESSIVE_CONSOLATION))
        assert slots[earliest[:2]] > (entries - 1).bit_length(), entries


def test_nobody_sits_out_two_rounds_before_a_last_chance() -> None:
    for entries in (*range(12, 34), 40, 48, 64):
        assert report_of(entries, CONSOLATION_AND_LAST_CHANCE).longest_wait <= 1, entries


def test_byes_by_lot_keep_waits_short() -> None:
    """Main matches between two players with a bye can be played early, which the layout does not foresee."""
    long = [
        rounds
        for entries in range(6, 34)
        for _, rounds in waits(laid(entries, "lottery", PROGRESSIVE_CONSOLATION))
        if rounds > 1
    ]
    assert len(long) <= 4
