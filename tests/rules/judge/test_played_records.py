"""Matches played by the rules have no problems under their own rules; an edit is found or harmless."""

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.moves import Move
from rules.judge import judge, turns
from rules.record.model import CubeAction, CubeStep, Roll
from rules.ruleset import PRESETS, Ruleset
from tests.rules.cards import has_errors
from tests.rules.games import MatchPlayer

LIVELY = Ruleset(beavers=3, automatic_doubles=None, jacoby=True)
RULESETS = [*PRESETS.values(), LIVELY, Ruleset(cube=False), Ruleset(cube_limit=4, automatic_doubles=1)]
SEEDS = st.integers(0, 2**32)


def played(ruleset, seed, length=3, most_games=3):
    return MatchPlayer(ruleset, random.Random(seed)).match(length, most_games)


@given(SEEDS, st.sampled_from(RULESETS), st.sampled_from([1, 3, 5, None]))
@settings(max_examples=40)
def test_a_match_played_by_the_rules_is_clean(seed, ruleset, length):
    record = played(ruleset, seed, length)
    verdict = judge(record, ruleset)
    assert [problem.sentence for problem in verdict.problems if problem.severity != "remark"] == []
    assert verdict.is_finished
    assert not verdict.is_cut
    for game, judged in zip(record.games, verdict.games, strict=True):
        assert game.score == (judged.before.left, judged.before.right)
        assert judged.entry.winner is game.claim.winner
        assert judged.scored.raw == game.claim.points
        assert judged.is_crawford == game.is_crawford
        assert judged.automatic_doubles == game.automatic_doubles


@given(SEEDS, st.sampled_from(RULESETS))
@settings(max_examples=15)
def test_the_columns_can_be_exchanged(seed, ruleset):
    """Mirror symmetry: left and right are names only."""
    record = played(ruleset, seed)
    plain, mirrored = judge(record, ruleset), judge(mirror(record), ruleset)
    assert (mirrored.score.right, mirrored.score.left) == (plain.score.left, plain.score.right)
    assert [problem.code for problem in mirrored.problems] == [problem.code for problem in plain.problems]


def mirror(record):
    return replace(record, entries=tuple(_mirrored(game) for game in record.games))


def _mirrored(game):
    return replace(
        game,
        score=game.score[::-1],
        actions=tuple(action._replace(side=action.side.other) for action in game.actions),
        claim=game.claim._replace(winner=game.claim.winner.other),
    )


@given(SEEDS, st.data())
@settings(max_examples=50)
def test_one_random_change_is_found_or_harmless(seed, data):
    """An edit that goes unseen must leave every position and the score as they were, or be a legal other play."""
    ruleset = data.draw(st.sampled_from(RULESETS))
    record = played(ruleset, seed)
    number = data.draw(st.integers(0, len(record.games) - 1))
    place = data.draw(st.integers(0, len(record.games[number].actions) - 1))
    changed = _changed(record, number, place, data)
    if changed is None:
        return
    verdict = judge(changed, ruleset)
    if has_errors(verdict):
        return
    before = turns(record, ruleset, number + 1)
    after = turns(changed, ruleset, number + 1)
    assert len(after) == len(before)
    for old, new in zip(before[: place + 1], after, strict=False):
        assert old.position == new.position
    assert _is_harmless(before[place], after[place])


def _changed(record, number, place, data):
    game = record.games[number]
    action = game.actions[place]
    if isinstance(action, Roll) and action.play:
        index = data.draw(st.integers(0, len(action.play) - 1))
        start, end = data.draw(st.tuples(st.integers(1, 25), st.integers(0, 24)))
        play = (*action.play[:index], Move(start, end), *action.play[index + 1 :])
        edited = action._replace(play=play)
    elif isinstance(action, CubeAction) and action.step is CubeStep.DOUBLE:
        edited = action._replace(value=data.draw(st.integers(1, 64)))
    else:
        return None
    games = list(record.games)
    games[number] = replace(game, actions=(*game.actions[:place], edited, *game.actions[place + 1 :]))
    return replace(record, entries=tuple(games))


def _is_harmless(before, after):
    """The edited turn is legal as it now stands: the same steps, or another legal play of the same roll."""
    return not any(problem.is_error for problem in after.problems) and before.dice == after.dice


def test_leaving_out_any_roll_before_the_last_is_found():
    ruleset = PRESETS["tournament"]
    record = played(ruleset, 5, length=1)
    game = record.games[0]
    rolls = [place for place, action in enumerate(game.actions) if isinstance(action, Roll)]
    for place in rolls[:-1]:
        shorter = replace(game, actions=(*game.actions[:place], *game.actions[place + 1 :]))
        assert has_errors(judge(replace(record, entries=(shorter,)), ruleset)), place


def test_a_roll_in_the_wrong_column_is_out_of_turn():
    ruleset = PRESETS["tournament"]
    record = played(ruleset, 8, length=1)
    game = record.games[0]
    wrong = game.actions[4]._replace(side=game.actions[4].side.other)
    moved = replace(game, actions=(*game.actions[:4], wrong, *game.actions[5:]))
    problem = judge(replace(record, entries=(moved,)), ruleset).problems[0]
    assert (problem.code, problem.rule, problem.game) == ("out_of_turn", "MOVE-1", 1)
