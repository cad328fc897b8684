"""Builds the document of a draw made with a secret and public dice, which anyone can check. Reads only.

The document is built from the stored rows, so checking it checks the stored rows. It contains the secret: the caller
checks that the draw may be published.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournament.draw.formats import Format
from tournament.draw.formats.first_round import Meeting, first_round
from tournament.draw.graph import BYE, Bye, Seat
from tournament.draw.public_draw.document import (
    Change,
    PublicDraw,
    draw_document,
    entrant_from_json,
    rules_from_json,
)
from tournament.drawing.draw_secret import utc_timestamp
from tournament.drawing.order import published_text
from tournament.models import Commitment, Draw, Event, Feed, Round, SeatChangeKind
from tournament.queries.entries.names import entry_names

DEFAULT_REASONS: Mapping[str, str] = {
    SeatChangeKind.LATE_ENTRY: "came late",
    SeatChangeKind.RE_ENTRY: "entered again",
}
"""Why a seat changed hands where nobody is asked: in the document's own words, like its kinds."""


def list_draws_by_slug(event: str, tournament: str) -> list[Draw]:
    """Returns all draws of the tournament with these slugs, oldest first."""
    return list(Draw.objects.filter(tournament__event__slug=event, tournament__slug=tournament))


def published_document(draw: Draw) -> dict[str, Any] | None:
    """Returns the document of a draw; None for a draw without a secret.

    `draw.rules` are those of `rules_to_json` with `byes_reason` and, as `entries`, the facts about each entry that the
    draw used. Since version 2 it also has the `closing` that was hashed, and the `names` at that time.
    """
    if not draw.secret:
        return None
    closing = draw.rules.get("closing", {})
    now = _names(draw)
    event = draw.tournament.event
    names = _names_of_closing(draw, now) if closing else now
    drawn = {entry["id"] for entry in draw.rules["entries"]}
    seats = dict(_seats(draw))
    committed = Commitment.objects.filter(draw=draw).first()
    facts = PublicDraw(
        number=draw.number,
        secret=draw.secret,
        public=draw.public_dice,
        entrants=[entrant_from_json(entry) for entry in draw.rules["entries"]],
        rules=rules_from_json(draw.rules),
        order=_order(draw),
        event=event.name,
        tournament=draw.tournament.name,
        names=names,
        reason=published_text(event, draw.reason),
        byes_reason=published_text(event, draw.rules.get("byes_reason", "")),
        committed_at=committed.made_at.isoformat() if committed else "",
        made_at=utc_timestamp(draw.made_at) if closing else draw.made_at.isoformat(),
        changes=_changes(seats, event),
        closing=closing,
        renamed=renamed(draw, now),
        late={entry: name for entry, name in now.items() if entry not in drawn},
    )
    hashes = {"secret_hash": draw.secret_hash, "entries_hash": draw.entries_hash, "seed_text": draw.seed_text}
    document = draw_document(facts) | hashes
    return document | {"seated": _seated(seats)} if seats else document


def renamed(draw: Draw, now: Mapping[str, str]) -> dict[str, str]:
    """Returns the entries whose names changed after the closing."""
    closed: Mapping[str, str] = draw.rules.get("names", {})
    return {entry: now[entry] for entry, name in closed.items() if now.get(entry, name) != name}


def _names_of_closing(draw: Draw, now: Mapping[str, str]) -> dict[str, str]:
    """Returns the names at the closing. An event that shortens surnames now withholds names that changed since."""
    names: dict[str, str] = draw.rules["names"]
    shows_all = not draw.tournament.event.shows_initials
    return {entry: name for entry, name in names.items() if shows_all or now.get(entry) == name}


def _names(draw: Draw) -> dict[str, str]:
    return {str(entry): name for entry, name in entry_names(draw.tournament).items()}


def _order(draw: Draw) -> list[str | Bye]:
    return [BYE if entry is None else entry for entry in draw.order]


def _seats(draw: Draw) -> Iterator[tuple[int, Feed]]:
    """Returns the seats of round 1 by position; empty for a draw that was replaced."""
    if draw.replaced_at is not None:
        return
    feeds = {
        (feed.target.round.bracket.key, feed.target.line, feed.seat): feed for feed in _first_feeds(draw)
    }
    for meeting in _meetings(draw):
        for seat, position in ((Seat.LEFT, meeting.left), (Seat.RIGHT, meeting.right)):
            feed = feeds.get((meeting.bracket, meeting.line, seat.value))
            if feed is not None:
                yield position, feed


def _meetings(draw: Draw) -> Sequence[Meeting]:
    played = Format.from_json(draw.recipe["format"])
    entrants = [entrant_from_json(entry) for entry in draw.rules["entries"]]
    return first_round(played, _order(draw), entrants, draw.seed_text).meetings


def _first_feeds(draw: Draw) -> Sequence[Feed]:
    first = Round.objects.filter(number=1, bracket__tournament=draw.tournament)
    feeds = Feed.objects.filter(target__round__in=first, source__isnull=True, bracket__isnull=True)
    return list(feeds.select_related("target__round__bracket").prefetch_related("changes"))


def _changes(seats: Mapping[int, Feed], event: Event) -> list[Change]:
    changes = [(change, position) for position, feed in seats.items() for change in feed.changes.all()]
    changes.sort(key=lambda at: (at[0].at, at[0].pk))
    return [
        Change(
            position,
            _id(change.before_id),
            _id(change.after_id),
            change.kind,
            published_text(event, change.reason) or DEFAULT_REASONS.get(change.kind, ""),
            change.at.isoformat(),
        )
        for change, position in changes
    ]


def _seated(seats: Mapping[int, Feed]) -> list[str | None]:
    now = {position: _id(feed.entry_id) for position, feed in seats.items()}
    last = max(position for position, entry in now.items() if entry is not None)
    return [now.get(position) for position in range(1, last + 1)]


def _id(entry: object) -> str | None:
    return None if entry is None else str(entry)
