"""Players move on: incrementally, in any order, with withdrawals, and always to where a full resolve puts them."""

import contextlib
import random
import uuid
from copy import deepcopy

import pytest

from tests.tournament import stories
from tournament.brackets import advancing, storage
from tournament.brackets.states import current_results, decision_of, state_of, withdrawals
from tournament.draw.seating import resolve
from tournament.drawing import draws, rounds
from tournament.entries import registration
from tournament.models import Bracket, Entry, JournalLine, Pairing, Result, Tournament
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.released(actor_of_module, 4)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def assert_seated_as_resolved(made: Tournament) -> None:
    rows = list(stories.pairings(made))
    results = current_results(row.pk for row in rows)
    decisions = {pk: decision for pk, result in results.items() if (decision := decision_of(result))}
    full = resolve(storage.read(made).graph, decisions, withdrawals(made.pk))
    assert {row.pk: state_of(row) for row in rows} == dict(full.states)
    for row in rows:
        if row.left_id and row.right_id and not row.settled:
            assert row.match is not None
            assert {row.match.left, row.match.right} == {row.left_id, row.right_id}


@pytest.mark.parametrize("entries", [2, 7])
def test_tournaments_of_any_size_end_with_one_champion(actor, entries):
    made = stories.released(actor, entries)
    champion = stories.play_out(made, actor, random.Random(entries))
    assert champion is not None
    assert Result.objects.count() == entries - 1
    assert_seated_as_resolved(made)


@pytest.mark.parametrize("seed", range(2))
def test_any_order_of_results_and_withdrawals_gives_the_seats_of_a_full_resolve(actor, seed):
    chance = random.Random(seed)
    made = stories.released(actor, 7)
    entries = list(made.entries.all())
    while waiting := stories.playable(made):
        roll = chance.random()
        if roll < 0.25:
            registration.withdraw(chance.choice(entries), actor)
        elif roll < 0.45:
            with contextlib.suppress(Refused):
                registration.unwithdraw(chance.choice(entries), actor)
        else:
            stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))
        assert_seated_as_resolved(made)
    assert stories.pairings(made).last().settled


def test_advancing_twice_changes_nothing(actor, made):
    result = stories.play(stories.playable(made)[0], actor)
    before = list(Pairing.objects.values()), list(Bracket.objects.values())
    assert advancing.advance(result.pk) is False
    Result.objects.filter(pk=result.pk).update(advanced_at=None)
    assert advancing.advance(result.pk) is True
    assert list(Pairing.objects.values()) == before[0]


def test_a_result_is_posted_before_players_advance(actor, made):
    stories.post(stories.playable(made)[0], actor)
    final = stories.pairings(made).last()
    assert (final.left, final.right) == (None, None)
    advancing.advance_waiting()
    assert stories.pairings(made).last().left is not None


def test_the_version_rises_when_a_result_is_posted_and_when_it_advances(actor, made):
    bracket = Bracket.objects.get()
    versions = [bracket.version]
    result = stories.post(stories.playable(made)[0], actor)
    bracket.refresh_from_db()
    versions.append(bracket.version)
    advancing.advance(result.pk)
    bracket.refresh_from_db()
    versions.append(bracket.version)
    assert versions == [versions[0], versions[0] + 1, versions[0] + 2]


def test_no_match_opens_while_the_draw_is_hidden(actor):
    made = stories.drawn(actor, 4)
    assert not stories.pairings(made).filter(match__isnull=False).exists()
    draws.release(made.pk, actor)
    assert stories.pairings(made).filter(match__isnull=False).count() == 2


def test_round_lengths_count_backwards_from_the_final(actor):
    made = stories.released(actor, 8, lengths=(11, 9, 7))
    rounds = made.brackets.get().rounds.values_list("number", "length")
    assert list(rounds) == [(1, 7), (2, 9), (3, 11)]
    assert {pairing.match.length for pairing in stories.playable(made)} == {7}


def test_a_round_length_is_fixed_once_a_match_has_begun(actor):
    made = stories.released(actor, 4, lengths=(5, 3))
    first, second = made.brackets.get().rounds.all()
    rounds.change_round_length(first.pk, made.pk, 9, actor)
    assert {pairing.match.length for pairing in stories.playable(made)} == {9}
    stories.post(stories.playable(made)[0], actor)
    with pytest.raises(Refused) as refused:
        rounds.change_round_length(first.pk, made.pk, 3, actor)
    assert refused.value.code == "round-has-begun"
    rounds.change_round_length(second.pk, made.pk, 13, actor)
    assert made.brackets.get().rounds.last().length == 13


def test_a_withdrawal_gives_walkovers_and_can_be_undone(actor, made):
    pairing = stories.playable(made)[0]
    registration.withdraw(pairing.left, actor)
    pairing = stories.pairings(made).get(pk=pairing.pk)
    assert (pairing.settled, pairing.winner_id, pairing.match) == ("walkover", pairing.right_id, None)
    registration.unwithdraw(pairing.left, actor)
    pairing = stories.pairings(made).get(pk=pairing.pk)
    assert (pairing.settled, pairing.match.state) == ("", "open")
    assert_seated_as_resolved(made)


def test_a_withdrawal_cannot_be_undone_once_the_next_match_has_begun(actor, made):
    first, second = stories.playable(made)
    registration.withdraw(first.left, actor)
    stories.play(second, actor)
    final = stories.pairings(made).last()
    stories.post(final, actor)
    with pytest.raises(Refused) as refused:
        registration.unwithdraw(first.left, actor)
    assert refused.value.code == "next-match-has-begun"
    assert Entry.objects.get(pk=first.left_id).is_withdrawn


def test_a_double_no_show_advances_a_bye(actor, made):
    first, second = stories.playable(made)
    desk.award(first, None, "double_no_show", "nobody came", actor)
    advancing.advance_waiting()
    stories.play(second, actor)
    final = stories.pairings(made).last()
    assert (final.settled, final.winner_id) == ("bye", second.left_id)
    assert_seated_as_resolved(made)


@pytest.mark.parametrize("kind", ["walkover", "no_show"])
def test_an_awarded_match_advances_its_winner(actor, kind, made):
    pairing = stories.playable(made)[0]
    desk.award(pairing, pairing.right_id, kind, "", actor)
    advancing.advance_waiting()
    assert stories.pairings(made).last().left_id == pairing.right_id


def test_an_award_needs_one_of_the_two_players(actor, made):
    first, second = stories.playable(made)
    for winner in (second.left_id, uuid.uuid4(), None):
        with pytest.raises(Refused):
            desk.award(first, winner, "walkover", "", actor)


def test_a_result_can_be_corrected_until_the_next_match_has_begun(actor, made):
    first, second = stories.playable(made)
    stories.play(first, actor, "left")
    stories.play(second, actor, "left")
    desk.award(first, first.right_id, "no_show", "wrong way round", actor)
    final = stories.pairings(made).last()
    assert {final.left_id, final.right_id} == {first.right_id, second.left_id}
    assert {final.match.left, final.match.right} == {first.right_id, second.left_id}
    assert_seated_as_resolved(made)
    stories.play(final, actor)
    with pytest.raises(Refused) as refused:
        desk.award(first, first.left_id, "walkover", "no, right", actor)
    assert refused.value.code == "next-match-has-begun"
    assert_seated_as_resolved(made)


def test_a_correction_waits_for_results_not_yet_advanced(actor, made):
    first, second = stories.playable(made)
    stories.play(first, actor)
    stories.play(second, actor)
    final = stories.pairings(made).last()
    desk.award(final, final.left_id, "walkover", "", actor)
    with pytest.raises(Refused):
        desk.award(first, first.right_id, "walkover", "", actor)


def test_undoing_a_result_reopens_the_match(actor, made):
    first, _ = stories.playable(made)
    stories.play(first, actor)
    desk.retract(first, "typing error", actor)
    pairing = stories.pairings(made).get(pk=first.pk)
    assert (pairing.settled, pairing.winner, pairing.match.state) == ("", None, "open")
    assert stories.pairings(made).last().left is None
    stories.play(pairing, actor, "right")
    assert stories.pairings(made).last().left_id == first.right_id
    assert Result.objects.filter(pairing=first).count() == 3


def test_a_draw_can_be_undone_only_before_play(actor, made):
    with pytest.raises(Refused) as refused:
        draws.make(made.pk, draws.DrawPlan(), actor)
    assert refused.value.code == "reason-needed"
    draws.make(made.pk, draws.DrawPlan(reason="one player was missing"), actor)
    draws.release(made.pk, actor)
    assert made.draws.count() == 2
    stories.post(stories.playable(made)[0], actor)
    with pytest.raises(Refused) as refused:
        draws.undo(made.pk, actor, "too late")
    assert refused.value.code == "play-has-begun"
    assert JournalLine.objects.filter(verb="redraw", reason="one player was missing").exists()


def test_the_same_seed_text_gives_the_same_draw(actor):
    made = stories.drawn(actor, 7)
    first = made.draws.get().order
    draws.make(made.pk, draws.DrawPlan(seed_text="a seed"), actor)
    assert made.draws.last().order == first
    draws.make(made.pk, draws.DrawPlan(seed_text="another seed"), actor)
    assert made.draws.last().order != first


def test_entries_close_with_the_draw_and_open_when_it_is_undone(actor):
    made = stories.drawn(actor, 4)
    late = registration.EntryDetails(registration.PlayerDetails("Late"))
    with pytest.raises(Refused):
        registration.enter(made.pk, late, actor)
    draws.undo(made.pk, actor)
    registration.enter(made.pk, late, actor)
    assert made.entries.count() == 5


def test_a_result_that_fails_to_advance_delays_no_other(actor):
    """The final contains a wrong player, written directly to the database, and is under way."""
    made = stories.released(actor, 8)
    first = stories.playable(made)
    for pairing in first:
        stories.play(pairing, actor)
    early, late = stories.playable(made)
    stories.play(early, actor)
    final = Pairing.objects.get(round__bracket__tournament=made, round__number=3)
    Pairing.objects.filter(pk=final.pk).update(right=first[3].right_id)
    with advancing.lock_tournament(made.pk) as locked:
        advancing.open_ready_matches(locked)
    stories.begin(stories.pairings(made).last())
    stuck = stories.post(late, actor)
    elsewhere = stories.released(actor, 4)
    free = stories.post(stories.playable(elsewhere)[0], actor)
    advancing.advance_waiting()
    waiting = Result.objects.filter(advanced_at__isnull=True)
    assert set(waiting.filter(pk__in=(stuck.pk, free.pk)).values_list("pk", flat=True)) == {stuck.pk}
