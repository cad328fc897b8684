"""The entry list: adding, arrival and payment by a tap, search, withdrawal, codes for phones."""

import re
from copy import deepcopy

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.drawing import draw_secret, draws
from tournament.drawing.order import DrawRules
from tournament.entries import attendance, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, PersonalLink, Table, Tournament
from tournament.pages.entries import entries
from tournament.room import calls, tables

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def club_of_module(actor_of_module) -> Tournament:
    made = stories.tournament(actor_of_module)
    for name, country, rating in (("Ζωή Άλφα", "GRC", 1500), ("anna Berg", "DEU", None), ("Bo Li", "", 1700)):
        registration.enter(
            made.pk, EntryDetails(PlayerDetails(name, country, rating=rating)), actor_of_module
        )
    return made


@pytest.fixture
def club(db, club_of_module) -> Tournament:
    return deepcopy(club_of_module)


@pytest.fixture
def listed(browser, club) -> Browser:
    return browser.open("entries", *at(club))


def entry(name: str) -> Entry:
    return Entry.objects.select_related("player", "tournament__event").get(player__name=name)


def page_of(browser: Browser, name: str) -> Browser:
    player_entry = entry(name)
    return browser.open("entry-edit", *at(player_entry.tournament), player_entry.pk)


def names_on(browser: Browser) -> list[str]:
    return re.findall(r'<th scope="row"><a [^>]+><bdi>([^<]+)', browser.text)


def tap(browser: Browser, name: str, action: str) -> Browser:
    """Presses the button of this action on this entry's line."""
    address = f"/{entry(name).pk}/{action}/"
    buttons = browser.buttons("")
    nth = next(nth for nth, (_, button) in enumerate(buttons) if button.action.endswith(address))
    return browser.press("", nth=nth)


def test_a_name_and_enter_enters_a_player_and_waits_for_the_next_name(listed):
    listed.press("Enter", name="  მარიამ   დ.  ")
    assert entry("მარიამ დ.").player.country == ""
    assert listed.says("მარიამ დ. has been entered.")
    assert listed.fields("Enter")["name"] == ""
    assert listed.fragment == "id_name"
    assert 'id="id_name"' in listed.text


def test_an_entry_is_added_with_details_beside_the_name_which_is_never_markup(listed):
    listed.press("Enter", name="<script>alert(1)</script>", country="esp", club="Madrid", rating="1612.5", seed=1,
                 is_paid="on")  # fmt: skip
    made = entry("<script>alert(1)</script>")
    assert (made.player.country, made.player.club, str(made.player.rating)) == ("ESP", "Madrid", "1612.50")
    assert (made.seed, made.is_paid) == (1, True)
    assert "<script>alert" not in listed.text
    assert "&lt;script&gt;alert" in listed.text


def test_the_same_player_is_not_entered_twice_and_the_name_stays(listed):
    listed.press("Enter", name="Anna Berg", country="", club="")
    assert listed.status == 422
    assert listed.says("Anna Berg is already entered.")
    assert listed.fields("Enter")["name"] == "Anna Berg"
    assert listed.press("Enter", name="Anna Berg", club="Club 64").status == 200
    assert Entry.objects.count() == 4


def test_an_impossible_entry_is_refused_and_keeps_the_typed_values(listed):
    listed.press("Enter", club="Club 64", name="   ", rating="many", seed="0", country="XX")
    for sentence in (
        "Write the name of the player.",
        "Enter a number.",
        "greater than or equal to 1",
        "This country is not known.",
    ):
        assert listed.says(sentence), sentence
    assert listed.fields("Enter")["club"] == "Club 64"
    assert Entry.objects.count() == 3


def test_arrived_and_paid_are_set_and_unset_by_one_tap(listed, club):
    tap(listed, "Bo Li", "check-in")
    assert entry("Bo Li").checked_in_at is not None
    assert listed.says("1 arrived")
    tap(listed, "Bo Li", "undo-check-in")
    assert entry("Bo Li").checked_in_at is None
    for action, is_paid in (("paid", True), ("unpaid", False)):
        listed.client.post(reverse("entry-action", args=[*at(club), entry("Bo Li").pk, action]))
        assert entry("Bo Li").is_paid == is_paid


def test_a_tap_returns_to_the_same_line_of_the_same_filtered_list(listed, club):
    listed.open("entries", *at(club), query="?show=unpaid&words=li")
    tap(listed, "Bo Li", "check-in")
    assert listed.path.endswith("?show=unpaid&words=li")
    assert listed.fragment == f"e-{entry('Bo Li').pk}"
    listed.open("entries", *at(club), query="?show=not-arrived")
    assert names_on(listed) == ["anna Berg", "Ζωή Άλφα"]


def test_the_list_is_sorted_in_both_directions_and_remembers_how(listed, club):
    assert names_on(listed) == ["anna Berg", "Bo Li", "Ζωή Άλφα"]
    assert names_on(listed.press("Show", order="rating")) == ["Bo Li", "Ζωή Άλφα", "anna Berg"]
    assert 'aria-sort="ascending"><a class="sort" href="?show=all&amp;order=-rating' in listed.text
    listed.open("entries", *at(club), query="?order=-rating")
    assert names_on(listed) == ["Ζωή Άλφα", "Bo Li", "anna Berg"], "missing values last"
    assert names_on(listed.open("entries", *at(club))) == ["Ζωή Άλφα", "Bo Li", "anna Berg"]


def test_finding_by_words_of_name_club_or_country(listed):
    for words, names in (("berg", ["anna Berg"]), ("grc ΑΛΦΑ", ["Ζωή Άλφα"]), ("nobody", [])):
        assert names_on(listed.press("Show", words=words)) == names


def test_a_long_list_comes_in_pages_and_is_searched_as_a_whole(listed, club, monkeypatch):
    assert "data-filter" in listed.text, "a short one is searched while one types"
    monkeypatch.setattr(entries, "LINES_PER_PAGE", 2)
    assert names_on(listed.open("entries", *at(club))) == ["anna Berg", "Bo Li"]
    assert "data-filter" not in listed.text
    assert listed.says("1–2 / 3")
    listed.open("entries", *at(club), query="?show=not-arrived&order=name&page=2")
    assert names_on(listed) == ["Ζωή Άλφα"]
    assert 'href="?show=not-arrived&amp;order=name&amp;words=&amp;page=1"' in listed.text
    tap(listed, "Ζωή Άλφα", "paid")
    assert listed.path.endswith("&page=2"), "a tap comes back to the same page"
    assert names_on(listed.press("Show", words="berg")) == ["anna Berg"]
    assert names_on(listed.open("entries", *at(club), query="?page=77")) == ["Ζωή Άλφα"]


def test_a_tap_with_script_gets_only_the_line_and_the_counts(listed, club):
    address = reverse("entry-action", args=[*at(club), entry("Bo Li").pk, "check-in"])
    answer = listed.client.post(address, headers={"X-Live": "1"}).content.decode()
    assert "1 arrived" in answer
    assert "undo-check-in" in answer
    assert "<html" not in answer


def test_all_shown_or_selected_players_are_marked_at_once_and_one_undo_takes_it_back(listed, club):
    assert listed.press("Paid", entry=None).says("Nobody is selected.")
    listed.press("Paid", entry=str(entry("Bo Li").pk))
    assert list(club.entries.filter(is_paid=True)) == [entry("Bo Li")]
    listed.press("Show", words="b")
    listed.press("Arrived", all="on")
    assert listed.says("2 players have arrived.")
    assert set(club.entries.filter(checked_in_at__isnull=False)) == {entry("anna Berg"), entry("Bo Li")}
    listed.press("Undo")
    assert listed.says("Undone for 2 players.")
    assert not club.entries.filter(checked_in_at__isnull=False).exists()


def test_players_who_have_not_arrived_are_withdrawn_together(listed, club, owner):
    attendance.check_in(entry("Bo Li"), owner, present=True)
    listed.open("entries", *at(club)).press("Withdraw them", reason="Not here at 10:00")
    assert listed.says("2 players have been withdrawn.")
    assert list(club.entries.filter(withdrawn_at__isnull=True)) == [entry("Bo Li")]
    listed.press("Undo")
    assert club.entries.filter(withdrawn_at__isnull=True).count() == 3


def test_an_entry_is_changed_on_its_page(browser, club):
    page_of(browser, "Bo Li").press("Save", name="Bo Li-Berg", country="china", seed="2")
    assert (entry("Bo Li-Berg").player.country, entry("Bo Li-Berg").seed) == ("CHN", 2)
    page_of(browser, "anna Berg").press("Save", seed="2")
    assert browser.says("Seed 2 is already taken.")
    assert browser.fields("Save")["seed"] == "2"


def test_a_withdrawal_can_be_undone(browser, club):
    page_of(browser, "Bo Li").press("Withdraw", reason="Ill")
    assert entry("Bo Li").is_withdrawn
    page_of(browser, "Bo Li").press("Bring back")
    assert not entry("Bo Li").is_withdrawn


def test_the_page_of_an_entry_shows_opponents_results_and_table(at_desk, hall):
    stories.play(hall.pairing, hall.desk, score=(3, 1))
    tables.add(hall.tournament.event_id, "7", hall.owner)
    calls.call(hall.second_pairing.pk, Table.objects.get().pk, hall.desk)
    page = at_desk.open("entry-edit", *at(hall.tournament), hall.pairing.left_id)
    assert page.says(f"<bdi>{hall.pairing.right.registered_name}</bdi>")
    assert page.says("3–1")
    assert page.says(reverse("desk-match", args=[*at(hall.tournament), hall.pairing.pk]))
    page = at_desk.open("entry-edit", *at(hall.tournament), hall.second_pairing.left_id)
    assert page.says("Table 7")


def test_an_entry_made_by_mistake_is_removed_by_a_director_only(browser, club, hall, at_desk):
    page_of(browser, "Bo Li").press("Remove for good")
    assert not Entry.objects.filter(player__name="Bo Li").exists()
    place = at_desk.open("entry-edit", *at(hall.tournament), hall.pairing.left_id)
    assert not place.has_button("Remove for good")
    assert at_desk.client.post(f"{place.path}remove/").status_code == 403


def test_after_the_draw_entries_are_not_added_or_removed(browser, owner, club):
    stale = browser.open("entries", *at(club)).fields("Enter")
    draws.make(club.pk, draws.DrawPlan(), owner)
    assert not browser.open("entries", *at(club)).has_button("Enter")
    answer = browser.client.post(browser.path, {**stale, "name": "Too late"})
    assert "The entry list is closed, because the draw is made." in answer.content.decode()
    assert not page_of(browser, "Bo Li").has_button("Remove for good")


def test_a_code_connects_a_phone_is_shown_only_once_and_replaced_when_the_phone_is_lost(browser, club):
    page_of(browser, "Bo Li").press("Show a code to scan")
    first = re.search(r"/p/[\w-]+/", browser.text).group()
    assert "data:image/svg+xml" in browser.text
    assert Browser().go(first).path == "/me/"
    assert first not in page_of(browser, "Bo Li").text
    browser.press("Revoke all links and make a new code")
    second = re.search(r"/p/[\w-]+/", browser.text).group()
    assert Browser().go(first).path != "/me/"
    assert Browser().go(second).path == "/me/"


def test_one_phone_of_several_is_shut_out(browser, club, owner):
    for _ in range(2):
        links.make_link(entry("Bo Li"), owner)
    page_of(browser, "Bo Li").press("Block")
    assert sorted(link.is_open for link in PersonalLink.objects.all()) == [False, True]
    assert browser.path == f"/e/{club.event.slug}/{club.slug}/entries/{entry('Bo Li').pk}/"


def test_an_entry_of_another_tournament_is_not_found(browser, club, hall):
    assert browser.open("entry-edit", *at(club), hall.pairing.left_id).status == 404
    path = f"/e/{club.event.slug}/{club.slug}/entries/{entry('Bo Li').pk}/"
    assert browser.client.post(f"{path}promote/").status_code == 404


def test_while_entries_are_closed_the_page_gives_the_reason_and_links_to_reopening(browser, club, owner):
    draw_secret.commit_to_secret(club.pk, owner)
    draw_secret.close_entries(club.pk, DrawRules(), owner)
    browser.open("entries", *at(club))
    assert browser.says("Entries are closed for the public draw")
    assert browser.says(f"{reverse('draw', args=at(club))}#reopen")
    assert not browser.has_button("Enter")
    assert not browser.says("Import players")
    draw_secret.reopen_entries(club.pk, "Somebody came late", owner)
    assert browser.open("entries", *at(club)).has_button("Enter")
