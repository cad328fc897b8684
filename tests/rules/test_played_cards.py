"""Real sessions, game by game: what a strong program scored is what we score.

`data/played_cards.jsonl` holds matches to 1 to 25 points and three sessions of stake play (Jacoby, beavers,
automatic doubles) that GNU Backgammon played against itself. Its final scores are not capped.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.card import choices, final_score_problem, inspect
from rules.ruleset import Ruleset
from rules.score import Ending, Game, Score, Side, Win, play
from tests.rules.cards import TOURNAMENT

LINES = (Path(__file__).parent / "data" / "played_cards.jsonl").read_text(encoding="utf-8").splitlines()
CARDS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
MATCHES = [card for card in CARDS if card["length"]]


def ruleset_of(card: dict[str, Any]) -> Ruleset:
    options = {name: card[name] for name in ("jacoby", "beavers", "automatic_doubles")}
    return replace(TOURNAMENT, **options)


def game_of(row: dict[str, Any]) -> Game:
    return Game(
        winner=Side(row["winner"]),
        win=Win(row["win"]),
        ending=Ending(row["ending"]),
        cube=row["cube"],
        automatic_doubles=row["automatic_doubles"],
    )


def name(card: dict[str, Any]) -> str:
    return f"to-{card['length'] or 'stake'}-{len(card['games'])}-games"


def test_the_sample_has_every_length_and_every_way_to_win():
    assert [card["length"] for card in MATCHES] == [1, 3, 5, 5, 7, 9, 11, 13, 15, 17, 21, 25]
    games = [row for card in CARDS for row in card["games"]]
    assert {(row["ending"], row["win"]) for row in games} >= {
        ("played", 1), ("played", 2), ("played", 3), ("resigned", 1), ("resigned", 2), ("dropped", 1),
    }  # fmt: skip
    assert sum(row["is_crawford"] for row in games) >= 8
    assert {row["automatic_doubles"] for row in games} == {0, 1, 2}


@pytest.mark.parametrize("card", CARDS, ids=name)
def test_each_game_is_scored_as_it_was_played(card):
    ruleset = ruleset_of(card)
    score = Score.start(card["length"], ruleset)
    for row in card["games"]:
        assert [score.left, score.right] == row["score"]
        game = game_of(row)
        assert game.cube in choices(score, ruleset).cubes
        line = play(score, game, ruleset)
        assert (line.raw, line.is_crawford) == (row["points"], row["is_crawford"])
        score = line.after
    assert [score.left, score.right] == [
        min(points, card["length"] or points) for points in card["final_score"]
    ]
    assert score.is_over is bool(card["length"])


@pytest.mark.parametrize("card", CARDS, ids=name)
def test_a_real_card_has_nothing_to_remark(card):
    inspection = inspect([game_of(row) for row in card["games"]], card["length"], ruleset_of(card))
    assert inspection.problems == ()


@pytest.mark.parametrize("card", MATCHES, ids=name)
def test_the_final_score_of_a_match_is_a_possible_one(card):
    left, right = (min(points, card["length"]) for points in card["final_score"])
    assert final_score_problem(left, right, card["length"], TOURNAMENT) is None
