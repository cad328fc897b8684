"""The published draw: everything a stranger needs to repeat it, as JSON.

A document holds the secret, so it is for draws that are made and released. Version 2 publishes the closing as it was
hashed, with names, format and times. Version 1, kept for draws of earlier releases, checks none of these.
`document_reader` parses both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tournament.draw.formats.definition import Format
from tournament.draw.formats.first_round import first_round
from tournament.draw.graph import Bye
from tournament.draw.public_draw import proof_version_2
from tournament.draw.public_draw.proof_version_1 import entries_hash, public_text, secret_hash, seed_text
from tournament.draw.public_draw.proof_version_2 import closing_hash
from tournament.draw.recipes.order_rules import Byes, Entrant, OrderRules, SeededLines, Separate
from tournament.draw.sentence_error import SentenceError

FORMAT = "backgammon draw"


class DocumentError(SentenceError):
    """This is not a readable draw document. The message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """A seat given to another entry by hand after the draw. A swap is two changes. None is a bye."""

    position: int
    before: str | None
    after: str | None
    kind: str
    reason: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class PublicDraw:
    """A draw made with a secret and public dice. `entrants` are in the order of registration, `order` by position.

    `closing` is what was hashed when entries closed; empty in version 1. `names` are those of the closing. `renamed`
    and `late` are the names of entries that were renamed or joined after the draw.
    """

    number: int
    secret: str
    public: str
    entrants: Sequence[Entrant[str]]
    rules: OrderRules[str]
    order: Sequence[str | Bye]
    event: str = ""
    tournament: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    byes_reason: str = ""
    committed_at: str = ""
    made_at: str = ""
    changes: Sequence[Change] = ()
    closing: Mapping[str, Any] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    late: Mapping[str, str] = field(default_factory=dict)


def draw_document(draw: PublicDraw) -> dict[str, Any]:
    """Returns the draw as JSON. Raises CommitmentError for an invalid secret or public text."""
    return _document_version_2(draw) if draw.closing else _document_version_1(draw)


def _document_version_2(draw: PublicDraw) -> dict[str, Any]:
    closing_digest = closing_hash(draw.closing)
    seed = proof_version_2.seed_text(draw.secret, draw.public, closing_digest, draw.number)
    order = _entry_ids(draw.order)
    return {
        "format": FORMAT,
        "version": 2,
        "event": draw.event,
        "tournament": draw.tournament,
        "draw": draw.number,
        "reason": draw.reason,
        "names": dict(draw.names),
        "closing": dict(draw.closing),
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": closing_digest,
        "public": draw.public,
        "made_at": draw.made_at,
        "secret": draw.secret,
        "seed_text": seed,
        "order": order,
        **first_round_json(draw, seed),
        "changes": [asdict(change) for change in draw.changes],
        "seated": positions_after_changes(order, draw.changes),
        "renamed": dict(draw.renamed),
        "late": dict(draw.late),
    }


def first_round_json(draw: PublicDraw, seed: str) -> dict[str, Any]:
    """Returns the groups and the meetings of round 1 as drawn. Raises FormatError, GraphError and PairingError."""
    opening = first_round(closing_format(draw.closing), draw.order, draw.entrants, seed)
    entry_at = dict(enumerate(_entry_ids(draw.order), start=1))
    return {
        "groups": {key: [entry_at[position] for position in dealt] for key, dealt in opening.groups.items()},
        "first_round": [
            {
                "bracket": meeting.bracket,
                "line": meeting.line,
                "left": entry_at.get(meeting.left),
                "right": entry_at.get(meeting.right),
            }
            for meeting in opening.meetings
        ],
    }


def closing_format(closing: Mapping[str, Any]) -> Format:
    """Returns the format of a closing without its ranking rules, which a draw does not use. Raises FormatError."""
    return Format.from_json({name: value for name, value in closing["played"].items() if name != "standings"})


def _entry_ids(order: Sequence[str | Bye]) -> list[str | None]:
    return [None if isinstance(entry, Bye) else entry for entry in order]


def _document_version_1(draw: PublicDraw) -> dict[str, Any]:
    entries_digest = entries_hash(draw.entrants, draw.rules)
    order = _entry_ids(draw.order)
    return {
        "format": FORMAT,
        "version": 1,
        "event": draw.event,
        "tournament": draw.tournament,
        "draw": draw.number,
        "reason": draw.reason,
        "method": seeding_method(draw.entrants),
        "rules": rules_to_json(draw.rules) | {"byes_reason": draw.byes_reason},
        "entries": [
            entrant_to_json(entrant) | {"name": draw.names.get(entrant.entry, "")}
            for entrant in draw.entrants
        ],
        "committed_at": draw.committed_at,
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": entries_digest,
        "public": public_text(draw.public),
        "made_at": draw.made_at,
        "secret": draw.secret,
        "seed_text": seed_text(draw.secret, draw.public, entries_digest, draw.number),
        "order": order,
        "changes": [asdict(change) for change in draw.changes],
        "seated": positions_after_changes(order, draw.changes),
    }


def rules_to_json(rules: OrderRules[str]) -> dict[str, Any]:
    return {
        "byes": rules.byes.value,
        "seeded_lines": rules.seeded_lines.value,
        "separate": rules.separate.value,
        "protected_rounds": rules.protected_rounds,
        "by_hand": list(rules.by_hand),
    }


def rules_from_json(data: Mapping[str, Any]) -> OrderRules[str]:
    """Raises KeyError, TypeError or ValueError for invalid rules. Missing values take their defaults."""
    plain: OrderRules[str] = OrderRules()
    return OrderRules(
        Byes(data.get("byes", plain.byes)),
        SeededLines(data.get("seeded_lines", plain.seeded_lines)),
        Separate(data.get("separate", plain.separate)),
        whole_number(data.get("protected_rounds", plain.protected_rounds)),
        tuple(text(entry) for entry in data.get("by_hand", ())),
    )


def entrant_to_json(entrant: Entrant[str]) -> dict[str, Any]:
    values = asdict(entrant)
    return {"id": values.pop("entry")} | values


def entrant_from_json(data: Mapping[str, Any]) -> Entrant[str]:
    """Raises KeyError, TypeError or ValueError for an invalid entry."""
    seed = data.get("seed")
    typed = [text(data.get(field.name, "")) for field in fields(Entrant)[2:]]
    return Entrant(text(data["id"]), None if seed is None else whole_number(seed), *typed)


def seeding_method(entrants: Sequence[Entrant[str]]) -> str:
    return "random" if all(entrant.seed is None for entrant in entrants) else "seeded"


def positions_after_changes(order: Sequence[str | None], changes: Sequence[Change]) -> list[str | None]:
    """Returns the positions after the changes, without byes after the last entry."""
    positions = dict(enumerate(order, start=1))
    positions |= {change.position: change.after for change in changes}
    last = max((position for position, entry in positions.items() if entry is not None), default=0)
    return [positions.get(position) for position in range(1, last + 1)]


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a text.")
    value.encode()
    return value


def whole_number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} should be a whole number.")
    return value
