"""The journal in words: the author, the subject and the changed values."""

import pytest

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, wins
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Role, Tournament
from tournament.queries.journal import PAGE, JournalFilter, JournalPageLine, load_journal
from tournament.results import desk, disputes

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def actor_of_module(rows_of_module):
    return stories.director("dora")


def lines(made: Tournament, verb: str = "") -> tuple[JournalPageLine, ...]:
    return load_journal(made.event, JournalFilter(verb=verb)).lines


def changes(line: JournalPageLine) -> dict:
    return {change.path: (change.before, change.after) for change in line.changes}


def test_a_posted_result_names_the_match_the_winner_and_who_posted_it(actor, made):
    row = wins(made, actor, 1, 4)
    line = lines(made, "post result")[0]
    assert (line.actor, line.who, line.tournament) == ("user", "dora", "Open")
    assert line.subject.name == f"{row.left.player.name} – {row.right.player.name}"
    assert changes(line)["winner",] == (None, made.entries.get(seed=1).player.name)
    assert {changes(line)["left",][1], changes(line)["right",][1]} == {2, 3}


def test_a_score_of_zero_is_shown(actor, made):
    stories.play(meeting(made, 1, 4), actor, "left", (3, 0))
    assert changes(lines(made, "post result")[0])["right",] == (None, 0)


def test_a_correction_shows_only_changed_fields(actor, made):
    row = wins(made, actor, 1, 4)
    loser = made.entries.get(seed=4)
    desk.award(row, loser.pk, "walkover", "wrong player", actor)
    line = lines(made, "correct result")[0]
    assert changes(line)["winner",] == (made.entries.get(seed=1).player.name, loser.player.name)
    assert changes(line)["kind",] == ("played", "walkover")
    assert ("confirmed_by",) not in changes(line)
    assert line.reason == "wrong player"


def test_the_acting_player_is_named(actor, made):
    row = meeting(made, 1, 4)
    stranger = Actor(link=row.left.links.get()) if links.make_link(row.left, actor) else actor
    Phone(row, Keeper.RIGHT).final(0, 3)
    disputes.open_dispute(row, Keeper.LEFT, "No.", stranger)
    line = lines(made, "disagree")[0]
    assert (line.actor, line.who) == ("player", row.left.player.name)


def test_a_changed_entry_shows_its_fields_and_a_withdrawal_its_reason(actor, made):
    entry = made.entries.select_related("player").get(seed=2)
    registration.change(entry, EntryDetails(PlayerDetails(entry.player.name, country="GRE"), seed=2), actor)
    assert changes(lines(made, "change entry")[0]) == {("country",): ("", "GRE")}
    registration.withdraw(entry, actor, "taken ill")
    line = lines(made, "withdraw")[0]
    assert (line.subject.name, line.reason, line.changes) == (entry.player.name, "taken ill", ())


def test_a_role_names_the_account_that_has_it(actor, made):
    helper = stories.director("hana")
    stories.join(made.event, helper, Role.DESK, actor)
    assert lines(made, "accept role")[0].subject.name == "hana"


def test_the_order_of_a_draw_is_shown_with_names(actor):
    made = stories.drawn(actor, 4, method="seeded")
    order = changes(lines(made, "draw")[0])["order",][1]
    assert order == tuple(entry.player.name for entry in made.entries.order_by("seed"))


def test_the_newest_line_comes_first_and_older_lines_are_on_later_pages(actor):
    made = stories.entered(actor, 2)
    for number in range(PAGE + 5):
        journal.write(made, actor, JournalEntry(f"action {number}"))
    first = load_journal(made.event)
    second = load_journal(made.event, before=first.older)
    assert (len(first.lines), first.lines[0].verb) == (PAGE, f"action {PAGE + 4}")
    told_once = [line.id for line in (*first.lines, *second.lines)]
    assert len(set(told_once)) == len(told_once)
    assert told_once == sorted(told_once, reverse=True)
    assert second.older is None
    assert second.lines[-1].verb == "create event"


def test_the_journal_is_filtered_by_tournament_and_kind(actor):
    made = stories.entered(actor, 2)
    assert {line.verb for line in load_journal(made.event, JournalFilter(tournament=made.slug)).lines} == {
        "create tournament",
        "enter",
    }
    assert {line.verb for line in lines(made, "enter")} == {"enter"}
    assert load_journal(made.event, JournalFilter(tournament="elsewhere")).lines == ()
    assert set(load_journal(made.event, JournalFilter(verb="enter")).verbs) >= {"create event", "enter"}


def test_lines_of_another_event_are_left_out(actor):
    made, second_tournament = stories.entered(actor, 2), stories.entered(actor, 2)
    names = {line.id for line in load_journal(made.event).lines}
    assert not names & {line.id for line in load_journal(second_tournament.event).lines}
