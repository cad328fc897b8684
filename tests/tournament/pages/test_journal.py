"""The journal page: names instead of ids, values before and after, filters, paging."""

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tournament.accounts import links
from tournament.drawing import draws
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import JournalLine

pytestmark = pytest.mark.django_db


def journal(browser: Browser, event, query: str = "") -> Browser:
    return browser.open("event-journal", event.slug, query=query)


def lines(browser: Browser) -> list[str]:
    return browser.text.partition("</ol>\n    <p")[0].split('<li class="panel">')[1:]


def test_a_result_names_the_match_and_who_posted_it(hall, at_desk):
    stories.play(hall.pairing, hall.desk)
    page = journal(at_desk, hall.tournament.event, "?action=post+result")
    names = f"{hall.pairing.left.player.name} – {hall.pairing.right.player.name}"
    (line,) = lines(page)
    assert "<bdi>desk</bdi></strong>" in line
    assert f"posted a result: <bdi>{names}</bdi>" in line
    assert f"<ins><bdi>{hall.pairing.left.player.name}</bdi></ins>" in line


def test_a_change_shows_the_old_and_the_new_value(browser, owner, club_night):
    card = EntryDetails(PlayerDetails("Ana", club="North"), seed=2)
    entry = registration.enter(club_night.pk, card, owner)
    registration.change(entry, EntryDetails(PlayerDetails("Ana", club="South"), seed=2), owner)
    line = lines(journal(browser, club_night.event))[0]
    assert "changed an entry: <bdi>Ana</bdi>" in line
    assert "<del><bdi>North</bdi></del>" in line
    assert "<ins><bdi>South</bdi></ins>" in line
    assert "Seed" not in line


def test_saving_without_a_change_writes_no_journal_line(browser, club_night):
    event = club_night.event
    before = JournalLine.objects.count()
    browser.open("event-edit", event.slug).press("Save")
    browser.open("tournament-edit", event.slug, club_night.slug).press("Save")
    assert JournalLine.objects.count() == before
    browser.open("event-edit", event.slug).press("Save", time_zone="Europe/Athens")
    assert "<ins><bdi>Europe/Athens</bdi></ins>" in lines(journal(browser, event))[0]


def test_a_player_is_named_as_the_author_of_a_line(hall, at_desk):
    client = Browser().client
    client.get(f"/p/{hall.left}/")
    links.request_link(hall.pairing.left)
    stories.play(hall.pairing, hall.desk)
    client.post(
        f"/me/{hall.pairing.match_id}/final/",
        {"key": "9d1f2f0e-5a62-4a7f-8f0d-5d9b5fb6a111", "predecessor": hall.pairing.match_id,
         "left": 1, "right": 3, "step": "save"},
    )  # fmt: skip
    page = journal(at_desk, hall.tournament.event, "?action=hand+in+late")
    assert f"<bdi>{hall.pairing.left.player.name}</bdi></strong> <small" in lines(page)[0]


def test_the_journal_of_a_tournament_has_only_its_own_lines(browser, owner, club_night):
    plan = setup.TournamentPlan("Masters", stories.PRESETS["tournament"])
    other = setup.create_tournament(club_night.event, plan, owner)
    registration.enter(other.pk, EntryDetails(PlayerDetails("Ana")), owner)
    page = journal(browser, club_night.event).press("Show", tournament=other.slug)
    assert [("entered a player" in line, "made the tournament" in line) for line in lines(page)] == [
        (True, False),
        (False, True),
    ]


def test_the_filter_offers_only_kinds_in_the_journal(browser, owner, club_night):
    page = journal(browser, club_night.event)
    assert 'value="create tournament"' in page.text
    assert 'value="redraw"' not in page.text


def test_a_reason_is_shown(browser, owner):
    made = stories.released(owner, 4)
    draws.make(made.pk, draws.DrawPlan(reason="A player was missing"), owner)
    assert "A player was missing" in lines(journal(browser, made.event))[0]


def test_older_lines_are_on_the_next_page(browser, owner):
    made = stories.entered(owner, 60)
    page = journal(browser, made.event)
    assert len(lines(page)) == 50
    query = page.text.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    older = page.go(query if query.startswith("/") else page.path + query)
    assert len(lines(older)) == JournalLine.objects.count() - 50
    assert older.says("Newest")


def test_an_unknown_kind_is_answered_with_a_sentence(browser, club_night):
    assert journal(browser, club_night.event, "?action=nonsense").says("Nothing of that kind")


@pytest.mark.parametrize("before", ["x", "-1", "9" * 30, "٣"])
def test_an_invalid_page_shows_the_first_page(browser, club_night, before):
    assert len(lines(journal(browser, club_night.event, f"?before={before}"))) > 0


def test_a_page_of_the_journal_costs_a_constant_number_of_statements(
    browser, owner, django_assert_max_num_queries
):
    made = stories.entered(owner, 40)
    with django_assert_max_num_queries(18):
        journal(browser, made.event)
