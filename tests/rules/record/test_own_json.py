"""Our own JSON of a record: what is written fits the published schema and is read back the same."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board.moves import Move
from rules.board.position import Position
from rules.judge import judge
from rules.record.model import (
    Claim,
    CubeAction,
    CubeStep,
    Format,
    Record,
    RecordedGame,
    Resignation,
    Roll,
    StatedRules,
)
from rules.record.own_json import looks_like_json, read_json, write_json
from rules.record.sgf import read_sgf
from rules.ruleset import PRESETS
from rules.score import Ending, Game, Penalty, Side, Win
from tests.rules.board.positions import positions
from tests.rules.record.samples import codes

SCHEMA = Path(__file__).parents[3] / "rules" / "record" / "record.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
MATCHES = sorted((Path(__file__).parents[1] / "data" / "sgf").glob("*.sgf"))
CARD: dict[str, Any] = {
    "backgammon_record": 1,
    "length": 5,
    "names": ["Ann", "Bob"],
    "entries": [
        {"kind": "game", "result": {"winner": "left", "win": "gammon", "cube": 2, "ending": "played"}},
        {"kind": "penalty", "against": "left", "points": 1, "reason": "late"},
        {
            "kind": "game",
            "number": 2,
            "score": [4, 1],
            "claim": {"winner": "left", "points": 1, "match": True},
            "actions": [
                {"kind": "roll", "side": "left", "dice": [3, 1], "play": "8/5 6/5"},
                {"kind": "double", "side": "right", "value": 2},
                {"kind": "drop", "side": "left"},
                {"kind": "resignation", "side": "right", "win": "single"},
            ],
        },
    ],
}


def read(data: object) -> Record:
    return read_json(json.dumps(data))


def changed(path: str, value: object) -> dict[str, Any]:
    """The card with one value changed, a path such as entries.0.result.cube."""
    data: dict[str, Any] = json.loads(json.dumps(CARD))
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    target: Any = data
    for step in way:
        target = target[step]
    target[last] = value
    return data


texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12)
counts = st.integers(0, 2_000)
sides = st.sampled_from(Side)
moves = st.builds(Move, st.integers(1, 25), st.integers(0, 24), st.booleans())
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
rolls = st.builds(
    Roll,
    sides,
    dice,
    st.none() | st.lists(moves, max_size=4).map(tuple),
    st.none(),
    st.booleans(),
)
cube_actions = st.builds(CubeAction, sides, st.sampled_from(CubeStep), st.none() | counts, st.none())
resignations = st.builds(Resignation, sides, st.none() | st.sampled_from(Win), st.none())
results = st.builds(
    Game,
    sides,
    st.sampled_from(Win),
    st.sampled_from(Ending),
    counts,
    st.none() | st.integers(0, 15),
    st.integers(0, 6),
)
games = st.builds(
    RecordedGame,
    number=st.none() | counts,
    score=st.none() | st.tuples(counts, counts),
    actions=st.lists(rolls | cube_actions | resignations, max_size=8).map(tuple),
    claim=st.none() | st.builds(Claim, sides, st.none() | counts, st.booleans(), st.none()),
    result=st.none() | results,
    automatic_doubles=st.none() | st.integers(0, 6),
    is_crawford=st.none() | st.booleans(),
    start=st.none() | positions(),
    first=st.none() | sides,
)
penalties = st.builds(Penalty, sides, counts, texts, st.booleans())
flags = st.none() | st.booleans()
few = st.none() | st.integers(0, 9)
records = st.builds(
    Record,
    format=st.just(Format.JSON),
    length=st.none() | st.integers(0, 99),
    names=st.tuples(texts, texts),
    entries=st.lists(games | penalties, max_size=4).map(tuple),
    stated=st.builds(StatedRules, flags, few, few, flags),
    tags=st.lists(st.tuples(texts, texts), max_size=3).map(tuple),
)


@settings(max_examples=60)
@given(records)
def test_a_written_record_fits_the_published_schema_and_reads_back_the_same(record: Record) -> None:
    written = write_json(record)
    VALIDATOR.validate(json.loads(written))
    assert read_json(written) == record


def test_the_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(VALIDATOR.schema)


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_from_another_format_is_judged_the_same_from_our_own(path: Path) -> None:
    record = read_sgf(path.read_text(encoding="utf-8"))
    written = write_json(record)
    again = read_json(written)
    VALIDATOR.validate(json.loads(written))
    assert write_json(again) == written
    ruleset = replace(PRESETS["standard"], automatic_doubles=1)
    assert judge(again, ruleset).score == judge(record, ruleset).score


def test_each_roll_stands_on_a_line_of_its_own() -> None:
    game = RecordedGame(actions=(Roll(Side.LEFT, (3, 1), (Move(8, 5), Move(6, 5)), 7),))
    written = write_json(Record(Format.MAT, 5, entries=(game,)))
    assert '\n {"kind": "roll", "side": "left", "dice": [3, 1], "play": "8/5 6/5"}\n' in written


def test_a_score_card_and_a_game_record_stand_side_by_side() -> None:
    record = read(CARD)
    VALIDATOR.validate(CARD)
    first, penalty, second = record.entries
    assert first == RecordedGame(result=Game(Side.LEFT, Win.GAMMON, cube=2))
    assert penalty == Penalty(Side.LEFT, 1, "late")
    assert isinstance(second, RecordedGame)
    assert second.claim == Claim(Side.LEFT, 1, is_last=True, line=None)
    assert second.actions == (
        Roll(Side.LEFT, (3, 1), (Move(8, 5), Move(6, 5)), None),
        CubeAction(Side.RIGHT, CubeStep.DOUBLE, 2, None),
        CubeAction(Side.LEFT, CubeStep.DROP, None, None),
        Resignation(Side.RIGHT, Win.SINGLE, None),
    )
    assert (record.length, record.names, record.problems) == (5, ("Ann", "Bob"), ())


def test_a_position_that_no_game_can_begin_from_is_not_written() -> None:
    crowded = Position(bytes(25) + b"\x10", bytes(26))
    written = write_json(Record(Format.SGF, 5, entries=(RecordedGame(start=crowded),)))
    assert read_json(written).games[0].start is None


WRONG = [
    ("length", -1),
    ("length", "five"),
    ("length", True),
    ("length", 10**30),
    ("names", None),
    ("names", ["Ann"]),
    ("names", ["Ann", "Bob", "Cleo"]),
    ("names", [1, 2]),
    ("names", ["a" * 1_001, ""]),
    ("stated", None),
    ("stated", {"jacoby": 1}),
    ("stated", {"what": True}),
    ("tags", {}),
    ("tags", [["Event"]]),
    ("tags", [["a", "b"]] * 201),
    ("entries", {}),
    ("entries", None),
    ("entries.0", None),
    ("entries.0", "game"),
    ("entries.0", {"kind": "walkover"}),
    ("entries.0.kind", ["game"]),
    ("entries.0.result", {}),
    ("entries.0.result", []),
    ("entries.0.result.winner", "top"),
    ("entries.0.result.win", "resigned"),
    ("entries.0.result.win", 2),
    ("entries.0.result.ending", None),
    ("entries.0.result.cube", -2),
    ("entries.0.result.cube", 2.5),
    ("entries.0.result.cube", None),
    ("entries.0.result.automatic_doubles", 21),
    ("entries.0.actions", None),
    ("entries.1.points", "many"),
    ("entries.1.against", "nobody"),
    ("entries.1.reason", 3),
    ("entries.1", {"kind": "penalty", "points": 1}),
    ("entries.2.number", 1.5),
    ("entries.2.score", [0]),
    ("entries.2.score", [0, -1]),
    ("entries.2.crawford", "no"),
    ("entries.2.start", "4HPwATDgc"),
    ("entries.2.start", 7),
    ("entries.2.start", "//////////////"),
    ("entries.2.first", "both"),
    ("entries.2.claim", {"points": 1}),
    ("entries.2.claim.points", -1),
    ("entries.2.claim.match", 1),
    ("entries.2.actions.0", 5),
    ("entries.2.actions.0.side", {}),
    ("entries.2.actions.0.kind", []),
    ("entries.2.actions.0.kind", "pause"),
    ("entries.2.actions.0.dice", [0, 1]),
    ("entries.2.actions.0.dice", [True, 1]),
    ("entries.2.actions.0.dice", [1.0, 1.5]),
    ("entries.2.actions.0.dice", "31"),
    ("entries.2.actions.0.play", 8),
    ("entries.2.actions.0.passes", 0),
    ("entries.2.actions.1.value", "2"),
    ("entries.2.actions.3.win", "walkover"),
]


@pytest.mark.parametrize(("path", "value"), WRONG, ids=[f"{path}={str(value)[:20]}" for path, value in WRONG])
def test_a_wrong_value_is_one_problem_and_all_else_is_kept(path: str, value: object) -> None:
    record = read(changed(path, value))
    assert codes(record) == ["json_wrong_value"]
    assert sum(len(game.actions) for game in record.games) >= (0 if path == "entries" else 3)
    if value != "//////////////":
        assert not VALIDATOR.is_valid(changed(path, value))


def test_a_problem_says_where_it_is_and_in_which_game() -> None:
    (problem,) = read(changed("entries.2.actions.0.dice", [7, 1])).problems
    assert problem.sentence == "entries[2].actions[0].dice should be two numbers from 1 to 6."
    assert problem.game == 2


def test_a_play_that_cannot_be_read_keeps_its_roll() -> None:
    record = read(changed("entries.2.actions.0.play", "8/5 and so on"))
    assert record.games[1].actions[0] == Roll(Side.LEFT, (3, 1), None, None)
    assert codes(record) == ["json_wrong_value"]


@pytest.mark.parametrize(
    "path", ["what", "entries.0.what", "entries.2.actions.0.what", "entries.2.actions.1.what"]
)
def test_an_unknown_field_is_ignored_with_a_warning(path: str) -> None:
    record = read(changed(path, 1))
    assert codes(record) == ["json_unknown_field"]
    assert not VALIDATOR.is_valid(changed(path, 1))


def test_a_length_that_is_left_out_is_remarked() -> None:
    record = read({"backgammon_record": 1, "entries": []})
    assert (record.length, codes(record)) == (0, ["length_not_told"])


def test_stake_play_has_no_length() -> None:
    assert read(changed("length", None)).length is None


@pytest.mark.parametrize(
    "data", [[], 1, "text", None, {}, {"backgammon_record": 2}, {"backgammon_record": [1]}]
)
def test_other_json_is_no_record(data: object) -> None:
    record = read(data)
    assert (record.format, record.entries, codes(record)) == (Format.JSON, (), ["not_a_record"])


def test_a_broken_file_is_a_problem_at_its_line() -> None:
    (problem,) = read_json('{"backgammon_record": 1,\n"length": 5,\n"entries": [}').problems
    assert (problem.code, problem.line) == ("json_not_understood", 3)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 500_000,
        '{"backgammon_record":' + "[" * 500_000,
        '{"a":' * 200_000,
        '{"backgammon_record": 1, "length": ' + "9" * 100_000 + "}",
        '{"backgammon_record": 1, "length": 1e999}',
        '{"backgammon_record": 1, "length": NaN, "entries": [{"kind": "game", "number": -Infinity}]}',
        "",
        "\x00",
        '{"backgammon_record": 1, "length": 5, "names": ["\\ud800", "\\u0000"], "entries": []}',
    ],
    ids=range(9),
)
def test_hostile_json_is_read_to_an_end(text: str) -> None:
    record = read_json(text)
    write_json(record).encode("utf-8")
    judge(record, PRESETS["tournament"])


def test_too_many_lists_are_refused_before_parsing() -> None:
    assert codes(read_json("[" + "[]," * 1_000_000)) == ["json_too_large"]


@pytest.mark.parametrize(
    ("text", "is_json"),
    [('{"a": 1}', True), ('\ufeff\n { "a"', True), ("{a", False), (" 5 point match", False)],
)
def test_json_is_detected_by_its_beginning(text: str, *, is_json: bool) -> None:
    assert looks_like_json(text) is is_json


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["left", "game", "roll"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = sorted({path for path, _ in WRONG} | {"entries.2.actions.2", "entries.2"})


@settings(max_examples=60)
@given(st.sampled_from(PLACES), values)
def test_any_value_in_a_field_is_read_without_an_exception_and_the_result_fits_the_schema(
    path: str, value: object
) -> None:
    record = read(changed(path, value))
    judge(record, PRESETS["tournament"])
    VALIDATOR.validate(json.loads(write_json(record)))


@settings(max_examples=60)
@given(st.integers(0, 900), st.integers(0, 30), st.text(max_size=10))
def test_no_edit_of_a_file_raises(start: int, cut: int, inserted: str) -> None:
    text = json.dumps(CARD)
    judge(read_json(text[:start] + inserted + text[start + cut :]), PRESETS["tournament"])
