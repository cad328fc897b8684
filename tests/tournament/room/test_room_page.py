"""The room as shown at the desk, on brackets, match pages and phones, and on its own page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournament import stories
from tests.tournament.live.published import published_messages
from tests.tournament.pages.browser import Browser
from tests.tournament.room.halls import semifinals, with_tables
from tournament.access.actors import SYSTEM
from tournament.drawing import jackpots
from tournament.drawing.jackpots import JackpotPlan
from tournament.live import channels
from tournament.models import Call, JournalLine, Pairing, Pin, Table, Tournament
from tournament.pages.room import room
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.desk.desk import load_desk
from tournament.queries.entries.path import load_path
from tournament.queries.matches.match import load_public_match, match_stamp
from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import call_in_room, room_page
from tournament.room import calls, playing, tables
from tournament.runtime.name_search import fold

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hall_of_module")]


@pytest.mark.parametrize("delay", [0, 10])
def test_public_pages_show_the_table_of_a_call_and_its_moves(delay):
    made, (first, _), (table, two, _) = semifinals()
    Tournament.objects.filter(pk=made.pk).update(score_delay=delay)
    made.refresh_from_db()
    stamps = {(stamp_of(made), match_stamp(fresh(first)))}
    called = calls.call(first.pk, table.pk, SYSTEM)
    stamps.add((stamp_of(made), match_stamp(fresh(first))))
    calls.move(called.pk, two.pk, SYSTEM)
    stamps.add((stamp_of(made), match_stamp(fresh(first))))
    assert len({bracket for bracket, _ in stamps}) == len({match for _, match in stamps}) == 3
    assert [pairing.table for pairing in bracket_view(made).rounds[0].pairings] == ["2", ""]
    assert [line.pairing.table for line in load_desk(made).open_lines] == ["2", ""]
    call = load_public_match(fresh(first), fresh(first).match).called
    assert (call.table, call.is_second) == ("2", False)
    assert load_path(first.left).next.called == call


def fresh(pairing: Pairing) -> Pairing:
    rows = Pairing.objects.select_related(
        "match", "round__bracket__tournament", "left__player", "right__player"
    )
    return rows.get(pk=pairing.pk)


def test_the_announcement_names_table_players_round_and_length():
    _, (first, second), (table, *_) = semifinals()
    text = call_text(call_in_room(calls.call(first.pk, table.pk, SYSTEM)))
    assert (
        text
        == f"Table 1: {first.left.player.name} against {first.right.player.name}, Open, Semifinals, to 5 points."
    )
    again = calls.call_again(calls.call(second.pk, None, SYSTEM).pk, SYSTEM)
    names = f"{second.left.player.name} against {second.right.player.name}"
    assert call_text(call_in_room(again)) == f"Second call: {names}, Open, Semifinals."


def test_a_call_is_overdue_after_the_configured_minutes():
    made, (first, second), (table, other_table, _) = semifinals()
    tables.set_calling(made.event_id, SYSTEM, by_itself=False, second_call_after=4)
    calls.call(second.pk, other_table.pk, SYSTEM)
    called = calls.call(first.pk, table.pk, SYSTEM)
    Call.objects.filter(pk=called.pk).update(called_at=timezone.now() - timedelta(minutes=4))
    assert [table.call.is_overdue for table in room_page(made.event).tables if table.call] == [True, False]
    calls.call_again(called.pk, SYSTEM)
    assert not any(call.is_overdue for call in room_page(made.event).calls)
    calls.mark_playing(called.pk, SYSTEM)
    page = room_page(made.event)
    assert [call.at.pairing for call in page.to_announce] == [second.pk]
    assert page.free == 1


def test_a_waiting_match_shows_its_busy_players_and_their_tables():
    made, (first, _), (table, *_) = semifinals()
    side = jackpots.open_jackpot(made.pk, JackpotPlan(4, 1), SYSTEM)
    for entry in made.entries.all():
        jackpots.join(side.pk, entry, SYSTEM)
    calls.call(first.pk, table.pk, SYSTEM)
    busy = [player for match in room_page(made.event).waiting for player in match.busy]
    assert sorted(busy) == sorted([(first.left.player.name, "1"), (first.right.player.name, "1")])


@pytest.fixture
def at_desk(hall) -> Client:
    client = Client()
    client.force_login(hall.monitor.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_monitor_calls_by_selecting_a_match_and_a_table(hall, at_desk):
    room = f"/e/{hall.tournament.event.slug}/room/"
    table, second_table = with_tables(hall.tournament, "7-8")
    page = at_desk.post(f"{room}place/", {"what": f"p{hall.pairing.pk}", "table": table.pk}, follow=True)
    assert "Table 7: " in page.content.decode()
    call = Call.objects.get()
    assert f'action="{room}calls/{call.pk}/take-back/"' in page.content.decode()
    to = {"what": f"c{call.pk}", "table": second_table.pk}
    page = at_desk.post(f"{room}place/", to, follow=True).content.decode()
    assert "Table 8: " in page
    undo = f"{room}calls/{call.pk}/tables/{second_table.pk}/back/{table.pk}/"
    assert f'action="{undo}"' in page
    assert "Table 7: " in at_desk.post(undo, follow=True).content.decode()
    at_desk.post(f"{room}place/", to)
    for action, sentence in (
        ("second", "Second call for table 8"),
        ("undo-second", "The second call is undone."),
        ("playing", f"calls/{call.pk}/undo-playing/"),
        ("take-back", "waits again"),
        ("restore", "at its table again"),
        ("take-back", f"calls/{call.pk}/restore/"),
    ):
        page = at_desk.post(f"{room}calls/{call.pk}/{action}/", follow=True)
        assert sentence in page.content.decode()
    for rubbish in ({}, {"what": "p"}, {"what": "p" + "9" * 5000}, {"what": "p\u0667"}):
        page = at_desk.post(f"{room}place/", {**rubbish, "table": table.pk}, follow=True)
        assert "Choose a match first" in page.content.decode()
    page = at_desk.post(f"{room}next/", follow=True)
    assert "It has waited longest." in page.content.decode()
    etag = at_desk.get(f"{room}fragment/")["ETag"]
    assert at_desk.get(f"{room}fragment/", headers={"If-None-Match": etag}).status_code == 304


def test_a_long_waiting_list_starts_with_the_longest_and_can_be_searched(hall, at_desk, monkeypatch):
    first, second = (pairing.left.player.name for pairing in (hall.pairing, hall.second_pairing))
    here = f"/e/{hall.tournament.event.slug}/room/"

    def waiting(query: str = "") -> list[bool]:
        page = at_desk.get(f"{here}{query}").content.decode()
        assert '"how-many" data-stamp="2"' in page or "find=" in query
        return [name in page.partition('id="waiting"')[2] for name in (first, second, "Show all 2")]

    assert waiting() == [True, True, False]
    monkeypatch.setattr(room, "AT_FIRST", 1)
    assert waiting() == waiting("fragment/") == [True, False, True]
    assert waiting(f"?find={fold(second)}") == [False, True, False]
    assert "Nobody of that name waits" in at_desk.get(f"{here}?find=nobody").content.decode()
    assert waiting("?waiting=all") == waiting() == waiting("fragment/") == [True, True, False]
    assert "Show only the first" in at_desk.get(here).content.decode()
    stories.begin(hall.pairing)
    stories.begin(hall.second_pairing)
    assert "Show all 2" in at_desk.get(f"{here}?waiting=first").content.decode()


def test_a_monitor_sees_no_private_data_and_is_redirected_to_the_room(hall, at_desk):
    slug = hall.tournament.event.slug
    page = at_desk.get(f"/e/{slug}/room/").content.decode()
    for hidden in ("/desk/", "/overview/", "/journal/", "/entries/", "/people/", "/tables/"):
        assert f'href="/e/{slug}{hidden}' not in page
        assert hidden not in page or hidden == "/desk/"
    assert f"/e/{slug}/room/" in at_desk.get("/").content.decode()


def test_a_call_or_table_of_another_event_is_not_found_here(hall, at_desk):
    _, (first, _), (table, *_) = semifinals()
    call = calls.call(first.pk, table.pk, SYSTEM)
    room = f"/e/{hall.tournament.event.slug}/room/"
    for answer in (
        at_desk.post(f"{room}calls/{call.pk}/take-back/"),
        at_desk.post(f"{room}place/", {"what": f"p{first.pk}", "table": table.pk}),
        at_desk.post(f"{room}place/", {"what": f"p{hall.pairing.pk}", "table": table.pk}),
        at_desk.post(f"{room}place/", {"what": "cnothing", "table": 0}),
    ):
        assert answer.status_code in (403, 404)
    assert Call.objects.filter(ended_at=None).count() == 1


def test_all_called_matches_are_marked_as_playing_with_one_undo(hall):
    for pairing in (hall.pairing, hall.second_pairing):
        calls.call(pairing.pk, None, SYSTEM)
    page = Browser(hall.monitor.user).open("room", hall.tournament.event.slug)
    page.press("Start all")
    assert page.says("2 matches are marked as playing.")
    stories.begin(hall.pairing)
    page.press("Undo")
    assert page.says("1 match is marked as not playing yet.")
    second_call = Call.objects.get(pairing=hall.second_pairing)
    assert list(Call.objects.filter(playing_at=None)) == [second_call]
    calls.mark_playing(second_call.pk, SYSTEM)
    batch = JournalLine.objects.filter(after__batch__isnull=False).first().after["batch"]
    assert playing.undo_all_playing(hall.tournament.event_id, batch, SYSTEM) == 0, "marked again since then"


def test_all_tables_of_the_page_are_saved_by_one_button(hall):
    first, second = with_tables(hall.tournament, "1-2")
    page = Browser(hall.owner.user).open("tables", hall.tournament.event.slug)
    page.press("Save all tables", **{f"t{first.pk}-note": "stream", f"t{second.pk}-name": "B"})
    assert page.says("2 tables changed.")
    assert list(Table.objects.values_list("name", "note")) == [("1", "stream"), ("B", "")]
    page.press("Save all tables", **{f"t{second.pk}-name": ""})
    assert (page.status, page.says("Type a name for the table.")) == (422, True)
    page.press("Save all tables", **{f"t{second.pk}-name": "1"})
    assert page.fields("Save all tables")[f"t{second.pk}-name"] == "1"
    page.press("Close", nth=0)
    assert Table.objects.get(pk=first.pk).closed_at is not None


def test_tables_are_added_renamed_and_removed_with_undo(hall):
    page = Browser(hall.owner.user).open("tables", hall.tournament.event.slug)

    def listed() -> list[tuple[str, str]]:
        return list(Table.objects.values_list("name", "note"))

    assert page.press("Add", names="1-24").says("24 tables are added.")
    page.press("Undo")
    assert (listed(), page.says("Undone: the tables are as before.")) == ([], True)
    page.press("Add", names="1-3")
    first, second, third = Table.objects.all()
    tables.pin(second, hall.pairing, "near the door", hall.owner)
    page.press("Save all tables", **{f"t{third.pk}-position": 1, f"t{first.pk}-name": "One"})
    assert listed() == [("3", ""), ("One", ""), ("2", "")]
    page.press("Undo")
    assert listed() == [("1", ""), ("2", ""), ("3", "")]
    page.press("Save all tables", **{f"t{second.pk}-note": "stream"}).press("Remove", nth=2)
    assert listed() == [("1", ""), ("3", "")]
    page.press("Undo")
    assert listed() == [("1", ""), ("2", "stream"), ("3", "")]
    assert Pin.objects.get().table.name == "2"
    page.press("Close", nth=0).press("Undo")
    assert not Table.objects.filter(closed_at__isnull=False).exists()


def test_a_phone_page_shows_the_table_of_a_call(hall):
    (table,) = with_tables(hall.tournament, "<b>7</b>")
    phone = Client()
    phone.cookies["link"] = hall.left
    call = calls.call(hall.pairing.pk, table.pk, SYSTEM)
    page = phone.get("/me/")
    assert "<strong>Table &lt;b&gt;7&lt;/b&gt;</strong>" in page.content.decode()
    etag = phone.get("/me/fragment/")["ETag"]
    calls.call_again(call.pk, SYSTEM)
    fragment = phone.get("/me/fragment/", headers={"If-None-Match": etag})
    assert "Second call!" in fragment.content.decode()
    assert "Table &lt;b&gt;7&lt;/b&gt;" in phone.get(f"/me/{hall.pairing.match_id}/").content.decode()


def test_a_page_opened_before_the_first_table_is_updated(
    django_capture_on_commit_callbacks,
):
    made = stories.released(stories.director(), 2)
    before = room_page(made.event).channels
    assert before == (channels.private_channel(made.event_id), made.brackets.get().pk)
    with published_messages() as next_message:
        with django_capture_on_commit_callbacks(execute=True):
            tables.add(made.event_id, "1", SYSTEM)
        published = {line.partition(" ")[0] for _ in range(2) for line in next_message(5).splitlines()}
    room = Table.objects.get().room_id
    assert published == {
        *(str(channels.event_channel(subject)) for subject in (made.event_id, channels.ANY_EVENT)),
        str(room),
    }
    assert room_page(made.event).channels == (room, made.brackets.get().pk)
