"""Seats swapped by hand: while nothing has begun, with a reason once released, and back again."""

from copy import deepcopy

import pytest

from tests.tournament import stories, two_brackets
from tests.tournament.refusals import refusal
from tournament.brackets.history import draw_as_of
from tournament.brackets.open_seats import EntrySeat, entry_seats
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.drawing import rounds, swaps
from tournament.drawing.swaps import SeatIndex, Swap
from tournament.entries import registration
from tournament.models import JournalLine, SeatChange, Tournament
from tournament.results import desk

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.released(actor_of_module, 4)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def seats(made: Tournament, round_number: int = 1) -> list[EntrySeat]:
    return [seat for seat in entry_seats(made) if seat.round == round_number]


def swapped(made: Tournament, seat: EntrySeat, second: EntrySeat, actor, reason: str = "Two of one family"):
    swaps.swap(made.pk, Swap(seat.feed, second.feed, (seat.entry, second.entry)), actor, reason)


def first_round(made: Tournament) -> list[tuple]:
    return list(stories.pairings(made).filter(round__number=1).values_list("left_id", "right_id"))


def as_derived(made: Tournament) -> bool:
    return consistency.differences(made.event) == []


def test_swapping_two_players_reopens_their_matches(actor, made):
    (a, b), (c, d) = first_round(made)
    before = [pairing.match_id for pairing in stories.playable(made)]
    at = seats(made)
    swapped(made, at[1], at[2], actor)
    assert first_round(made) == [(a, c), (b, d)]
    now = stories.playable(made)
    assert [{row.match.left, row.match.right} for row in now] == [{a, c}, {b, d}]
    assert not {row.match_id for row in now} & set(before)
    assert as_derived(made)


def test_a_repeated_swap_undoes_the_first_and_both_are_recorded(actor, made):
    before = first_round(made)
    at = seats(made)
    swapped(made, at[1], at[2], actor)
    again = seats(made)
    swapped(made, again[1], again[2], actor, "Not family after all")
    assert first_round(made) == before
    assert SeatChange.objects.count() == 4
    reasons = JournalLine.objects.filter(verb="swap seats").values_list("reason", flat=True)
    assert sorted(reasons) == ["Not family after all", "Two of one family"]
    assert as_derived(made)


def test_history_shows_the_draw_before_a_swap(actor, made):
    before = first_round(made)
    moment = made.draws.get().made_at
    at = seats(made)
    swapped(made, at[0], at[3], actor)
    made.brackets.get().rounds.update(drawn_at=moment)
    then = draw_as_of(made, moment)
    assert [(state.left, state.right) for state in list(then.seating.states.values())[:2]] == before


def test_a_resubmitted_form_does_not_swap_back(actor, made):
    at = seats(made)
    swapped(made, at[1], at[2], actor)
    after = first_round(made)
    assert refusal(swapped, made, at[1], at[2], actor) == "seats-changed"
    assert first_round(made) == after


def test_a_swap_before_the_release_needs_no_reason_and_opens_no_match(actor):
    made = stories.drawn(actor, 4)
    at = seats(made)
    swapped(made, at[0], at[2], actor, "")
    assert stories.playable(made) == []
    assert as_derived(made)


def test_a_swap_after_the_release_needs_a_reason(actor, made):
    at = seats(made)
    before = first_round(made)
    assert refusal(swapped, made, at[1], at[2], actor, "  ") == "reason-needed"
    assert first_round(made) == before
    assert not SeatChange.objects.exists()


def test_a_player_swapped_into_a_bye_is_seated_in_the_next_round(actor):
    made = stories.released(actor, 3, method="seeded")
    bye = next(seat for seat in seats(made) if seat.opposite_is_bye)
    taken = next(seat for seat in seats(made) if seat.entry and seat.opponent)
    swapped(made, bye, taken, actor)
    final = stories.pairings(made).last()
    assert taken.entry in (final.left_id, final.right_id)
    assert bye.entry not in (final.left_id, final.right_id)
    assert as_derived(made)


def test_a_seat_is_fixed_once_its_match_has_begun(actor, made):
    stories.post(stories.playable(made)[0], actor)
    at = seats(made)
    assert (
        refusal(swapped, made, at[0], at[2], actor)
        == refusal(swapped, made, at[3], at[1], actor)
        == "seat-is-played"
    )


def test_a_bye_is_fixed_once_the_next_match_of_its_player_has_begun(actor):
    made = stories.released(actor, 6, method="seeded")
    bye = next(seat for seat in seats(made) if seat.opposite_is_bye)
    stories.play(next(row for row in stories.playable(made) if row.round.number == 1), actor)
    second = stories.playable(made)
    stories.post(next(row for row in second if bye.entry in (row.left_id, row.right_id)), actor)
    free = next(seat for seat in seats(made) if not seat.is_fixed and not seat.opposite_is_bye)
    assert refusal(swapped, made, bye, free, actor) == "seat-is-played"


def test_a_walkover_or_an_undone_result_leaves_the_seat_free(actor, made):
    pairing = stories.playable(made)[0]
    desk.award(pairing, pairing.left_id, "walkover", "", actor)
    assert refusal(swapped, made, *[seats(made)[index] for index in (0, 2)], actor) == "seat-is-played"
    desk.retract(pairing, "", actor)
    swapped(made, *[seats(made)[index] for index in (0, 2)], actor)
    assert as_derived(made)


def test_a_withdrawn_player_is_swapped_with_the_walkover(actor, made):
    at = seats(made)
    registration.withdraw(made.entries.get(pk=at[0].entry), actor)
    swapped(made, at[0], at[2], actor)
    assert as_derived(made)
    moved = stories.pairings(made).get(pk=at[2].pairing)
    assert (moved.settled, moved.winner_id) == ("walkover", at[3].entry)


def test_invalid_seats_are_refused(actor):
    made = stories.released(actor, 5, method="seeded")
    at = seats(made)
    byes = [seat for seat in at if seat.entry is None]
    assert refusal(swapped, made, byes[0], byes[1], actor) == "same-on-both"
    paired = next(seat for seat in at if seat.entry and seat.opponent)
    opposite = next(seat for seat in at if seat.entry == paired.opponent)
    assert refusal(swapped, made, paired, opposite, actor) == "same-match"
    beside = next(seat for seat in at if seat.opposite_is_bye)
    another_bye = next(seat for seat in byes if seat.pairing != beside.pairing)
    assert refusal(swapped, made, beside, another_bye, actor) == "two-byes"
    second_tournament = stories.released(actor, 4)
    assert refusal(swapped, made, at[0], seats(second_tournament)[0], actor) == "no-such-seat"


def test_a_swap_in_a_swiss_round_avoids_double_seats_and_rematches(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    for row in stories.playable(made):
        stories.play(row, actor)
    rounds.pair_next_round(made.pk, actor)
    first, second = seats(made), seats(made, 2)
    assert refusal(swapped, made, first[0], second[2], actor) == "seat-is-played"
    codes = {
        refusal(swapped, made, second[0], second[index], actor)
        for index in (2, 3)
        if _meets(first, second, index)
    }
    assert codes == {"meet-twice"}


def _meets(first: list[EntrySeat], second: list[EntrySeat], index: int) -> bool:
    """True if this swap would repeat a match of the first round."""
    met = {frozenset((seat.entry, seat.opponent)) for seat in first}
    return frozenset((second[index].entry, second[0].opponent)) in met


def test_the_bye_of_a_swiss_round_can_be_swapped(actor):
    made = stories.released(actor, 5, format=Format(Kind.SWISS, rounds=3))
    at = seats(made)
    resting = next(seat for seat in at if seat.opposite_is_bye)
    paired = next(seat for seat in at if seat.opponent)
    swapped(made, resting, paired, actor)
    assert {paired.entry, None} in [set(pair) for pair in first_round(made)]
    assert as_derived(made)


def test_a_swap_of_groups_applies_to_all_rounds(actor):
    made = stories.released(actor, 8, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    before = groups(made)
    first, second = (next(seat for seat in seats(made) if seat.bracket == key) for key in before)
    swapped(made, first, second, actor)
    after = groups(made)
    assert after["group 1"] == before["group 1"] - {first.entry} | {second.entry}
    assert after["group 2"] == before["group 2"] - {second.entry} | {first.entry}
    every = SeatIndex(entry_seats(made))
    assert {len(every.group(seat)) for seat in every.seats if seat.is_scheduled} == {3}
    assert as_derived(made)
    now = SeatIndex(entry_seats(made)).by_feed
    swapped(made, now[first.feed], now[second.feed], actor, "back")
    assert groups(made) == before


def test_a_player_can_move_to_a_group_with_a_free_seat(actor):
    made = stories.released(actor, 7, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    sizes = {key: len(members) for key, members in groups(made).items()}
    small, large = sorted(sizes, key=sizes.__getitem__)
    bye = next(seat for seat in seats(made) if seat.bracket == small and seat.entry is None)
    mover = next(seat for seat in seats(made) if seat.bracket == large)
    swapped(made, mover, bye, actor)
    assert {key: len(members) for key, members in groups(made).items()} == {small: 4, large: 3}
    assert as_derived(made)
    again = next(seat for seat in seats(made) if seat.bracket == large and seat.entry)
    inside = next(seat for seat in seats(made) if seat.bracket == large and seat.entry is None)
    assert refusal(swapped, made, again, inside, actor) == "two-byes"


def test_a_player_who_has_begun_cannot_change_groups(actor):
    made = stories.released(actor, 8, format=Format(Kind.GROUPS, groups=2, qualifiers=1))
    row = stories.playable(made)[0]
    stories.post(row, actor)
    later = next(seat for seat in seats(made, 2) if seat.entry == row.left_id)
    elsewhere = next(seat for seat in seats(made, 2) if seat.bracket != later.bracket)
    assert refusal(swapped, made, later, elsewhere, actor) == "seat-is-played"


def groups(made: Tournament) -> dict[str, set]:
    members: dict[str, set] = {}
    for seat in entry_seats(made):
        members.setdefault(seat.bracket, set()).add(seat.entry)
    return {key: inside - {None} for key, inside in members.items()}


def test_a_seat_of_another_bracket_is_refused(actor):
    made = two_brackets.released(actor)
    assert {seat.bracket for seat in entry_seats(made)} == {"main"}
    at = seats(made)
    swapped(made, at[0], at[2], actor)
    stories.play(stories.playable(made)[0], actor)
    assert as_derived(made)
