"""What holds for every card under every ruleset: Hypothesis looks for one where it does not."""

import json
from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules.card import choices, inspect
from rules.ruleset import (
    BearOff,
    Clock,
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    DiceObligation,
    FirstDouble,
    LateLadder,
    Opening,
    Ruleset,
    RulesetError,
    UncubedSingle,
)
from rules.score import (
    Ending,
    Entry,
    Game,
    Penalty,
    RuleBroken,
    Score,
    Side,
    Win,
    errors,
    nearest_legal,
    play,
)
from tests.rules.cards import TOURNAMENT, has_errors

few_or_any = st.none() | st.integers(0, 3)
rulesets = st.builds(
    Ruleset,
    name=st.sampled_from(["own", "tournament", "boxed-set"]),
    title=st.sampled_from(["Ours", "Bizim kurallar"]),
    opening=st.sampled_from(Opening),
    automatic_doubles=few_or_any,
    dice_obligation=st.sampled_from(DiceObligation),
    bear_off=st.sampled_from(BearOff),
    hit_checker_first=st.booleans(),
    cube=st.sampled_from([True, True, False]),
    cube_timing=st.sampled_from(CubeTiming),
    first_double=st.sampled_from(FirstDouble),
    cube_limit=st.sampled_from([None, 2, 4, 64]),
    beavers=few_or_any,
    crawford=st.sampled_from(CrawfordForm),
    crawford_after_penalty=st.booleans(),
    uncubed_single=st.sampled_from(UncubedSingle),
    backgammon_counts_bar=st.booleans(),
    jacoby=st.booleans(),
    suggested_lengths=st.lists(st.integers(1, 99), max_size=4).map(tuple),
    late_ladder=st.none() | st.builds(LateLadder, first_minutes=st.integers(1, 60)),
    clock=st.none() | st.builds(Clock, point_seconds=st.integers(0, 600)),
    clock_expiry=st.sampled_from(ClockExpiry),
)
lengths = st.none() | st.integers(1, 25)
sides = st.sampled_from(Side)
games = st.builds(
    Game,
    sides,
    st.sampled_from(Win),
    st.sampled_from(Ending),
    st.sampled_from([1, 1, 1, 2, 2, 4, 8]) | st.integers(-3, 70) | st.sampled_from([2**20, 2**21, 2**63]),
    st.none() | st.integers(-2, 17),
    st.sampled_from([0, 0, 0, 1, 2]) | st.integers(-2, 2**31),
)
penalties = st.builds(Penalty, sides, st.integers(-2, 9), st.just("late"), st.booleans())
entries = st.lists(st.one_of(games, games, games, penalties), max_size=25)


def legal_line(score: Score, entry: Entry, ruleset: Ruleset) -> Entry:
    """The entry, or what it would have to be to be legal."""
    if isinstance(entry, Penalty):
        return replace(entry, points=max(1, entry.points))
    return nearest_legal(score, entry, ruleset)


def played_card(entries: list[Entry], length: int | None, ruleset: Ruleset) -> list[Entry]:
    """These entries as they can have been played, up to the end of the match."""
    score, card = Score.start(length, ruleset), []
    for entry in entries:
        if score.is_over:
            break
        card.append(legal_line(score, entry, ruleset))
        score = play(score, card[-1], ruleset).after
    return card


def mirrored(entry: Entry) -> Entry:
    if isinstance(entry, Penalty):
        return replace(entry, against=entry.against.other)
    return replace(entry, winner=entry.winner.other)


@given(rulesets)
def test_every_ruleset_survives_json(ruleset):
    assert Ruleset.from_json(json.loads(json.dumps(ruleset.as_json()))) == ruleset


@given(
    st.dictionaries(
        st.sampled_from([field.name for field in fields(Ruleset)]) | st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
            ),
            max_leaves=5,
        ),
    )
)
def test_any_json_is_a_ruleset_or_refused_in_sentences(data):
    try:
        ruleset = Ruleset.from_json(data)
    except RulesetError as refusal:
        sentences = [problem.sentence for problem in refusal.problems]
    else:
        sentences = ["A ruleset."] if Ruleset.from_json(ruleset.as_json()) == ruleset else []
    assert sentences
    assert all(sentence.endswith(".") for sentence in sentences)


@given(entries, lengths, rulesets)
def test_any_card_is_read_to_its_end(entries, length, ruleset):
    card = inspect(entries, length, ruleset)
    assert [line.entry for line in card.lines] == entries
    assert all(problem.sentence for problem in card.problems)
    assert all(problem.offer_sentence or not problem.offer for problem in card.problems)
    assert [line.number for line in card.lines if line.number] == numbers_of(card)


def numbers_of(card: Any) -> list[int]:
    """Games are numbered on; those after the end all bear the number of the one that cannot be."""
    numbers, played = [], 0
    for line in card.lines:
        if isinstance(line.entry, Game):
            numbers.append(played + 1)
            played += not line.before.is_over
    return numbers


@given(entries, lengths, rulesets)
def test_credited_points_end_at_the_match_length(entries, length, ruleset):
    score = Score.start(length, ruleset)
    for line in inspect(entries, length, ruleset).lines:
        assert line.before == score
        assert 0 <= line.credited <= line.raw
        gained = {side: line.after.points(side) - score.points(side) for side in Side}
        assert sorted(gained.values()) == [0, line.credited]
        assert length is None or max(line.after.left, line.after.right) <= length
        score = line.after


@given(entries, lengths, rulesets)
def test_a_played_card_has_no_errors_and_reads_as_it_was_played(entries, length, ruleset):
    card = played_card(entries, length, ruleset)
    inspection = inspect(card, length, ruleset)
    assert not has_errors(inspection)
    score = Score.start(length, ruleset)
    for entry, line in zip(card, inspection.lines, strict=True):
        assert play(score, entry, ruleset) == line
        score = line.after
    assert score == inspection.score


@given(games, st.integers(0, 9), st.integers(0, 9), lengths, rulesets)
def test_the_nearest_legal_game_is_legal_and_a_legal_game_its_own(game, left, right, length, ruleset):
    score = Score.at(left, right, length, ruleset)
    if score.is_over:
        return
    near = nearest_legal(score, game, ruleset)
    assert list(errors(score, near, ruleset)) == []
    if not list(errors(score, game, ruleset)):
        assert near == game


@given(entries, lengths, rulesets)
def test_left_and_right_are_alike(entries, length, ruleset):
    card = inspect(entries, length, ruleset)
    mirror = inspect([mirrored(entry) for entry in entries], length, ruleset)
    assert (mirror.score.left, mirror.score.right) == (card.score.right, card.score.left)
    assert mirror.score.crawford == card.score.crawford
    assert [problem.code for problem in mirror.problems] == [problem.code for problem in card.problems]
    assert [line.is_crawford for line in mirror.lines] == [line.is_crawford for line in card.lines]


@given(st.lists(games, max_size=60), st.integers(2, 25), st.booleans())
def test_there_is_exactly_one_crawford_game_when_match_point_is_passed_through(entries, length, jacoby):
    ruleset = replace(TOURNAMENT, jacoby=jacoby)
    lines = inspect(played_card(list(entries), length, ruleset), length, ruleset).lines
    from_match_point = [line for line in lines if line.before.is_match_point]
    assert [line for line in lines if line.is_crawford] == from_match_point[:1]
    assert all(line.entry.cube == 1 for line in lines if line.is_crawford and isinstance(line.entry, Game))


@given(entries, lengths, rulesets)
def test_every_choice_of_a_phone_is_accepted(entries, length, ruleset):
    score = inspect(entries, length, ruleset).score
    offered = choices(score, ruleset)
    for cube in offered.cubes:
        for win in offered.wins:
            needs_checkers = offered.needs_checkers_left and win is Win.SINGLE and cube == 1
            game = Game(Side.LEFT, win, Ending.PLAYED, cube, 7 if needs_checkers else None)
            assert play(score, game, ruleset).raw > 0


@given(st.integers(0, 9), st.integers(0, 9), lengths, rulesets, sides)
def test_exactly_the_sides_that_may_double_can_win_by_a_drop(left, right, length, ruleset, side):
    score = Score.at(left, right, length, ruleset)
    allowed = side in choices(score, ruleset).may_double
    try:
        play(score, Game(side, ending=Ending.DROPPED), ruleset)
    except RuleBroken:
        assert not allowed
    else:
        assert allowed
