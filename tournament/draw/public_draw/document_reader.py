"""Parses a published draw of either version, and refuses anything else with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.graph import BYE
from tournament.draw.public_draw.document import (
    FORMAT,
    Change,
    DocumentError,
    PublicDraw,
    closing_format,
    entrant_from_json,
    rules_from_json,
    text,
    whole_number,
)
from tournament.draw.public_draw.proof_version_2 import closing_hash
from tournament.draw.recipes.order_rules import Entrant

VERSIONS = (1, 2)
MOST_ENTRIES = 1024


def read_document(document: Any) -> PublicDraw:
    """Returns the draw of a document. Raises DocumentError."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise DocumentError(gettext_noop("This is not a draw document."))
    if document.get("version") not in VERSIONS:
        raise DocumentError(
            gettext_noop("This draw document has an unknown version. Only versions 1 and 2 can be read.")
        )
    try:
        read_occupants(document, "seated")
        return _draw_of_version_1(document) if document["version"] == 1 else _draw_of_version_2(document)
    except DocumentError:
        raise
    except KeyError as key_error:
        raise DocumentError(gettext_noop("The draw document has no {key}."), key=key_error) from None
    except (TypeError, ValueError, AttributeError) as error:
        raise DocumentError(
            gettext_noop("The draw document cannot be read: {reason}"), reason=error
        ) from None


def _draw_of_version_2(document: Mapping[str, Any]) -> PublicDraw:
    closing = document["closing"]
    _check_closing(closing)
    return PublicDraw(
        number=whole_number(closing["draw"]),
        secret=text(document["secret"]),
        public=text(document["public"]),
        entrants=_read_entrants(closing["entries"]),
        rules=rules_from_json(closing["rules"]),
        order=[BYE if entry is None else entry for entry in read_occupants(document, "order")],
        names=_read_texts(document["names"]),
        reason=text(document["reason"]),
        byes_reason=text(closing["rules"]["byes_reason"]),
        committed_at=text(closing["committed_at"]),
        made_at=text(document["made_at"]),
        changes=[_read_change(change) for change in document["changes"]],
        closing=closing,
        renamed=_read_texts(document["renamed"]),
        late=_read_texts(document["late"]),
    )


def _check_closing(closing: Mapping[str, Any]) -> None:
    """Raises KeyError, TypeError or ValueError for an incomplete closing."""
    closing_format(closing)
    closing_hash(closing)
    for name in ("secret_hash", "closed_at"):
        text(closing[name])
    for entry in closing["entries"]:
        text(entry["name_hash"])
    for reopening in closing["reopened"]:
        whole_number(reopening["number"])
        for name in ("closed_at", "reopened_at", "entries_hash", "reason"):
            text(reopening[name])


def _read_entrants(entries: Any) -> list[Entrant[str]]:
    if not 2 <= len(entries) <= MOST_ENTRIES:
        raise DocumentError(
            gettext_noop("A draw has 2 to {most:,} entries, not {count:,}."),
            most=MOST_ENTRIES,
            count=len(entries),
        )
    return [entrant_from_json(entry) for entry in entries]


def _read_texts(data: Mapping[str, Any]) -> dict[str, str]:
    return {text(key): text(value) for key, value in data.items()}


def _draw_of_version_1(document: Mapping[str, Any]) -> PublicDraw:
    entries, rules = document["entries"], document["rules"]
    return PublicDraw(
        number=whole_number(document["draw"]),
        secret=text(document["secret"]),
        public=text(document["public"]),
        entrants=_read_entrants(entries),
        rules=rules_from_json(rules),
        order=[BYE if entry is None else entry for entry in read_occupants(document, "order")],
        names={text(entry["id"]): text(entry.get("name", "")) for entry in entries},
        reason=text(document.get("reason", "")),
        byes_reason=text(rules.get("byes_reason", "")),
        changes=[_read_change(change) for change in document.get("changes", ())],
    )


def read_occupants(document: Mapping[str, Any], name: str) -> list[str | None]:
    """Returns the ids in a list of the document, None for byes. Raises TypeError or ValueError for anything else."""
    values = document.get(name, [])
    if not isinstance(values, list):
        raise TypeError(f"{name} should be a list.")
    return [None if entry is None else text(entry) for entry in values]


def _read_change(data: Mapping[str, Any]) -> Change:
    before, after = (None if data[name] is None else text(data[name]) for name in ("before", "after"))
    position = whole_number(data["position"])
    if not 1 <= position <= MOST_ENTRIES:
        raise ValueError(f"There is no position {position}.")
    return Change(position, before, after, text(data["kind"]), text(data.get("reason", "")))
