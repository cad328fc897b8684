"""Forecasts of the end of an event, and how often they are right."""

from dataclasses import replace
from random import Random
from statistics import mean, median

import pytest

from tests.bench.forecast.accuracy import EVENT, MATCHES, ROUND, compare_forecasts, varied_conditions
from tests.tournament.forecast.test_urgency import drawn, of_round, opened
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import LivesRules, Stop
from tournament.forecast.assumed_starts import assume_started
from tournament.forecast.forecast import FEWEST_TRIALS, Forecast, forecast
from tournament.forecast.future_rounds import with_future_rounds
from tournament.forecast.games import games_left, games_of_a_match, points_a_game
from tournament.forecast.moment import GrowingBracket, Moment, PlanChange, apply_change
from tournament.forecast.open_matches import AwaitedPlayer, MatchStatus, OpenMatch, Part, Stage
from tournament.forecast.pace import PaceSample, estimate_pace, minutes_a_game
from tournament.forecast.room_simulation import RoomSimulation
from tournament.forecast.slow_matches import find_slow_matches

LIVES = GrowingBracket("Open", "main", 0, (0,) * 16, (5,), lives=LivesRules(2))
SWISS = GrowingBracket("Open", "main", 0, (0,) * 16, (7,), rounds=5)

WIDEST = {
    EVENT: 180,
    ROUND: 150,
    MATCHES[Stage.PLAYING]: 80,
    MATCHES[Stage.READY]: 210,
    MATCHES[Stage.WAITING]: 170,
}
"""Minutes that an interval of this kind may take in the middle, so that it is of use."""


def moment(entries: int = 16, chosen: Format | None = None, **state) -> Moment:
    matches = opened(drawn(chosen or Format(), entries))
    return Moment(0.0, tuple(matches.values()), **state)


def forecast_of(of: Moment, trials: int = 500) -> Forecast:
    return forecast(of, Random("same"), trials)


def with_matches_begun(of: Moment, at: float, **score) -> Moment:
    """All ready matches have begun at this minute."""
    matches = tuple(
        match if match.after else replace(match, status=match.status._replace(ready=at, began=at, **score))
        for match in of.matches
    )
    return replace(of, matches=matches)


def test_forecast_intervals_contain_four_of_five_ends() -> None:
    """Events of many formats, sizes, lengths, paces and rooms, each forecast before it and at three moments in it.

    With the fewest trials that a director gets: more trials are more precise.
    """
    comparisons = list(compare_forecasts(varied_conditions(77, seed=5), seed=5, trials=FEWEST_TRIALS))
    assert {comparison.kind for comparison in comparisons} == {EVENT, ROUND, *MATCHES.values()}
    for kind in dict.fromkeys(comparison.kind for comparison in comparisons):
        of_kind = [comparison for comparison in comparisons if comparison.kind == kind]
        assert len(of_kind) >= 300
        assert 0.75 <= sum(comparison.came_true for comparison in of_kind) / len(of_kind) <= 0.85, kind
        assert (
            median(comparison.likely.late - comparison.likely.early for comparison in of_kind) < WIDEST[kind]
        ), kind
    late = [
        comparison for comparison in comparisons if comparison.kind == EVENT and comparison.progress > 0.5
    ]
    assert 0.7 <= sum(comparison.came_true for comparison in late) / len(late) <= 0.9
    assert all(
        comparison.likely.early <= comparison.likely.middle <= comparison.likely.late
        for comparison in comparisons
    )


def test_few_trials_forecast_a_large_event_like_many_trials() -> None:
    """Each round ends with its longest match, which few trials would rarely contain."""
    large = Moment(0.0, (), (replace(SWISS, losses=(0,) * 400),))
    few, more = (
        mean(forecast(large, Random(seed), trials).event.middle for seed in range(5))
        for trials in (FEWEST_TRIALS, 200)
    )
    assert few == pytest.approx(more, rel=0.1)


def test_simulating_a_waiting_round_costs_one_step_per_match() -> None:
    swiss = Moment(0.0, (), (replace(SWISS, losses=(0,) * 200),), tables=10)
    ahead = with_future_rounds(swiss, Random("same"))
    assert sum(len(match.after) for match in ahead) == 4 * 100 * 100
    room = RoomSimulation(swiss, ahead, ())
    assert sum(len(groups) for groups in room.groups_after) == 4 * 100


def test_forecasts_of_the_same_moment_are_equal() -> None:
    assert forecast_of(moment()) == forecast_of(moment())
    assert forecast_of(moment(tables=3)) == forecast_of(moment(tables=3))


def test_a_finished_event_has_no_forecast() -> None:
    assert forecast_of(Moment(0.0, ())).event is None


@pytest.mark.parametrize("tables", [None, 3])
def test_shorter_semifinals_end_the_event_earlier(tables: int | None) -> None:
    now = moment(tables=tables)
    shorter = apply_change(now, PlanChange({Part("Open", "main", 3): 3}, tables, now.pause))
    saved = forecast_of(now).event.middle - forecast_of(shorter).event.middle
    assert 30 < saved < 70


def test_a_match_under_way_keeps_its_length() -> None:
    now = with_matches_begun(moment(), 0.0)
    shorter = apply_change(now, PlanChange({Part("Open", "main", 1): 1}, None, now.pause))
    assert forecast_of(shorter) == forecast_of(now)


def test_fewer_tables_and_longer_pauses_take_longer() -> None:
    ends = [forecast_of(moment(tables=tables)).event.middle for tables in (None, 8, 4, 2, 1)]
    assert ends == sorted(ends)
    assert ends[0] == pytest.approx(ends[1], rel=0.02)
    assert ends[-1] > 15 * 60
    pauses = [forecast_of(moment(pause=pause)).event.middle for pause in (0.0, 15.0)]
    assert 40 < pauses[1] - pauses[0] < 50


def test_with_one_table_every_match_delays_the_end() -> None:
    held = forecast_of(moment(4, tables=1)).delaying
    assert [match.share for match in held] == [1.0] * 3


def side_event(entries: int, people: dict[int, str], **state) -> tuple[OpenMatch, ...]:
    """A separate knock-out in which these entries have names."""
    return tuple(
        replace(
            match,
            key=("Side", match.key),
            part=match.part._replace(tournament="Side"),
            after=tuple(("Side", key) for key in match.after),
            people=tuple(people.get(entry, ("Side", entry)) for entry in match.people),
            awaited=tuple(AwaitedPlayer(("Side", key), outcome) for key, outcome in match.awaited),
            **state,
        )
        for match in moment(entries).matches
    )


def test_a_player_in_two_tournaments_plays_one_match_after_the_other() -> None:
    main = moment(2)
    apart = forecast_of(replace(main, matches=(*main.matches, *side_event(2, {}))))
    both = forecast_of(replace(main, matches=(*main.matches, *side_event(2, {1: 1}))))
    assert both.event.middle > 1.6 * apart.event.middle
    assert [match.share for match in both.delaying] == [1.0, 1.0]


def test_a_winner_who_plays_elsewhere_delays_the_next_round() -> None:
    """The winner of the only known match is still open: the side event waits for one of two."""
    match, two = (moment(4, tables=None).matches for _ in range(2))
    final = match[-1].key
    with_one = forecast_of(replace(moment(4), matches=(*match, *side_event(4, {1: 1, 2: 2, 3: 3, 4: 4}))))
    without = forecast_of(replace(moment(4), matches=(*two, *side_event(4, {}))))
    assert with_one.matches[final].middle > without.matches[final].middle + 30
    assert with_one.event.late < 2.3 * without.event.late


def test_a_side_event_delays_the_swiss_rounds_of_its_players() -> None:
    swiss = replace(SWISS, people=tuple(range(1, 17)))
    ends = [
        forecast_of(Moment(0.0, side_event(2, people), (swiss,)), 200).event.middle
        for people in ({}, {1: 1, 2: 2})
    ]
    assert 20 < ends[1] - ends[0] < 120
    lives = replace(LIVES, people=tuple(range(1, 17)))
    assert forecast_of(Moment(0.0, side_event(2, {1: 1}), (lives,)), 200).event is not None


def test_the_slowest_match_delays_the_event() -> None:
    now = with_matches_begun(moment(8), -70.0, left=4, right=4)
    first, *others = of_round({match.key: match for match in now.matches}, "main", 1)
    behind = replace(first, status=first.status._replace(left=0, right=0, began=-10.0))
    stuck = replace(now, matches=tuple(behind if match.key == first.key else match for match in now.matches))
    shares = {match.key: match.share for match in forecast_of(stuck).delaying}
    assert shares[first.key] > 0.5
    assert all(shares.get(match.key, 0.0) < 0.2 for match in others)


def test_pace_samples_change_the_forecast() -> None:
    slow_so_far = tuple(PaceSample(7, 10, 110.0) for _ in range(12))
    slower = forecast_of(moment(pace_samples=slow_so_far))
    usual = forecast_of(moment())
    assert slower.pace.factor == pytest.approx(1.35, abs=0.1)
    assert slower.event.early > usual.event.middle
    assert slower.event.late - slower.event.middle < 1.3 * (usual.event.late - usual.event.middle)


def test_a_score_entered_later_is_not_a_pace_sample() -> None:
    assert estimate_pace(
        [PaceSample(7, 11, 0.5), PaceSample(7, 11, 2000.0), PaceSample(7, 0, 60.0)]
    ) == estimate_pace([])


def test_a_match_is_planned_with_eleven_minutes_for_each_point_of_its_length() -> None:
    for length in (1, 3, 7, 11, 25, 40):
        shares = games_left(length, length, is_crawford=length == 1)
        assert sum(shares) == pytest.approx(1.0)
        assert games_of_a_match(length) * minutes_a_game(length) == pytest.approx(11 * length)
        assert forecast_of(Moment(0.0, tuple(to_length(length)))).event.middle == pytest.approx(
            11 * length, rel=0.18
        )


def to_length(length: int):
    return [replace(match, status=MatchStatus(length)) for match in moment(2).matches]


def test_games_still_to_be_played_follow_from_the_score() -> None:
    assert games_left(0, 3) == (1.0,)
    assert games_left(1, 1) == (0.0, 1.0)
    assert games_left(3, 1, is_crawford=True) == (0.0, 0.5, 0.5)
    assert games_left(3, 1) == pytest.approx((0.0, 0.5 + 0.13, 0.37))
    assert games_left(3, 5) == games_left(5, 3)
    assert 1.4 < points_a_game(7) < points_a_game(11) < 1.81


def test_a_second_final_has_a_chance_below_one() -> None:
    double = moment(4, Format(kind=Kind.DOUBLE, reset=True))
    spread = forecast_of(double).event
    assert spread.late - spread.early > 80
    assert forecast_of(replace(double, tables=1)).event.late > spread.late


def test_swiss_rounds_not_paired_yet_count() -> None:
    five = forecast_of(Moment(0.0, (), (SWISS,)))
    assert [part.round for part in five.rounds] == [1, 2, 3, 4, 5]
    three = forecast_of(Moment(0.0, (), (replace(SWISS, rounds=3),)))
    assert 1.4 < five.event.middle / three.event.middle < 1.9
    assert five.matches == {}
    shorter = apply_change(Moment(0.0, (), (SWISS,)), PlanChange({SWISS.part(1): 5}))
    assert forecast_of(shorter).event.middle < 0.8 * five.event.middle


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [(LivesRules(1), {4}), (LivesRules(2, Stop.ROUNDS, 3), {3}), (LivesRules(2), {6, 7, 8, 9})],
)
def test_a_lives_event_continues_until_it_is_over(rules: LivesRules, rounds: set[int]) -> None:
    forecast = forecast_of(Moment(0.0, (), (replace(LIVES, lives=rules),)))
    assert max(part.round for part in forecast.rounds) in rounds


def test_fewer_lives_end_an_event_earlier() -> None:
    one_left = forecast_of(Moment(0.0, (), (LIVES,)))
    below = forecast_of(Moment(0.0, (), (replace(LIVES, lives=LivesRules(2, Stop.BELOW)),)))
    assert below.event.middle < one_left.event.middle


def test_no_match_starts_before_its_tournament() -> None:
    later = replace(moment(2), matches=tuple(replace(match, earliest=600.0) for match in moment(2).matches))
    assert forecast_of(later).event.early > 600


def test_a_finished_card_awaiting_confirmation_takes_no_more_time() -> None:
    over = with_matches_begun(moment(2), -60.0, left=7, right=3)
    assert forecast_of(over).event == (0.0, 0.0, 0.0)


def test_a_match_is_slow_after_five_minutes_a_point() -> None:
    ready = {match.key: match for match in moment(8).matches}
    at = [
        replace(match, status=MatchStatus(7, -90.0, began, points, 0))
        for match, (began, points) in zip(
            ready.values(), [(-30, 5), (-29.9, 5), (-20, 0), (-70, 3)], strict=False
        )
    ]
    slow = find_slow_matches(at, 0.0)
    assert [(match.minutes, match.points, match.behind) for match in slow] == [
        (70, 3, 55),
        (20, 0, 20),
        (30, 5, 5),
    ]


def test_without_calls_ready_matches_are_assumed_to_play_while_tables_last() -> None:
    now = replace(moment(8, tables=3), now=100.0)
    matches = tuple(
        match if match.after else replace(match, status=MatchStatus(7, ready=60.0)) for match in now.matches
    )
    waiting = replace(now, matches=matches)
    assert assume_started(waiting, {}) == waiting
    playing = [
        match for match in assume_started(waiting, {"Open": 90.0}).matches if match.stage == Stage.PLAYING
    ]
    assert [match.status.began for match in playing] == [90.0] * 3
    assert assume_started(waiting, {"Open": 120.0}) == waiting


def test_no_player_is_assumed_to_play_two_matches() -> None:
    group = moment(4, Format(kind=Kind.ROUND_ROBIN))
    matches = tuple(replace(match, status=MatchStatus(7, ready=0.0)) for match in group.matches)
    now = assume_started(
        Moment(60.0, (*matches, *side_event(2, {1: 1}, status=MatchStatus(7, ready=0.0)))), {"Open": 0.0}
    )
    playing = [match for match in now.matches if match.stage == Stage.PLAYING]
    assert sorted(person for match in playing for person in match.people) == [1, 2, 3, 4]
    both = assume_started(now, {"Side": 0.0})
    assert [match.stage for match in both.matches if match.part.tournament == "Side"] == [Stage.READY]


def test_more_open_matches_than_half_the_players_are_forecast() -> None:
    """A result of round 1 was undone after round 2 was paired: three open matches of four players."""
    status = MatchStatus(5, ready=0.0)
    matches = tuple(OpenMatch(("open", number), Part("Open", "main", 2), status) for number in range(3))
    forecast = forecast_of(Moment(0.0, matches, (replace(LIVES, last=2, losses=(0, 0, 1, 1)),)), 200)
    assert forecast.event is not None
