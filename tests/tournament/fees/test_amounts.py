"""Amounts as people read them, and as journals keep them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.fees.amounts import Amount, amount_of_text, current_currencies, format_amount


@pytest.mark.parametrize(
    ("amount", "locale", "text"),
    [
        (Amount(1100_00, "CZK"), "en", "CZK\N{NO-BREAK SPACE}1,100"),
        (Amount(-12_50, "CHF"), "en", "-CHF\N{NO-BREAK SPACE}12.50"),
        (Amount(12_50, "EUR"), "en", "€12.50"),
        (Amount(12_50, "EUR"), "de", "12,50\N{NO-BREAK SPACE}€"),
        (Amount(1250, "JPY"), "en", "¥1,250"),
    ],
)
def test_an_amount_has_its_decimals_only_where_they_count(amount, locale, text):
    assert format_amount(amount, locale) == text


@given(st.integers(-(10**15), 10**15), st.sampled_from(current_currencies()))
def test_an_amount_of_the_journal_is_read_again(minor, currency):
    assert amount_of_text(str(Amount(minor, currency))) == Amount(minor, currency)


@pytest.mark.parametrize("text", ["12.50", "EUR", "12.50 XXX", "Table 5 EUR", "5 EUR, 6 CHF"])
def test_other_texts_of_the_journal_are_no_amounts(text):
    assert amount_of_text(text) is None
