"""The published draw: everything a stranger needs to make it again, written as JSON and read again.

A document holds the secret, so it is for draws that are made and released. Names stand beside the ids for people to
read and can be put right later; neither they nor the times are part of what is hashed or checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tournament.draw.commitment import entries_hash, public_text, secret_hash, seed_text
from tournament.draw.graph import BYE, Bye
from tournament.draw.recipes.order_rules import Byes, Entrant, OrderRules, SeededLines, Separate

FORMAT, VERSION = "backgammon draw", 1
MOST = 1024


class DocumentError(ValueError):
    """This is no draw document that can be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """A seat given to another by hand after the draw: a swap is two of them. None is a bye."""

    position: int
    before: str | None
    after: str | None
    kind: str
    reason: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class PublicDraw:
    """A draw made with a secret and public dice. `entrants` are in the order of registration, `order` by position."""

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


def draw_document(draw: PublicDraw) -> dict[str, Any]:
    """The draw as JSON. Raises CommitmentError for a secret or public text that can be none."""
    listed = entries_hash(draw.entrants, draw.rules)
    drawn = [None if isinstance(entry, Bye) else entry for entry in draw.order]
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": draw.event,
        "tournament": draw.tournament,
        "draw": draw.number,
        "reason": draw.reason,
        "method": method(draw.entrants),
        "rules": rules_to_json(draw.rules) | {"byes_reason": draw.byes_reason},
        "entries": [
            entrant_to_json(entrant) | {"name": draw.names.get(entrant.entry, "")}
            for entrant in draw.entrants
        ],
        "committed_at": draw.committed_at,
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": listed,
        "public": public_text(draw.public),
        "made_at": draw.made_at,
        "secret": draw.secret,
        "seed_text": seed_text(draw.secret, draw.public, listed, draw.number),
        "order": drawn,
        "changes": [asdict(change) for change in draw.changes],
        "seated": seated(drawn, draw.changes),
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
    """Raises KeyError, TypeError or ValueError for anything but rules; what is left out is as without a word."""
    plain: OrderRules[str] = OrderRules()
    return OrderRules(
        Byes(data.get("byes", plain.byes)),
        SeededLines(data.get("seeded_lines", plain.seeded_lines)),
        Separate(data.get("separate", plain.separate)),
        _whole(data.get("protected_rounds", plain.protected_rounds)),
        tuple(_text(entry) for entry in data.get("by_hand", ())),
    )


def entrant_to_json(entrant: Entrant[str]) -> dict[str, Any]:
    values = asdict(entrant)
    return {"id": values.pop("entry")} | values


def entrant_from_json(data: Mapping[str, Any]) -> Entrant[str]:
    """Raises KeyError, TypeError or ValueError for anything but an entry."""
    seed = data.get("seed")
    typed = [_text(data.get(field.name, "")) for field in fields(Entrant)[2:]]
    return Entrant(_text(data["id"]), None if seed is None else _whole(seed), *typed)


def method(entrants: Sequence[Entrant[str]]) -> str:
    return "random" if all(entrant.seed is None for entrant in entrants) else "seeded"


def seated(order: Sequence[str | None], changes: Sequence[Change]) -> list[str | None]:
    """The positions after the changes, byes behind the last entry left out."""
    positions = dict(enumerate(order, start=1))
    positions |= {change.position: change.after for change in changes}
    last = max((position for position, entry in positions.items() if entry is not None), default=0)
    return [positions.get(position) for position in range(1, last + 1)]


def read(document: Any) -> PublicDraw:
    """The draw that a document tells of. Raises DocumentError for what is no such document."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise DocumentError("This is no draw document.")
    if document.get("version") != VERSION:
        raise DocumentError(f"This draw document has a version that is not known here, only {VERSION} is.")
    try:
        occupants(document, "seated")
        return _draw(document)
    except DocumentError:
        raise
    except KeyError as missing:
        raise DocumentError(f"The draw document has no {missing}.") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise DocumentError(f"The draw document cannot be read: {error}") from None


def _draw(document: Mapping[str, Any]) -> PublicDraw:
    entries, rules = document["entries"], document["rules"]
    if not 2 <= len(entries) <= MOST:
        raise DocumentError(f"A draw has 2 to {MOST:,} entries, not {len(entries):,}.")
    return PublicDraw(
        number=_whole(document["draw"]),
        secret=_text(document["secret"]),
        public=_text(document["public"]),
        entrants=[entrant_from_json(entry) for entry in entries],
        rules=rules_from_json(rules),
        order=[BYE if entry is None else entry for entry in occupants(document, "order")],
        names={_text(entry["id"]): _text(entry.get("name", "")) for entry in entries},
        reason=_text(document.get("reason", "")),
        byes_reason=_text(rules.get("byes_reason", "")),
        changes=[_change(change) for change in document.get("changes", ())],
    )


def occupants(document: Mapping[str, Any], name: str) -> list[str | None]:
    """The ids that a document lists there, None for byes. Raises TypeError or ValueError for anything else."""
    listed = document.get(name, [])
    if not isinstance(listed, list):
        raise TypeError(f"{name} should be a list.")
    return [None if entry is None else _text(entry) for entry in listed]


def _change(data: Mapping[str, Any]) -> Change:
    before, after = (None if data[name] is None else _text(data[name]) for name in ("before", "after"))
    position = _whole(data["position"])
    if not 1 <= position <= MOST:
        raise ValueError(f"There is no position {position}.")
    return Change(position, before, after, _text(data["kind"]), _text(data.get("reason", "")))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a text.")
    value.encode()
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} should be a whole number.")
    return value
