"""Surnames shortened to initials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.entries.lists.short_names import short_name


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("Anna Berg", "Anna B."),
        ("Bo van der Lind", "Bo L."),
        ("Νίκος Παπαδόπουλος", "Νίκος Π."),
        ("Cher", "Cher"),
        ("山田太郎", "山田太郎"),
        ("Anna Berg / Bo Lind", "Anna B. / Bo L."),
        ("Anna Berg & Bo Lind", "Anna B. & Bo L."),
    ],
)
def test_a_surname_becomes_an_initial(full, short):
    assert short_name(full) == short


def test_two_names_that_would_be_one_get_more_letters():
    assert short_name("Anna Berg", {"Anna B."}) == "Anna Be."
    assert short_name("Anna Berg", {"Anna B.", "Anna Be.", "Anna Ber."}) == "Anna Berg"


@given(st.text(min_size=1, max_size=100), st.sets(st.text(max_size=20), max_size=3))
def test_no_name_becomes_empty_or_longer_than_its_column(full, taken):
    assert 0 < len(short_name(full, taken)) <= len(full) + 1
