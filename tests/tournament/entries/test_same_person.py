"""A line of a list and the players of the event: who is the same person, and what changes on that person."""

from datetime import date

import pytest

from rules.ruleset import Ruleset
from tests.tournament import stories
from tournament.access.actors import Actor
from tournament.entries import importing, registration
from tournament.entries.lists import Listing, read_list
from tournament.entries.lists.comparison import Change, PlannedLine, changes_for
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Event, Player, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> Actor:
    return stories.director()


@pytest.fixture
def event(director) -> Event:
    return setup.create_event(setup.EventPlan("Spring Cup", date(2026, 11, 7)), director)


@pytest.fixture
def tournament(event, director) -> Tournament:
    return setup.create_tournament(event, setup.TournamentPlan("Open", Ruleset()), director)


@pytest.fixture
def juniors(event, director) -> Tournament:
    return setup.create_tournament(event, setup.TournamentPlan("Juniors", Ruleset()), director)


def enter(tournament: Tournament, director: Actor, name: str, **details) -> Player:
    return registration.enter(tournament.pk, EntryDetails(PlayerDetails(name, **details)), director).player


def listed(*lines: str) -> Listing:
    return read_list("\n".join(["Name;Country;Club;WBGF", *lines]).encode())


def only_line(tournament: Tournament, listing: Listing) -> PlannedLine:
    plan = importing.preview(tournament, listing)
    (item,) = (*plan.added, *plan.changed, *plan.unchanged, *plan.unclear)
    return item


def take_in(tournament: Tournament, director: Actor, listing: Listing, answers=None) -> list[str]:
    """Imports with these answers to the preview; returns the names entered."""
    digest = importing.preview(tournament, listing).digest
    importing.apply(tournament.pk, listing, digest, director, answers)
    return sorted(tournament.entries.values_list("player__name", flat=True))


def test_the_same_name_elsewhere_is_the_same_person_unless_answered_otherwise(tournament, juniors, director):
    player = enter(juniors, director, "Anna Berg")
    item = only_line(tournament, listed("Anna Berg;GER;;"))
    assert (item.player_id, [candidate.player_id for candidate in item.candidates]) == (
        player.pk,
        [player.pk],
    )


@pytest.mark.parametrize("name", ["Ana Berg", "Berg Anna", "A. Berg"])
def test_a_similar_name_is_asked_and_another_person_unless_answered(tournament, juniors, director, name):
    player = enter(juniors, director, "Anna Berg")
    listing = listed(f"{name};;;")
    item = only_line(tournament, listing)
    assert (item.player, [candidate.player_id for candidate in item.candidates]) == (None, [player.pk])
    assert changes_for(item.line, item.candidates[0]) == (Change("name", "Anna Berg", name),)
    assert take_in(tournament, director, listing) == [name]
    assert juniors.entries.get().player.name == "Anna Berg"


def test_the_same_person_by_an_answer_takes_the_data_of_the_list(tournament, juniors, director):
    player = enter(juniors, director, "Anna Berg", club="North")
    assert take_in(tournament, director, listed("Ana Berg;GER;South;"), {2: player.pk}) == ["Ana Berg"]
    player.refresh_from_db()
    assert (player.name, player.country, player.club) == ("Ana Berg", "DEU", "South")
    assert tournament.entries.get().player == juniors.entries.get().player


@pytest.mark.parametrize("cells", ["AUT;;", ";South;"])
def test_contradicting_data_are_asked_and_another_person_elsewhere(tournament, juniors, director, cells):
    player = enter(juniors, director, "Anna Berg", country="DEU", club="North")
    item = only_line(tournament, listed(f"Anna Berg;{cells}"))
    assert (item.player, [candidate.player_id for candidate in item.candidates]) == (None, [player.pk])


def test_contradicting_data_of_a_player_here_are_asked(tournament, director):
    player = enter(tournament, director, "Anna Berg", country="DEU")
    listing = listed("Anna Berg;AUT;South;")
    item = only_line(tournament, listing)
    assert (item.player_id, len(item.candidates)) == (player.pk, 1)
    assert take_in(tournament, director, listing, {2: None}) == ["Anna Berg", "Anna Berg"]
    player.refresh_from_db()
    assert player.country == "DEU"


def test_data_that_agree_are_not_asked(tournament, director):
    enter(tournament, director, "Anna Berg")
    enter(tournament, director, "Cy Mor", federation_id="W-1")
    plan = importing.preview(tournament, listed("Anna Berg;GER;North;", "Cyril Mor;;;W-1"))
    assert [item.candidates for item in plan.changed] == [(), ()]


def test_a_player_that_another_line_names_is_not_asked(tournament, juniors, director):
    enter(juniors, director, "Anna Berg")
    plan = importing.preview(tournament, listed("Anna Berg;;;", "Ana Berg;;;"))
    assert [len(item.candidates) for item in plan.added] == [1, 0]


def test_different_federation_numbers_are_never_the_same_person(tournament, juniors, director):
    enter(juniors, director, "Anna Berg", federation_id="W-1")
    assert only_line(tournament, listed("Anna Berg;;;W-2")).candidates == ()


def test_a_line_that_could_be_two_players_is_left_out_until_answered(tournament, director):
    north = enter(tournament, director, "Anna Berg", club="North")
    south = enter(tournament, director, "Anna Berg", club="South")
    listing = listed("Anna Berg;GER;;", "Bo Lind;;;")
    (item,) = importing.preview(tournament, listing).unclear
    assert {candidate.player_id for candidate in item.candidates} == {north.pk, south.pk}
    take_in(tournament, director, listing, {2: south.pk})
    north.refresh_from_db()
    south.refresh_from_db()
    assert (north.country, south.country) == ("", "DEU")


def test_two_lines_with_the_same_answer_do_not_enter_anybody_twice(tournament, director):
    north = enter(tournament, director, "Anna Berg", club="North")
    listing = listed("Anna Berg;;East;", "Anna Berg;;West;")
    plan = importing.preview(tournament, listing, {2: north.pk, 3: north.pk})
    assert [item.player_id for item in plan.changed] == [north.pk]
    assert [item.line.club for item in plan.added] == ["West"]


def test_another_person_with_the_same_name_and_club_is_left_out_with_a_reason(tournament, director):
    enter(tournament, director, "Anna Berg", country="DEU", club="North")
    plan = importing.preview(tournament, listed("Anna Berg;AUT;North;"), {2: None})
    assert (plan.added, plan.changed, [trouble.code for trouble in plan.troubles]) == (
        (), (), ["name-entered"],
    )  # fmt: skip
