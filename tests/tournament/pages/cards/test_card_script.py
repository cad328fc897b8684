"""What the scripts on a phone make of a score card is what the rules make of it: a whole card, and every single tap."""

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from rules.card import choices, final_score_problem
from rules.ruleset import PRESETS, CrawfordForm, Ruleset, UncubedSingle
from rules.score import Ending, Game, Penalty, Score, Side, Win, errors, play
from tests import browsers
from tests.tournament import stories
from tests.tournament.pages.phone_clients import Card, phone
from tournament.accounts import links
from tournament.drawing import draws
from tournament.models import Tournament
from tournament.pages.cards.forms import KINDS
from tournament.queries.cards.offline_card import line_json, scoring_rules

STATIC = Path(__file__).resolve().parents[4] / "templates" / "static"
HALL = "http://hall.test"
TAP_EVERYTHING = """() => {
  const said = [];
  const all = (name) => [...document.querySelectorAll(`form.card [name=${name}]`)];
  for (const winner of all("winner")) for (const kind of all("kind")) for (const cube of all("cube")) {
    for (const key of [winner, kind, cube]) {
      key.checked = true;
      key.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const checkers = document.querySelector("[name=checkers_left]");
    if (checkers) {
      checkers.value = 4;
      checkers.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const asked = checkers && !checkers.closest("[data-checkers-field]").hidden;
    const can = !document.querySelector("form.card [aria-disabled=true]");
    const says = document.querySelector(".savebar__says").textContent;
    said.push([winner.value, kind.value, Number(cube.value), Boolean(asked), can, says]);
  }
  return said;
}"""
RULESETS = {
    "tournament": PRESETS["tournament"],
    "checkers left": PRESETS["boxed-set"],
    "Jacoby": replace(PRESETS["standard"], jacoby=True),
    "no Crawford game": PRESETS["parker-1994"],
}
CRAWFORD = [Side.RIGHT] * 4
BEFORE: list[tuple[str, int, list[Side]]] = [
    *(("tournament", 5, []), ("tournament", 5, CRAWFORD), ("tournament", 1, [])),
    *(("checkers left", 5, CRAWFORD), ("Jacoby", 5, []), ("no Crawford game", 5, CRAWFORD)),
]
"""The ruleset, the length and the games before."""


@dataclass
class Scene:
    """A card with games played before, its page as the server sends it, and the answer of its script to every tap."""

    score: Score
    ruleset: Ruleset
    address: str
    written: str
    answers: list[tuple[str, str, int, bool, bool, str]] = field(default_factory=list)


def scene_of(name: str, length: int, before: list[Side]) -> Scene:
    ruleset, checkers = RULESETS[name], 1 if name == "checkers left" else None
    director = stories.director()
    made = stories.entered(director, 2, lengths=(length,))
    Tournament.objects.filter(pk=made.pk).update(ruleset=ruleset.as_json())
    draws.make(made.pk, draws.DrawPlan(), director)
    draws.release(made.pk, director)
    pairing = stories.playable(made)[0]
    card = Card(phone(links.make_link(pairing.left, director)), pairing.match_id)
    score = Score.start(length, ruleset)
    for winner in before:
        card.game(winner.value, **({"checkers_left": checkers} if checkers else {}))
        score = play(score, Game(winner, checkers_left=checkers), ruleset).after
    return Scene(score, ruleset, card.address, card.text())


def answer_with(**answer):
    return lambda route: route.fulfill(**answer)


@contextmanager
def a_phone() -> Iterator[Page]:
    """A page in a hall that nobody serves. The database is asked before: a browser leaves no room for it."""
    with sync_playwright() as started:
        browser = browsers.launch(started)
        page = browser.new_page()
        page.route("**/*", answer_with(status=404))
        for script in ("live", "score", "store", "queue", "outbox", "split", "card"):
            page.route(f"{HALL}/static/{script}.*js", answer_with(path=STATIC / f"{script}.js"))
        yield page
        browser.close()


def tap_everything(page: Page, scenes: list[Scene]) -> None:
    """Opens each page with its own scripts at an address that nobody serves, and taps whatever can be tapped."""
    for scene in scenes:
        page.route(HALL + scene.address, answer_with(body=scene.written, content_type="text/html"))
        page.goto(HALL + scene.address)
        scene.answers = page.evaluate(TAP_EVERYTHING)


@pytest.mark.django_db
def test_the_phone_says_what_the_rules_say():
    scenes = [scene_of(*before) for before in BEFORE]
    with a_phone() as page:
        tap_everything(page, scenes)
    compared, refused = 0, []
    for scene in scenes:
        for winner, kind, cube, asks_for_checkers, can_be_saved, says in scene.answers:
            if not can_be_saved:
                assert kind == "drop", says
                continue
            game = Game(Side(winner), *KINDS[kind], cube, checkers_left=4 if asks_for_checkers else None)
            if any(errors(scene.score, game, scene.ruleset)):
                refused.append((kind, cube))
                continue
            line = play(scene.score, game, scene.ruleset)
            points = [] if line.after.is_over else [line.credited]
            figures = [int(figure) for figure in re.findall(r"\d+", says.split("wins")[1])]
            assert figures == [*points, line.after.left, line.after.right], (winner, kind, cube, says)
            compared += 1
    assert compared > 12 * len(scenes)
    assert refused == []


CARDS, TRIED = 100, 25
WORK_OUT = """(cards) => cards.map(({ rows, length, rules, games, tried, finals }) => {
  const { lines, score, problem } = cardScore.replayCard(rows, length, rules, games);
  const offered = cardScore.choices(score, rules);
  const outcomes = tried.map((line) => {
    const wrong = cardScore.problem(score, line, rules);
    if (wrong) return [wrong.code, wrong.params];
    const { credited, after, isCrawford, number } = cardScore.play(score, line, rules);
    return [credited, after.left, after.right, after.crawford, isCrawford, number];
  });
  return {
    lines: lines.map(({ credited, isCrawford: is, after }) => [credited, is, after.left, after.right, after.crawford]),
    problem: problem && problem.code,
    winner: cardScore.winner(score),
    stages: [cardScore.isOver(score), cardScore.isPostCrawford(score), cardScore.isDoubleMatchPoint(score)],
    offered: [offered.cubes, offered.mayDouble, offered.isCrawford, offered.needsCheckers, offered.automatic],
    outcomes,
    finals: finals.map(([left, right]) => (cardScore.finalProblem(left, right, length) || {}).code || "")
  };
})"""


def any_ruleset(chance: random.Random) -> Ruleset:
    return replace(
        PRESETS["tournament"],
        crawford=chance.choice(list(CrawfordForm)),
        crawford_after_penalty=chance.random() < 0.5,
        cube=chance.random() < 0.9,
        cube_limit=chance.choice([None, None, 2, 8, 64]),
        automatic_doubles=chance.choice([0, 0, 1, 3, None]),
        jacoby=chance.random() < 0.3,
        uncubed_single=chance.choice(list(UncubedSingle)),
    )


def any_game(chance: random.Random) -> Game:
    """A random game, possible or not."""
    return Game(
        winner=chance.choice(list(Side)),
        win=chance.choice(list(Win)),
        ending=chance.choice([Ending.PLAYED, Ending.PLAYED, Ending.DROPPED, Ending.RESIGNED]),
        cube=chance.choice([1, 1, 1, 2, 2, 4, 8, 64, 3, 0, 2**20, 2**21]),
        checkers_left=chance.choice([None, None, None, 0, 5, 14, 15, 16]),
        automatic_doubles=chance.choice([0, 0, 0, 1, 2, 4, -1]),
    )


def any_card(chance: random.Random) -> tuple[list, Score, Ruleset, list[Game]]:
    """A card that can be, of games and penalties; the score it leads to; games to try next."""
    ruleset, length = any_ruleset(chance), chance.choice([None, 1, 2, 3, 5, 7, 9, 11])
    agreed = chance.choice([None, 1, 3, 5, 8]) if length is None else None
    score, lines = Score.start(length, ruleset, agreed=agreed), []
    for _ in range(chance.randint(0, 12)):
        entry: Game | Penalty = any_game(chance)
        if chance.random() < 0.2:
            entry = Penalty(chance.choice(list(Side)), chance.randint(1, 2), mid_game=chance.random() < 0.5)
        if not any(errors(score, entry, ruleset)):
            lines.append(play(score, entry, ruleset))
            score = lines[-1].after
    return lines, score, ruleset, [any_game(chance) for _ in range(TRIED)]


def by_the_rules(card) -> dict:
    lines, score, ruleset, tried = card
    offered = choices(score, ruleset)
    return {
        "lines": [
            [line.credited, line.is_crawford, line.after.left, line.after.right, line.after.crawford.value]
            for line in lines
        ],
        "problem": None,
        "winner": score.winner.value if score.winner else "",
        "stages": [score.is_over, score.is_post_crawford, score.is_double_match_point],
        "offered": [
            list(offered.cubes),
            [side.value for side in offered.may_double],
            offered.is_crawford,
            offered.needs_checkers_left,
            offered.automatic_doubles,
        ],
        "outcomes": [tried_by_the_rules(score, game, ruleset) for game in tried],
        "finals": [
            problem.code if (problem := final_score_problem(*final, score.length, ruleset)) else ""
            for final in FINALS
        ],
    }


FINALS = [(left, right) for left in (-1, 0, 3, 5, 7, 9) for right in (0, 5, 7, 8)]


def tried_by_the_rules(score: Score, game: Game, ruleset: Ruleset) -> list:
    problem = next(errors(score, game, ruleset), None)
    if problem is not None:
        return [problem.code, dict(problem.params)]
    line = play(score, game, ruleset)
    after = line.after
    return [line.credited, after.left, after.right, after.crawford.value, line.is_crawford, line.number]


def test_a_card_worked_out_on_the_phone_is_the_card_of_the_rules():
    chance = random.Random(20261121)
    cards = [any_card(chance) for _ in range(CARDS)]
    queries = [
        {
            "rows": [line_json(line.entry) for line in lines],
            "length": score.length,
            "rules": scoring_rules(ruleset),
            "games": score.agreed,
            "tried": [line_json(game) for game in tried],
            "finals": FINALS,
        }
        for lines, score, ruleset, tried in cards
    ]
    with a_phone() as page:
        page.add_script_tag(path=STATIC / "score.js")
        worked_out = page.evaluate(WORK_OUT, queries)
    for card, result in zip(cards, worked_out, strict=True):
        assert result == by_the_rules(card), (card[1], card[2])
    refused = [
        outcome[0] for card in worked_out for outcome in card["outcomes"] if isinstance(outcome[0], str)
    ]
    assert len(set(refused)) > 15
    assert CARDS < len(refused) < CARDS * TRIED - CARDS


STOPPED = """(cards) => cards.map(([rows, rules]) => {
  const { lines, score, problem } = cardScore.replayCard(rows, null, rules);
  return [lines.length, score.left, score.right, cardScore.winner(score), problem && problem.code];
})"""


STOPPED_TWICE = """(waiting) => {
  const doc = { written: ["game", "there"], rows: [{ what: "game", key: "game" }, { what: "stop", key: "there" }] };
  return cardStore.movable(doc, waiting).map(({ key }) => key);
}"""


def test_a_stop_ends_a_session_on_the_phone_once():
    rules = scoring_rules(PRESETS["tournament"])
    left, right = (line_json(Game(side)) for side in Side)
    over, told_over = {"what": "stop"}, {"what": "stop", "games": 2}
    final = {"what": "final", "left": 4, "right": 9}
    fine = {"what": "penalty", "against": "left", "points": 2, "mid_game": False}
    cards = [
        [over],
        [over, left],
        [left, left, over],
        [left, right, told_over],
        [left, right, over, right],
        [final],
        [left, fine, over],
    ]
    with a_phone() as page:
        page.add_script_tag(path=STATIC / "score.js")
        page.add_script_tag(path=STATIC / "store.js")
        stops = page.evaluate(STOPPED, [[card, rules] for card in cards])
        waiting = [{"key": what, "supersedes": None, "line": {"what": what}} for what in ("stop", "game two")]
        assert page.evaluate(STOPPED_TWICE, waiting) == ["game two"]
    assert stops == [
        [0, 0, 0, "", None],
        [1, 1, 0, "left", None],
        [2, 2, 0, "left", None],
        [2, 1, 1, "", None],
        [3, 1, 2, "right", None],
        [1, 4, 9, "right", None],
        [2, 1, 2, "right", None],
    ]
