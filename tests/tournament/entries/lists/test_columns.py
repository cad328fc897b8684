"""Columns recognised by their headings in any language, and remarks on the others."""

from decimal import Decimal

import pytest

from tests.tournament.entries.lists.lists import codes, names, only_trouble, pasted
from tournament.entries.lists import Column

HEADINGS = [
    (
        Column.COUNTRY,
        ["Country", "NAT", "Fed.", "Nationalität", "PAYS", "país", "Ülke", "χώρα", "国", "מדינה", "ქვეყანა"],
    ),
    (Column.CLUB, ["Club", "Verein", "Circolo", "kulüp", "Клуб", "النادي", "クラブ"]),
    (Column.TEAM, ["Team", "équipe", "EQUIPE", "Mannschaft", "takım", "команда", "チーム"]),
    (
        Column.FEDERATION_ID,
        ["Federation_ID", "federation id", "FED. ID", "WBGF", "usbgf no.", "Mitglieds-Nr.", "ID"],
    ),
    (Column.RATING, ["Rating", "ELO", "Elo-Zahl", "ER", "Рейтинг", "レーティング"]),
    (Column.SEED, ["Seed", "Setzplatz", "Tête de série", "TETE DE SERIE", "cabeza_de_serie", "シード"]),
    (Column.PAID, ["Paid", "Paid?", "bezahlt", "Payé", "ÖDENDİ", "betalt"]),
    (Column.CHECKED_IN, ["Checked in", "check-in", "CHECKED_IN", "anwesend", "présent"]),
]


@pytest.mark.parametrize(
    ("column", "heading"), [(column, heading) for column, headings in HEADINGS for heading in headings]
)
def test_a_column_is_known_by_its_heading(column, heading):
    listing = pasted(f"Name;{heading}", "Anna;", "Bo;")
    assert listing.columns == {Column.NAME: "Name", column: heading}
    assert listing.problems == ()


@pytest.mark.parametrize(
    "heading",
    [
        "Name",
        "PLAYER",
        "Spieler",
        "Vor- und Nachname",
        "Nom",
        "Jugador",
        "Nome e Cognome",
        "Ad Soyad",
        "Όνομα",
        "ФИО",
        "მოთამაშე",
        "שם מלא",
        "اسم اللاعب",
        "氏名",
        "Hráč",
        "Imię i nazwisko",
        "Navn",
        "\ufeffName ",
    ],
)
def test_the_name_is_known_by_its_heading(heading):
    assert names(pasted(f"{heading}|Club", "Anna Berg|A")) == ["Anna Berg"]


def test_all_columns_are_read_in_any_order():
    listing = pasted(
        "Paid,Seed,Rating,WBGF,Club,Nat,Player,Here,Team",
        "yes,1,1543.27,W-7,BC Nord,den,Anna Berg,x,Red",
        "no,,,,,,Bo Lind,,",
    )
    first, second = listing.rows
    assert (first.team, second.team) == ("Red", "")
    assert (first.name, first.country, first.club, first.federation_id) == (
        "Anna Berg",
        "DNK",
        "BC Nord",
        "W-7",
    )
    assert (str(first.rating), first.seed, first.paid, first.checked_in) == ("1543.27", 1, True, True)
    assert (second.name, second.country, second.rating, second.seed) == ("Bo Lind", "", None, None)
    assert (second.paid, second.checked_in) == (False, None)


def test_an_unknown_column_is_reported_and_left_out():
    trouble = only_trouble(pasted("Name;Shoe size;", "Anna;42;"))
    assert trouble.sentence == "The column “Shoe size” was not recognised and was left out."
    assert trouble.line is None


def test_a_column_given_twice_is_read_once():
    listing = pasted("Name;Rating;Elo", "Anna;1500;1600")
    assert listing.rows[0].rating == 1500
    assert only_trouble(listing).sentence.startswith("The column “Elo” repeats “Rating”")


def test_a_column_of_line_numbers_is_ignored():
    listing = pasted("#;Name", "1;Anna", "2;Bo")
    assert names(listing) == ["Anna", "Bo"]
    assert listing.problems == ()


def test_an_id_that_only_counts_the_lines_is_no_federation_number():
    listing = pasted("ID;Name", "1;Anna", "2;Bo", "3;Cy")
    assert {line.federation_id for line in listing.rows} == {""}
    assert codes(listing) == ["column-counts"]
    assert Column.FEDERATION_ID not in listing.columns


def test_headings_may_stand_under_a_title():
    listing = pasted("Spring Cup 2026", "as of Friday", "", "Player;Nat", "Anna Berg;GER")
    assert [(line.number, line.name, line.country) for line in listing.rows] == [(5, "Anna Berg", "DEU")]


def test_headings_repeated_on_a_second_page_are_no_player():
    assert names(pasted("Name;Nat", "Anna;GER", "Name;Nat", "Bo;DEN")) == ["Anna", "Bo"]


def test_headings_without_a_name_are_refused():
    listing = pasted("Country,Rating", "GER,1500")
    assert listing.rows == ()
    assert listing.refusal is not None
    assert listing.refusal.code == "no-name-column"


def test_headings_alone_are_no_list():
    assert codes(pasted("Name;Country", "", ";")) == ["headings-only"]


def test_without_headings_columns_are_guessed_and_reported():
    listing = pasted("1. Ed Frost\tDEN\tAarhus\t1650", "2. Anna Berg\tGER\tBC Nord\t1543,27")
    assert [(line.name, line.country, line.club, line.rating) for line in listing.rows] == [
        ("Ed Frost", "DNK", "Aarhus", Decimal(1650)),
        ("Anna Berg", "DEU", "BC Nord", Decimal("1543.27")),
    ]
    assert codes(listing) == ["read-as-country", "read-as-club", "read-as-rating"]
    assert listing.problems[1].sentence == "The list has no headings. Column 3 was read as the club."
    assert listing.columns == {}


@pytest.mark.parametrize("line", ["Ed Frost\tDEN\tAarhus\t1650", "Ed Frost;DEN;Aarhus;1650"])
def test_one_line_with_columns_among_bare_names_is_divided(line):
    listing = pasted("Anna Berg", line, "Bo Lind", "Cy Mor")
    assert names(listing) == ["Anna Berg", "Ed Frost", "Bo Lind", "Cy Mor"]
    assert listing.rows[1].rating == Decimal(1650)


def test_without_headings_one_bad_cell_does_not_change_its_column():
    listing = pasted("Anna Berg;GER;Bonn;1543", "Bo Lind;XX;Lund;abc", "Cy Mor;DEN;12;1490")
    assert [(line.name, line.country, line.rating) for line in listing.rows] == [
        ("Anna Berg", "DEU", Decimal(1543)),
        ("Bo Lind", "", None),
        ("Cy Mor", "DNK", Decimal(1490)),
    ]
    assert [line.club for line in listing.rows] == ["Bonn", "Lund", "12"]
    assert {"read-as-country", "read-as-club", "read-as-rating"} < set(codes(listing))


def test_without_headings_a_column_that_could_be_anything_is_left_out():
    listing = pasted("Anna Berg;12", "Bo Lind;13")
    assert names(listing) == ["Anna Berg", "Bo Lind"]
    assert codes(listing) == ["no-headings"]


@pytest.mark.parametrize("second", ["GER", "Germany", "germany"])
def test_without_headings_countries_behind_the_name_are_read(second):
    (first, second_row) = pasted(f"Anna Berg, {second}", "Bo Lind, DEN").rows
    assert (first.name, first.country, second_row.country) == ("Anna Berg", "DEU", "DNK")


def test_a_short_line_has_blanks_for_the_rest():
    (line,) = pasted("Name;Club;Rating", "Anna").rows
    assert (line.name, line.club, line.rating) == ("Anna", "", None)
