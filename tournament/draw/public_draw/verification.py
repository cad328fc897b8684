"""Repeats a published draw and compares the result. Used by `verify_draw` and by the page.

Every value that can be computed is computed. Programs cannot check that the hashes were published in time: people
compare them with what they saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from rules.translation import gettext_noop as _
from tournament.draw.graph import Bye, GraphError
from tournament.draw.pairing import PairingError
from tournament.draw.public_draw import proof_version_2
from tournament.draw.public_draw.document import (
    PublicDraw,
    first_round_json,
    positions_after_changes,
    seeding_method,
)
from tournament.draw.public_draw.document_reader import read_document, read_occupants
from tournament.draw.public_draw.proof_version_1 import CommitmentError, entries_hash, secret_hash, seed_text
from tournament.draw.public_draw.proof_version_2 import closing_hash, name_hash
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.draw.recipes.order import draw_positions
from tournament.draw.recipes.order_rules import Byes, DrawError

SENTENCES: Mapping[str, str] = {
    "cannot-be-drawn": _("This draw cannot be made: {why}"),
    "secret_hash": _("The secret has the hash {drawn}; the hash published is {published}."),
    "entries_hash": _(
        "The entry list with its rules has the hash {drawn}; the hash published is {published}."
    ),
    "seed_text": _(
        "Secret, dice, entry list and number give the seed text {drawn}; published is {published}."
    ),
    "method": _("The seeds say that the draw is {drawn}; published is {published}."),
    "position": _("Position {position}: drawn {drawn}, published {published}."),
    "seated": _("Position {position} after the changes: {drawn}; published {published}."),
    "change-before": _("Position {position} was given from {published} to another, but {drawn} was there."),
    "reason": _("Draw {number} was made again without a reason."),
    "byes-reason": _("Byes were given by hand without a reason."),
    "change-reason": _("Position {position} was changed by hand without a reason."),
    "public": _("The public dice or number are published as {published}; their standard form is {drawn}."),
    "name": _("{published} is not the name with which the entry {entry} was closed."),
    "groups": _("The groups are not those of this draw."),
    "first_round": _("The pairings of round 1 are not those of this draw."),
    "times": _("Entries were closed, reopened and drawn in an impossible order: {published}."),
    "draw": _("The closing belongs to draw {drawn}; published is {published}."),
    "closing": _("The hash of the secret in the closing is {published}; the secret has the hash {drawn}."),
    "reopened": _("Entries were reopened without a reason or out of turn after closing {number}."),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A mismatch. `code` is for programs; front doors translate the template."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return SENTENCES[self.code]

    @property
    def sentence(self) -> str:
        return self.template.format_map(self.params)


def verify(document: Any) -> list[Finding]:
    """Returns all mismatches of a draw document. Raises DocumentError if it is not a draw document."""
    draw = read_document(document)
    try:
        expected = _expected_of_version_2(draw) if draw.closing else _expected_of_version_1(draw)
        drawn = draw_positions(draw.entrants, draw.rules, expected["seed_text"])
        first_round = (
            first_round_json(replace(draw, order=drawn), expected["seed_text"]) if draw.closing else {}
        )
    except (DrawError, CommitmentError, GraphError, PairingError, KeyError, TypeError, ValueError) as error:
        return [Finding("cannot-be-drawn", {"why": str(error)})]
    findings = [
        Finding(name, {"drawn": value, "published": document.get(name)})
        for name, value in (expected | first_round).items()
        if document.get(name) != value
    ]
    order = [_entry(occupant) for occupant in draw.order]
    findings += _compare_positions("position", draw, [_entry(occupant) for occupant in drawn], order)
    findings += _compare_positions(
        "seated", draw, positions_after_changes(order, draw.changes), read_occupants(document, "seated")
    )
    findings += [*_name_findings(draw), *_closing_findings(draw)] if draw.closing else []
    return [*findings, *_change_findings(draw, order), *_missing_reasons(draw)]


def _expected_of_version_2(draw: PublicDraw) -> dict[str, Any]:
    """Returns the values that a draw of version 2 must publish.

    Raises CommitmentError for dice that do not fit the closing.
    """
    closing_digest = closing_hash(draw.closing)
    public = PublicChance.from_json(draw.closing["public"]).canonical_text(draw.public)
    return {
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": closing_digest,
        "public": public,
        "seed_text": proof_version_2.seed_text(draw.secret, public, closing_digest, draw.number),
        "draw": draw.number,
    }


def _name_findings(draw: PublicDraw) -> Iterator[Finding]:
    """Yields names that differ from those of the closing. A withheld name is not a finding."""
    for entry in draw.closing["entries"]:
        name = draw.names.get(entry["id"], "")
        if name and name_hash(entry["id"], name) != entry["name_hash"]:
            yield Finding("name", {"entry": entry["id"], "published": name})


def _closing_findings(draw: PublicDraw) -> Iterator[Finding]:
    """Yields a closing for another secret, closings in the wrong order, and reopenings without a reason."""
    if draw.closing["secret_hash"] != secret_hash(draw.secret):
        params = {"drawn": secret_hash(draw.secret), "published": draw.closing["secret_hash"]}
        yield Finding("closing", params)
    times = [draw.closing["committed_at"]]
    for number, reopening in enumerate(draw.closing["reopened"], start=1):
        if reopening["number"] != number or not reopening["reason"].strip():
            yield Finding("reopened", {"number": number})
        times += [reopening["closed_at"], reopening["reopened_at"]]
    times += [draw.closing["closed_at"], draw.made_at]
    if times != sorted(times):
        yield Finding("times", {"published": ", ".join(times)})


def _expected_of_version_1(draw: PublicDraw) -> dict[str, Any]:
    entries_digest = entries_hash(draw.entrants, draw.rules)
    return {
        "secret_hash": secret_hash(draw.secret),
        "entries_hash": entries_digest,
        "seed_text": seed_text(draw.secret, draw.public, entries_digest, draw.number),
        "method": seeding_method(draw.entrants),
    }


def _entry(occupant: str | Bye) -> str | None:
    return None if isinstance(occupant, Bye) else occupant


def _compare_positions(
    code: str, draw: PublicDraw, expected: Sequence[str | None], published: Sequence[str | None]
) -> Iterator[Finding]:
    """Compares position by position. A bye after the last entry may be left out."""
    for position, (expected_entry, published_entry) in enumerate(zip_longest(expected, published), start=1):
        if expected_entry != published_entry:
            params = {
                "position": position,
                "drawn": _entry_with_name(draw, expected_entry),
                "published": _entry_with_name(draw, published_entry),
            }
            yield Finding(code, params)


def _entry_with_name(draw: PublicDraw, entry: str | None) -> str:
    if entry is None:
        return "-"
    name = draw.names.get(entry, "")
    return f"{name} ({entry})" if name else entry


def _change_findings(draw: PublicDraw, order: Sequence[str | None]) -> Iterator[Finding]:
    """Yields changes of a position whose earlier occupant differs from the draw."""
    entry_at = dict(enumerate(order, start=1))
    for change in draw.changes:
        if entry_at.get(change.position) != change.before:
            params = {
                "position": change.position,
                "drawn": _entry_with_name(draw, entry_at.get(change.position)),
                "published": _entry_with_name(draw, change.before),
            }
            yield Finding("change-before", params)
        entry_at[change.position] = change.after


def _missing_reasons(draw: PublicDraw) -> Iterator[Finding]:
    if draw.number > 1 and not draw.reason.strip():
        yield Finding("reason", {"number": draw.number})
    if draw.rules.byes is Byes.BY_HAND and not draw.byes_reason.strip():
        yield Finding("byes-reason")
    for change in draw.changes:
        if not change.reason.strip():
            yield Finding("change-reason", {"position": change.position})
