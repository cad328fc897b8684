"""Which part of a bracket a page shows."""

import uuid

from tournament.draw.recipes import round_name
from tournament.pages.brackets.window import ViewOptions, window_on
from tournament.queries.brackets.bracket_view import BracketView, PairingView, RoundView, SeatView
from tournament.runtime.name_search import has_words, split_words


def pairing(number: int, line: int, state: str, name: str) -> PairingView:
    return PairingView(
        id=1000 * number + line, number=line, called=str(line), round=number, line=line,
        left=SeatView(name=name), right=SeatView(),
        length=7, state=state, how="", is_crawford=False, is_second_final=False, match_id=None,
    )  # fmt: skip


def bracket(rounds: int, *, decided_rounds: int = 0, decided_lines: int = 0) -> BracketView:
    """A bracket of 2^rounds entries; the first rounds are decided, of the next one the first lines."""
    made = []
    for number in range(1, rounds + 1):
        lines = range(1, 2 ** (rounds - number) + 1)
        until = (
            len(lines) if number <= decided_rounds else decided_lines if number == decided_rounds + 1 else 0
        )
        pairings = tuple(
            pairing(number, line, "decided" if line <= until else "ready", f"José {line}") for line in lines
        )
        made.append(RoundView(number, number, round_name(rounds, number), 7, pairings))
    return BracketView(uuid.uuid4(), "main", "tree", 1, "1-1", is_released=True, rounds=tuple(made))


def test_a_bracket_of_128_is_one_tree_opened_at_the_round_being_played():
    window = window_on(bracket(7, decided_rounds=2), ViewOptions())
    assert window.is_tree
    assert window.is_whole
    assert window.current == 3


def test_a_round_wider_than_a_tree_is_shown_in_parts_from_the_first_open_match():
    window = window_on(bracket(10, decided_lines=130), ViewOptions())
    assert not window.is_tree
    assert [part.first for part in window.parts] == [1, 65, 129, 193, 257, 321, 385, 449]
    assert window.part == 3
    assert [pairing.line for pairing in window.rounds[0].pairings] == list(range(129, 193))


def test_a_part_can_be_requested():
    window = window_on(bracket(10), ViewOptions(round=2, part=4))
    assert window.current == 2
    assert window.rounds[0].pairings[0].line == 193


def test_an_unknown_part_or_round_shows_the_default():
    assert window_on(bracket(10), ViewOptions(round=77, part=99)).part == 1
    assert window_on(bracket(3), ViewOptions(round=0)).current == 1


def test_the_later_rounds_of_a_large_bracket_are_a_tree():
    window = window_on(bracket(10), ViewOptions(round=5))
    assert window.is_tree
    assert [stage.number for stage in window.rounds] == [4, 5, 6, 7, 8, 9, 10]
    assert not window.is_whole


def test_a_name_is_found_without_its_accents():
    window = window_on(bracket(10), ViewOptions(find=" jose 500 "))
    assert [(stage.number, [pairing.line for pairing in stage.pairings]) for stage in window.rounds] == [
        (1, [500])
    ]


def test_an_unknown_name_shows_no_round():
    window = window_on(bracket(4), ViewOptions(find="nobody"))
    assert (window.rounds, window.columns) == ((), [])


def test_the_wall_shows_running_matches_and_the_rounds_after_them():
    window = window_on(bracket(6, decided_rounds=2, decided_lines=1), ViewOptions(is_wall=True))
    assert window.is_tree
    assert [stage.number for stage in window.rounds] == [3, 4, 5, 6]


def test_the_wall_shows_undecided_matches_of_a_round_that_is_too_wide():
    window = window_on(bracket(10, decided_lines=100), ViewOptions(is_wall=True))
    assert not window.is_tree
    assert [pairing.line for pairing in window.rounds[0].pairings] == list(range(101, 141))


def test_the_wall_keeps_the_semifinals_beside_the_final():
    window = window_on(bracket(3, decided_rounds=3), ViewOptions(is_wall=True))
    assert [stage.number for stage in window.rounds] == [2, 3]


def test_a_final_alone_fits_on_the_wall():
    assert [stage.number for stage in window_on(bracket(1), ViewOptions(is_wall=True)).rounds] == [1]


def test_the_search_for_names_ignores_variants_of_letters():
    for name, typed in (
        ("Søren Łukasiewicz", "soren LUK"),
        ("Ægir Weiß", "weiss aegir"),
        ("Βασίλης", "βασιλησ"),
        ("علی\u200cرضا", "علیرضا"),
    ):
        assert has_words(name, split_words(typed)), name
    assert not has_words("Søren", split_words("sara"))


def test_a_regular_tree_keeps_the_order_of_its_lines():
    for column in window_on(bracket(4), ViewOptions()).columns:
        pairings = column.round.pairings
        assert [pairing.line for pairing in pairings] == list(range(1, len(pairings) + 1))
