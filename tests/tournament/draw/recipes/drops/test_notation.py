"""The drop notation: parsing, refusals, and its fit to a number of losers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.draw.recipes.drops import Fit, Misfit, NotationError, Obstacle, fit, parse


def losers_of(entries: int) -> dict[str, int]:
    """The number of losers in each main round."""
    rounds = (entries - 1).bit_length()
    later = {chr(ord("A") + number): 2 ** (rounds - 1 - number) for number in range(1, rounds)}
    return {"A": entries - 2 ** (rounds - 1)} | later


def test_each_part_is_a_lower_round_and_each_letter_a_round_that_drops() -> None:
    recipe = parse("A.BC.D.|.|")
    assert recipe.rounds == ("A", "BC", "D", "", "")
    assert recipe.enters == {"A": 1, "B": 2, "C": 2, "D": 3}
    assert str(recipe) == "A.BC.D.|.|"


def test_spaces_around_the_parts_do_not_matter() -> None:
    assert parse(" A. B . | ") == parse("A.B.|")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("A..B", "Round 2 of 'A..B' is empty"),
        ("A.B.", "Round 3"),
        ("A.B|", "not a round"),
        ("A.1", "not a round"),
        ("A.Ä", "not a round"),
        ("A.BA", "drop only once"),
        ("|.A", "Begin it with a letter"),
    ],
)
def test_an_invalid_notation_is_refused_with_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        parse(text)


@settings(max_examples=60)
@given(st.text(alphabet="ABCab.| 1", max_size=12))
def test_any_notation_is_parsed_or_refused(text: str) -> None:
    try:
        recipe = parse(text)
    except NotationError:
        return
    assert parse(str(recipe)) == recipe


def test_a_recipe_that_comes_out_says_how_many_seats_each_round_has() -> None:
    assert fit(parse("A.B.C.D.|.|"), losers_of(32)) == Fit(
        parse("A.B.C.D.|.|"), (16, 16, 12, 8, 4, 2), byes=0
    )


def test_a_smaller_field_has_its_byes_in_the_first_lower_round() -> None:
    fitting = fit(parse("A.B.C.D.|.|"), losers_of(27))
    assert isinstance(fitting, Fit)
    assert (fitting.seats, fitting.byes) == ((16, 16, 12, 8, 4, 2), 5)


@pytest.mark.parametrize(
    ("text", "entries", "misfit"),
    [
        ("A.B.C.D.|", 32, Misfit(Obstacle.ROUNDS_MISSING, 2, 5)),
        ("A.B.C.D.|.|.|", 32, Misfit(Obstacle.ROUNDS_LEFT_OVER, 1, 6)),
        ("A.B.C.D.|.|", 17, Misfit(Obstacle.TWO_BYES, 1, 1, byes=15)),
        ("A.|.|.B.|", 16, Misfit(Obstacle.TWO_BYES, 5, 4, byes=24)),
        ("A.F.|", 16, Misfit(Obstacle.NO_SUCH_ROUND, 0, letter="F")),
        ("A", 3, Misfit(Obstacle.TOO_FEW, 1)),
    ],
)
def test_a_recipe_that_does_not_come_out_says_why(text: str, entries: int, misfit: Misfit) -> None:
    assert fit(parse(text), losers_of(entries)) == misfit
    assert str(misfit).endswith(".")


def test_the_sentences_name_the_round_and_the_players() -> None:
    sentence = str(Misfit(Obstacle.TWO_BYES, 5, 4, byes=24))
    assert "5 in lower round 4" in sentence
    assert "24 byes" in sentence
    assert "{" not in "".join(str(Misfit(obstacle, 1)) for obstacle in Obstacle)


@settings(max_examples=60)
@given(
    st.integers(4, 200),
    st.sampled_from(["A.B.C.|", "AB.C.|.|", "A.B.|.C.|.|", "ABC.|.|", "A.|.|.|", "B.A.|.|"]),
)
def test_a_fit_loses_half_of_each_round_and_ends_with_one(entries: int, text: str) -> None:
    counts = losers_of(entries)
    fitting = fit(parse(text), counts)
    if isinstance(fitting, Misfit):
        return
    left = 0
    for letters, seats in zip(fitting.recipe.rounds, fitting.seats, strict=True):
        joining = sum(counts[letter] for letter in letters)
        assert seats == left + joining + (fitting.byes if left == 0 else 0)
        assert seats % 2 == 0
        left = seats // 2
    assert left == 1
