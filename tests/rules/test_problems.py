"""The sentences of the rules: complete, short, and naming a row of the catalogue."""

import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from rules.problem import OFFERS, Offer, Problem, RuleBroken, problem
from rules.sentences import SENTENCES, Severity
from rules.sentences.board import BOARD
from rules.sentences.card import CARD
from rules.sentences.judging import JUDGING
from rules.sentences.record import RECORD
from tests.rules.cards import LEFT, at, refused, won

ROOT = Path(__file__).parents[2]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").rglob("*.py")))


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_is_short_and_names_its_rule(code):
    severity, rule, template = SENTENCES[code]
    assert severity in Severity
    assert re.fullmatch(r"(SET|OPEN|MOVE|HIT|DICE|BAR|OFF|WIN|CUBE|CRAW|SCORE|MATCH|CARD|PEN)-\d|", rule)
    assert template[0].isupper() or template[0] in "{“"
    assert template.endswith(".")
    assert len(template) <= 110


def test_sentences_are_filled_by_name_so_that_they_can_be_translated():
    for template in [sentence.template for sentence in SENTENCES.values()] + list(OFFERS.values()):
        assert all(name is None or name.isidentifier() for _, name, _, _ in Formatter().parse(template))


def test_no_code_is_given_twice():
    assert len(SENTENCES) == sum(map(len, (CARD, BOARD, RECORD, JUDGING)))


def test_every_offer_has_its_sentence():
    assert set(OFFERS) == set(Offer)
    assert problem("crawford_cube").offer_sentence == ""


def test_every_sentence_is_used():
    built = {"no_cube_in_", "no_drop_in_", "no_double_in_", "crawford_"}
    for code in SENTENCES:
        is_used = CODE.count(f'"{code}"') > 1 or any(code.startswith(start) for start in built)
        assert is_used, code


def test_a_sentence_is_its_template_with_the_values():
    problem = refused(at(0, 0), won(LEFT, cube=3))
    assert problem.sentence == "A cube shows 1, 2, 4, 8, 16 and so on, never 3. Enter the value it showed."
    assert str(RuleBroken(problem)) == problem.sentence
    assert problem.is_error


def test_a_remark_is_no_error():
    assert not Problem("remark", "x", "", "A {thing}.", {"thing": "word"}).is_error


def test_the_rules_need_nothing_but_the_standard_library():
    program = (
        "import sys, rules.card, rules.clock, rules.command, rules.cube;"
        "print([name for name in ('django', 'rest_framework', 'celery', 'redis') if name in sys.modules])"
    )
    command = [sys.executable, "-S", "-c", program]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert output.stdout.strip() == "[]"
