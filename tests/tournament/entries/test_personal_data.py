"""The file of one person's data and its removal: no personal data stays, and every result does."""

import io
import json
import uuid

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from matches.rows import NewRow
from rules.score import Penalty, Side
from tests.matches import files
from tests.tournament import stories
from tests.tournament.access.test_access import stored_rows, world
from tests.tournament.access.world import World, is_reported, with_entry
from tests.tournament.images import image_file
from tournament.accounts import links
from tournament.drawing import draw_secret, draws
from tournament.drawing.order import DrawRules
from tournament.entries import personal_data, registration
from tournament.entries.personal_data import REMOVED, rows_of_person
from tournament.entries.player_names import rename_all
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, Event, Evidence, JournalLine, PersonalLink, Player, Result
from tournament.queries.draws.proofs import draw_proofs
from tournament.queries.entries.personal_data import personal_data as data_of
from tournament.records import checking
from tournament.results import desk, disputes
from tournament.runtime.errors import Refused

__all__ = ["world"]

pytestmark = pytest.mark.django_db

NAME, NUMBER, CLUB, COUNTRY, RATING = "Quirina Xanthopoulos", "QX-99", "Obscure Club", "ZZZ", "1777.25"
CARD = PlayerDetails(NAME, COUNTRY, CLUB, NUMBER, RATING)
KEPT_BY_A_DRAW = ("Draw", "Commitment", "RoundBasis")


def with_history(world: World) -> Player:
    """The left player has a result, a dispute with a photo, a game record, a link, a pin and lines of the journal."""
    owner, pairing = world.hall.owner, world.pairing
    registration.change(pairing.left, EntryDetails(CARD), owner)
    checking.upload(pairing, Keeper.LEFT, files.CLEAN, f"{NAME}.mat", owner)
    late = NewRow(uuid.uuid4(), pairing.match_id, Penalty(Side.LEFT, 1, reason=f"{NAME} was late"))
    desk.enter_at_desk(pairing, Keeper.LEFT, late, owner)
    is_reported(world)
    disputes.open_dispute(pairing, Keeper.LEFT, f"{NAME} says 3", owner)
    disputes.add_photo(pairing, Keeper.LEFT, image_file(), owner)
    disputes.rule(pairing, disputes.Ruling.for_card(Keeper.RIGHT, f"{NAME.upper()} did not see it"), owner)
    registration.withdraw(pairing.left, owner, f"{NAME} is ill")
    return Player.objects.get(entries=pairing.left)


def removed_from(world: World, player: Player) -> None:
    personal_data.remove([player], world.hall.owner)


def mentioned(*words: str) -> dict[str, list[str]]:
    """The random letters of sessions and password hashes are left out, because they can spell a short word."""
    tables = stored_rows()
    del tables["Session"]
    tables["User"] = [row | {"password": ""} for row in tables["User"]]
    stored = {model: str(rows).casefold() for model, rows in tables.items()}
    remaining = {model: [word for word in words if word.casefold() in rows] for model, rows in stored.items()}
    return {model: words for model, words in remaining.items() if words}


def test_removed_personal_data_is_stored_nowhere_and_results_entries_and_seats_stay(world):
    player = with_history(world)
    models = ("Result", "Entry", "Pairing", "Match", "Card")
    before = {model: stored_rows()[model] for model in models}
    assert {"Player", "JournalLine", "Question", "GameRecord"} <= mentioned(NAME, NUMBER, CLUB).keys()
    removed_from(world, player)
    assert mentioned(NAME, NUMBER, "Xanthopoulos") == {}
    assert {model: stored_rows()[model] for model in models} == before
    assert Result.objects.exists()
    assert mentioned(CLUB, COUNTRY, RATING).keys() <= set(KEPT_BY_A_DRAW)
    player.refresh_from_db()
    assert (player.name, player.federation_id, player.rating) == (REMOVED, "", None)
    assert not Evidence.objects.exists()
    assert not PersonalLink.objects.filter(entry__player=player, revoked_at=None).exists()
    assert JournalLine.objects.filter(verb="remove person", subject_id=str(player.pk)).count() == 1


def test_a_removed_player_keeps_the_placeholder_name_and_is_not_removed_again(world):
    player = with_history(world)
    removed_from(world, player)
    event = world.tournament.event
    event.shows_initials = True
    event.save()
    rename_all(event)
    player.refresh_from_db()
    assert player.name == REMOVED
    with pytest.raises(Refused, match="already removed"):
        removed_from(world, player)
    with pytest.raises(Refused, match="removed permanently"):
        registration.change(world.pairing.left, EntryDetails(CARD), world.hall.owner)
    card = EntryDetails(PlayerDetails(REMOVED), is_paid=True)
    registration.change(world.pairing.left, card, world.hall.owner)


@pytest.fixture
def drawn():
    """A public draw of two, of whom one is the person."""
    owner = stories.director("owner")
    tournament = stories.tournament(owner)
    entry = registration.enter(tournament.pk, EntryDetails(CARD), owner)
    registration.enter(tournament.pk, EntryDetails(PlayerDetails("Bo")), owner)
    draw_secret.commit_to_secret(tournament.pk, owner)
    draw_secret.close_entries(tournament.pk, DrawRules(), owner)
    return owner, tournament, entry


def test_a_public_draw_can_still_be_verified_and_no_longer_names_the_person(drawn):
    owner, tournament, entry = drawn
    draws.make(tournament.pk, draws.DrawPlan(public="31 52 66"), owner)
    draws.release(tournament.pk, owner)
    personal_data.remove([entry.player], owner)
    assert mentioned(NAME, NUMBER) == {}
    (proof,) = draw_proofs(tournament).draws
    assert proof.findings == ()
    assert proof.renamed == ()


def test_names_closed_for_a_public_draw_are_kept(drawn):
    owner, _, entry = drawn
    with pytest.raises(Refused, match="public draw"):
        personal_data.remove([entry.player], owner)
    assert Player.objects.filter(name=NAME).exists()


def test_the_file_contains_all_data_of_the_person_and_no_secrets(world):
    player = with_history(world)
    token = links.make_link(world.pairing.left, world.hall.owner)
    link = PersonalLink.objects.filter(entry__player=player).last()
    document = data_of([player])
    (event,) = document["events"]
    (match,) = event["matches"]
    (entry,) = event["entries"]
    assert event["player"]["federation_id"] == NUMBER
    assert entry["withdrawn_at"] is not None
    assert len(entry["links"]) == PersonalLink.objects.filter(entry__player=player).count()
    assert [photo["name"] for photo in match["photos"]] == [f"{Evidence.objects.get().pk}.jpg"]
    assert [record["name"] for record in match["game_records"]] == [f"{NAME}.mat"]
    assert match["questions"][0]["note"] == f"{NAME} says 3"
    assert [(result["left_points"], result["right_points"]) for result in match["results"]] == [(1, 3)]
    assert {line["verb"] for line in event["journal"]} >= {"change entry", "withdraw"}
    assert token not in str(document)
    assert link.digest not in str(document)


def person_in(owner, name: str, number: str) -> Player:
    entry = registration.enter(
        stories.tournament(owner).pk, EntryDetails(PlayerDetails(name, federation_id=number)), owner
    )
    return entry.player


def test_a_person_is_found_in_other_events_by_number_and_name_together():
    owner = stories.director("owner")
    first, second = (person_in(owner, NAME, NUMBER) for _ in range(2))
    person_in(owner, "Somebody else", NUMBER)
    person_in(owner, NAME, "another number")
    events = Event.objects.all()
    assert rows_of_person(first, events) == [first, second]
    assert rows_of_person(first, events.none()) == [first]


def person_command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("person", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_finds_a_person_shows_the_data_and_removes_them_in_all_events():
    owner = stories.director("owner")
    first, second = (person_in(owner, NAME, NUMBER) for _ in range(2))
    assert str(first.pk) in person_command("Xanthop")
    assert str(first.pk) in person_command(NUMBER)
    assert len(json.loads(person_command(str(first.pk), "show"))["events"]) == 2
    assert "2" in person_command(str(first.pk), "remove")
    assert set(Player.objects.values_list("name", flat=True)) == {REMOVED}
    with pytest.raises(CommandError, match="already removed"):
        person_command(str(second.pk), "remove")
    with pytest.raises(CommandError, match="No player has this name"):
        person_command("Nobody like this")
    assert Entry.objects.count() == 2


def test_an_owner_removes_a_person_from_own_events_after_a_recent_sign_in(world):
    player = with_history(world)
    elsewhere = person_in(stories.director("somebody else"), NAME, NUMBER)
    browser, address = Client(), reverse("person", args=with_entry(world))
    browser.force_login(world.hall.owner.user)
    answer = browser.get(f"{address}file/").json()
    assert [event["player"]["id"] for event in answer["events"]] == [str(player.pk)]
    session = browser.session
    session["confirmed_at"] -= 3600
    session.save()
    assert "/account/confirm/" in browser.post(address)["Location"]
    player.refresh_from_db()
    assert player.name == NAME
    session["confirmed_at"] += 3600
    session.save()
    assert browser.post(address, follow=True).status_code == 200
    player.refresh_from_db()
    elsewhere.refresh_from_db()
    assert (player.name, elsewhere.name) == (REMOVED, NAME)
    assert "are removed" in browser.get(address).content.decode()
