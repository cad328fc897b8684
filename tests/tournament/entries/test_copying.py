"""Players copied from another tournament."""

from datetime import date
from decimal import Decimal

import pytest

from rules.ruleset import Ruleset
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.entries import attendance, copying, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Entry, JournalLine, Player, Tournament
from tournament.runtime.errors import NotFound, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> Actor:
    return stories.director()


def new_tournament(director: Actor, name: str, event=None) -> Tournament:
    event = event or setup.create_event(setup.EventPlan(f"{name} event", date(2026, 11, 7)), director)
    return setup.create_tournament(event, setup.TournamentPlan(name, Ruleset()), director)


def enter(tournament: Tournament, director: Actor, name: str, **details) -> Entry:
    plan = EntryDetails(PlayerDetails(name, **details), seed=tournament.entries.count() + 1, is_paid=True)
    return registration.enter(tournament.pk, plan, director)


def copy_all(tournament: Tournament, source: Tournament, director: Actor) -> int:
    entries = source.entries.values_list("pk", flat=True)
    return copying.copy_entries(tournament.pk, source, entries, director).count


def test_players_of_the_same_event_stay_the_same_people(director):
    source = new_tournament(director, "Open")
    anna = enter(source, director, "Anna Berg")
    second = new_tournament(director, "Second", source.event)
    assert copy_all(second, source, director) == 1
    entry = second.entries.get()
    assert (entry.player, entry.seed, entry.is_paid) == (anna.player, None, False)
    line = JournalLine.objects.get(verb="copy entries")
    assert (line.after["source"], line.after["added"]) == (str(source.pk), [str(entry.pk)])


def test_players_of_another_event_are_copied_with_their_data(director):
    source = new_tournament(director, "Open")
    enter(source, director, "Anna Berg", country="DEU", club="North", rating=Decimal("1500.5"))
    target = new_tournament(director, "Next")
    copy_all(target, source, director)
    player = target.entries.get().player
    assert (player.name, player.country, player.club, player.rating) == (
        "Anna Berg", "DEU", "North", Decimal("1500.50"),
    )  # fmt: skip
    assert player.event == target.event
    assert source.entries.get().player.event == source.event


def test_players_who_are_entered_already_are_not_copied_again(director):
    source, target = new_tournament(director, "Open"), new_tournament(director, "Next")
    enter(source, director, "Anna Berg", club="North")
    enter(source, director, "Ann Berg", federation_id="W-1")
    enter(source, director, "Bo Lind")
    enter(target, director, "ANNA BERG", club="north")
    enter(target, director, "Anna-Lena Berg", federation_id="W-1")
    assert copy_all(target, source, director) == 1
    with pytest.raises(Refused, match="Nobody was copied"):
        copy_all(target, source, director)
    assert Player.objects.filter(event=target.event).count() == 3


def test_only_players_of_the_source_are_copied(director):
    source, target = new_tournament(director, "Open"), new_tournament(director, "Next")
    stranger = enter(new_tournament(director, "Third"), director, "Cy Mor")
    with pytest.raises(Refused, match="Nobody was copied"):
        copying.copy_entries(target.pk, source, [stranger.pk], director)


def test_nobody_is_copied_after_the_draw(director):
    source = new_tournament(director, "Open")
    enter(source, director, "Anna Berg")
    with pytest.raises(Refused, match="The entry list is closed"):
        copy_all(stories.drawn(director, 4), source, director)


def test_a_copy_is_undone_where_nothing_else_happened(director):
    source, target = new_tournament(director, "Open"), new_tournament(director, "Next")
    anna, bo = enter(source, director, "Anna Berg"), enter(source, director, "Bo Lind")
    batch = copying.copy_entries(target.pk, source, [anna.pk, bo.pk], director)
    registration.remove(target.entries.get(player__name="Anna Berg"), director)
    assert copying.undo_copy(target, batch.id, director) == 1
    assert (target.entries.count(), target.event.players.count(), source.entries.count()) == (0, 0, 2)
    with pytest.raises(NotFound):
        copying.undo_copy(source, batch.id, director)


def test_a_copy_within_an_event_is_undone_without_losing_a_player(director):
    source = new_tournament(director, "Open")
    anna = enter(source, director, "Anna Berg")
    second = new_tournament(director, "Second", source.event)
    batch = copying.copy_entries(second.pk, source, [anna.pk], director)
    copying.undo_copy(second, batch.id, director)
    assert (second.entries.count(), source.entries.get().player) == (0, anna.player)


def test_the_page_ticks_all_players_or_those_present(director):
    source = new_tournament(director, "Open")
    attendance.check_in(enter(source, director, "Anna Berg"), director, present=True)
    enter(source, director, "Bo Lind")
    second = new_tournament(director, "Second", source.event)
    page = Browser(director.user).open("entries", *at(second))
    assert "Copy players" in page.text
    page.open("entries-copy", *at(second), query="?select=arrived")
    assert page.text.count("checked") == 1
    page.open("entries-copy", *at(second))
    assert page.text.count("checked") == 2
    anna, bo = (source.entries.get(player__name=name) for name in ("Anna Berg", "Bo Lind"))
    page.press("Copy the ticked players", entry=[str(anna.pk), str(bo.pk)])
    assert page.says("2 players copied.")
    page.press("Undo")
    assert page.says("2 copied players removed.")
    page.open("entries-copy", *at(second)).press("Copy the ticked players", entry=[str(anna.pk), str(bo.pk)])
    page.open("entries-copy", *at(second))
    assert page.says("All players of this tournament are entered already.")


def test_tournaments_of_other_directors_are_no_source(director):
    source, target = new_tournament(director, "Open"), new_tournament(stories.director("other"), "Next")
    enter(source, director, "Anna Berg")
    owner = Actor(user=target.event.memberships.get().user)
    page = Browser(owner.user).open("entries-copy", *at(target), query=f"?from={source.pk}")
    assert page.says("No other tournament has players")
    assert not page.says("Anna Berg")
