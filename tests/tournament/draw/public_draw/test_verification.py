"""A published draw is repeated by the program, and by the script that a stranger reads and runs."""

import json
import random
import runpy
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tournament.draw.public_draw.document import Change, DocumentError, PublicDraw, draw_document
from tournament.draw.public_draw.proof_version_1 import entries_hash, seed_text
from tournament.draw.public_draw.verification import verify
from tournament.draw.recipes import Byes, Entrant, OrderRules, SeededLines, Separate, draw_positions

DOCS = Path(__file__).resolve().parents[4] / "docs"
SCRIPT, EXAMPLE = DOCS / "verify_draw.py", DOCS / "example_draw.json"
CLUBS = ["", "BC  Adria", "bc adria", "Nordlys", "Rustavi"]

Document = dict[str, Any]


def example() -> Document:
    return dict(json.loads(EXAMPLE.read_text(encoding="utf-8")))


def strangers_problems(document: Document) -> list[str]:
    return list(runpy.run_path(str(SCRIPT))["problems"](document))


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *arguments], check=False, capture_output=True, text=True
    )


def any_document(chance: random.Random, entries: int) -> Document:
    """A valid published draw of any kind."""
    size = 1 << (entries - 1).bit_length()
    seeded = chance.sample(range(entries), chance.choice([0, min(entries, size // 2), entries // 4]))
    numbers = dict(zip(seeded, chance.sample(range(1, 99), len(seeded)), strict=True))
    field = [
        Entrant(
            f"e{n}", numbers.get(n), chance.choice(CLUBS), chance.choice(["GEO", ""]), chance.choice("xyz")
        )
        for n in range(entries)
    ]
    byes = chance.choice(list(Byes))
    by_hand = [f"e{n}" for n in [*seeded, *(n for n in range(entries) if n not in seeded)]]
    rules = OrderRules(
        byes,
        chance.choice(list(SeededLines)),
        chance.choice(list(Separate)),
        chance.randint(1, 4),
        tuple(by_hand[: size - entries]) if byes is Byes.BY_HAND else (),
    )
    secret, public, number = (
        f"{chance.getrandbits(256):064x}",
        f" {chance.randint(11, 66)}  31",
        chance.randint(1, 3),
    )
    text = seed_text(secret, public, entries_hash(field, rules), number)
    order = draw_positions(field, rules, text)
    drawn = PublicDraw(number, secret, public, field, rules, order, reason="again", byes_reason="asked")
    return dict(json.loads(json.dumps(draw_document(drawn))))


def test_the_script_repeats_every_draw_like_the_program() -> None:
    chance = random.Random(31)
    problems = runpy.run_path(str(SCRIPT))["problems"]
    for entries in [*range(2, 20), 24, 33, 48, 64, 100] * 3:
        document = any_document(chance, entries)
        assert verify(document) == []
        assert problems(document) == []


def test_the_example_is_as_published() -> None:
    assert verify(example()) == []
    ran = run_script(str(EXAMPLE))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "The draw is correct" in ran.stdout
    assert example()["secret_hash"] in ran.stdout


def test_the_script_imports_nothing_that_does_not_come_with_python() -> None:
    imported = {line for line in SCRIPT.read_text().splitlines() if line.startswith(("import ", "from "))}
    assert imported == {
        "import json", "import sys", "from hashlib import sha256", "from itertools import zip_longest",
    }  # fmt: skip


def put(*path: Any) -> Callable[[Document], None]:
    """Changes one value of a document: the steps to it, then what it becomes."""

    def tamper(document: Document) -> None:
        *steps, last, value = path
        place: Any = document
        for step in steps:
            place = place[step]
        assert place[last] is not value
        place[last] = value

    return tamper


def exchange(name: str) -> Callable[[Document], None]:
    def tamper(document: Document) -> None:
        order = document[name]
        order[4], order[11] = order[11], order[4]

    return tamper


def leave_one_out(name: str) -> Callable[[Document], None]:
    return lambda document: document[name].pop()


TAMPERED = {
    "secret": put("secret", "f" * 64),
    "secret hash": put("secret_hash", "f" * 64),
    "entries hash": put("entries_hash", "f" * 64),
    "dice": put("public", "31 52 65"),
    "seed text": put("seed_text", "f" * 64),
    "number": put("draw", 2),
    "method": put("method", "random"),
    "byes": put("rules", "byes", "lottery"),
    "lines of seeds": put("rules", "seeded_lines", "fixed"),
    "separation": put("rules", "separate", "country"),
    "protected rounds": put("rules", "protected_rounds", 3),
    "id": put("entries", 0, "id", "99"),
    "seed": put("entries", 1, "seed", 8),
    "club": put("entries", 3, "club", "Adria"),
    "country": put("entries", 3, "country", "CYP"),
    "team": put("entries", 3, "team", "one"),
    "order of registration": lambda document: document["entries"].reverse(),
    "an entry": leave_one_out("entries"),
    "order": exchange("order"),
    "a position": leave_one_out("order"),
    "seats after the changes": exchange("seated"),
    "a seat after the changes": leave_one_out("seated"),
    "a change": leave_one_out("changes"),
    "who was there": put("changes", 0, "before", "03"),
    "who came": put("changes", 0, "after", "03"),
    "where": put("changes", 0, "position", 7),
    "reason of a change": put("changes", 0, "reason", " "),
}


@pytest.mark.parametrize("name", list(TAMPERED))
def test_every_later_change_is_found(name: str) -> None:
    document = example()
    TAMPERED[name](document)
    findings = verify(document)
    assert findings
    assert all(finding.sentence and "{" not in finding.sentence for finding in findings)
    assert strangers_problems(document)


def test_a_position_that_differs_from_the_draw_is_reported() -> None:
    document = example()
    exchange("order")(document)
    exchange("seated")(document)
    assert [finding.sentence for finding in verify(document)][:2] == [
        "Position 5: drawn Ana Kovač (01), published Chiara Conti (03).",
        "Position 12: drawn Chiara Conti (03), published Ana Kovač (01).",
    ]


def test_a_repeated_draw_needs_a_reason() -> None:
    document = any_document(random.Random(2), 9)
    document |= {"draw": 2, "reason": ""}
    assert "Draw 2 was made again without a reason." in [finding.sentence for finding in verify(document)]
    assert any("made again without a reason" in problem for problem in strangers_problems(document))


def test_byes_by_hand_give_their_reason() -> None:
    field = [Entrant(f"e{n}") for n in range(3)]
    rules = OrderRules(Byes.BY_HAND, by_hand=("e2",))
    secret = "0" * 64
    order = draw_positions(field, rules, seed_text(secret, "6", entries_hash(field, rules), 1))
    document = draw_document(PublicDraw(1, secret, "6", field, rules, order))
    assert [finding.code for finding in verify(document)] == ["byes-reason"]
    assert strangers_problems(document) == ["Byes were given by hand without a reason"]


def test_a_late_entry_may_take_the_seat_of_a_bye() -> None:
    field = [Entrant(f"e{n}") for n in range(3)]
    text = seed_text("0" * 64, "6", entries_hash(field, OrderRules()), 1)
    order = draw_positions(field, OrderRules(), text)
    late = Change(4, None, "e9", "late_entry", "came late")
    document = draw_document(PublicDraw(1, "0" * 64, "6", field, OrderRules(), order, changes=[late]))
    assert document["seated"] == [*order, "e9"]
    assert verify(document) == []
    assert strangers_problems(document) == []


def test_a_draw_that_cannot_be_made_says_why() -> None:
    document = example()
    document["entries"][1]["seed"] = 1
    assert [finding.sentence for finding in verify(document)] == [
        "This draw cannot be made: Every seed needs its own number, from 1."
    ]


UNREADABLE: list[Callable[[Document], None]] = [
    put("format", "recipe"),
    put("version", 2),
    put("draw", "1"),
    put("draw", True),
    put("secret", None),
    put("entries", []),
    put("entries", "nobody"),
    put("entries", 0, "seed", "1"),
    put("entries", 0, "club", "\ud800"),
    put("rules", "byes", "bribes"),
    put("rules", []),
    put("order", "e1"),
    put("seated", 7),
    put("changes", 0, "position", 10**12),
    put("changes", 0, "before", 5),
    lambda document: document.pop("rules"),
    lambda document: document["changes"][0].pop("kind"),
]


@pytest.mark.parametrize("damage", UNREADABLE)
def test_an_invalid_draw_is_refused_with_a_sentence(damage: Callable[[Document], None]) -> None:
    document = example()
    damage(document)
    with pytest.raises(
        DocumentError, match=r"[Tt]his draw document|not a draw document|draw document|A draw has"
    ):
        verify(document)


@pytest.mark.parametrize("nothing", [None, [], "draw", 7, {}])
def test_an_empty_list_is_not_a_draw(nothing: Any) -> None:
    with pytest.raises(DocumentError, match="not a draw document"):
        verify(nothing)


def test_the_exit_code_of_the_script_reports_its_findings(tmp_path: Path) -> None:
    document = deepcopy(example())
    document["public"] = "11 11 11"
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(document))
    ran = run_script(str(forged))
    assert ran.returncode == 1
    assert "seed_text" in ran.stdout
    forged.write_text("[]")
    assert run_script(str(forged)).returncode == 2
    assert run_script(str(tmp_path / "missing.json")).returncode == 2
