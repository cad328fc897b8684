"""IDs of other programs: examples from their manuals, round trips, refused text."""

import base64
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board.ids import (
    UnreadableId,
    from_xgid,
    position_from_id,
    position_id,
    situation_from_match_id,
)
from rules.board.position import Position
from rules.board.situation import Progress, Situation
from rules.score import Side, Win
from tests.rules.board.id_writers import match_id, xgid
from tests.rules.board.positions import DICE, positions
from tests.rules.board.test_plays import side
from tests.rules.oracles import folders, position_of, rows

SIDES = st.sampled_from(Side)
OWNERS = st.sampled_from([None, *Side])


@st.composite
def match_situations(draw):
    """Every situation that fits into a Match ID."""
    length = draw(st.none() | st.integers(1, 2**15 - 1))
    points = st.integers(0, length or 2**15 - 1)
    dice = draw(st.none() | DICE)
    return Situation(
        length=length,
        score=(draw(points), draw(points)),
        is_crawford=length is not None and draw(st.booleans()),
        cube=1 << draw(st.integers(0, 15)),
        owner=draw(OWNERS),
        on_roll=draw(SIDES),
        is_answer_pending=draw(st.booleans()),
        dice=dice and (max(dice), min(dice)),
        is_doubled=draw(st.booleans()),
        resigned=draw(st.none() | st.sampled_from(Win)),
        progress=draw(st.sampled_from(Progress)),
        jacoby=draw(st.booleans()),
    )


@st.composite
def xg_situations(draw):
    """Every situation that fits into an XGID."""
    length = draw(st.none() | st.integers(1, 999))
    points = st.integers(0, length or 999)
    in_play = Situation(
        length=length,
        score=(draw(points), draw(points)),
        is_crawford=length is not None and draw(st.booleans()),
        cube=1 << draw(st.integers(0, 12)),
        owner=draw(OWNERS),
        on_roll=draw(SIDES),
        dice=draw(st.none() | DICE),
        jacoby=length is None and draw(st.booleans()),
        are_beavers_played=length is None and draw(st.booleans()),
        cube_limit=1 << draw(st.integers(0, 19)),
    )
    beavers = draw(st.none() | st.integers(0, 2))
    if beavers is None:
        return in_play
    return replace(in_play, dice=None, is_doubled=True, beavers=beavers, is_answer_pending=beavers != 1)


def test_the_opening_position_has_the_id_that_every_player_knows():
    assert position_id(Position.start()) == "4HPwATDgc/ABMA"
    assert position_from_id(" 4HPwATDgc/ABMA\n") == Position.start()


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_position_ids_are_those_of_gnu_backgammon(folder):
    for row in islice(rows(folder, "legal_plays.jsonl"), 0, None, 5):
        start = position_id(position_of(row))
        assert start == row.get("id", start)
        assert position_from_id(start) == position_of(row)
        for result in row["results"]:
            assert position_id(position_from_id(result)) == result


@given(positions())
def test_a_position_comes_back_from_its_id(position):
    assert position_from_id(position_id(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMA=",
        "4HPwATDgc/ABMA==",
        "4HPwATDgc-ABMA",
        "4HPwATDgc/ABMé",
        "4HPw ATDgc/ABM",
        "4HPwATDgc/ABMB",
        "4HPwATDgc/ABsA",
        "//////////////",
        "AAAAAAAAAAAAAA",
        "/////38AAAAAAA",
    ],
)
def test_a_bad_position_id_is_refused_in_a_sentence(text):
    with pytest.raises(UnreadableId, match=r"^[A-Z].* Position ID .*\.$"):
        position_from_id(text)


def test_two_checkers_of_both_sides_on_one_point_are_no_position():
    both = position_id(Position(side(p5=1), side(p20=1)))
    with pytest.raises(UnreadableId):
        position_from_id(both)


def test_the_example_of_gnu_backgammons_manual():
    situation = Situation(
        length=9,
        score=(2, 4),
        cube=2,
        owner=Side.LEFT,
        on_roll=Side.RIGHT,
        dice=(5, 2),
        jacoby=True,
    )
    assert situation_from_match_id("QYkqASAAIAAA") == situation
    assert match_id(situation) == "QYkqASAAIAAA"


def test_a_crawford_game_about_to_begin():
    situation = situation_from_match_id("8IhuACAACAAE")
    assert (situation.length, situation.score, situation.is_crawford) == (3, (2, 1), True)
    assert (situation.progress, situation.owner, situation.jacoby) == (Progress.NOT_STARTED, None, False)


@given(match_situations())
def test_a_situation_comes_back_from_its_match_id(situation):
    text = match_id(situation)
    assert len(text) == 12
    assert situation_from_match_id(text) == situation


@given(st.binary(min_size=9, max_size=9))
def test_a_match_id_is_refused_or_comes_back_letter_by_letter(key):
    text = base64.b64encode(key).decode()
    try:
        situation = situation_from_match_id(text)
    except UnreadableId:
        return
    assert match_id(situation) == text


def key(**fields):
    """A Match ID from numbers that need not make sense."""
    widths = {
        "cube": 4,
        "owner": 2,
        "on_roll": 1,
        "crawford": 1,
        "progress": 3,
        "turn": 1,
        "doubled": 1,
        "resigned": 2,
        "die": 3,
        "other": 3,
        "length": 15,
        "left": 15,
        "right": 15,
        "no_jacoby": 1,
        "unused": 5,
    }
    bits = shift = 0
    for name, width in widths.items():
        bits |= fields.get(name, 0) << shift
        shift += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("QYkqASAAIAA", "12 characters"),
        ("QYkqASAAIAAAA", "12 characters"),
        ("QYkqASAAIA=A", "12 characters"),
        ("QYkqASAAIAA=", "12 characters"),
        (key(owner=2), "no valid owner"),
        (key(progress=5), "unknown state"),
        (key(die=7, other=1), "impossible dice"),
        (key(die=3), "impossible dice"),
        (key(die=2, other=5), "impossible dice"),
        (key(length=5, right=6), "beyond the end of a match to 5"),
        (key(crawford=1), "Crawford game needs"),
        (key(unused=16), "unused bits"),
    ],
)
def test_a_bad_match_id_is_refused_with_the_reason(text, why):
    with pytest.raises(UnreadableId, match=rf"^(This|A|The) .*{why}.*\.$"):
        situation_from_match_id(text)


def test_a_game_that_ended_by_a_drop_is_the_last_state_that_a_match_id_knows():
    dropped = situation_from_match_id(key(progress=4, owner=3))
    assert (dropped.progress, dropped.owner) == (Progress.DROPPED, None)


def test_an_xgid_as_extreme_gammon_exports_it():
    """Its text export draws this board with X home on the 1 to 6 points, O owning a cube at 2."""
    text = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
    position, situation = from_xgid(text)
    assert position == Position(
        side(p1=2, p3=3, p4=2, p5=2, p6=2, p14=1, p18=1, p19=2),
        side(p1=4, p2=2, p3=2, p4=2, p5=3, p15=1),
    )
    expected = Situation(length=7, score=(3, 6), cube=2, owner=Side.RIGHT, on_roll=Side.LEFT, dice=(2, 1))
    assert situation == expected
    assert xgid(position, situation) == text


def test_the_points_of_an_xgid_stay_where_they_are_when_the_other_side_is_on_roll():
    """GNU Backgammon's own IDs for it, which calls the upper case player 1: AQGqAAAAAAAE there."""
    text = "XGID=-BDB-------------a------e-:1:-1:-1:42:0:0:0:5:8"
    position, situation = from_xgid(text)
    assert position_id(position) == "ewMAAD4gAAAAAA"
    other_way = replace(situation, on_roll=Side.LEFT, owner=Side.LEFT)
    assert (match_id(situation), match_id(other_way)) == ("UQmqAAAAAAAE", "AQGqAAAAAAAE")
    assert xgid(position, situation) == text


@pytest.mark.parametrize(
    ("field", "beavers", "turn"), [("D", 0, Side.RIGHT), ("B", 1, Side.LEFT), ("R", 2, Side.RIGHT)]
)
def test_the_turn_after_a_double_a_beaver_and_a_raccoon(field, beavers, turn):
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{field}:0:0:3:0:10"
    position, situation = from_xgid(text)
    assert (situation.is_doubled, situation.beavers, situation.turn) == (True, beavers, turn)
    assert (situation.jacoby, situation.are_beavers_played, situation.dice) == (True, True, None)
    assert xgid(position, situation) == text


def test_an_xgid_may_lack_its_prefix_and_its_last_field():
    short = from_xgid("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0")
    assert short == from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert short == (Position.start(), Situation())


@given(positions(), xg_situations())
def test_a_position_and_all_beside_it_come_back_from_their_xgid(position, situation):
    assert from_xgid(xgid(position, situation)) == (position, situation)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:8:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10:1",
        "XGID=-b----E-C---eE---c-e----B-:٣:0:1:00:0:0:0:0:10",
        "XGID=Ab----E-C---eE---c-e------:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----Ba:0:0:1:00:0:0:0:0:10",
        "XGID=-b----O-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
        "XGID=--------------------------:0:0:1:00:0:0:0:0:10",
    ],
)
def test_a_bad_xgid_is_refused_in_a_sentence(text):
    with pytest.raises(UnreadableId, match=r"^[A-Z].*\.$"):
        from_xgid(text)


@given(st.text(max_size=60))
def test_arbitrary_text_is_refused_by_every_reader(text):
    for read in (position_from_id, situation_from_match_id, from_xgid):
        with pytest.raises(UnreadableId):
            read(text)
