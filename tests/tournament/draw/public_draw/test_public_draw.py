"""Public draws of version 2: the program and the stranger's script find every later change."""

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

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.first_round import first_round
from tournament.draw.formats.layouts import LAYOUT_VERSION
from tournament.draw.graph import BYE
from tournament.draw.pairing import Seeding
from tournament.draw.public_draw.document import DocumentError, PublicDraw, draw_document
from tournament.draw.public_draw.proof_version_1 import secret_hash
from tournament.draw.public_draw.proof_version_2 import Closing, Reopening, closing_hash, name_hash, seed_text
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.draw.public_draw.verification import verify
from tournament.draw.recipes import Byes, Entrant, OrderRules, SeededLines, Separate, draw_positions

DOCS = Path(__file__).resolve().parents[4] / "docs"
SCRIPT, EXAMPLE = DOCS / "verify_draw.py", DOCS / "example_draw_2.json"
SECRET, DICE = "0123456789abcdef" * 4, "31 52 66"
FORMATS = [
    Format(),
    Format(Kind.DOUBLE),
    Format(Kind.ROUND_ROBIN),
    Format(Kind.GROUPS, groups=3, qualifiers=1),
    Format(Kind.SWISS, rounds=4),
    Format(Kind.SWISS, rounds=4, seeding=Seeding.SLIDE),
    Format(Kind.LIVES, seeding=Seeding.CHANCE),
    Format(Kind.MONRAD, rounds=4),
    Format(Kind.SWISS, rounds=4, separate=Separate.CLUB),
]
Document = dict[str, Any]


def document_of(played: Format, entries: int = 9, number: int = 1, **rules: Any) -> Document:
    """A valid published draw of this format, closed twice."""
    field = [Entrant(f"e{n}", n if n < 3 else None, "AB"[n % 2]) for n in range(1, entries + 1)]
    closing = Closing(
        draw=number,
        secret_hash=secret_hash(SECRET),
        committed_at="2026-05-01T09:00:00Z",
        closed_at="2026-05-02T09:30:00Z",
        public=PublicChance(),
        format_json=played.as_json(),
        layout=LAYOUT_VERSION,
        rules=OrderRules(**rules),
        byes_reason="",
        entrants=field,
        names={entrant.entry: f"Player {entrant.entry}" for entrant in field},
        reopenings=[Reopening(1, "2026-05-02T09:00:00Z", "0" * 64, "2026-05-02T09:10:00Z", "A late entry")],
    )
    closing_json = json.loads(json.dumps(closing.as_json()))
    seed = seed_text(SECRET, DICE, closing_hash(closing_json), number)
    draw = PublicDraw(
        number,
        SECRET,
        DICE,
        field,
        closing.rules,
        draw_positions(field, closing.rules, seed),
        names=dict(closing.names),
        made_at="2026-05-02T10:00:00Z",
        reason="again" if number > 1 else "",
        closing=closing_json,
    )
    return dict(json.loads(json.dumps(draw_document(draw))))


def strangers_problems(document: Document) -> list[str]:
    return list(runpy.run_path(str(SCRIPT))["problems"](document))


@pytest.mark.parametrize("played", FORMATS, ids=lambda played: f"{played.kind}-{played.seeding}")
@pytest.mark.parametrize("entries", [6, 9, 12, 13])
def test_the_script_repeats_every_draw_like_the_program(played: Format, entries: int) -> None:
    document = document_of(played, entries)
    assert verify(document) == []
    assert strangers_problems(document) == []


def test_byes_by_lot_and_drawn_lines_come_out_alike() -> None:
    chance = random.Random(5)
    for entries in (5, 11, 19, 33):
        document = document_of(
            Format(),
            entries,
            2,
            byes=chance.choice([Byes.LOTTERY, Byes.BALANCED_LOTTERY]),
            seeded_lines=SeededLines.DRAWN,
            separate=chance.choice(list(Separate)),
        )
        assert verify(document) == []
        assert strangers_problems(document) == []


def test_the_document_says_who_meets_whom_and_who_is_in_which_group() -> None:
    document = document_of(Format(Kind.GROUPS, groups=3, qualifiers=1))
    assert sorted(document["groups"]) == ["group 1", "group 2", "group 3"]
    grouped = [entry for members in document["groups"].values() for entry in members]
    assert sorted(grouped) == sorted(document["order"])
    for meeting in document["first_round"]:
        assert {meeting["left"], meeting["right"]} - {None} <= set(document["groups"][meeting["bracket"]])


def test_on_a_sheet_the_first_position_meets_the_last() -> None:
    begins = first_round(Format(), ["a", "b", "c", BYE], [], "seed")
    assert [(meeting.left, meeting.right) for meeting in begins.meetings] == [(1, 4), (3, 2)]


def put(*path: Any) -> Callable[[Document], None]:
    def tamper(document: Document) -> None:
        *steps, last, value = path
        place: Any = document
        for step in steps:
            place = place[step]
        assert place[last] != value
        place[last] = value

    return tamper


def exchange_names(document: Document) -> None:
    names = document["names"]
    names["e1"], names["e2"] = names["e2"], names["e1"]


def exchange_seats(document: Document) -> None:
    second, third = document["first_round"][1:3]
    second["left"], third["left"] = third["left"], second["left"]


def exchange_groups(document: Document) -> None:
    first, second = document["groups"]["group 1"], document["groups"]["group 2"]
    first[0], second[0] = second[0], first[0]


TAMPERED = {
    "a name": put("names", "e4", "Somebody else"),
    "two names": exchange_names,
    "hash of a name": put("closing", "entries", 0, "name_hash", name_hash("e1", "Somebody else")),
    "secret": put("secret", "f" * 64),
    "secret hash": put("secret_hash", "f" * 64),
    "secret hash of the closing": put("closing", "secret_hash", "f" * 64),
    "entries hash": put("entries_hash", "f" * 64),
    "dice": put("public", "31 52 65"),
    "spelling of the dice": put("public", "13 52 66"),
    "separator of the dice": put("public", "31,52,66"),
    "seed text": put("seed_text", "f" * 64),
    "number": put("draw", 2),
    "number of the closing": put("closing", "draw", 2),
    "how many dice": put("closing", "public", "count", 4),
    "kind of the public number": put("closing", "public", "kind", "number"),
    "description of the public number": put("closing", "public", "description", "Lottery"),
    "format": put("closing", "played", "kind", "round_robin"),
    "number of groups": put("closing", "played", "groups", 2),
    "who goes through": put("closing", "played", "qualifiers", 2),
    "version of the layout": put("closing", "layout", 99),
    "time of the closing": put("closing", "closed_at", "2026-05-02T09:31:00Z"),
    "time of the secret": put("closing", "committed_at", "2026-05-01T09:31:00Z"),
    "seed": put("closing", "entries", 5, "seed", 3),
    "club": put("closing", "entries", 5, "club", "C"),
    "country": put("closing", "entries", 5, "country", "CYP"),
    "id": put("closing", "entries", 5, "id", "e99"),
    "order of registration": lambda document: document["closing"]["entries"].reverse(),
    "an entry": lambda document: document["closing"]["entries"].pop(),
    "byes": put("closing", "rules", "byes", "lottery"),
    "separation": put("closing", "rules", "separate", "club"),
    "an earlier closing": lambda document: document["closing"]["reopened"].pop(),
    "reason of an earlier closing": put("closing", "reopened", 0, "reason", "Another"),
    "hash of an earlier closing": put("closing", "reopened", 0, "entries_hash", "1" * 64),
    "order": lambda document: document["order"].reverse(),
    "seats": lambda document: document["seated"].reverse(),
    "round 1": exchange_seats,
    "a meeting": lambda document: document["first_round"].pop(),
    "groups": exchange_groups,
    "drawn before closing": put("made_at", "2026-05-02T09:20:00Z"),
}


@pytest.mark.parametrize("name", list(TAMPERED))
def test_every_later_change_is_found(name: str) -> None:
    document = document_of(Format(Kind.GROUPS, groups=3, qualifiers=1))
    assert verify(document) == []
    TAMPERED[name](document)
    findings = verify(document)
    assert findings
    assert all(finding.sentence and "{" not in finding.sentence for finding in findings)
    assert strangers_problems(document)


def test_another_format_that_is_hashed_anew_is_not_the_one_that_was_shown() -> None:
    document = document_of(Format())
    shown = document["entries_hash"]
    document["closing"]["played"] = Format(Kind.ROUND_ROBIN).as_json()
    document["entries_hash"] = closing_hash(document["closing"])
    assert document["entries_hash"] != shown
    assert verify(document)
    assert strangers_problems(document)


def test_a_withheld_name_is_not_a_finding() -> None:
    document = document_of(Format())
    del document["names"]["e4"]
    assert verify(document) == []
    assert strangers_problems(document) == []


@pytest.mark.parametrize(
    "damage",
    [
        put("closing", []),
        put("closing", "entries", 0, "name_hash", None),
        put("closing", "reopened", 0, "number", "1"),
        put("closing", "played", "kind", "lottery"),
        put("names", []),
        put("made_at", None),
        lambda document: document["closing"].pop("reopened"),
        lambda document: document.pop("names"),
    ],
)
def test_an_invalid_draw_is_refused_with_a_sentence(damage: Callable[[Document], None]) -> None:
    document = document_of(Format())
    damage(document)
    with pytest.raises(DocumentError, match="draw document"):
        verify(document)


def test_the_example_is_as_published_and_the_script_says_so(tmp_path: Path) -> None:
    document = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    assert verify(document) == []
    ran = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(EXAMPLE)], check=False, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "The draw is correct" in ran.stdout
    assert document["closing"]["reopened"][0]["entries_hash"] in ran.stdout
    forged = deepcopy(document)
    forged["names"] = dict(zip(document["names"], reversed(document["names"].values()), strict=True))
    (tmp_path / "forged.json").write_text(json.dumps(forged))
    command = [sys.executable, "-I", str(SCRIPT), str(tmp_path / "forged.json")]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
