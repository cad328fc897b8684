"""A draw made with a secret and public dice, as the document that anyone can check. Reads only.

What was shown at the time, and who sits in the draw now, is taken from where it is kept, so that checking the document
checks what is kept. Whether a draw may be shown already is the front door's question: a document holds the secret.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournament.draw.document import Change, PublicDraw, draw_document, entrant_from_json, rules_from_json
from tournament.draw.graph import BYE, Seat
from tournament.draw.recipes import seed_lines
from tournament.models import Bracket, Commitment, Draw, Feed, Round, SeatChangeKind, Shape
from tournament.showing.names import names_of

MAIN = "main"
WHY: Mapping[str, str] = {SeatChangeKind.LATE_ENTRY: "came late", SeatChangeKind.RE_ENTRY: "entered again"}
"""Why a seat changed hands where nobody is asked: in the document's own words, like its kinds."""


def published(draw: Draw) -> dict[str, Any] | None:
    """The document of a draw; None for one that was made without a secret.

    `draw.rules` are those of `rules_to_json` with `byes_reason` and, as `entries`, what the draw knew of each.
    """
    if not draw.secret:
        return None
    seats = dict(_seats(draw))
    committed = Commitment.objects.filter(draw=draw).first()
    facts = PublicDraw(
        number=draw.number,
        secret=draw.secret,
        public=draw.public,
        entrants=[entrant_from_json(entry) for entry in draw.rules["entries"]],
        rules=rules_from_json(draw.rules),
        order=[BYE if entry is None else entry for entry in draw.order],
        event=draw.tournament.event.name,
        tournament=draw.tournament.name,
        names=_names(draw),
        reason=draw.reason,
        byes_reason=draw.rules.get("byes_reason", ""),
        committed_at=committed.made_at.isoformat() if committed else "",
        made_at=draw.made_at.isoformat(),
        changes=_changes(seats),
    )
    shown = {"secret_hash": draw.secret_hash, "entries_hash": draw.entries_hash, "seed_text": draw.seed_text}
    document = draw_document(facts) | shown
    return document | {"seated": _seated(seats)} if seats else document


def _names(draw: Draw) -> dict[str, str]:
    return {str(entry): name for entry, name in names_of(draw.tournament).items()}


def _seats(draw: Draw) -> Iterator[tuple[int, Feed]]:
    """The first seats of the main bracket by their positions; none of a draw that was replaced, or is no knock-out."""
    feeds = [] if draw.replaced_at else _first_feeds(draw)
    lines = seed_lines((len(draw.order) - 1).bit_length())
    if len(feeds) == len(lines):
        for feed in feeds:
            yield lines[2 * feed.target.line - 2 + (feed.seat == Seat.RIGHT)], feed


def _first_feeds(draw: Draw) -> Sequence[Feed]:
    bracket = {"tournament": draw.tournament, "key": MAIN, "shape": Shape.TREE}
    first = Round.objects.filter(number=1, bracket__in=Bracket.objects.filter(**bracket))
    feeds = Feed.objects.filter(target__round__in=first, source__isnull=True, bracket__isnull=True)
    return list(feeds.select_related("target").prefetch_related("changes"))


def _changes(seats: Mapping[int, Feed]) -> list[Change]:
    found = [(change, position) for position, feed in seats.items() for change in feed.changes.all()]
    found.sort(key=lambda at: (at[0].at, at[0].pk))
    return [
        Change(
            position,
            _id(change.before_id),
            _id(change.after_id),
            change.kind,
            change.reason or WHY.get(change.kind, ""),
            change.at.isoformat(),
        )
        for change, position in found
    ]


def _seated(seats: Mapping[int, Feed]) -> list[str | None]:
    now = {position: _id(feed.entry_id) for position, feed in seats.items()}
    last = max(position for position, entry in now.items() if entry is not None)
    return [now.get(position) for position in range(1, last + 1)]


def _id(entry: object) -> str | None:
    return None if entry is None else str(entry)
