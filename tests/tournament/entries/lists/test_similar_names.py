"""Names spelled nearly alike."""

import pytest

from tournament.entries.lists.similar_names import SimilarNames


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Anna Berg", "ANNA BERG"),
        ("Anna Berg", "Berg Anna"),
        ("Jose Garcia", "José García"),
        ("A. Berg", "Anna Berg"),
        ("Jon Smith", "John Smith"),
        ("Anna Berg", "Anna Borg"),
        ("Νίκος Β", "Νικος Β."),
    ],
)
def test_similar_names_are_found(name, listed):
    assert SimilarNames([(listed, 1), ("Cy Mor", 2)]).find(name) == [1]


@pytest.mark.parametrize(("name", "listed"), [("Anna Berg", "Bo Berg"), ("B. Berg", "Anna Berg"), ("!", "?")])
def test_other_names_are_not_found(name, listed):
    assert SimilarNames([(listed, 1)]).find(name) == []


def test_a_word_that_many_share_finds_only_the_same_name():
    people = [(f"Player {number}", number) for number in range(100, 150)]
    assert SimilarNames(people).find("Player 107") == [107]
