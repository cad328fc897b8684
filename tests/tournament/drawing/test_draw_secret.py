"""A draw that anyone can check: secret first, then the entries, then the dice, and nothing in another order."""

import contextlib
import itertools
from copy import deepcopy

import pytest
from django.utils import timezone

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament.draw.formats import Format, Kind
from tournament.draw.public_draw.verification import verify
from tournament.draw.recipes import Byes, OrderRules, Separate
from tournament.drawing import draw_secret, draws, seeding, swaps
from tournament.drawing.draws import DrawPlan
from tournament.drawing.order import DrawRules
from tournament.drawing.swaps import Swap
from tournament.entries import attendance, importing, registration
from tournament.entries.lists import read_list
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import Commitment, Entry, Feed, JournalLine, Player
from tournament.queries.draws.documents import published_document
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
DICE = "31 52 66"


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    return stories.entered(actor_of_module, 6)


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


def test_a_draw_by_secret_and_dice_is_verified_from_what_is_published(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    draw_secret.close_entries(made.pk, DrawRules(rules=OrderRules(byes=Byes.BALANCED_LOTTERY)), actor)
    draw = draws.make(made.pk, DrawPlan(public=f"  {DICE} "), actor)
    assert (draw.public_dice, draw.rules["byes"]) == (DICE, "balanced_lottery")
    draws.release(made.pk, actor)
    document = published_document(draw)
    assert verify(document) == []
    document["public"] = "11 11 11"
    assert verify(document)


def test_the_secret_is_created_once_and_dice_are_refused_before_entries_close(made, actor):
    first = draw_secret.commit_to_secret(made.pk, actor)
    assert draw_secret.commit_to_secret(made.pk, actor).pk == first.pk
    assert first.closed_at is None
    assert first.secret not in str(first.secret_hash)
    assert refusal(lambda: draws.make(made.pk, DrawPlan(public=DICE), actor)) == "entries-open"


def test_a_draw_with_a_secret_needs_dice(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    draw_secret.close_entries(made.pk, DrawRules(), actor)
    assert refusal(lambda: draws.make(made.pk, DrawPlan(seed_text="mine"), actor)) == "no-dice"


def closed(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    return draw_secret.close_entries(made.pk, DrawRules(), actor)


def card_of(entry, **changes):
    return EntryDetails(PlayerDetails(**{"name": entry.player.name, "club": entry.player.club, **changes}))


def listed(text):
    return read_list(text.encode())


CHANGES = {
    "enter": lambda made, entry, actor: registration.enter(
        made.pk, EntryDetails(PlayerDetails("Late")), actor
    ),
    "rename": lambda made, entry, actor: registration.change(entry, card_of(entry, name="Other"), actor),
    "club": lambda made, entry, actor: registration.change(entry, card_of(entry, club="Adria"), actor),
    "rating": lambda made, entry, actor: registration.change(entry, card_of(entry, rating=1500), actor),
    "seed": lambda made, entry, actor: registration.change(
        entry, EntryDetails(card_of(entry).player, seed=1), actor
    ),
    "withdraw": lambda made, entry, actor: registration.withdraw(entry, actor),
    "remove": lambda made, entry, actor: registration.remove(entry, actor),
    "seed by rating": lambda made, entry, actor: seeding.seed_by_rating(made.pk, 0, actor),
    "look at a list": lambda made, entry, actor: importing.preview(made, listed("Name\nLate")),
    "take in a list": lambda made, entry, actor: importing.apply(made.pk, listed("Name\nLate"), "", actor),
    "format": lambda made, entry, actor: setup.change_tournament(
        made.pk,
        setup.TournamentPlan("Open", PRESETS["tournament"], (3,), format=Format(Kind.ROUND_ROBIN)),
        actor,
    ),
}


def test_closed_entries_cannot_be_changed(made, actor):
    entry = made.entries.first()
    closed(made, actor)
    for name, change in CHANGES.items():
        assert refusal(lambda change=change: change(made, entry, actor)) == "entries-closed", name


def test_reopened_entries_can_change_and_the_former_closing_stays_published(made, actor):
    hash_before = closed(made, actor).entries_hash
    assert refusal(lambda: draw_secret.reopen_entries(made.pk, " ", actor)) == "reason-needed"
    draw_secret.reopen_entries(made.pk, "A mistake", actor)
    for change, entry in zip(CHANGES.values(), itertools.cycle(list(made.entries.all())), strict=False):
        with contextlib.suppress(Refused):  # the list has no preview here
            change(made, entry, actor)
    draw_secret.close_entries(made.pk, DrawRules(), actor)
    draw = draws.make(made.pk, DrawPlan(public=DICE), actor)
    document = published_document(draw)
    reopenings = document["closing"]["reopened"]
    assert [(row["entries_hash"], row["reason"]) for row in reopenings] == [(hash_before, "A mistake")]
    assert verify(document) == []


def test_fields_outside_the_draw_can_change_while_entries_are_closed(made, actor):
    entry = made.entries.first()
    closed(made, actor)
    attendance.mark_paid(entry, actor, paid=True)
    attendance.check_in(entry, actor, present=True)
    registration.change(entry, EntryDetails(card_of(entry).player, is_paid=False), actor)
    assert draws.make(made.pk, DrawPlan(public=DICE), actor).secret


def test_a_shared_player_cannot_be_renamed_through_the_other_tournament(made, actor):
    player = made.entries.first().player
    second_tournament = setup.create_tournament(
        made.event, setup.TournamentPlan("Second", PRESETS["tournament"], (3,)), actor
    )
    entry = Entry.objects.create(tournament=second_tournament, player=player, entered_at=timezone.now())
    closed(made, actor)
    assert (
        refusal(lambda: registration.change(entry, card_of(entry, name="Other"), actor)) == "entries-closed"
    )


def test_names_changed_in_the_database_require_closing_again(made, actor):
    closed(made, actor)
    first, second = (entry.player for entry in made.entries.order_by("pk")[:2])
    Player.objects.filter(pk=first.pk).update(name=second.name)
    Player.objects.filter(pk=second.pk).update(name=first.name)
    assert refusal(lambda: draws.make(made.pk, DrawPlan(public=DICE), actor)) == "entries-changed"


def test_a_renamed_player_is_published_with_the_name_at_closing(made, actor):
    closed(made, actor)
    draw = draws.make(made.pk, DrawPlan(public=DICE), actor)
    entry = made.entries.order_by("pk").first()
    before = entry.player.name
    registration.change(entry, card_of(entry, name="Other"), actor)
    document = published_document(draw)
    assert document["names"][str(entry.pk)] == before
    assert document["renamed"] == {str(entry.pk): "Other"}
    assert verify(document) == []


def test_the_journal_records_a_rename_without_names(made, actor):
    entry = made.entries.first()
    registration.change(entry, card_of(entry, name="Other"), actor)
    line = JournalLine.objects.get(verb="change entry")
    assert line.after["name_changed"] is True
    assert "Other" not in str([line.before, line.after])


def test_closing_again_needs_a_reason_and_is_published(made, actor):
    first = closed(made, actor).entries_hash
    rules = DrawRules(rules=OrderRules(byes=Byes.LOTTERY))
    assert refusal(lambda: draw_secret.close_entries(made.pk, rules, actor)) == "reason-needed"
    again = draw_secret.close_entries(made.pk, rules, actor, reason="Byes by lot")
    assert [reopening.entries_hash for reopening in again.reopenings.all()] == [first]
    assert again.entries_hash != first
    same = draw_secret.close_entries(made.pk, rules, actor, reason="Again")
    assert same.entries_hash not in (first, again.entries_hash), "equal entries"


def test_dice_may_be_typed_in_any_way_but_a_wrong_number_is_refused(made, actor):
    closed(made, actor)
    for typed in ("31 52", "31 52 66 11", "31 52 7"):
        assert refusal(lambda typed=typed: draws.make(made.pk, DrawPlan(public=typed), actor)) == "no-dice"
    assert draws.make(made.pk, DrawPlan(public="3-1, 5-2, 6-6"), actor).public_dice == DICE


def test_entries_closed_by_an_earlier_version_must_be_closed_again(made, actor):
    waiting = closed(made, actor)
    waiting.rules["closing"]["layout"] -= 1
    waiting.save()
    assert refusal(lambda: draws.make(made.pk, DrawPlan(public=DICE), actor)) == "closed-by-earlier-version"
    del waiting.rules["closing"]
    waiting.save()
    assert refusal(lambda: draws.make(made.pk, DrawPlan(public=DICE), actor)) == "closed-by-earlier-version"


def test_a_format_that_cannot_be_drawn_is_refused_before_the_dice(actor):
    made = stories.entered(actor, 5, format=Format(Kind.GROUPS, groups=4, qualifiers=1))
    draw_secret.commit_to_secret(made.pk, actor)
    assert refusal(lambda: draw_secret.close_entries(made.pk, DrawRules(), actor)) == "format-cannot-be-drawn"


@pytest.mark.parametrize(
    "played",
    [
        Format(Kind.GROUPS, groups=2, qualifiers=1),
        Format(Kind.SWISS, rounds=3, separate=Separate.CLUB),
        Format(Kind.LIVES),
        Format(Kind.DOUBLE),
    ],
    ids=lambda played: played.kind,
)
def test_the_document_contains_the_stored_first_round_of_every_format(actor, played):
    made = stories.entered(actor, 7, format=played)
    closed(made, actor)
    draw = draws.make(made.pk, DrawPlan(public=DICE), actor)
    draws.release(made.pk, actor)
    document = published_document(draw)
    assert verify(document) == []
    brackets = {match["bracket"] for match in document["first_round"]}
    stored = stories.pairings(made).filter(round__number=1, round__bracket__key__in=brackets)
    met = {(str(row.left_id), str(row.right_id)) for row in stored if row.left_id and row.right_id}
    pairs = {(match["left"], match["right"]) for match in document["first_round"]}
    assert {pair for pair in pairs if None not in pair} == met


def test_a_swap_in_a_group_is_published_like_one_in_a_bracket(actor):
    made = stories.entered(actor, 8, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    closed(made, actor)
    draw = draws.make(made.pk, DrawPlan(public=DICE), actor)
    first, second = (
        Feed.objects.filter(target__round__bracket__key=key, target__round__number=1, entry__isnull=False)
        .order_by("pk")
        .first()
        for key in ("group 1", "group 2")
    )
    swap = Swap(first.pk, second.pk, (first.entry_id, second.entry_id))
    swaps.swap(made.pk, swap, actor, "They came in one car")
    document = published_document(draw)
    assert {change["before"] for change in document["changes"]} == {
        str(first.entry_id),
        str(second.entry_id),
    }
    assert verify(document) == []


def test_a_second_draw_has_its_own_secret_or_declares_none(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    draw_secret.close_entries(made.pk, DrawRules(), actor)
    first = draws.make(made.pk, DrawPlan(public=DICE), actor)
    assert refusal(lambda: draws.make(made.pk, DrawPlan(), actor)) == "reason-needed"
    again = draws.make(made.pk, DrawPlan(reason="A name was missing"), actor)
    assert (first.secret != "", again.secret) == (True, "")
    assert draw_secret.open_commitment(made) is None


def test_abandoning_a_secret_needs_a_reason_that_is_stored(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    assert refusal(lambda: draw_secret.give_up_secret(made.pk, " ", actor)) == "reason-needed"
    draw_secret.give_up_secret(made.pk, "No dice at hand", actor)
    assert draws.make(made.pk, DrawPlan(), actor).secret == ""
    assert Commitment.objects.get().given_up_at is not None


def test_rules_that_cannot_be_drawn_are_refused_before_the_dice(made, actor):
    draw_secret.commit_to_secret(made.pk, actor)
    by_hand = DrawRules(rules=OrderRules(byes=Byes.BY_HAND, by_hand=("nobody",)))
    assert refusal(lambda: draw_secret.close_entries(made.pk, by_hand, actor)) == "cannot-be-drawn"
