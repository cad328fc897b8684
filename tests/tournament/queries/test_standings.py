"""Places, records and points, compared with the results at every stage of an event."""

import contextlib
import random
from collections import Counter

import pytest

from tests.tournament import stories
from tests.tournament.queries.cards import meeting, seeded, wins
from tournament.brackets import advancing
from tournament.draw.formats import Format, Kind
from tournament.draw.standings import StandingRules, TieBreak
from tournament.drawing import draws
from tournament.entries import late_entry, registration
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Pairing, Result, Tournament
from tournament.queries.entries.path import find_entry, load_path
from tournament.queries.standings.standings import StandingLine, standing_lines, standings_of_path
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def by_seed(made: Tournament) -> dict[int, StandingLine]:
    return {line.seed: line for line in standing_lines(made)}


def spans(made: Tournament) -> dict[int, str]:
    return {seed: line.place_text for seed, line in by_seed(made).items()}


def lost_in(made: Tournament) -> dict:
    """The round in which each entry that is out lost."""
    met = stories.pairings(made).filter(left__isnull=False, right__isnull=False).exclude(settled="")
    return {(row.right_id if row.winner_id == row.left_id else row.left_id): row.round.number for row in met}


def assert_places_follow_from_the_rounds(made: Tournament) -> None:
    """Who loses in a round comes behind all whom it lets through and before all who lost earlier."""
    through = Counter(stories.pairings(made).values_list("round__number", flat=True))
    entered = made.entries.count()
    lines = {line.entry_id: line for line in standing_lines(made)}
    gone = lost_in(made)
    assert set(lines) == set(made.entries.values_list("pk", flat=True))
    for entry, line in lines.items():
        if entry in gone:
            number = gone[entry]
            assert (line.place_from, line.place_to) == (through[number] + 1, through.get(number - 1, entered))
            assert (line.is_in, line.out_in) == (False, number)
        else:
            assert line.place_from == 1
            assert line.out_in is None
    assert sum(line.is_in for line in lines.values()) in (0, len(lines) - len(gone))


def assert_records_follow_from_the_results(made: Tournament) -> None:
    lines = standing_lines(made)
    results = Result.objects.filter(superseded_by__isnull=True, advanced_at__isnull=False)
    counting = [result for result in results if result.kind != "retracted"]
    scored = sum((result.left_points or 0) + (result.right_points or 0) for result in counting)
    walked_over = Pairing.objects.filter(settled="walkover").count()
    assert sum(line.points_for for line in lines) == sum(line.points_against for line in lines) == scored
    assert sum(line.won for line in lines) == sum(line.lost for line in lines) == len(counting) + walked_over
    assert sum(line.walkovers for line in lines) == 2 * walked_over
    assert sum(line.played for line in lines) == 2 * len(counting)


def test_places_and_records_are_right_after_every_result(actor):
    made, chance = stories.released(actor, 5), random.Random(5)
    assert_places_follow_from_the_rounds(made)
    while waiting := stories.playable(made):
        stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))
        assert_places_follow_from_the_rounds(made)
        assert_records_follow_from_the_results(made)
    assert not any(line.is_in for line in standing_lines(made))


@pytest.mark.parametrize("seed", range(2))
def test_places_and_records_are_right_through_withdrawals_and_corrections(actor, seed):
    made, chance = stories.released(actor, 6), random.Random(seed)
    entries = list(made.entries.all())
    while waiting := stories.playable(made):
        with contextlib.suppress(Refused):
            action = chance.choice((registration.withdraw, registration.unwithdraw, None, None))
            if action is not None:
                action(chance.choice(entries), actor)
            elif chance.random() < 0.3 and (posted := Result.objects.filter(superseded_by__isnull=True)):
                desk.retract(chance.choice(list(posted)).pairing, "", actor)
            else:
                stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))
        assert_places_follow_from_the_rounds(made)
        assert_records_follow_from_the_results(made)


def test_before_the_draw_there_are_no_standings(actor):
    assert standing_lines(stories.entered(actor, 4)) == []


def test_an_event_from_the_first_match_to_the_last(actor, made):
    assert spans(made) == {1: "1–4", 2: "1–4", 3: "1–4", 4: "1–4"}
    wins(made, actor, 4, 1)
    assert spans(made) == {4: "1–2", 2: "1–4", 3: "1–4", 1: "3–4"}
    wins(made, actor, 2, 3)
    assert spans(made) == {2: "1–2", 4: "1–2", 1: "3–4", 3: "3–4"}
    wins(made, actor, 2, 4)
    assert spans(made) == {2: "1", 4: "2", 1: "3–4", 3: "3–4"}
    assert [by_seed(made)[seed].is_shared for seed in (2, 4, 1, 3)] == [False, False, True, True]


def test_a_result_counts_once_its_players_have_advanced(actor, made):
    stories.post(meeting(made, 1, 4), actor)
    assert {line.won for line in standing_lines(made)} == {0}
    advancing.advance_waiting()
    assert by_seed(made)[1].won == 1


def test_points_are_counted_for_and_against_on_either_side(actor):
    made = seeded(actor, 4, lengths=(5,))
    stories.play(meeting(made, 1, 4), actor, "left", (5, 2))
    stories.play(meeting(made, 2, 3), actor, "right", (5, 1))
    lines = by_seed(made)
    points = {
        seed: (line.points_for, line.points_against, line.points_difference) for seed, line in lines.items()
    }
    winners = [seed for seed, line in lines.items() if line.won]
    assert sorted(points.values()) == [(1, 5, -4), (2, 5, -3), (5, 1, 4), (5, 2, 3)]
    assert all(points[seed][2] > 0 for seed in winners)


def test_a_walkover_is_a_win_without_points(actor, made):
    row = meeting(made, 1, 4)
    desk.award(row, made.entries.get(seed=1).pk, "walkover", "", actor)
    advancing.advance_waiting()
    first, last = by_seed(made)[1], by_seed(made)[4]
    assert (first.won, first.walkovers, first.played, first.points_for) == (1, 1, 0, 0)
    assert (last.lost, last.walkovers, last.out_in, last.place_text) == (1, 1, 1, "3–4")


def test_two_absent_players_share_the_places_of_their_round(actor, made):
    desk.award(meeting(made, 1, 4), None, "double_no_show", "", actor)
    advancing.advance_waiting()
    assert (spans(made)[1], spans(made)[4]) == ("2–4", "2–4")
    assert {by_seed(made)[seed].lost for seed in (1, 4)} == {1}
    wins(made, actor, 3, 2)
    assert (spans(made)[3], by_seed(made)[3].is_in, spans(made)[2]) == ("1", False, "2–4")


def test_a_withdrawn_player_is_placed_like_a_loser_and_marked(actor, made):
    registration.withdraw(made.entries.get(seed=1), actor)
    line = by_seed(made)[1]
    assert (line.place_text, line.is_in, line.is_withdrawn, line.out_in) == ("3–4", False, True, 1)
    registration.unwithdraw(made.entries.get(seed=1), actor)
    assert (spans(made)[1], by_seed(made)[1].is_in, by_seed(made)[1].lost) == ("1–4", True, 0)


def test_equal_places_are_sorted_by_name_ignoring_case(actor):
    made = stories.tournament(actor)
    for name in ("bo", "Ana", "Cy", "Άννα"):
        registration.enter(made.pk, registration.EntryDetails(registration.PlayerDetails(name)), actor)
    stories.draws.make(made.pk, stories.draws.DrawPlan(), actor)
    assert [line.name for line in standing_lines(made)] == ["Ana", "bo", "Cy", "Άννα"]


def test_a_path_has_its_line_in_the_standings_once_the_draw_is_released(actor):
    made = stories.drawn(actor, 4, method="seeded")
    first = load_path(find_entry(made, made.entries.get(seed=1).pk))
    assert standings_of_path(first) == []
    draws.release(made.pk, actor)
    [(bracket, line)] = standings_of_path(load_path(first.entry))
    assert (bracket, line.entry_id, line.place_text) == ("main", first.entry.pk, "1–4")


def test_an_event_with_lives_is_not_over_while_a_late_entrant_waits_for_a_match():
    actor = stories.director()
    made = stories.released(actor, 2, format=Format(Kind.LIVES, lives=1))
    stories.play(stories.playable(made)[0], actor)
    assert not any(line.is_in for line in standing_lines(made))
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Late"))), actor)
    lines = standing_lines(made)
    assert [line.name for line in lines if line.is_in] == [lines[0].name, "Late"]
    assert [step.value for line in lines for step in line.explained if step.tie_break == "lives_left"] == [
        "1",
        "1",
        "0",
    ]


def test_before_the_first_result_all_share_the_places_of_their_table(actor):
    made = stories.released(
        actor, 5, format=Format(Kind.ROUND_ROBIN, standings=StandingRules((TieBreak.LOT,)))
    )
    assert {line.place_text for line in standing_lines(made)} == {"1–5"}
    assert {line.explained[0].value for line in standing_lines(made)} == {"0"}
    stories.play(stories.playable(made)[0], actor)
    lines = standing_lines(made)
    assert sorted(line.place_from for line in lines) == [1, 2, 3, 4, 5]
    assert sum(line.byes for line in lines) == 1


def test_while_a_group_is_played_fewer_losses_come_before_the_tie_breaks(actor):
    made = seeded(actor, 5, format=Format(Kind.ROUND_ROBIN, standings=StandingRules((TieBreak.BUCHHOLZ,))))
    for winner, loser in ((1, 2), (3, 2), (4, 3), (5, 3)):
        wins(made, actor, winner, loser)
    assert spans(made) == {4: "1–2", 5: "1–2", 1: "3", 3: "4", 2: "5"}
    stories.play_out(made, actor, random.Random(1))
    assert {step.tie_break for line in standing_lines(made) for step in line.explained} == {
        "score",
        "buchholz",
    }
