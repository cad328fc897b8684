"""Makes a published draw again and says whether it is as published: what `verify_draw` and the page both ask.

Nothing is believed that can be worked out. What nobody can work out is whether the hashes were shown in time: people
compare them with what they saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from tournament.draw.commitment import CommitmentError, entries_hash, secret_hash, seed_text
from tournament.draw.document import PublicDraw, method, occupants, read, seated
from tournament.draw.graph import Bye
from tournament.draw.recipes.order import draw_positions
from tournament.draw.recipes.order_rules import Byes, DrawError

SENTENCES: Mapping[str, str] = {
    "cannot-be-drawn": "This draw cannot be made: {why}",
    "secret_hash": "The secret has the hash {drawn}; the hash published is {published}.",
    "entries_hash": "The entry list with its rules has the hash {drawn}; the hash published is {published}.",
    "seed_text": "Secret, dice, entry list and number give the seed text {drawn}; published is {published}.",
    "method": "The seeds say that the draw is {drawn}; published is {published}.",
    "position": "Position {position}: drawn {drawn}, published {published}.",
    "seated": "Position {position} after the changes: {drawn}; published {published}.",
    "change-before": "Position {position} was given from {published} to another, but {drawn} was there.",
    "reason": "Draw {number} was made again without a reason.",
    "byes-reason": "Byes were given by hand without a reason.",
    "change-reason": "Position {position} was changed by hand without a reason.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit. `code` is for programs; front doors translate the template."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return SENTENCES[self.code]

    @property
    def sentence(self) -> str:
        return self.template.format_map(self.params)


def verify(document: Any) -> list[Finding]:
    """Everything in a draw document that is not as it should be. Raises DocumentError for what is none."""
    draw = read(document)
    try:
        hashes = _hashes(draw)
        drawn = draw_positions(draw.entrants, draw.rules, hashes["seed_text"])
    except (DrawError, CommitmentError) as error:
        return [Finding("cannot-be-drawn", {"why": str(error)})]
    told = hashes | {"method": method(draw.entrants)}
    findings = [
        Finding(name, {"drawn": right, "published": document.get(name)})
        for name, right in told.items()
        if document.get(name) != right
    ]
    order = [_entry(occupant) for occupant in draw.order]
    findings += _different("position", draw, [_entry(occupant) for occupant in drawn], order)
    findings += _different("seated", draw, seated(order, draw.changes), occupants(document, "seated"))
    return [*findings, *_changes(draw, order), *_without_reason(draw)]


def _hashes(draw: PublicDraw) -> dict[str, str]:
    listed = entries_hash(draw.entrants, draw.rules)
    return {
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": listed,
        "seed_text": seed_text(draw.secret, draw.public, listed, draw.number),
    }


def _entry(occupant: str | Bye) -> str | None:
    return None if isinstance(occupant, Bye) else occupant


def _different(
    code: str, draw: PublicDraw, right: Sequence[str | None], published: Sequence[str | None]
) -> Iterator[Finding]:
    """Position by position; a bye behind the last entry may be left out."""
    for position, (one, other) in enumerate(zip_longest(right, published), start=1):
        if one != other:
            params = {"position": position, "drawn": _named(draw, one), "published": _named(draw, other)}
            yield Finding(code, params)


def _named(draw: PublicDraw, entry: str | None) -> str:
    if entry is None:
        return "-"
    name = draw.names.get(entry, "")
    return f"{name} ({entry})" if name else entry


def _changes(draw: PublicDraw, order: Sequence[str | None]) -> Iterator[Finding]:
    """Changes that take a position from somebody who was not there."""
    there = dict(enumerate(order, start=1))
    for change in draw.changes:
        if there.get(change.position) != change.before:
            params = {
                "position": change.position,
                "drawn": _named(draw, there.get(change.position)),
                "published": _named(draw, change.before),
            }
            yield Finding("change-before", params)
        there[change.position] = change.after


def _without_reason(draw: PublicDraw) -> Iterator[Finding]:
    if draw.number > 1 and not draw.reason.strip():
        yield Finding("reason", {"number": draw.number})
    if draw.rules.byes is Byes.BY_HAND and not draw.byes_reason.strip():
        yield Finding("byes-reason")
    for change in draw.changes:
        if not change.reason.strip():
            yield Finding("change-reason", {"position": change.position})
