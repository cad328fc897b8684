"""Late entries and re-entries: free seats, reproducible lots and terms."""

from collections import Counter
from copy import deepcopy
from decimal import Decimal

import pytest
from django.db.models import Q

from tests.tournament import stories, two_brackets
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets.open_seats import entry_seats
from tournament.corrections import consistency
from tournament.draw import chance
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import FromBye, FromPairing, Graph, Outcome, Pairing
from tournament.draw.recipes import single_elimination
from tournament.draw.recipes.drops import PROGRESSIVE
from tournament.draw.recipes.round_robin import round_robin
from tournament.drawing import rounds
from tournament.entries import attendance, late_entry, reentry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import ReentryTerms
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, JournalLine, ResultKind, SeatChange, Tournament
from tournament.queries.draws.preview import draw_preview
from tournament.queries.standings.standings import standing_lines
from tournament.results import desk

pytestmark = pytest.mark.django_db

BUY_BACK = ReentryTerms(allowed=True, price=Decimal("30"))


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.released(actor_of_module, 5)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def enter_late(made: Tournament, actor, name: str = "Late Comer", **more) -> Entry:
    return late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails(name)), **more), actor)


def seated(made: Tournament, number: int) -> set:
    rows = stories.pairings(made).filter(round__number=number)
    return {pk for pair in rows.values_list("left_id", "right_id") for pk in pair}


def winner_of_all(made: Tournament) -> Entry:
    """Returns an entry without a loss."""
    lost = {loser_of(row).pk for row in stories.pairings(made).exclude(winner=None).exclude(settled="bye")}
    return made.entries.exclude(pk__in=lost).first()


def as_derived(made: Tournament) -> bool:
    return consistency.differences(made.event) == []


def offers(made: Tournament, actor, terms: ReentryTerms = BUY_BACK) -> None:
    reentry.set_terms(made.pk, terms, actor)


def loser_of(row) -> Entry:
    row.refresh_from_db()
    return row.right if row.winner_id == row.left_id else row.left


def test_a_late_entry_takes_a_bye_and_its_opponent_has_a_match(actor):
    made = stories.released(actor, 7)
    entry = enter_late(made, actor)
    pairing = next(row for row in stories.playable(made) if entry.pk in (row.left_id, row.right_id))
    assert pairing.round.number == 1
    assert len(stories.playable(made)) == 4
    assert list(SeatChange.objects.values_list("kind", "before", "after")) == [("late_entry", None, entry.pk)]
    assert as_derived(made)


def test_the_seat_is_drawn_from_a_stored_seed_text(actor, made):
    free = late_entry.available_places(made)
    entry = enter_late(made, actor, seed_text="dice of Friday")
    expected = chance.shuffle(free, "dice of Friday")[0][0]
    assert SeatChange.objects.get().feed_id == expected.feed
    detail = JournalLine.objects.get(verb="give seat", subject_id=str(entry.pk)).after
    assert (detail["seed"], detail["free_seats"], detail["line"]) == ("dice of Friday", 3, expected.line)


def test_a_missing_seed_text_is_generated_randomly(actor, made):
    enter_late(made, actor)
    assert len(JournalLine.objects.get(verb="give seat").after["seed"]) == 32


def test_a_late_entry_can_choose_its_seat(actor, made):
    seat = late_entry.available_places(made)[1][0]
    entry = enter_late(made, actor, feed=seat.feed)
    assert entry.pk in {row.left_id for row in stories.pairings(made)} | {
        row.right_id for row in stories.pairings(made)
    }
    assert refusal(enter_late, made, actor, "Another", feed=seat.feed) == "seat-not-free"
    assert not Entry.objects.filter(player__name="Another").exists()


def test_a_seat_is_free_until_the_next_match_of_its_opponent_has_begun(actor):
    made = stories.released(actor, 3)
    stories.play(stories.playable(made)[0], actor)
    assert len(late_entry.available_places(made)) == 1
    stories.post(stories.playable(made)[0], actor)
    assert late_entry.available_places(made) == []
    assert refusal(enter_late, made, actor) == "no-free-seat"
    assert not Entry.objects.filter(player__name="Late Comer").exists()


def test_a_full_draw_has_no_seat_and_a_list_not_drawn_has_no_late_entry(actor):
    assert refusal(enter_late, stories.released(actor, 4), actor) == "no-free-seat"
    assert refusal(enter_late, stories.entered(actor, 3), actor) == "no-draw"


def test_a_player_cannot_be_entered_twice(actor, made):
    enter_late(made, actor)
    assert refusal(enter_late, made, actor) == "entered-already"


def test_a_late_entry_to_a_round_robin_is_seated_in_every_round(actor):
    made = stories.entered(actor, 5)
    two_brackets.write(made, round_robin(5), actor, tables=("main",))
    entry = enter_late(made, actor)
    rows = [row for row in stories.pairings(made) if entry.pk in (row.left_id, row.right_id)]
    assert sorted(row.round.number for row in rows) == [1, 2, 3, 4, 5]
    assert len({row.left_id for row in rows} | {row.right_id for row in rows}) == 6
    assert as_derived(made)


def test_a_late_entry_to_a_swiss_joins_the_next_round(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    entry = enter_late(made, actor)
    assert entry.pk not in seated(made, 1)
    for row in stories.playable(made):
        stories.play(row, actor)
    rounds.pair_next_round(made.pk, actor)
    assert entry.pk in seated(made, 2)
    assert as_derived(made)


def test_after_the_last_pairing_a_late_entry_can_only_take_a_bye(actor):
    made = stories.released(actor, 5, format=Format(Kind.SWISS, rounds=1))
    assert refusal(enter_late, made, actor) == "no-round-left"
    ((free,),) = late_entry.available_places(made)
    entry = enter_late(made, actor, feed=free.feed)
    assert entry.pk in seated(made, 1)


def test_a_late_entry_can_take_the_bye_of_the_current_round(actor):
    made = stories.released(actor, 5, format=Format(Kind.SWISS, rounds=3))
    ((free,),) = late_entry.available_places(made)
    entry = enter_late(made, actor, feed=free.feed)
    row = next(row for row in stories.playable(made) if entry.pk in (row.left_id, row.right_id))
    assert free.opponent in (row.left_id, row.right_id)
    assert as_derived(made)
    for row in stories.playable(made):
        stories.play(row, actor)
    rounds.pair_next_round(made.pk, actor)
    assert late_entry.available_places(made) == []


def test_a_late_entry_with_lives_can_start_with_losses(actor):
    made = stories.released(actor, 4, format=Format(Kind.LIVES, lives=2))
    for losses, code in ((2, "losses-out-of-range"), (-1, "losses-out-of-range")):
        assert refusal(enter_late, made, actor, starting_losses=losses) == code
    entry = enter_late(made, actor, starting_losses=1)
    assert JournalLine.objects.get(verb="give losses").after == {"given_losses": 1}
    for row in stories.playable(made):
        stories.play(row, actor)
    row = rounds.pair_next_round(made.pk, actor)
    losses = {contender["entry"]: contender["losses"] for contender in row.basis.document["contenders"]}
    assert losses[str(entry.pk)] == 1
    while entry.pk not in {entry_out.pk for entry_out in out_of(made)}:
        for row in stories.playable(made):
            stories.play(row, actor, "right" if row.left_id == entry.pk else "left")
        if entry.pk not in {entry_out.pk for entry_out in out_of(made)}:
            rounds.pair_next_round(made.pk, actor)
    line = next(row for row in standing_lines(made) if row.entry_id == entry.pk)
    assert (line.lost, line.given_losses, line.is_in) == (1, 1, False)
    assert as_derived(made)
    assert refusal(enter_late, stories.released(actor, 5), actor, starting_losses=1) == "no-lives"


def out_of(made: Tournament) -> list[Entry]:
    """The eliminated entries of an event with lives, by its standings."""
    still_in = {line.entry_id for line in standing_lines(made) if line.is_in}
    return [entry for entry in made.entries.all() if entry.pk not in still_in]


def test_an_eliminated_player_re_enters_on_a_free_seat(actor):
    made = stories.released(actor, 7)
    offers(made, actor)
    row = stories.playable(made)[0]
    stories.play(row, actor)
    first = loser_of(row)
    again = reentry.re_enter(first, actor)
    assert (again.player_id, again.number, again.is_paid) == (first.player_id, 2, False)
    assert SeatChange.objects.get().kind == "re_entry"
    assert JournalLine.objects.get(verb="re-enter").after["price"] == "30"
    assert any(again.pk in (row.left_id, row.right_id) for row in stories.playable(made))
    assert as_derived(made)
    attendance.mark_paid(again, actor, paid=True)
    assert Entry.objects.get(pk=again.pk).is_paid


def test_terms_limit_who_re_enters_and_how_often(actor, made):
    row = stories.playable(made)[0]
    stories.play(row, actor)
    out, winner = loser_of(row), row.winner
    assert refusal(reentry.re_enter, out, actor) == "no-re-entry"
    offers(made, actor)
    assert refusal(reentry.re_enter, winner, actor) == "not-out"
    again = reentry.re_enter(out, actor)
    assert refusal(reentry.re_enter, out, actor) == "entered-again"
    assert refusal(reentry.re_enter, again, actor) == "entered-often-enough"
    assert made.entries.count() == 6


def test_re_entry_is_refused_after_the_cut_off(actor, made):
    offers(made, actor, ReentryTerms(allowed=True, until_round=2))
    row = stories.playable(made)[0]
    stories.play(row, actor)
    assert reentry.find_refusal(loser_of(row)) is None
    second = next(pairing for pairing in stories.playable(made) if pairing.round.number == 2)
    stories.play(second, actor)
    assert refusal(reentry.re_enter, loser_of(row), actor) == "re-entry-closed"


def test_a_re_entry_is_not_seated_against_the_first_entry(actor):
    made = stories.released(actor, 3)
    offers(made, actor)
    resting = next(seat for seat in entry_seats(made) if seat.opposite_is_bye).entry
    registration.withdraw(made.entries.get(pk=resting), actor)
    assert refusal(reentry.re_enter, made.entries.get(pk=resting), actor) == "not-out"
    stories.play(stories.playable(made)[0], actor)
    assert len(late_entry.available_places(made)) == 1
    assert refusal(reentry.re_enter, made.entries.get(pk=resting), actor) == "no-free-seat"


def test_a_player_with_a_match_in_another_bracket_is_not_out(actor):
    made = two_brackets.released(actor)
    offers(made, actor)
    row = stories.playable(made)[0]
    stories.play(row, actor)
    assert refusal(reentry.re_enter, loser_of(row), actor) == "not-out"


def test_a_re_entry_is_seated_in_the_bracket_of_the_terms(actor):
    made = stories.entered(actor, 4)
    main = single_elimination(4)
    loser = FromPairing(("main", 2, 1), Outcome.LOSER)
    lower = Pairing(("last chance", 1, 1), "last chance", 1, 1, loser, FromBye())
    two_brackets.write(made, Graph([*main, lower]), actor)
    offers(made, actor, ReentryTerms(allowed=True, into="last chance"))
    row = stories.playable(made)[0]
    stories.play(row, actor)
    again = reentry.re_enter(loser_of(row), actor)
    back = stories.pairings(made).get(round__bracket__key="last chance")
    assert (back.left_id, back.right_id, back.settled) == (None, again.pk, "")
    assert as_derived(made)


def test_terms_for_the_consolation_keep_free_seats_there(actor):
    made = stories.entered(actor, 13, format=Format(consolation=PROGRESSIVE))
    offers(made, actor, ReentryTerms(allowed=True, into="consolation"))
    made.refresh_from_db()
    planned = {(row.bracket, row.number): row.pairings for row in draw_preview(made).estimate.rounds}
    stories.draw_and_release(made, actor, 0)
    drawn = stories.pairings(made).values_list("round__bracket__key", "round__number")
    assert planned == Counter(drawn)
    assert reentry.count_free_seats(made) == 3
    while not (beaten := stories.pairings(made).filter(round__bracket__key="consolation", settled="played")):
        stories.play(stories.playable(made)[0], actor)
    again = reentry.re_enter(loser_of(beaten[0]), actor)
    taken = stories.pairings(made).filter(Q(left=again) | Q(right=again))
    assert {row.round.bracket.key for row in taken} == {"consolation"}
    assert as_derived(made)


def test_with_lives_re_entry_is_possible_after_the_last_life(actor):
    made = stories.released(actor, 4, format=Format(Kind.LIVES, lives=2))
    offers(made, actor)
    for _ in range(2):
        for row in stories.playable(made):
            stories.play(row, actor)
        assert refusal(reentry.re_enter, winner_of_all(made), actor) == "not-out"
        rounds.pair_next_round(made.pk, actor)
    out = next(entry for entry in made.entries.all() if entry.pk not in seated(made, 3))
    again = reentry.re_enter(out, actor)
    for row in stories.playable(made):
        stories.play(row, actor)
    rounds.pair_next_round(made.pk, actor)
    assert again.pk in seated(made, 4)
    assert out.pk not in seated(made, 4)
    assert as_derived(made)


def test_impossible_re_entry_terms_are_refused(actor):
    made = stories.tournament(actor)
    for terms, code in (
        (ReentryTerms(times=10), "times-out-of-range"),
        (ReentryTerms(until_round=21), "round-out-of-range"),
        (ReentryTerms(price=Decimal(-1)), "price-out-of-range"),
    ):
        assert refusal(offers, made, actor, terms) == code
    offers(made, actor)
    offers(made, actor)
    assert reentry.terms_of(Tournament.objects.get(pk=made.pk)) == BUY_BACK
    assert JournalLine.objects.filter(verb="set re-entry").count() == 1


def entered_again(made, actor):
    """An entry that lost its first match, that match, and the player's second entry."""
    offers(made, actor)
    row = stories.playable(made)[0]
    stories.play(row, actor)
    return loser_of(row), row, reentry.re_enter(loser_of(row), actor)


def test_a_withdrawal_can_be_undone_only_without_a_second_entry(actor):
    made = stories.released(actor, 7)
    offers(made, actor)
    row = stories.playable(made)[0]
    first = row.left
    registration.withdraw(first, actor)
    again = reentry.re_enter(first, actor)
    assert refusal(registration.unwithdraw, first, actor) == "in-twice"
    assert made.entries.get(pk=first.pk).is_withdrawn
    registration.withdraw(again, actor)
    registration.unwithdraw(first, actor)


@pytest.mark.parametrize("chosen", [Format(), Format(Kind.LIVES, lives=1)], ids=lambda plan: plan.kind)
def test_a_result_can_be_corrected_only_before_the_loser_re_enters(actor, chosen):
    made = stories.released(actor, 7, format=chosen)
    first, row, again = entered_again(made, actor)
    other_way = (1, 3) if row.left_id == row.winner_id else (3, 1)
    change = corrections.Change(ResultKind.PLAYED, first.pk, *other_way)
    preview = corrections.preview(row.pk, change)
    assert [entry.pk for entry in preview.double_entries] == [again.pk]
    assert refusal(corrections.correct, preview, preview.digest, "Wrong side", actor) == "in-twice"
    assert refusal(desk.retract, row, "Not played", actor) == "in-twice"
    assert refusal(desk.award, row, first.pk, ResultKind.WALKOVER, "", actor) == "in-twice"
    registration.withdraw(again, actor)
    preview = corrections.preview(row.pk, change)
    assert not preview.double_entries
    corrections.correct(preview, preview.digest, "Wrong side", actor)
    assert as_derived(made)
