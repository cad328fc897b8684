"""The next round as a preview: changed by hand, released, and hidden again."""

from contextlib import suppress
from copy import deepcopy

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import storage
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import resolve
from tournament.drawing import draws, pair_rules, round_previews, rounds
from tournament.drawing.draws import DrawPlan
from tournament.drawing.round_previews import ExpectedPreview, stamp_of
from tournament.entries import late_entry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, Pairing, PairRule, PreviewSwap, Round, RoundPreview, SeatChange
from tournament.queries.round_preview import rules_from_round
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
SWISS = Format(Kind.SWISS, rounds=4)


@pytest.fixture(scope="module")
def made_of_module(actor_of_module):
    return complete(actor_of_module)


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


def complete(actor, entries=7, plan=SWISS):
    """A tournament whose first round is played."""
    made = stories.released(actor, entries, format=plan)
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    return made


def seats_of_round(made, number=2):
    rows = Pairing.objects.filter(round__bracket__tournament=made, round__number=number).order_by("line")
    return list(rows.values_list("left_id", "right_id"))


def assert_consistent(made):
    sheet = storage.read(made)
    assert sheet.seated() == dict(resolve(sheet.graph, *sheet.facts).states)
    assert consistency.differences(made.event) == []
    assert consistency.rounds_paired_differently(made.event) == []


def test_a_preview_becomes_the_round_that_pairing_at_once_gives(actor, made):
    preview = round_previews.preview_next_round(made.pk, actor)
    assert not Round.objects.filter(bracket__tournament=made, number=2).exists()
    seats = round_previews.preview_seats(preview)
    row = round_previews.release_round(made.pk, actor)
    assert seats_of_round(made) == seats
    assert len(stories.playable(made)) == 3
    assert not RoundPreview.objects.exists()
    rounds.take_back_round(made.pk, "Somebody is missing", actor)
    rounds.pair_next_round(made.pk, actor)
    assert seats_of_round(made) == seats
    assert row.number == 2
    assert_consistent(made)


def test_a_swap_that_splits_a_pair_set_by_hand_is_dropped(actor):
    made = complete(actor, 8)
    (left, right), (second, _), *_ = round_previews.preview_seats(
        round_previews.preview_next_round(made.pk, actor)
    )
    round_previews.swap_players(made.pk, left, second, "One car for both", actor)
    pair_rules.pair_by_hand(made.pk, left, right, "They asked for it", actor)
    assert round_previews.pair_again(made.pk, actor) == 1
    seats = round_previews.preview_seats(RoundPreview.objects.get(tournament=made))
    assert {left, right} in map(set, seats)


@settings(max_examples=2, deadline=None)
@given(swaps=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=4))
def test_any_swaps_are_released_as_previewed_and_can_be_hidden_again(swaps):
    with transaction.atomic():
        actor = stories.director()
        made = complete(actor)
        preview = round_previews.preview_next_round(made.pk, actor)
        entries = sorted(Entry.objects.filter(tournament=made).values_list("pk", flat=True))
        for first, second in swaps:
            with suppress(Refused):
                round_previews.swap_players(made.pk, entries[first], entries[second], "Shared car", actor)
        seats, count = round_previews.preview_seats(preview), preview.swaps.count()
        assert sorted(entry for pair in seats for entry in pair if entry) == entries
        round_previews.release_round(made.pk, actor)
        assert seats_of_round(made) == seats
        assert SeatChange.objects.filter(reason="Shared car").count() == 2 * count
        assert_consistent(made)
        hidden = round_previews.undo_release(made.pk, "Too early", actor)
        assert hidden is not None
        assert round_previews.preview_seats(hidden) == seats
        assert hidden.pairings == preview.pairings
        round_previews.release_round(made.pk, actor)
        assert seats_of_round(made) == seats
        assert_consistent(made)
        transaction.set_rollback(True)


def test_the_player_with_the_bye_passes_it_on(actor, made):
    preview = round_previews.preview_next_round(made.pk, actor)
    *_, (with_bye, nobody) = round_previews.preview_seats(preview)
    assert nobody is None
    plays = round_previews.preview_seats(preview)[0][0]
    round_previews.swap_players(made.pk, plays, with_bye, "Arrives at noon", actor)
    round_previews.release_round(made.pk, actor)
    bye = stories.pairings(made).get(round__number=2, right_is_bye=True)
    assert (bye.left_id, bye.settled, bye.winner_id) == (plays, "bye", plays)
    assert seats_of_round(made)[0][0] == with_bye
    assert_consistent(made)


@pytest.mark.parametrize("plan", [SWISS, Format(Kind.LIVES, lives=3)])
def test_a_pair_is_set_by_hand_and_another_kept_apart(actor, plan):
    made = complete(actor, 8, plan)
    paired = round_previews.preview_seats(round_previews.preview_next_round(made.pk, actor))
    (first, second), (third, _) = paired[0], paired[1]
    pair_rules.keep_apart(made.pk, first, second, "Sisters", actor)
    pair_rules.pair_by_hand(made.pk, first, third, "A challenge", actor)
    assert refusal(lambda: round_previews.release_round(made.pk, actor)) == "round-preview-outdated"
    round_previews.preview_next_round(made.pk, actor)
    row = round_previews.release_round(made.pk, actor)
    assert {first, third} in [set(pair) for pair in seats_of_round(made)]
    assert row.basis.document["forced"] == [[str(entry) for entry in sorted((first, third))]]
    assert_consistent(made)
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    rounds.pair_next_round(made.pk, actor)
    assert {first, second} not in [set(pair) for pair in seats_of_round(made, 3)]
    assert_consistent(made)


def test_rules_of_a_pair_must_agree(actor, made):
    ana, bea, cem = Entry.objects.filter(tournament=made)[:3]
    stranger = stories.entered(actor, 1).entries.get()
    pair_rules.pair_by_hand(made.pk, ana.pk, bea.pk, "A challenge", actor)
    assert refusal(lambda: pair_rules.pair_by_hand(made.pk, cem.pk, ana.pk, "Too", actor)) == "pair-is-set"
    assert refusal(lambda: pair_rules.keep_apart(made.pk, bea.pk, ana.pk, "?", actor)) == "pair-set-by-hand"
    assert refusal(lambda: pair_rules.keep_apart(made.pk, bea.pk, cem.pk, " ", actor)) == "reason-needed"
    assert refusal(lambda: pair_rules.keep_apart(made.pk, bea.pk, bea.pk, "?", actor)) == "two-players-needed"
    assert refusal(lambda: pair_rules.keep_apart(made.pk, bea.pk, stranger.pk, "?", actor)) == "player-not-in"
    pair_rules.remove_rule(made.pk, PairRule.objects.get().pk, actor)
    pair_rules.keep_apart(made.pk, bea.pk, ana.pk, "Sisters", actor)
    pair_rules.keep_apart(made.pk, ana.pk, bea.pk, "Sisters", actor)
    assert refusal(lambda: pair_rules.pair_by_hand(made.pk, ana.pk, bea.pk, "?", actor)) == "pair-is-apart"
    assert PairRule.objects.count() == 1


def test_a_rule_of_a_released_round_stays(actor, made):
    ana, bea = Entry.objects.filter(tournament=made)[:2]
    pair_rules.pair_by_hand(made.pk, ana.pk, bea.pk, "A challenge", actor)
    rounds.pair_next_round(made.pk, actor)
    rule = PairRule.objects.get()
    assert refusal(lambda: pair_rules.remove_rule(made.pk, rule.pk, actor)) == "no-such-rule"
    assert {ana.pk, bea.pk} in [set(pair) for pair in seats_of_round(made)]


def test_a_redraw_drops_pairs_set_by_hand_and_keeps_players_apart(actor):
    made = stories.released(actor, 6, format=SWISS)
    ana, bea, cem = Entry.objects.filter(tournament=made)[:3]
    pair_rules.pair_by_hand(made.pk, ana.pk, bea.pk, "A challenge", actor)
    pair_rules.keep_apart(made.pk, bea.pk, cem.pk, "Sisters", actor)
    draws.make(made.pk, DrawPlan(reason="A late player"), actor)
    assert [rule.reason for rule in PairRule.objects.all()] == ["Sisters"]


def test_a_pair_of_a_later_round_is_listed_and_removed_after_a_round_was_taken_back(actor, made):
    rounds.pair_next_round(made.pk, actor)
    ana, bea = Entry.objects.filter(tournament=made)[:2]
    pair_rules.pair_by_hand(made.pk, ana.pk, bea.pk, "A challenge", actor)
    rounds.take_back_round(made.pk, "Too early", actor)
    ((rule,), _) = rules_from_round(made, 2)
    assert (rule.number, rule.reason) == (3, "A challenge")
    pair_rules.remove_rule(made.pk, rule.id, actor)
    assert not PairRule.objects.exists()


def test_only_the_preview_that_the_director_saw_is_released(actor, made):
    seen_by_first = ExpectedPreview(stamp_of(round_previews.preview_next_round(made.pk, actor)))
    nothing = ExpectedPreview("")
    seats = round_previews.preview_seats(RoundPreview.objects.get())
    assert refusal(lambda: release(made, actor, nothing)) == "round-preview-changed"
    round_previews.swap_players(made.pk, seats[0][0], seats[1][0], "Shared car", actor)
    assert refusal(lambda: release(made, actor, seen_by_first)) == "round-preview-changed"
    round_previews.discard_preview(made.pk, actor)
    assert refusal(lambda: release(made, actor, seen_by_first)) == "no-round-preview"
    assert release(made, actor, nothing).number == 2


def release(made, actor, expected):
    return round_previews.pair_and_release(made.pk, actor, expected)


def correct_a_result(made, actor):
    first = stories.pairings(made).first()
    change = corrections.Change("played", first.right_id, 1, 3)
    preview = corrections.preview(first.pk, change)
    corrections.correct(preview, preview.digest, "Wrong side", actor)


CHANGES = {
    "a withdrawal": lambda made, actor: registration.withdraw(made.entries.first(), actor),
    "a late entry": lambda made, actor: late_entry.enter(
        made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late"))), actor
    ),
    "a correction": correct_a_result,
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_outdated_preview_is_not_released(actor, made, change):
    round_previews.preview_next_round(made.pk, actor)
    CHANGES[change](made, actor)
    assert refusal(lambda: round_previews.release_round(made.pk, actor)) == "round-preview-outdated"
    round_previews.preview_next_round(made.pk, actor)
    round_previews.release_round(made.pk, actor)
    assert_consistent(made)


def test_no_other_round_is_paired_while_a_preview_waits(actor):
    made = complete(actor, 6, Format(Kind.LIVES, lives=3))
    round_previews.preview_next_round(made.pk, actor)
    assert refusal(lambda: rounds.pair_next_round(made.pk, actor)) == "round-is-paired"
    assert refusal(lambda: rounds.pair_free_players(made.pk, actor)) == "round-is-paired"
    desk.retract(stories.pairings(made).first(), "Wrong match", actor)
    assert refusal(lambda: round_previews.release_round(made.pk, actor)) == "round-is-open"
    round_previews.discard_preview(made.pk, actor)
    assert refusal(lambda: round_previews.release_round(made.pk, actor)) == "no-round-preview"


def test_a_release_is_undone_until_a_match_begins(actor, made):
    round_previews.preview_next_round(made.pk, actor)
    round_previews.release_round(made.pk, actor)
    assert refusal(lambda: round_previews.undo_release(made.pk, "", actor)) == "reason-needed"
    assert round_previews.undo_release(made.pk, "Too early", actor) is not None
    assert refusal(lambda: round_previews.undo_release(made.pk, "Me too", actor)) == "round-is-paired"
    round_previews.release_round(made.pk, actor)
    stories.begin(stories.playable(made)[0])
    assert refusal(lambda: round_previews.undo_release(made.pk, "Too early", actor)) == "round-has-begun"


def test_swaps_are_refused_with_a_reason(actor, made):
    preview = round_previews.preview_next_round(made.pk, actor)
    (first, second), (third, _), *_ = round_previews.preview_seats(preview)

    def swap(left, right, reason="Shared car"):
        return refusal(lambda: round_previews.swap_players(made.pk, left, right, reason, actor))

    assert swap(first, second) == "already-opponents"
    assert swap(first, first) == "two-players-needed"
    assert swap(first, third, "  ") == "reason-needed"
    assert swap(first, made.pk) == "not-in-round"
    assert refusal(lambda: round_previews.undo_swap(made.pk, actor)) == "no-swap"
    round_previews.swap_players(made.pk, first, third, "Shared car", actor)
    round_previews.undo_swap(made.pk, actor)
    assert round_previews.preview_seats(preview)[0] == (first, second)


def test_the_database_refuses_what_the_work_never_writes(actor, made):
    preview = round_previews.preview_next_round(made.pk, actor)
    ana, bea = sorted(Entry.objects.filter(tournament=made).values_list("pk", flat=True))[:2]
    at = preview.made_at

    def violates(name, row):
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            row.save(force_insert=True)

    violates("two_players", PreviewSwap(preview=preview, first_id=ana, second_id=ana, reason="x", at=at))
    violates("preview_swap_has", PreviewSwap(preview=preview, first_id=ana, second_id=bea, reason="", at=at))
    rule = {"tournament": made, "number": 2, "at": at}
    violates("in_order_of_ids", PairRule(first_id=bea, second_id=ana, reason="x", **rule))
    violates("rule_has_a_reason", PairRule(first_id=ana, second_id=bea, reason="", **rule))
    preview.pk = None
    violates("tournament", preview)
