"""Import of an entry list: preview, then exactly the previewed changes or none."""

import io
from copy import deepcopy

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from rules.ruleset import Ruleset
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.fees.schedule import Fee, FeeSchedule
from tournament.models import Entry, Player, Tournament
from tournament.money import fees
from tournament.pages.entries.importing import seal, unseal
from tournament.queries.money.cash_desk import last_payments

pytestmark = pytest.mark.django_db

LIST = "Name;Country;Seed;Shoe size\nΝίκος;GRE;1;44\nBo Li;;2;\n;GER;;\nBye;;;\n"


@pytest.fixture(scope="module")
def club_of_module(actor_of_module) -> Tournament:
    made = stories.tournament(actor_of_module)
    registration.enter(made.pk, EntryDetails(PlayerDetails("Bo Li", "SWE"), seed=1), actor_of_module)
    return made


@pytest.fixture
def club(db, club_of_module) -> Tournament:
    return deepcopy(club_of_module)


@pytest.fixture
def page(browser, club) -> Browser:
    return browser.open("entries-import", *at(club))


def names() -> list[str]:
    return sorted(Entry.objects.values_list("player__name", flat=True))


def send_file(page: Browser, data: bytes, name: str) -> Browser:
    return page.press("Preview", file=SimpleUploadedFile(name, data))


def test_a_list_is_shown_before_anything_is_entered_and_what_was_shown_is_then_done(page, club):
    page.press("Preview", text=LIST)
    assert page.says("Import: 1 new, 1 changed")
    assert page.says("Line 4 has no name.")
    assert page.says("Line 5 is a bye.")
    assert page.says("The column “Shoe size” was not recognised and was left out.")
    assert "<del><bdi>1</bdi></del>" in page.text
    assert "<ins><bdi>2</bdi></ins>" in page.text
    assert names() == ["Bo Li"]
    page.press("Change the list")
    assert page.fields("Preview")["text"].strip() == LIST.strip()
    page.press("Preview").press("Import")
    assert page.says("1 added, 1 changed, 0 unchanged.")
    assert page.path == f"/e/{club.event.slug}/{club.slug}/entries/"
    assert names() == ["Bo Li", "Νίκος"]
    assert Entry.objects.get(player__name="Bo Li").seed == 2


def test_payments_in_advance_are_shown_and_then_recorded_as_they_were_made(page, club, owner):
    fees.set_schedule(club.pk, FeeSchedule("EUR", Fee(50_00)), owner)
    page.go(page.path).press("Preview", text="Name;Paid\nBo Li;50\nAnn;70")
    assert page.says("2 payments in advance: €120 together")
    assert page.says("paid €70")
    assert page.says("<ins><bdi>€50</bdi></ins>")
    page.press("Import: 1 new, 1 changed", method="card")
    assert page.says("2 payments recorded: €120 together.")
    assert page.says("1 of these players has now paid more than the price.")
    assert {line.method for line in last_payments(club.event)} == {"Card"}


def test_payments_of_more_than_is_open_are_left_out_until_the_director_takes_them(page, club, owner):
    fees.set_schedule(club.pk, FeeSchedule("EUR", Fee(50_00)), owner)
    page.go(page.path).press("Preview", text="Name;Paid\nBo Li;70")
    assert page.says("1 payment is left out")
    assert page.says("Nothing else is new in this list.")
    page.press("Record these payments too")
    assert page.says("1 payment in advance: €70")
    page.press("Leave them out")
    assert page.says("1 payment is left out")
    page.press("Record these payments too").press("Import: 0 new, 1 changed")
    assert page.says("1 payment recorded: €70.")


def test_an_import_after_a_change_of_entries_is_previewed_again(page, club, owner):
    page.press("Preview", text=LIST)
    registration.enter(club.pk, EntryDetails(PlayerDetails("Νίκος"), seed=7), owner)
    page.press("Import")
    assert page.says("The entries have changed since this preview.")
    assert page.says("Import: 0 new, 2 changed")
    assert Entry.objects.get(player__name="Νίκος").seed == 7
    page.press("Import")
    assert Entry.objects.get(player__name="Νίκος").seed == 1


def test_the_same_list_again_changes_nothing_and_an_empty_form_asks_for_a_list(page):
    assert page.press("Preview").says("Paste the names of the players here")
    page.press("Preview", text="Name\nBo Li\n")
    assert page.says("There is nothing to import")
    assert not page.has_button("Import")


def test_after_the_draw_a_list_is_refused_and_stays_in_the_form(page, club, owner):
    registration.enter(club.pk, EntryDetails(PlayerDetails("Ana")), owner)
    draws.make(club.pk, draws.DrawPlan(), owner)
    page.press("Preview", text=LIST)
    assert page.status == 422
    assert page.says("The entry list is closed, because the draw is made.")
    assert page.fields("Preview")["text"].strip() == LIST.strip()


def test_a_draw_made_between_the_two_steps_sends_back_to_the_list(page, club, owner):
    registration.enter(club.pk, EntryDetails(PlayerDetails("Ana")), owner)
    page.press("Preview", text=LIST)
    draws.make(club.pk, draws.DrawPlan(), owner)
    page.press("Import")
    assert page.says("The entry list is closed, because the draw is made.")
    assert names() == ["Ana", "Bo Li"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"%PDF-1.7 rubbish", "This is a PDF."), (b"a;" * 5_200_000, "a list may have 5 MB")],
)
def test_a_text_that_is_no_list_is_refused_with_one_sentence(page, data, sentence):
    send_file(page, data, "thing.bin")
    assert page.status == 422
    assert page.says(sentence)
    assert names() == ["Bo Li"]


def test_a_player_of_another_tournament_is_asked_about_and_may_be_another_person(page, club, owner):
    final = setup.create_tournament(club.event, setup.TournamentPlan("Final", Ruleset()), owner)
    player = registration.enter(final.pk, EntryDetails(PlayerDetails("Anna Bell")), owner).player
    page.press("Preview", text="Name;Country\nAnna Bell;SCO\n")
    assert page.says("Same person?")
    assert page.says("entered in Final")
    assert page.says("The changes show in Final too.")
    assert page.fields("Import")["person-2"] == str(player.pk)
    page.press("Update preview", **{"person-2": "new"})
    assert page.fields("Import")["person-2"] == "new"
    page.press("Import")
    assert sorted(Player.objects.filter(name="Anna Bell").values_list("country", flat=True)) == ["", "SCO"]
    assert final.entries.get().player.country == ""


def test_columns_without_headings_are_shown_and_may_be_changed(page):
    page.press("Preview", text="Ed Frost\tDEN\tRed\t1650\nFay Green\tGER\tBlue\t1500")
    assert page.says("The list has no headings, so the columns were guessed. Check them.")
    fields = page.fields("Import")
    assert [fields[f"column-{place}"] for place in range(4)] == ["name", "country", "club", "rating"]
    page.press("Import", **{"column-2": "team", "column-3": ""})
    assert page.says("The columns changed, so nothing was imported yet.")
    assert names() == ["Bo Li"]
    page.press("Import 2 players")
    player = Player.objects.get(name="Ed Frost")
    assert (player.country, player.club, player.team, player.rating) == ("DNK", "", "Red", None)


def test_a_choice_without_names_is_refused_and_the_list_stays(page):
    page.press("Preview", text="Ed Frost;DEN\nFay Green;GER").press("Update preview", **{"column-0": ""})
    assert page.says("None of the headings is a name.")
    page.press("Import 2 players")
    assert names() == ["Bo Li", "Ed Frost", "Fay Green"]


def test_a_file_is_read_like_a_paste_and_becomes_text_to_edit(page, club):
    send_file(page, "Name;Club\r\nZoë;Köln\r\n\r\n".encode("cp1252"), "list.csv")
    assert page.says("Zoë")
    assert page.says("The text encoding of this file was guessed.")
    book = Workbook()
    book.active.append(["Name", "Elo"])
    book.active.append(["高橋 美咲", 1650])
    stream = io.BytesIO()
    book.save(stream)
    page.press("Change the list")
    send_file(page, stream.getvalue(), "list.xlsx").press("Change the list")
    assert page.fields("Preview")["text"].strip() == "Name\tElo\n高橋 美咲\t1650"
    page.press("Preview").press("Import")
    assert names() == ["Bo Li", "高橋 美咲"]
    page.open("entries-import", *at(club))
    send_file(page, "Club;Rating\nA;5\n".encode("utf-16"), "list.csv")
    assert page.status == 422
    assert page.fields("Preview")["text"].strip() == "Club;Rating\nA;5"


def test_a_sealed_list_is_unsealed_unchanged():
    data = "Νίκος;α\n".encode() * 500
    assert unseal(seal(data, "Λίστα 1.csv")) == (data, "Λίστα 1.csv")
    assert len(seal(data, "")) < 1000


def test_a_list_changed_after_its_preview_is_refused(page, club):
    page.press("Preview", text=LIST)
    sent = page.fields("Import")
    answer = page.client.post(page.path, {**sent, "sealed": sent["sealed"][:-4] + "AAAA"}, follow=True)
    assert "The list was damaged during the upload." in answer.content.decode()
    assert names() == ["Bo Li"]


def test_one_name_with_a_comma_is_reported_and_turned_with_one_press(page):
    page.press("Preview", text="Name;Country\nCosta, Bruno;POR\nAna Ek;DEN\nBo Li;SWE\n")
    assert page.says("“Costa, Bruno” is imported with its comma.")
    page.press("Turn names round")
    assert page.says("<bdi>Bruno Costa</bdi>")
    page.press("Keep names as written")
    assert page.says("<bdi>Costa, Bruno</bdi>")
    page.press("Turn names round").press("Import")
    assert "Bruno Costa" in names()


def test_a_country_is_previewed_by_its_name(page):
    page.press("Preview", text="Name;Country\nAna Ek;DEN\nBo Li;NOR\n")
    assert page.says("Denmark (DNK)")
    assert page.says("<del><bdi>Sweden (SWE)</bdi></del>")
    assert page.says("<ins><bdi>Norway (NOR)</bdi></ins>")
