"""Derived values can be computed again from the facts, now or as at any moment, with the same outcome."""

import random
import uuid
from copy import deepcopy

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.utils import timezone

from matches.models import Card, Match, MatchState
from tests.tournament import stories
from tournament import corrections
from tournament.brackets import history, storage
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import Change, consistency, repair
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Tiers
from tournament.drawing import rounds, swaps
from tournament.drawing.swaps import Swap
from tournament.entries import late_entry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, Pairing, ResultKind, RoundBasis

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played_of_module(actor_of_module):
    made = stories.released(actor_of_module, 6)
    stories.play_out(made, actor_of_module, random.Random(3))
    return made


@pytest.fixture
def played(db, played_of_module):
    return deepcopy(played_of_module)


def test_a_played_event_has_no_differences(played, capsys):
    call_command("rebuild", played.event.slug, "--check")
    assert "Everything was computed again. Nothing differs." in capsys.readouterr().out


def test_a_changed_seat_is_reported_and_repaired(played):
    final = stories.pairings(played).last()
    eliminated = Entry.objects.filter(tournament=played).exclude(pk__in=[final.left_id, final.right_id])[0]
    Pairing.objects.filter(pk=final.pk).update(left=eliminated, winner=None, settled="")
    assert consistency.differences(played.event)
    with pytest.raises(CommandError):
        call_command("rebuild", played.event.slug, "--check")
    assert repair.rebuild(played.event) == 1
    assert consistency.differences(played.event) == []


def test_a_miscounted_card_is_reported(played):
    card = Card.objects.all()[0]
    Card.objects.filter(pk=card.pk).update(left_points=card.left_points + 1)
    assert next(difference.subject for difference in consistency.differences(played.event)).endswith(
        "left_points"
    )


def a_miscounted_card(played):
    Card.objects.filter(pk=Card.objects.all()[0].pk).update(left_points=F("left_points") + 1)


def a_match_without_its_winner(played):
    first = stories.pairings(played).filter(match__isnull=False).first()
    Match.objects.filter(pk=first.match_id).update(winner="", left_points=0)


def a_match_that_was_cancelled(played):
    last = stories.pairings(played).filter(match__isnull=False).last()
    Match.objects.filter(pk=last.match_id).update(state=MatchState.CANCELLED)


def a_match_of_other_players(played):
    last = stories.pairings(played).filter(match__isnull=False).last()
    Match.objects.filter(pk=last.match_id).update(left=uuid.uuid4())


def a_draw_in_another_order(played):
    draw = played.draws.get()
    draw.order = draw.order[::-1]
    draw.save()


@pytest.mark.parametrize(
    "harm",
    [
        a_miscounted_card,
        a_match_without_its_winner,
        a_match_that_was_cancelled,
        a_match_of_other_players,
        a_draw_in_another_order,
    ],
)
def test_rebuild_repairs_what_the_check_reports(played, harm, capsys):
    harm(played)
    with pytest.raises(CommandError):
        call_command("rebuild", "--all", "--check")
    assert played.slug in capsys.readouterr().out
    call_command("rebuild", "--all")
    assert consistency.differences(played.event) == []
    assert repair.rebuild(played.event) == 0


def test_wrong_pairing_costs_of_a_swiss_round_are_repaired(actor):
    swiss = stories.released(actor, 6, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(swiss):
        stories.play(pairing, actor)
    rounds.pair_next_round(swiss.pk, actor)
    row = Pairing.objects.filter(round__bracket__tournament=swiss, cost__isnull=False).last()
    Pairing.objects.filter(pk=row.pk).update(cost={**row.cost, Tiers._fields[0]: 7})
    assert consistency.differences(swiss.event)
    assert repair.rebuild(swiss.event) == 1
    assert consistency.differences(swiss.event) == []


@pytest.fixture
def paired_otherwise(actor):
    """A Swiss in its second round, with a basis from which these pairs do not follow."""
    swiss = stories.released(actor, 6, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(swiss):
        stories.play(pairing, actor)
    row = rounds.pair_next_round(swiss.pk, actor)
    basis = RoundBasis.objects.get(round=row)
    (a, b), (c, d), (e, f) = row.pairings.values_list("left_id", "right_id")
    by_wins = [
        str(entry) for entry in (a, c, b, e, d, f)
    ]  # equal wins never meet, so these pairs cannot come out
    for contender in basis.document["contenders"]:
        contender["wins"] = by_wins.index(contender["entry"]) // 2
        contender["opponents"] = []
    basis.save()
    return swiss


def pairs(made):
    return list(stories.pairings(made).values_list("left_id", "right_id"))


def test_rebuild_clears_notices_of_rounds_that_would_pair_differently(paired_otherwise, capsys):
    before = pairs(paired_otherwise)
    with pytest.raises(CommandError):
        call_command("rebuild", "--all", "--check")
    call_command("rebuild", "--all")
    call_command("rebuild", "--all", "--check")
    assert pairs(paired_otherwise) == before
    notice = "Round 2 would be paired differently by this version of the program. Its pairs stay as they are."
    assert notice in capsys.readouterr().out


def test_unchanged_pairings_give_no_notice(actor):
    swiss = stories.released(actor, 7, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(swiss):
        stories.play(pairing, actor)
    rounds.pair_next_round(swiss.pk, actor)
    assert consistency.rounds_paired_differently(swiss.event) == []


def test_manually_swapped_seats_in_a_round_are_no_difference(actor):
    swiss = stories.released(actor, 7, format=Format(Kind.SWISS, rounds=3))
    first, second = [seat for seat in entry_seats(swiss) if seat.entry and seat.opponent][1:3]
    wanted = Swap(first.feed, second.feed, (first.entry, second.entry))
    swaps.swap(swiss.pk, wanted, actor, "They share a car")
    late_entry.enter(swiss.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late")), feed=_bye(swiss)), actor)
    assert consistency.differences(swiss.event) == []
    assert consistency.rounds_paired_differently(swiss.event) == []


def _bye(made):
    return next(seat.feed for seat in entry_seats(made) if seat.entry is None)


def test_history_can_be_rendered_at_every_moment(actor):
    made = stories.released(actor, 5)
    moments = []
    chance = random.Random(5)
    leaves = Entry.objects.filter(tournament=made)[0]
    for step in range(4):
        moments.append((timezone.now(), storage.read(made).seated()))
        if step == 2:
            registration.withdraw(leaves, actor)
            moments.append((timezone.now(), storage.read(made).seated()))
        if waiting := stories.playable(made):
            stories.play(chance.choice(waiting), actor)
    first = stories.pairings(made).filter(settled="played").first()
    moments.append((timezone.now(), storage.read(made).seated()))
    change = Change(ResultKind.WALKOVER, first.right_id)
    preview = corrections.preview(first.pk, change)
    corrections.correct(preview, preview.digest, "Never came", actor)
    moments.append((timezone.now(), storage.read(made).seated()))
    for moment, seated in moments:
        assert history.draw_as_of(made, moment).seating.states == seated
