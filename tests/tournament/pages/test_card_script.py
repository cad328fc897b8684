"""What the script on a phone says a game brings is what the rules say, for everything that can be tapped."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from rules.ruleset import PRESETS, Ruleset
from rules.score import Game, Score, Side, errors, play
from tests import browsers
from tests.tournament import stories
from tests.tournament.pages.phones import Card, phone
from tournament import drawing, links
from tournament.models import Tournament
from tournament.pages.card_forms import KINDS

pytestmark = pytest.mark.django_db

STATIC = Path(__file__).resolve().parents[3] / "templates" / "static"
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
BEFORE: list[tuple[int, list[Side]]] = [(5, []), (5, [Side.RIGHT] * 4), (1, [])]


@dataclass
class Scene:
    """A card with games played before, its page as it was written, and what was said for every tap on it."""

    score: Score
    ruleset: Ruleset
    address: str
    written: str
    said: list[tuple[str, str, int, bool, bool, str]] = field(default_factory=list)


def scene_of(name: str, length: int, before: list[Side]) -> Scene:
    ruleset, checkers = RULESETS[name], 1 if name == "checkers left" else None
    director = stories.director()
    made = stories.entered(director, 2, lengths=(length,))
    Tournament.objects.filter(pk=made.pk).update(ruleset=ruleset.as_json())
    drawing.make(made.pk, drawing.DrawPlan(), director)
    drawing.release(made.pk, director)
    pairing = stories.playable(made)[0]
    card = Card(phone(links.give_link(pairing.left, director)), pairing.match_id)
    score = Score.start(length, ruleset)
    for winner in before:
        card.game(winner.value, **({"checkers_left": checkers} if checkers else {}))
        score = play(score, Game(winner, checkers_left=checkers), ruleset).after
    return Scene(score, ruleset, card.address, card.text())


def answer_with(**answer):
    return lambda route: route.fulfill(**answer)


def tap_everything(scenes: list[Scene]) -> None:
    """Opens each page with its own scripts at an address that nobody serves, and taps whatever can be tapped."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=browsers.chromium(), args=browsers.ARGUMENTS)
        page = browser.new_page()
        page.route("**/*", answer_with(status=404))
        for script in ("live.js", "card.js"):
            page.route(f"{HALL}/static/{script}", answer_with(path=STATIC / script))
        for scene in scenes:
            page.route(HALL + scene.address, answer_with(body=scene.written, content_type="text/html"))
            page.goto(HALL + scene.address)
            scene.said = page.evaluate(TAP_EVERYTHING)
        browser.close()


def test_the_phone_says_what_the_rules_say():
    scenes = [scene_of(name, length, before) for name in RULESETS for length, before in BEFORE]
    tap_everything(scenes)
    compared, refused = 0, []
    for scene in scenes:
        for winner, kind, cube, asks_for_checkers, can_be_saved, says in scene.said:
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
    assert set(refused) <= {("drop", 2)}
