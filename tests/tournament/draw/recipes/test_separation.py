"""Players of one club, country or team meet as late as the draw allows."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.draw.recipes.test_byes import by_line, sheet, with_a_bye
from tournament.draw.graph import BYE, Bye
from tournament.draw.recipes import (
    Byes,
    DrawError,
    Entrant,
    OrderRules,
    SeededLines,
    Separate,
    draw_positions,
)

CLUBS = st.lists(st.sampled_from(["", "Adria", "Nordlys", "Rustavi", "Agora"]), min_size=2, max_size=40)
GOLDEN = {
    (Byes.TOP_SEEDS, SeededLines.FIXED, Separate.NONE):
        "1 2 3 4 5 6 7 20 17 19 9 11 14 13 23 12 16 21 15 8 10 22 18",
    (Byes.TOP_SEEDS, SeededLines.DRAWN, Separate.NONE):
        "1 2 3 4 7 5 6 20 17 19 9 11 14 13 23 12 16 21 15 8 10 22 18",
    (Byes.TOP_SEEDS, SeededLines.FIXED, Separate.CLUB):
        "1 2 3 4 5 6 7 9 23 14 12 13 21 10 20 17 15 22 8 19 18 11 16",
    (Byes.LOTTERY, SeededLines.FIXED, Separate.NONE):
        "1 2 3 4 5 6 7 19 9 20 14 17 13 23 11 16 - 12 - - 21 - 15 - - - - 8 10 - 22 18",
    (Byes.LOTTERY, SeededLines.DRAWN, Separate.CLUB):
        "1 2 3 4 7 5 6 14 13 11 9 17 19 16 21 23 - 10 - - 15 - 8 - - - 22 - 12 - 20 18",
    (Byes.BALANCED_LOTTERY, SeededLines.FIXED, Separate.NONE):
        "1 2 3 4 5 6 7 20 17 19 9 11 14 13 23 12 - 16 21 15 - - - 8 - 10 22 - - - - 18",
    (Byes.BALANCED_LOTTERY, SeededLines.DRAWN, Separate.CLUB):
        "1 2 3 4 7 5 6 13 9 11 12 18 21 19 20 14 - 22 8 23 - - - 17 - 16 10 - - - - 15",
    (Byes.BY_HAND, SeededLines.FIXED, Separate.NONE):
        "1 2 3 4 5 6 7 20 17 19 11 9 14 23 8 22 - - - - 13 - 12 - - 16 21 - 15 10 - 18",
    (Byes.BY_HAND, SeededLines.FIXED, Separate.CLUB):
        "1 2 3 4 5 6 7 17 22 16 11 19 23 8 20 14 - - - - 15 - 9 - - 18 12 - 13 10 - 21",
}  # fmt: skip


def field(clubs: Sequence[str], seeds: int = 0) -> list[Entrant[int]]:
    return [Entrant(n, n if n <= seeds else None, club) for n, club in enumerate(clubs, start=1)]


def apart(rounds: int, byes: Byes = Byes.TOP_SEEDS, by_hand: tuple[int, ...] = ()) -> OrderRules[int]:
    return OrderRules(byes, separate=Separate.CLUB, protected_rounds=rounds, by_hand=by_hand)


def early_meetings(clubs: Sequence[str], positions: list[int | Bye], rounds: int) -> tuple[int, ...]:
    """The number of pairs of one club that could meet in round 1, by round 2 and so on."""
    lines = [clubs[entry - 1] if isinstance(entry, int) else "" for entry in by_line(positions)]
    return tuple(
        sum(_pairs(lines[first : first + 2**number]) for first in range(0, len(lines), 2**number))
        for number in range(1, rounds + 1)
    )


def _pairs(section: Sequence[str]) -> int:
    sizes = Counter(club for club in section if club)
    return sum(size * (size - 1) // 2 for size in sizes.values())


def fewest(clubs: Sequence[str], lines: int, rounds: int) -> tuple[int, ...]:
    """The lower bound of any sheet: every club spread evenly over the sections of each round."""
    totals = []
    for number in range(1, rounds + 1):
        sections = max(lines >> number, 1)
        total = 0
        for size in Counter(club for club in clubs if club).values():
            members, more = divmod(size, sections)
            total += sections * members * (members - 1) // 2 + more * members
        totals.append(total)
    return tuple(totals)


@settings(max_examples=80)
@given(CLUBS, st.integers(1, 5), st.sampled_from([Byes.TOP_SEEDS, Byes.BALANCED_LOTTERY]), st.integers(0, 9))
def test_without_seeds_no_sheet_has_fewer_early_meetings_of_a_club(
    clubs: list[str], rounds: int, byes: Byes, seed: int
) -> None:
    positions = draw_positions(field(clubs), apart(rounds, byes), f"{seed}")
    assert sorted(entry for entry in positions if isinstance(entry, int)) == list(range(1, len(clubs) + 1))
    rounds = min(rounds, (len(clubs) - 1).bit_length())
    assert early_meetings(clubs, positions, rounds) == fewest(clubs, len(sheet(positions)), rounds)


def test_a_club_no_larger_than_there_are_quarters_sends_one_to_each() -> None:
    for n in range(20):
        clubs = ["Adria"] * 4 + ["Nordlys"] * 8 + [""] * 15
        lines = by_line(draw_positions(field(clubs), apart(3), f"{n}"))
        for first in range(0, 32, 8):
            quarter = [clubs[entry - 1] for entry in lines[first : first + 8] if isinstance(entry, int)]
            assert Counter(quarter)["Adria"] == 1
            assert Counter(quarter)["Nordlys"] == 2


@settings(max_examples=60)
@given(CLUBS, st.integers(1, 4), st.sampled_from(list(Byes)), st.data())
def test_separation_moves_neither_seeds_nor_byes(
    clubs: list[str], rounds: int, byes: Byes, data: st.DataObject
) -> None:
    size = 1 << (len(clubs) - 1).bit_length()
    seeds = data.draw(st.integers(0, size // 2))
    entries = field(clubs, min(seeds, len(clubs)))
    named = tuple(range(1, size - len(clubs) + 1)) if byes is Byes.BY_HAND else ()
    separated = sheet(draw_positions(entries, apart(rounds, byes, named), "seed"))
    loose = sheet(draw_positions(entries, OrderRules(byes, by_hand=named), "seed"))
    assert separated[:seeds] == loose[:seeds]
    assert [position is BYE for position in separated] == [position is BYE for position in loose]
    if byes in (Byes.LOTTERY, Byes.BY_HAND):
        assert with_a_bye(separated) == with_a_bye(loose)


@settings(max_examples=25)
@given(CLUBS.filter(lambda clubs: len(clubs) < 20), st.integers(1, 3), st.integers(1, 6))
def test_with_seeds_no_exchange_of_two_makes_it_better(clubs: list[str], rounds: int, seeds: int) -> None:
    seeds = min(seeds, (1 << (len(clubs) - 1).bit_length()) // 2)
    positions = draw_positions(field(clubs, seeds), apart(rounds), "seed")
    loose = range(seeds, len(positions))
    fewest_meetings = early_meetings(clubs, positions, rounds)
    for place in loose:
        for later_place in range(place + 1, len(positions)):
            swapped = list(positions)
            swapped[place], swapped[later_place] = swapped[later_place], swapped[place]
            assert early_meetings(clubs, swapped, rounds) >= fewest_meetings


def test_a_seed_does_not_meet_its_club_at_once() -> None:
    clubs = ["Adria", "Nordlys", "Adria", "Nordlys", "Agora", "Agora", "", ""]
    for n in range(30):
        assert early_meetings(clubs, draw_positions(field(clubs, 2), apart(1), f"{n}"), 1) == (0,)


def test_protecting_round_one_leaves_round_two_to_the_lot() -> None:
    clubs = ["Adria", "Adria", "", "", "", "", "", ""]
    drawn = [early_meetings(clubs, draw_positions(field(clubs), apart(1), f"{n}"), 3) for n in range(60)]
    assert set(drawn) == {(0, 0, 1), (0, 1, 1)}


def test_every_free_line_is_as_likely_for_everybody() -> None:
    clubs = ["Adria", "Adria", "Nordlys", "Nordlys", "", "", "", ""]
    counts = Counter(
        (entry, line)
        for n in range(800)
        for line, entry in enumerate(by_line(draw_positions(field(clubs), apart(2), f"seed {n}")))
    )
    assert len(counts) == 64
    chi_squared = sum((number - 100) ** 2 / 100 for number in counts.values())
    assert chi_squared < 85.4  # one in a thousand for 49 degrees of freedom


def test_two_spellings_of_a_club_are_one_club() -> None:
    clubs = ["BC Adria", "bc  adria ", "", ""]
    for n in range(20):
        positions = draw_positions(field(clubs), apart(1), f"{n}")
        assert positions.index(1) + positions.index(2) != 3


@pytest.mark.parametrize("separate", [Separate.COUNTRY, Separate.TEAM])
def test_countries_and_teams_are_kept_apart_as_clubs_are(separate: Separate) -> None:
    entries = [
        Entrant(n, country="GEO" if n < 3 else "", team="one" if n < 3 else f"{n}") for n in range(1, 5)
    ]
    for n in range(20):
        positions = draw_positions(entries, OrderRules(separate=separate), f"{n}")
        assert positions.index(1) + positions.index(2) != 3


@pytest.mark.parametrize("rounds", [0, 11])
def test_players_are_kept_apart_in_rounds_that_are_played(rounds: int) -> None:
    with pytest.raises(DrawError, match="1 to 10 rounds"):
        draw_positions(field(["", ""]), apart(rounds), "seed")


@pytest.mark.parametrize(("byes", "lines", "separate"), list(GOLDEN))
def test_the_order_of_a_seed_never_changes(byes: Byes, lines: SeededLines, separate: Separate) -> None:
    clubs = ["ABC"[n % 3] if n % 4 else "" for n in range(1, 24)]
    named = (2, 5, 8, 11, 14, 17, 20, 22, 23) if byes is Byes.BY_HAND else ()
    rules = OrderRules(byes, lines, separate, 2, named)
    positions = draw_positions(field(clubs, 7), rules, "monte carlo")
    assert (
        " ".join("-" if entry is BYE else str(entry) for entry in positions) == GOLDEN[byes, lines, separate]
    )
