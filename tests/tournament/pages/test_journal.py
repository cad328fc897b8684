"""The journal page: names instead of ids, values before and after, filters, paging."""

import re
import uuid
from urllib.parse import quote

import pytest
from django.urls import reverse

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import match
from tests.tournament.pages.tournaments.filling import fill
from tests.tournament.refusals import refusal
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import round_previews, rounds
from tournament.entries import attendance, registration
from tournament.entries.attendance import Mark
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Entry, JournalLine, Table
from tournament.pages.tournaments.forms import initial_of
from tournament.queries import journal as journal_query
from tournament.room import calls, table_undo, tables
from tournament.room.tables import TablePlan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


def journal(browser: Browser, event, query: str = "") -> Browser:
    return browser.open("event-journal", event.slug, query=query)


def lines(browser: Browser) -> list[str]:
    return browser.text.partition("</ol>\n    <p")[0].split('<li class="journal__line"')[1:]


def test_a_result_is_one_line_that_names_the_match_and_who_posted_it(hall, at_desk):
    stories.play(hall.pairing, hall.desk)
    page = journal(at_desk, hall.tournament.event, f"?by={hall.desk.user.username}")
    names = f"{hall.pairing.left.player.name} – {hall.pairing.right.player.name}"
    (line,) = [line for line in lines(page) if "<bdi>desk</bdi>" in line]
    assert "<bdi>desk</bdi></strong>" in line
    assert (
        f'posted the result of <a href="{reverse("desk-match", args=match(hall.pairing))}"><bdi>{names}'
        in line
    )
    assert '<bdi class="num">3–2</bdi>' in line
    assert "score card" not in line
    assert not re.search(r"<(ins|del)><bdi>[0-9a-f-]{32,}", page.text)


def test_a_change_shows_the_old_and_the_new_value(browser, owner, club_night):
    card = EntryDetails(PlayerDetails("Ana", club="North"), seed=2)
    entry = registration.enter(club_night.pk, card, owner)
    registration.change(entry, EntryDetails(PlayerDetails("Ana", club="South"), seed=2), owner)
    line = lines(journal(browser, club_night.event))[0]
    assert "changed the entry of <a" in line
    assert "<bdi>Ana</bdi></a>" in line
    assert "<del><bdi>North</bdi></del>" in line
    assert "<ins><bdi>South</bdi></ins>" in line
    assert "Seed" not in line


def test_saving_without_a_change_writes_no_journal_line(browser, owner, club_night):
    event = club_night.event
    before = JournalLine.objects.count()
    browser.open("event-edit", event.slug).press("Save")
    form = fill(initial_of(club_night), name=club_night.name)
    assert form.is_valid()
    setup.change_tournament(club_night.pk, form.plan(), owner)
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


def test_the_journal_of_a_tournament_has_only_its_own_lines_and_kinds(browser, owner, club_night):
    plan = setup.TournamentPlan("Masters", stories.PRESETS["tournament"])
    second_tournament = setup.create_tournament(club_night.event, plan, owner)
    registration.enter(second_tournament.pk, EntryDetails(PlayerDetails("Ana")), owner)
    page = journal(browser, club_night.event)
    assert 'value="create tournament"' in page.text
    assert 'value="redraw"' not in page.text
    page.press("Show", tournament=second_tournament.slug)
    assert [("entered <a" in line, "created the tournament" in line) for line in lines(page)] == [
        (True, False),
        (False, True),
    ]


def test_lines_are_found_by_player_and_by_actor(hall, at_desk):
    stories.play(hall.pairing, hall.desk)
    attendance.check_in(hall.pairing.left, hall.owner, present=True)
    event, name = hall.tournament.event, quote(hall.pairing.left.player.name)
    about_player = lines(journal(at_desk, event, f"?player={name}"))
    assert any("posted the result of" in line for line in about_player)
    assert all("<bdi>owner</bdi>" in line for line in lines(journal(at_desk, event, "?by=owner")))
    assert not lines(
        journal(at_desk, event, f"?player={quote(hall.second_pairing.left.player.name)}&by=desk")
    )


def test_a_line_that_still_holds_is_undone_from_the_journal(hall, at_desk):
    attendance.check_in(hall.pairing.left, hall.owner, present=True)
    journal(at_desk, hall.tournament.event, "?action=check+in").press("Undo")
    assert Entry.objects.get(pk=hall.pairing.left_id).checked_in_at is None
    assert not journal(at_desk, hall.tournament.event, "?action=check+in").has_button("Undo")
    journal(at_desk, hall.tournament.event, "?action=undo+check+in").press("Undo")
    assert Entry.objects.get(pk=hall.pairing.left_id).checked_in_at is not None
    entries = [hall.pairing.left_id, hall.pairing.right_id]
    attendance.mark_entries(hall.tournament, entries, hall.owner, Mark.PAID)
    journal(at_desk, hall.tournament.event, "?action=mark+paid").press("Undo for all")
    assert not Entry.objects.filter(is_paid=True).exists()


def test_a_player_is_withdrawn_again_only_from_the_last_line_about_the_entry(hall, at_desk):
    event, entry = hall.tournament.event, hall.second_pairing.left
    registration.withdraw(entry, hall.owner)
    registration.unwithdraw(entry, hall.owner)
    page = journal(at_desk, event, "?action=undo+withdrawal")
    assert page.has_button("Undo")
    attendance.check_in(entry, hall.owner, present=True)
    assert not journal(at_desk, event, "?action=undo+withdrawal").has_button("Undo")


def test_a_call_is_undone_from_its_lines_until_the_match_begins(hall, at_desk):
    event = hall.tournament.event
    first, second = tables.add(event.pk, "1-2", hall.owner)
    call = calls.call(hall.pairing.pk, first.pk, hall.owner)
    calls.move(call.pk, second.pk, hall.owner)
    calls.mark_playing(call.pk, hall.owner)
    states = []
    for verb in ("see playing", "move match", "call match", "take call back"):
        journal(at_desk, event, f"?action={quote(verb)}").press("Undo")
        call.refresh_from_db()
        states.append((call.playing_at is not None, call.table_id, call.is_taken_back))
    assert states == [
        (False, second.pk, False),
        (False, first.pk, False),
        (False, first.pk, True),
        (False, first.pk, False),
    ]
    assert not journal(at_desk, event, "?action=call+match").has_button("Undo")
    page = journal(at_desk, event, "?action=restore+call")
    stories.begin(hall.pairing)
    assert page.has_button("Undo")
    assert not journal(at_desk, event, "?action=restore+call").has_button("Undo")


def test_a_change_of_tables_is_undone_by_a_director_until_the_next_one(hall, directing, at_desk):
    event = hall.tournament.event
    earlier, batch = uuid.uuid4(), uuid.uuid4()
    for table in tables.add(event.pk, "1-2", hall.owner, earlier):
        tables.remove(table, hall.owner)
    first, second = tables.add(event.pk, "1-2", hall.owner, batch)
    table_undo.undo(event.pk, earlier, hall.owner)
    assert hall.tournament.event.room.tables.count() == 2, "added again since"
    assert journal(directing, event, "?action=add+tables").has_button("Undo")
    pin = tables.pin(first, hall.pairing, "", hall.owner)
    assert not journal(directing, event, "?action=add+tables").has_button("Undo")
    assert refusal(lambda: table_undo.undo(event.pk, batch, hall.owner)) == "table-changed-again"
    tables.unpin(pin, hall.owner)
    tables.close(first, hall.owner)
    assert not journal(at_desk, event).has_button("Undo")
    journal(directing, event, "?action=close+table").press("Undo")
    assert Table.objects.get(pk=first.pk).closed_at is None
    names = {first.pk: TablePlan("Stream"), second.pk: TablePlan("TV")}
    for _ in range(2):
        tables.change_many(event.pk, names, hall.owner, uuid.uuid4())
        page = journal(directing, event, "?action=change+table").press("Undo for all")
        assert set(Table.objects.values_list("name", flat=True)) == {"1", "2"}
    tables.change_many(event.pk, names, hall.owner, uuid.uuid4())
    page = journal(directing, event, "?action=change+table")
    tables.change(second, TablePlan("Camera"), hall.owner)
    assert page.press("Undo for all").says("Table Camera was changed again")


def test_only_what_still_holds_of_a_change_of_tables_is_undone(hall, directing):
    event = hall.tournament.event
    first, second, third = tables.add(event.pk, "1-3", hall.owner)
    tables.change_many(event.pk, {first.pk: TablePlan("Stream")}, hall.owner, uuid.uuid4())
    moved = uuid.uuid4()
    tables.change_many(event.pk, {third.pk: TablePlan("3", position=1)}, hall.owner, moved)
    tables.change_many(event.pk, {second.pk: TablePlan("2", position=1)}, hall.owner, uuid.uuid4())
    assert refusal(lambda: table_undo.undo(event.pk, moved, hall.owner)) == "table-changed-again"
    page = journal(directing, event, "?action=change+table")
    assert len(page.buttons("Undo")) == 2, "the first move is not as it was made"
    page.press("Undo", nth=1)
    assert list(event.room.tables.values_list("name", flat=True)) == ["2", "3", "1"]
    batches = [uuid.uuid4(), uuid.uuid4()]
    tables.remove(first, hall.owner, batches[0])
    again = tables.add(event.pk, "1", hall.owner)[0]
    tables.remove(again, hall.owner, batches[1])
    assert len(journal(directing, event, "?action=remove+table").buttons("Undo")) == 1
    assert refusal(lambda: table_undo.undo(event.pk, batches[0], hall.owner)) == "table-removed-again"
    table_undo.undo(event.pk, batches[1], hall.owner)


def test_a_change_of_tables_is_undone_for_all_from_a_page_with_some_of_its_lines(hall, directing):
    event = hall.tournament.event
    first, second = tables.add(event.pk, "1-2", hall.owner)
    names = {first.pk: TablePlan("Stream"), second.pk: TablePlan("TV")}
    tables.change_many(event.pk, names, hall.owner, uuid.uuid4())
    newest = JournalLine.objects.filter(verb="change table").latest("pk")
    journal(directing, event, f"?before={newest.pk}").press("Undo for all")
    assert set(Table.objects.values_list("name", flat=True)) == {"1", "2"}


def test_a_round_is_undone_with_a_reason_until_it_is_played(browser, owner):
    made = stories.released(owner, 4, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, owner)
    rounds.pair_next_round(made.pk, owner)
    page = journal(browser, made.event, "?action=pair+round").press("Undo", **{"undo-reason": "Too early"})
    assert page.says("The round is hidden again.")
    assert "Too early" in lines(journal(browser, made.event))[0]
    round_previews.release_round(made.pk, owner)
    page = journal(browser, made.event, "?action=release+round")
    stories.begin(stories.playable(made)[0])
    assert page.press("Undo", **{"undo-reason": "Too early"}).says("A match of this round has begun")
    assert not journal(browser, made.event, "?action=release+round").has_button("Undo")


def test_older_lines_are_on_the_next_page(browser, owner, monkeypatch):
    monkeypatch.setattr(journal_query, "PAGE", 3)
    made = stories.entered(owner, 2)
    page = journal(browser, made.event)
    assert len(lines(page)) == 3
    query = page.text.partition('class="button" href="')[2].partition('"')[0].replace("&amp;", "&")
    older = page.go(query if query.startswith("/") else page.path + query)
    assert len(lines(older)) == made.event.journal.count() - 3
    assert older.says("Newest")


@pytest.mark.parametrize("before", ["x", "9" * 30])
def test_an_invalid_page_shows_the_first_page(browser, club_night, before):
    assert len(lines(journal(browser, club_night.event, f"?before={before}"))) > 0
    assert journal(browser, club_night.event, "?action=nonsense").says("No entries match")
