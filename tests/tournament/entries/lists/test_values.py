"""Ratings, seeds, countries and yes or no, as lists write them."""

from decimal import Decimal

import pytest

from tests.tournament.entries.lists.lists import codes, only_trouble, pasted
from tournament.entries.lists import Severity
from tournament.entries.lists.countries import country_code

RATINGS = {
    "1543.27": "1543.27",
    "1543,27": "1543.27",
    "1543": "1543",
    "1.543,27": "1543.27",
    "1,543.27": "1543.27",
    "1,543": "1543",
    "1 543,5": "1543.5",
    "1’543": "1543",
    "١٥٤٣٫٥": "1543.5",
    "4.52": "4.52",
    "4000": "4000",
    " 1500 ": "1500",
}


@pytest.mark.parametrize(("written", "value"), RATINGS.items())
def test_a_rating_may_have_a_comma_or_a_point(written, value):
    (line,) = pasted("Name;Rating", f"Anna;{written}").rows
    assert line.rating == Decimal(value)


@pytest.mark.parametrize("written", ["", "-", "–", "0", "?", "0.00"])
def test_a_player_may_be_without_a_rating(written):
    listing = pasted("Name;Rating", f"Anna;{written}")
    assert listing.rows[0].rating is None
    assert listing.problems == ()


@pytest.mark.parametrize(
    "written", ["abc", "-5", "4000.01", "1e3", "nan", "1.2.3", "12,34,56", "9" * 400, "1500?"]
)
def test_an_invalid_rating_is_reported_and_only_its_cell_ignored(written):
    listing = pasted("Name;Elo", f"Anna;{written}", "Bo;1500")
    assert [(line.name, line.rating) for line in listing.rows] == [("Anna", None), ("Bo", Decimal(1500))]
    assert only_trouble(listing).sentence.startswith("Line 2: “")
    assert only_trouble(listing).sentence.endswith(
        "under “Elo” is not a rating, so the cell is ignored. Write a number from 0 to 4000."
    )


@pytest.mark.parametrize(
    ("written", "seed"), [("1", 1), ("#2", 2), ("(3)", 3), ("4.", 4), ("", None), ("1024", 1024)]
)
def test_a_seed_is_a_whole_number(written, seed):
    assert pasted("Name;Seed", f"Anna;{written}").rows[0].seed == seed


@pytest.mark.parametrize("written", ["0", "-1", "1.5", "1025", "first", "1-4"])
def test_an_invalid_seed_is_refused(written):
    assert codes(pasted("Name;Seed", f"Anna;{written}")) == ["not-a-seed"]


COUNTRIES = {
    "GER": "DEU",
    "deu": "DEU",
    "de": "DEU",
    "Germany": "DEU",
    "Deutschland": "DEU",
    "DEN": "DNK",
    "SUI": "CHE",
    "Côte d'Ivoire": "CIV",
    "cote divoire": "CIV",
    "UK": "GBR",
    "U.S.A.": "USA",
    "Türkiye": "TUR",
    "turkey": "TUR",
    "Ελλάδα": "GRC",
    "ישראל": "ISR",
    "日本": "JPN",
    "საქართველო": "GEO",
    "ENG": "ENG",
    "Scotland": "SCO",
    "The Netherlands": "NLD",
    "-": "",
}


@pytest.mark.parametrize(("written", "code"), COUNTRIES.items())
def test_a_country_is_kept_by_its_code(written, code):
    listing = pasted("Name;Country", f"Anna;{written}")
    assert listing.rows[0].country == code
    assert listing.problems == ()


@pytest.mark.parametrize(
    ("sporting", "iso"), [("CRO", "HRV"), ("RSA", "ZAF"), ("GRE", "GRC"), ("BRN", "BRN"), ("POR", "PRT")]
)
def test_a_sporting_code_is_kept_as_its_iso_code(sporting, iso):
    assert country_code(sporting) == iso


@pytest.mark.parametrize("written", ["XX", "xqq", "Atlantis"])
def test_an_unknown_country_is_reported_and_only_its_cell_ignored(written):
    listing = pasted("Name;Country", f"Anna;{written}")
    assert [(line.name, line.country) for line in listing.rows] == [("Anna", "")]
    assert only_trouble(listing).severity is Severity.WARNING
    assert only_trouble(listing).sentence.startswith(
        f"Line 2: the country “{written}” is unknown, so the cell is ignored."
    )


@pytest.mark.parametrize(
    ("written", "paid"),
    [
        ("yes", True),
        ("Ja", True),
        ("OUI", True),
        ("x", True),
        ("✓", True),
        ("1", True),
        ("TRUE", True),
        ("да", True),
        ("no", False),
        ("nein", False),
        ("0", False),
        ("Hayır", False),
        ("", None),
        ("-", None),
    ],
)
def test_paid_is_yes_no_or_not_said(written, paid):
    listing = pasted("Name;Paid", f"Anna;{written}")
    assert listing.rows[0].paid is paid
    assert listing.problems == ()


def test_an_unclear_payment_is_reported_and_the_line_accepted():
    listing = pasted("Name;Paid", "Anna;Friday")
    assert listing.rows[0].paid is None
    assert codes(listing) == ["neither-yes-nor-no"]


@pytest.mark.parametrize(("column", "most"), [("Club", 80), ("WBGF", 40)])
def test_a_cell_that_is_too_long_is_quoted_in_short(column, most):
    listing = pasted(f"Name;{column}", f"Anna;{'x' * (most + 1)}", f"Bo;{'x' * most}")
    assert [line.name for line in listing.rows] == ["Anna", "Bo"]
    assert only_trouble(listing).sentence == (
        f"Line 2: “{'x' * 40}…” under “{column}” is longer than {most} letters, so the cell is ignored. Shorten it."
    )


def test_all_troubles_of_a_line_are_reported_together():
    listing = pasted("Name;Rating;Seed", ";abc;0")
    assert codes(listing) == ["name-missing", "not-a-rating", "not-a-seed"]
