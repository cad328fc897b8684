"""Amounts as people read them, and as journals keep them."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.fees.amounts import (
    Amount,
    AmountError,
    amount_of_text,
    current_currencies,
    format_amount,
    format_number,
    format_price,
    parse_amount,
)


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


@pytest.mark.parametrize(
    ("price", "currency", "locale", "text"),
    [
        ("750.00", "EUR", "en", "€750"),
        ("12.50", "EUR", "de", "12,50\N{NO-BREAK SPACE}€"),
        ("11.3512", "SEK", "en", "SEK\N{NO-BREAK SPACE}11.3512"),
        ("11.5", "JPY", "en", "¥11.50"),
        ("0.0881", "EUR", "de", "0,0881\N{NO-BREAK SPACE}€"),
    ],
)
def test_a_price_keeps_the_decimals_that_it_has(price, currency, locale, text):
    assert format_price(Decimal(price), currency, locale) == text


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("1,250", "EUR", 1250_00),
        ("1.250", "EUR", None),
        ("1.250", "KWD", 1_250),
        ("1'250.50", "CHF", 1250_50),
        ("1 250", "EUR", 1250_00),
        ("1 25", "EUR", None),
        ("12,5", "EUR", 12_50),
        ("12.0", "JPY", None),
    ],
)
def test_groups_of_digits_are_not_taken_for_decimals(text, currency, minor):
    if minor is None:
        with pytest.raises(AmountError):
            parse_amount(text, currency, "en")
    else:
        assert parse_amount(text, currency, "en") == Amount(minor, currency)


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("190.-", "CHF", 190_00),
        ("190.\N{EN DASH}", "CHF", 190_00),
        ("1'250.\N{EN DASH} CHF", "CHF", 1250_00),
        ("CHF 47.50", "CHF", 47_50),
        ("47,50 chf", "CHF", 47_50),
        ("Fr. 5.50", "CHF", 5_50),
        ("\N{EURO SIGN}50", "EUR", 50_00),
        ("-\N{EURO SIGN}5", "EUR", -5_00),
        ("١٢٫٥٠", "EUR", 12_50),
        ("١٢٬٥٠٠", "EUR", 12500_00),
        ("1.000,50", "EUR", 1000_50),
        ("1,000.50", "EUR", 1000_50),
        ("CHF .50", "CHF", 50),
        (".50", "CHF", 50),
        ("$.50", "USD", 50),
        ("US$5", "USD", 5_00),
        ("A$ 5", "AUD", 5_00),
    ],
)
@pytest.mark.parametrize("locale", ["en", "de", "ar"])
def test_an_amount_is_read_as_people_write_it(text, currency, minor, locale):
    assert parse_amount(text, currency, locale) == Amount(minor, currency)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1.250", "“1.250” is not clear: it can mean 1250 or 1.25."),
        ("\N{EURO SIGN}50", "This amount is in CHF."),
        ("50 USD", "This amount is in CHF."),
        ("12-", "Write the amount as a number"),
        ("1.2.3,5", "Write the amount as a number"),
        ("12 x", "Write the amount as a number"),
        ("Fr.50", "Write the amount as a number"),
        ("0.000", "CHF has 2 decimal places."),
    ],
)
def test_an_unclear_amount_is_refused_with_the_reason(text, reason):
    with pytest.raises(AmountError, match=re.escape(reason)):
        parse_amount(text, "CHF", "en")


@given(
    st.integers(-(10**9), 10**9),
    st.sampled_from(["EUR", "CHF", "USD", "JPY", "SEK"]),
    st.sampled_from(["en", "de", "fr", "ar", "he"]),
)
def test_an_amount_as_a_page_shows_it_is_read_back(minor, currency, locale):
    amount = Amount(minor, currency)
    assert parse_amount(format_amount(amount, locale), currency, locale) == amount


@given(st.integers(-(10**15), 10**15), st.sampled_from(current_currencies()))
def test_an_amount_of_the_journal_is_read_again(minor, currency):
    assert amount_of_text(str(Amount(minor, currency))) == Amount(minor, currency)


@pytest.mark.parametrize("text", ["12.50", "EUR", "12.50 XXX", "Table 5 EUR", "5 EUR, 6 CHF"])
def test_other_texts_of_the_journal_are_no_amounts(text):
    assert amount_of_text(text) is None


@given(
    st.integers(min_value=1, max_value=10**9),
    st.sampled_from(["EUR", "JPY", "KWD"]),
    st.sampled_from(["en", "de", "fr", "ar", "pt-br"]),
    st.booleans(),
)
def test_an_amount_in_a_form_is_read_back_as_it_was(minor, currency, locale, trims_zeros):
    """Also 1.250 dinars, which would be 1250 where the comma is the decimal point."""
    amount = Amount(minor, currency)
    text = format_number(amount, locale, trims_zeros=trims_zeros)
    assert parse_amount(text, currency, locale) == amount
