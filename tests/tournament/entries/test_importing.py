"""An entry list taken into a tournament: shown first, then done whole or not at all."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rules.ruleset import Ruleset
from tournament.access.actors import Actor
from tournament.entries import attendance, importing, registration
from tournament.entries.lists import Listing, read_list
from tournament.entries.lists.comparison import Change, PlannedLine, Preview
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import recycle_bin, setup
from tournament.models import Draw, Entry, Event, JournalLine, Player, Tournament
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

HEAD = "Name;Country;Club;WBGF;Rating;Seed;Paid;Checked in"


@pytest.fixture
def director() -> Actor:
    return Actor(user=User.objects.create(username="director"))


@pytest.fixture
def event(director) -> Event:
    return setup.create_event(setup.EventPlan("Spring Cup", date(2026, 11, 7)), director)


@pytest.fixture
def tournament(event, director) -> Tournament:
    return setup.create_tournament(event, setup.TournamentPlan("Open", Ruleset()), director)


def listed(*lines: str, head: str = HEAD) -> Listing:
    return read_list("\n".join([head, *lines]).encode())


def take_in(tournament: Tournament, director: Actor, listing: Listing) -> importing.ImportCounts:
    return importing.apply(tournament.pk, listing, importing.preview(tournament, listing).digest, director)


def entered(tournament: Tournament) -> dict[str, Entry]:
    entries = (
        Entry.objects.filter(tournament=tournament).select_related("player").order_by("entered_at", "pk")
    )
    return {entry.player.name: entry for entry in entries}


def names(planned: tuple[PlannedLine, ...]) -> list[str]:
    return [item.line.name for item in planned]


def codes(plan: Preview) -> list[str]:
    return [trouble.code for trouble in plan.troubles]


def enter(tournament: Tournament, director: Actor, name: str, **fields) -> Entry:
    seed, paid = fields.pop("seed", None), fields.pop("is_paid", False)
    return registration.enter(
        tournament.pk, EntryDetails(PlayerDetails(name, **fields), seed, paid), director
    )


def test_an_import_enters_all_players_in_list_order(tournament, director):
    others = [f"Player {letter}" for letter in "QWERTZUIOP"]
    listing = listed("Νίκος Β.;GRE;Athens;W-1;1543,27;2;yes;yes", "Anna Berg;;;;;;;", *others)
    done = take_in(tournament, director, listing)
    assert (done.added, done.changed, done.unchanged) == (12, 0, 0)
    assert list(entered(tournament)) == ["Νίκος Β.", "Anna Berg", *others]
    nikos, anna = entered(tournament)["Νίκος Β."], entered(tournament)["Anna Berg"]
    player = nikos.player
    assert (player.country, player.club, player.federation_id) == ("GRC", "Athens", "W-1")
    assert (player.rating, nikos.seed, nikos.is_paid) == (Decimal("1543.27"), 2, True)
    assert nikos.checked_in_at is not None
    assert (anna.player.rating, anna.seed, anna.is_paid, anna.checked_in_at) == (None, None, False, None)


def test_a_preview_writes_nothing(tournament, director):
    enter(tournament, director, "Anna Berg")
    before = JournalLine.objects.count()
    plan = importing.preview(tournament, listed("Anna Berg;GER;;;;;;", "Bo Lind;;;;;;;"))
    assert (names(plan.added), names(plan.changed)) == (["Bo Lind"], ["Anna Berg"])
    assert Player.objects.get().country == ""
    assert JournalLine.objects.count() == before


def test_importing_a_list_twice_changes_nothing(tournament, director):
    listing = listed("Anna Berg;GER;A;W-1;1500;1;yes;yes", "Bo Lind;;;;;;;")
    take_in(tournament, director, listing)
    plan = importing.preview(tournament, listing)
    assert (plan.added, plan.changed, names(plan.unchanged)) == ((), (), ["Anna Berg", "Bo Lind"])
    with pytest.raises(Refused, match="nothing to import"):
        importing.apply(tournament.pk, listing, plan.digest, director)


def test_a_change_is_previewed_by_field_and_imported(tournament, director):
    enter(tournament, director, "Anna Berg", country="AUT", rating=Decimal(1500), seed=3)
    listing = listed("Anna Berg;GER;Nord;W-1;1543.27;1;yes;yes")
    (item,) = importing.preview(tournament, listing).changed
    assert item.changes == (
        Change("country", "AUT", "DEU"),
        Change("club", "", "Nord"),
        Change("federation_id", "", "W-1"),
        Change("rating", Decimal(1500), Decimal("1543.27")),
        Change("seed", 3, 1),
        Change("paid", False, True),
        Change("checked_in", False, True),
    )
    done = take_in(tournament, director, listing)
    assert (done.added, done.changed) == (0, 1)
    anna = entered(tournament)["Anna Berg"]
    assert (anna.player.country, anna.player.club, anna.player.federation_id) == ("DEU", "Nord", "W-1")
    assert (anna.player.rating, anna.seed, anna.is_paid) == (Decimal("1543.27"), 1, True)
    assert anna.checked_in_at is not None


def test_a_blank_cell_changes_nothing(tournament, director):
    enter(tournament, director, "Anna Berg", country="AUT", club="A", seed=3, is_paid=True)
    plan = importing.preview(tournament, listed("Anna Berg;;;;;;;"))
    assert names(plan.unchanged) == ["Anna Berg"]


def test_an_import_can_undo_an_arrival(tournament, director):
    attendance.check_in(enter(tournament, director, "Anna Berg"), director, present=True)
    take_in(tournament, director, listed("Anna Berg;;;;;;;no"))
    assert entered(tournament)["Anna Berg"].checked_in_at is None


def test_players_missing_from_the_list_stay_entered(tournament, director):
    enter(tournament, director, "Anna Berg")
    take_in(tournament, director, listed("Bo Lind;;;;;;;"))
    assert list(entered(tournament)) == ["Anna Berg", "Bo Lind"]


def test_a_federation_number_identifies_a_renamed_player(tournament, director):
    enter(tournament, director, "A. Berg", federation_id="W-1")
    listing = listed("Anna Berg;;;w-1;;;;")
    plan = importing.preview(tournament, listing)
    assert plan.changed[0].changes[0] == Change("name", "A. Berg", "Anna Berg")
    assert plan.troubles[0].sentence == (
        "Line 2: the federation number w-1 belongs to A. Berg, who would be renamed to Anna Berg. Check the number."
    )
    take_in(tournament, director, listing)
    assert Player.objects.get().name == "Anna Berg"


def test_name_and_club_distinguish_namesakes(tournament, director):
    enter(tournament, director, "Anna Berg", club="North")
    enter(tournament, director, "Anna Berg", club="South")
    (item,) = importing.preview(tournament, listed("ANNA BERG;;south;;1500;;;")).changed
    assert item.player is not None
    assert item.player.club == "South"


def test_a_unique_name_identifies_the_player(tournament, director):
    entry = enter(tournament, director, "Anna Berg")
    (item,) = importing.preview(tournament, listed("Anna Berg;;North;;;;;")).changed
    assert item.entry_id == entry.pk


def test_an_ambiguous_name_is_not_matched(tournament, director):
    enter(tournament, director, "Anna Berg", club="North")
    enter(tournament, director, "Anna Berg", club="South")
    plan = importing.preview(tournament, listed("Anna Berg;;;;1500;;;", "Bo Lind;;;;;;;"))
    assert (names(plan.added), plan.changed, codes(plan)) == (["Bo Lind"], (), ["unclear"])


def test_two_lines_for_one_player_are_not_matched(tournament, director):
    enter(tournament, director, "Anna Berg", club="North")
    plan = importing.preview(tournament, listed("Anna Berg;;East;;;;;", "Anna Berg;;West;;;;;"))
    assert (plan.added, plan.changed) == ((), ())
    assert codes(plan) == ["unclear", "same-name", "unclear"]


def test_another_federation_number_is_another_player(tournament, director):
    enter(tournament, director, "Anna Berg", federation_id="W-1")
    plan = importing.preview(tournament, listed("Anna Berg;;;W-2;;;;"))
    assert (names(plan.added), plan.added[0].player, plan.changed) == (["Anna Berg"], None, ())


def test_a_player_of_another_tournament_is_entered_and_not_duplicated(event, tournament, director):
    juniors = setup.create_tournament(event, setup.TournamentPlan("Juniors", Ruleset()), director)
    enter(juniors, director, "Anna Berg", federation_id="W-1")
    listing = listed("Anna Berg;GER;;W-1;;1;yes;")
    (item,) = importing.preview(tournament, listing).added
    assert item.changes == (Change("country", "", "DEU"),)
    take_in(tournament, director, listing)
    assert Player.objects.get().country == "DEU"
    assert (Entry.objects.count(), entered(tournament)["Anna Berg"].seed) == (2, 1)


def elsewhere(event, director, name: str, **fields) -> Player:
    juniors = setup.create_tournament(event, setup.TournamentPlan("Juniors", Ruleset()), director)
    return enter(juniors, director, name, **fields).player


def test_the_preview_names_the_other_tournament_of_a_changed_player(event, tournament, director):
    anna = elsewhere(event, director, "Anna Berg", club="North")
    deleted = setup.create_tournament(event, setup.TournamentPlan("Deleted", Ruleset()), director)
    Entry.objects.create(tournament=deleted, player=anna, entered_at=timezone.now())
    recycle_bin.delete_tournament(deleted, director)
    plan = importing.preview(tournament, listed("Anna Berg;GER;North;;;;;"))
    assert plan.added[0].elsewhere == ("Juniors",)
    assert plan.added[0].changes == (Change("country", "", "DEU"),)
    (trouble,) = plan.troubles
    assert trouble.sentence == (
        "Line 2: Anna Berg is also entered in Juniors and is imported as the same person. "
        "If this is somebody else, choose “Another person”."
    )


def test_a_namesake_does_not_change_the_other_tournament(event, tournament, director):
    player = elsewhere(event, director, "Anna Berg")
    listing = listed("Anna Berg;GER;;;1500;;;", "Bo Lind;;;;;;;")
    digest = importing.preview(tournament, listing).digest
    done = importing.apply(tournament.pk, listing, digest, director, answers={2: None})
    player.refresh_from_db()
    assert (done.added, player.country, player.rating) == (2, "", None)
    assert entered(tournament)["Anna Berg"].player_id != player.pk


@pytest.mark.parametrize("cells", ["AUT;", ";South"])
def test_another_country_or_club_is_another_person(event, tournament, director, cells):
    player = elsewhere(event, director, "Anna Berg", country="DEU", club="North")
    take_in(tournament, director, listed(f"Anna Berg;{cells};;;;;"))
    player.refresh_from_db()
    assert (player.country, player.club) == ("DEU", "North")
    assert Player.objects.filter(name="Anna Berg").count() == 2


def test_a_federation_number_is_the_same_person_in_every_tournament(event, tournament, director):
    elsewhere(event, director, "Anna Berg", country="DEU", federation_id="W-1")
    plan = importing.preview(tournament, listed("Anna Berg;AUT;;W-1;;;;"))
    assert (plan.added[0].candidates, codes(plan)) == ((), [])
    assert plan.added[0].changes == (Change("country", "DEU", "AUT"),)


def test_two_players_may_swap_their_seeds(tournament, director):
    enter(tournament, director, "Anna Berg", seed=1)
    enter(tournament, director, "Bo Lind", seed=2)
    take_in(tournament, director, listed("Anna Berg;;;;;2;;", "Bo Lind;;;;;1;;"))
    assert {name: entry.seed for name, entry in entered(tournament).items()} == {"Anna Berg": 2, "Bo Lind": 1}


def test_a_new_player_can_take_a_released_seed(tournament, director):
    enter(tournament, director, "Anna Berg", seed=1)
    take_in(tournament, director, listed("Cy Mor;;;;;1;;", "Anna Berg;;;;;2;;"))
    assert {name: entry.seed for name, entry in entered(tournament).items()} == {"Anna Berg": 2, "Cy Mor": 1}


def test_a_seed_kept_by_its_holder_is_not_assigned_again(tournament, director):
    enter(tournament, director, "Anna Berg", seed=1)
    enter(tournament, director, "Bo Lind", seed=2)
    plan = importing.preview(tournament, listed("Cy Mor;;;;;2;;", "Di Oak;;;;;3;;"))
    assert [(item.line.name, item.line.seed) for item in plan.added] == [("Cy Mor", None), ("Di Oak", 3)]
    assert plan.troubles[0].sentence == (
        "Line 2: seed 2 belongs to Bo Lind, so this line is read without a seed. "
        "Give Bo Lind another seed first."
    )


def test_a_seed_blocked_by_another_conflict_is_not_assigned_again(tournament, director):
    enter(tournament, director, "Anna Berg", seed=1)
    enter(tournament, director, "Bo Lind", seed=2)
    plan = importing.preview(tournament, listed("Anna Berg;;;;;2;;", "Cy Mor;;;;;1;;"))
    assert (names(plan.added), plan.changed) == (["Cy Mor"], ())
    assert codes(plan) == ["seed-held", "seed-held"]
    assert plan.added[0].line.seed is None


def test_a_withdrawn_player_stays_withdrawn_and_is_reported(tournament, director):
    entry = enter(tournament, director, "Anna Berg")
    Entry.objects.filter(pk=entry.pk).update(withdrawn_at=datetime(2026, 11, 7, tzinfo=UTC))
    plan = importing.preview(tournament, listed("Anna Berg;;;;;;;"))
    assert (names(plan.unchanged), codes(plan)) == (["Anna Berg"], ["withdrawn"])


def test_an_invalid_cell_is_ignored_and_the_player_entered(tournament, director):
    listing = listed("Anna Berg;GER;;;abc;;;")
    assert codes(importing.preview(tournament, listing)) == ["not-a-rating"]
    assert take_in(tournament, director, listing).added == 1
    player = entered(tournament)["Anna Berg"].player
    assert (player.country, player.rating) == ("DEU", None)


def test_unreadable_lines_are_reported_and_the_others_imported(tournament, director):
    listing = listed(";;;;1500;;;", "Bo Lind;;;;1500;;;")
    assert codes(importing.preview(tournament, listing)) == ["name-missing"]
    assert take_in(tournament, director, listing).added == 1
    assert list(entered(tournament)) == ["Bo Lind"]


def test_a_preview_is_stale_after_a_listed_player_changed(tournament, director):
    entry = enter(tournament, director, "Anna Berg")
    listing = listed("Anna Berg;GER;;;;;;", "Bo Lind;;;;;;;")
    digest = importing.preview(tournament, listing).digest
    registration.change(entry, EntryDetails(PlayerDetails("Anna Berg", country="AUT")), director)
    with pytest.raises(Refused, match="Look at the list again, then import it") as refused:
        importing.apply(tournament.pk, listing, digest, director)
    assert refused.value.code == "preview-is-old"
    assert list(entered(tournament)) == ["Anna Berg"]


def test_a_preview_of_one_list_does_not_import_another(tournament, director):
    digest = importing.preview(tournament, listed("Anna Berg;;;;;;;")).digest
    with pytest.raises(Refused, match="since this preview"):
        importing.apply(tournament.pk, listed("Anna Borg;;;;;;;"), digest, director)
    assert entered(tournament) == {}


def test_a_new_entry_of_another_player_keeps_the_preview_valid(tournament, director):
    listing = listed("Anna Berg;;;;;;;")
    digest = importing.preview(tournament, listing).digest
    enter(tournament, director, "Bo Lind")
    assert importing.apply(tournament.pk, listing, digest, director).added == 1


def test_imports_are_refused_after_the_draw(tournament, director):
    listing = listed("Anna Berg;;;;;;;")
    digest = importing.preview(tournament, listing).digest
    Draw.objects.create(
        tournament=tournament,
        number=1,
        recipe={},
        entries=[],
        order=[],
        made_at=datetime(2026, 11, 7, tzinfo=UTC),
    )
    with pytest.raises(Refused, match="The entry list is closed"):
        importing.preview(tournament, listing)
    with pytest.raises(Refused, match="The entry list is closed"):
        importing.apply(tournament.pk, listing, digest, director)
    assert entered(tournament) == {}


def test_the_journal_contains_ids_and_fields_but_no_names(tournament, director):
    anna = enter(tournament, director, "Anna Berg", rating=Decimal(1500), seed=1)
    take_in(tournament, director, listed("ANNA BERG;;;;1600;2;;", "Bo Lind;GER;;;;;;"))
    line = JournalLine.objects.get(verb="import entries")
    bo = entered(tournament)["Bo Lind"]
    assert (line.user, line.tournament) == (director.user, tournament)
    assert line.before == {"entries": {str(anna.pk): {"rating": "1500.00", "seed": 1}}}
    assert line.after == {
        "added": [str(bo.pk)],
        "entries": {str(anna.pk): {"rating": "1600.00", "seed": 2, "name_changed": True}},
    }


def test_a_failed_import_is_rolled_back(tournament, director):
    listing = listed("Anna Berg;;;W-1;;;;", "Bo Lind;;;;;;;")
    anna, bo = listing.rows
    impossible = Listing(listing.columns, (anna, replace(bo, seed=0)), listing.problems)
    digest = importing.preview(tournament, impossible).digest
    with pytest.raises(Refused, match="since this preview"):
        importing.apply(tournament.pk, impossible, digest, director)
    assert (Player.objects.count(), Entry.objects.count()) == (0, 0)
    assert not JournalLine.objects.filter(verb="import entries").exists()


def test_importing_many_lines_needs_few_statements(tournament, director):
    lines = [f"Player {n};GER;Club {n % 20};W-{n};{1000 + n};{n};yes;" for n in range(1, 61)]
    with CaptureQueriesContext(
        connection,
    ) as first:
        take_in(tournament, director, listed(*lines))
    changed = [line.replace(";GER;", ";AUT;").replace(";yes;", ";yes;yes") for line in lines]
    with CaptureQueriesContext(connection) as second:
        done = take_in(tournament, director, listed(*changed))
    assert (done.added, done.changed, Entry.objects.count()) == (0, 60, 60)
    assert len(first) <= 50
    assert len(second) <= 50
