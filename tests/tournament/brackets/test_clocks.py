"""Length and clock of a round, in any bracket: copied by its matches, and fixed once one of them has begun."""

from dataclasses import replace

import pytest

from rules.clock import ClockSetting, clock_setting
from rules.ruleset import PRESETS, Clock, Ruleset
from tests.tournament import stories, two_brackets
from tournament.brackets.clocks import RoundClock
from tournament.drawing import rounds
from tournament.events import setup
from tournament.models import JournalLine, Round
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def setting(row) -> ClockSetting | None:
    row.match.refresh_from_db()
    return clock_setting(row.match.length, Ruleset.from_json(row.match.ruleset))


def round_of(made, bracket: str, number: int = 1) -> Round:
    return Round.objects.get(bracket__tournament=made, bracket__key=bracket, number=number)


def test_a_round_clock_changes_only_its_open_matches(actor):
    made = two_brackets.released(actor, 8)
    rounds.change_round_clock(round_of(made, "main").pk, made.pk, RoundClock(60, 8), actor)
    rows = stories.playable(made)
    assert {setting(row) for row in rows} == {ClockSetting(180, 8)}
    for row in rows[:2]:
        stories.play(row, actor)
    later = next(row for row in stories.playable(made) if row.round.number == 2)
    assert setting(later) == ClockSetting(360, 12)


def test_a_later_match_has_the_clock_and_length_of_its_bracket(actor):
    made = two_brackets.released(actor)
    lower = round_of(made, "consolation")
    rounds.change_round_clock(lower.pk, made.pk, RoundClock(30, 5), actor)
    rounds.change_round_length(lower.pk, made.pk, 1, actor)
    for row in stories.playable(made):
        stories.play(row, actor)
    row = next(row for row in stories.playable(made) if row.round_id == lower.pk)
    assert (row.match.length, setting(row)) == (1, ClockSetting(30, 5))


def test_a_round_can_drop_its_clocks_and_restore_the_default(actor):
    made = stories.released(actor, 4)
    first = round_of(made, "main")
    rounds.change_round_clock(first.pk, made.pk, RoundClock(0, 0), actor)
    assert setting(stories.playable(made)[0]) is None
    rounds.change_round_clock(first.pk, made.pk, None, actor)
    assert setting(stories.playable(made)[0]) == ClockSetting(360, 12)
    assert JournalLine.objects.filter(verb="change clock").count() == 2


def test_a_round_clock_is_fixed_once_a_match_has_begun(actor):
    made = stories.released(actor, 4)
    stories.post(stories.playable(made)[0], actor)
    with pytest.raises(Refused) as refused:
        rounds.change_round_clock(round_of(made, "main").pk, made.pk, RoundClock(60, 8), actor)
    assert refused.value.code == "round-has-begun"
    rounds.change_round_clock(round_of(made, "main", 2).pk, made.pk, RoundClock(60, 8), actor)


def test_an_impossible_clock_is_refused(actor):
    made = stories.released(actor, 4)
    for clock in (RoundClock(-1, 8), RoundClock(60, 121), RoundClock(1801, 8)):
        with pytest.raises(Refused) as refused:
            rounds.change_round_clock(round_of(made, "main").pk, made.pk, clock, actor)
        assert refused.value.code == "clock-out-of-range"


def test_doubles_use_their_clock_except_in_rounds_with_their_own(actor):
    slow = replace(PRESETS["tournament"], clock=Clock(doubles_point_seconds=200, doubles_move_seconds=20))
    for doubles, ruleset, expected in (
        (True, PRESETS["tournament"], ClockSetting(450, 18)),
        (True, slow, ClockSetting(600, 20)),
        (True, replace(slow, clock=None), None),
        (False, slow, ClockSetting(360, 12)),
    ):
        made = setup.create_tournament(
            stories.event(actor), setup.TournamentPlan("Pairs", ruleset, (3,), doubles=doubles), actor
        )
        stories.draw_and_release(made, actor, 2)
        assert setting(stories.playable(made)[0]) == expected
        rounds.change_round_clock(round_of(made, "main").pk, made.pk, RoundClock(60, 8), actor)
        assert setting(stories.playable(made)[0]) == ClockSetting(180, 8)
        rounds.change_round_clock(round_of(made, "main").pk, made.pk, None, actor)
        assert setting(stories.playable(made)[0]) == expected


def test_doubles_can_be_set_after_the_draw_and_begun_matches_keep_their_clock(actor):
    made = stories.released(actor, 8)
    begun, waiting, *_others = stories.playable(made)
    stories.begin(begun)
    rounds.change_round_clock(round_of(made, "main", 2).pk, made.pk, RoundClock(60, 8), actor)
    before = made.brackets.get().version
    pairs = setup.TournamentPlan(made.name, PRESETS["tournament"], tuple(made.lengths), doubles=True)
    setup.change_tournament(made.pk, pairs, actor)
    assert (setting(begun), setting(waiting)) == (ClockSetting(360, 12), ClockSetting(450, 18))
    assert made.brackets.get().version > before
    for row in stories.playable(made):
        stories.play(row, actor)
    assert {setting(row) for row in stories.playable(made)} == {ClockSetting(180, 8)}
    setup.change_tournament(made.pk, replace(pairs, doubles=False), actor)
    assert {setting(row) for row in stories.playable(made)} == {ClockSetting(180, 8)}
    for row in stories.playable(made):
        stories.play(row, actor)
    assert setting(stories.playable(made)[0]) == ClockSetting(360, 12)
