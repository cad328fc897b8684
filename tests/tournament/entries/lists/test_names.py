"""Names as people paste them: scripts are kept, invisible characters and list marks removed, other texts refused."""

import pytest

from tests.tournament.entries.lists.lists import codes, names, only_trouble, pasted

SCRIPTS = [
    "Νίκος Παπαδόπουλος",
    "გიორგი ბერიძე",
    "عبد الله الخطيب",
    "نرگس محمدی\u200cزاده",
    "משה לוי",
    "山田 太郎",
    "İsmail Işık",
    "Zoë Żółć-Ångström",
    "'t Hooft",
    "김철수",
    "नरेंद्र शर्मा",
]


def test_a_bare_paste_is_one_name_a_line():
    listing = pasted("Anna Berg", "", "  Bo Lind ", "   ", "Cy Mor")
    assert [(line.number, line.name) for line in listing.rows] == [
        (1, "Anna Berg"),
        (3, "Bo Lind"),
        (5, "Cy Mor"),
    ]
    assert listing.problems == ()
    assert listing.refusal is None


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_keep_their_script(name):
    assert names(pasted("Name;Club", f"{name};A")) == [name]


def test_an_accent_typed_apart_becomes_one_letter_with_it():
    assert names(pasted("Name", "Jose\u0301 A\u030angstro\u0308m")) == ["José Ångström"]


def test_spaces_of_every_kind_become_one():
    assert names(pasted("Name", " Anna\u00a0 \u3000Berg\u2009 ")) == ["Anna Berg"]


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2066", "\u200b", "\u00ad", "\ufeff", "\u200f", "\x07", "\u2060"]
)
def test_invisible_characters_are_removed_from_names(unseen):
    assert names(pasted("Name", f"{unseen}An{unseen}na Berg{unseen}", *(["Bo Lind"] * 40)))[0] == "Anna Berg"


def test_surnames_first_are_turned_with_a_warning():
    listing = pasted("Berg, Anna", "van der Lind, Bo", "Mor", "Ek, Eva Maria")
    assert names(listing) == ["Anna Berg", "Bo van der Lind", "Mor", "Eva Maria Ek"]
    assert only_trouble(listing).sentence == (
        "Names with a comma were read as surname, given name: “Berg, Anna” is imported as “Anna Berg”. "
        "Check them."
    )


@pytest.mark.parametrize("name", ["Smith, John, Jr.", "Anna Berg, Bo Lind", "Anna Berg, XYZ", "Berg, A. 2"])
def test_an_ambiguous_comma_stays_and_is_reported(name):
    listing = pasted(name, "Bo", "Cy")
    assert names(listing) == [name, "Bo", "Cy"]
    assert only_trouble(listing).code == "commas-kept"
    assert name in only_trouble(listing).sentence


@pytest.mark.parametrize("name", ["Fay Green;GER;Berlin", "Fay Green|GER"])
def test_a_name_with_a_delimiter_is_reported(name):
    listing = pasted("Anna Berg\tGER", "Bo Lind\tDEN", name)
    assert names(listing) == ["Anna Berg", "Bo Lind", name]
    assert "name-with-divider" in codes(listing)


def test_surnames_first_under_a_heading_are_turned_if_most_names_have_a_comma():
    listing = pasted("Player", "Berg, Anna", "Lind, Bo", "Cy Mor")
    assert (names(listing), codes(listing)) == (["Anna Berg", "Bo Lind", "Cy Mor"], ["names-turned"])
    assert names(pasted("Player", "Berg, Anna", "Bo Lind")) == ["Berg, Anna", "Bo Lind"]


def test_a_name_that_looks_like_a_formula_stays_a_name():
    listing = pasted("Name;Club", "=cmd();@Home", "+Plus;A")
    assert [(line.name, line.club) for line in listing.rows] == [("=cmd()", "@Home"), ("+Plus", "A")]
    assert listing.problems == ()


@pytest.mark.parametrize("mark", ["1. ", "1) ", "12.", "3: ", "• ", "* ", "- ", "  7.  "])
def test_list_numbers_are_removed_from_pasted_names(mark):
    assert names(pasted(f"{mark}Anna Berg", "Bo Lind")) == ["Anna Berg", "Bo Lind"]


def test_a_first_column_that_only_counts_is_not_the_name():
    assert names(pasted("1\tAnna Berg", "2\tBo Lind", "3\tCy Mor")) == ["Anna Berg", "Bo Lind", "Cy Mor"]


@pytest.mark.parametrize("brackets", ["(GER)", "[GER]", "  (DEU)"])
def test_a_country_in_brackets_behind_a_name_is_the_country(brackets):
    (line,) = pasted(f"Anna Berg {brackets}").rows
    assert (line.name, line.country) == ("Anna Berg", "DEU")


@pytest.mark.parametrize(
    "name", ["Samuel Hill (SAM)", "Anna Berg (ger)", "Anna Berg (TD)", "Anna Berg (XQQ)", "(GER)"]
)
def test_brackets_that_may_be_part_of_the_name_stay(name):
    (line,) = pasted(name).rows
    assert (line.name, line.country) == (name, "")


def test_brackets_stay_when_the_list_says_another_country():
    (line,) = pasted("Name;Country", "Anna Berg (GER);SUI").rows
    assert (line.name, line.country) == ("Anna Berg (GER)", "CHE")


def test_brackets_that_repeat_the_country_are_cut_off():
    (line,) = pasted("Name;Country", "Anna Berg (GER);Germany").rows
    assert (line.name, line.country) == ("Anna Berg", "DEU")


def test_given_name_and_surname_become_one_name():
    assert names(pasted("Surname;First name", "Berg;Anna", ";Bo")) == ["Anna Berg", "Bo"]


def test_a_column_called_name_beside_a_given_name_is_the_surname():
    assert names(pasted("Name;Vorname", "Berg;Anna")) == ["Anna Berg"]


def test_a_column_called_name_beside_a_surname_is_the_given_name():
    assert names(pasted("Nombre;Apellidos", "Ana;García Ruiz")) == ["Ana García Ruiz"]


def test_a_full_name_goes_before_its_parts():
    listing = pasted("Given name;Surname;Full name", "Anna;Berg;Anna B. Berg")
    assert names(listing) == ["Anna B. Berg"]
    assert codes(listing) == ["column-left-out", "column-left-out"]


def test_japanese_parts_are_put_together_surname_first():
    assert names(pasted("名,姓", "太郎,山田")) == ["山田 太郎"]


def test_a_line_without_a_name_says_so():
    trouble = only_trouble(pasted("Name;Club", "Anna;A", ";B"))
    assert trouble.sentence == "Line 3 has no name. Add one or delete the line."


def test_a_lone_dash_is_no_name_and_no_formula():
    assert codes(pasted("Name;Club", "-;A", "Bo;-")) == ["name-missing"]


@pytest.mark.parametrize("written", ["1234", "???!", "12-34"])
def test_a_name_without_a_letter_is_refused(written):
    assert codes(pasted("Name;Club", f"{written};A", "Bo;B")) == ["not-a-name"]


@pytest.mark.parametrize("written", ["bye", "BYE", "(Bye)", "Freilos"])
def test_a_bye_in_the_list_is_no_player(written):
    listing = pasted("Anna", written, "Bo")
    assert names(listing) == ["Anna", "Bo"]
    assert codes(listing) == ["bye-listed"]


def test_a_player_whose_surname_is_bye_is_a_player():
    assert names(pasted("Bye, Anna", "Ann Bye")) == ["Anna Bye", "Ann Bye"]


def test_a_name_of_100_letters_is_accepted_and_a_longer_one_refused():
    listing = pasted("Name", "a" * 100, "b" * 101)
    assert names(listing) == ["a" * 100]
    assert only_trouble(listing).sentence == "The name on line 3 is longer than 100 letters. Shorten it."
