"""Who takes which position of a draw: hands the entries and the rules to the lot, by a seed text or by a secret.

Reads only; `drawing` keeps what comes of it.
"""

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext_noop

from tournament.draw.formats import Format
from tournament.draw.formats.layouts import LAYOUT_VERSION
from tournament.draw.graph import BYE
from tournament.draw.public_draw import closing as closings
from tournament.draw.public_draw.closing import Closing, Reopening, closing_hash
from tournament.draw.public_draw.commitment import CommitmentError
from tournament.draw.public_draw.document import entrant_to_json, rules_from_json, rules_to_json
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.draw.recipes import Byes, DrawError, Entrant, OrderRules, SeededLines, draw_positions
from tournament.draw.recipes.order_rules import normalize_spaces
from tournament.models import Commitment, Entry, Event, Tournament
from tournament.models.brackets import DrawMethod
from tournament.runtime.errors import Refused

NOT_PUBLISHED = gettext_noop("not published")


@dataclass(frozen=True, slots=True)
class Asked:
    """How to draw: seeded or all by lot, byes and separation, and why byes were given by hand."""

    method: str = DrawMethod.RANDOM
    rules: OrderRules[str] = field(default_factory=OrderRules)
    byes_reason: str = ""


@dataclass(frozen=True, slots=True)
class Lot:
    """Ids by position, None for a bye, and everything needed to draw them again."""

    seed_text: str
    order: list[str | None]
    rules: dict[str, Any]
    seeds: dict[str, int]


def entrants(entries: Sequence[Entry], method: str) -> list[Entrant[str]]:
    """The entries as a draw knows them, in the order of registration. Raises Refused for a seeded one without seeds."""
    seeded = method == DrawMethod.SEEDED
    club = _shown_or_numbered(entries, lambda entry: entry.player.club)
    team = _shown_or_numbered(entries, lambda entry: entry.player.team)
    if seeded and all(entry.seed is None for entry in entries):
        raise Refused("no-seeds", "No entry has a seed. Give seeds on the entries page, or draw at random.")
    return [
        Entrant(
            str(entry.pk),
            entry.seed if seeded else None,
            club[entry.pk],
            entry.player.country,
            team[entry.pk],
        )
        for entry in entries
    ]


def _shown_or_numbered(entries: Sequence[Entry], of: Callable[[Entry], str]) -> dict[uuid.UUID, str]:
    """Clubs or teams, as a draw publishes them: by numbers where the event shortens surnames. None stays empty."""
    if not entries or not entries[0].tournament.event.shows_initials:
        return {entry.pk: of(entry) for entry in entries}
    numbers = {"": ""}
    known = {entry.pk: normalize_spaces(of(entry)).casefold() for entry in entries}
    return {pk: numbers.setdefault(name, str(len(numbers))) for pk, name in known.items()}


def published_text(event: Event, text: str) -> str:
    """Free text as everybody may read it: it may name players in full, so an event that shortens surnames hides it."""
    return NOT_PUBLISHED if text.strip() and event.shows_initials else text


def refuse_without_a_sheet(tournament: Tournament, rules: OrderRules[str]) -> None:
    """Raises Refused for byes or lines to be drawn where the format has no sheet."""
    plain = rules.byes is Byes.TOP_SEEDS and rules.seeded_lines is SeededLines.FIXED
    if not plain and not Format.from_json(tournament.format).has_sheet:
        raise Refused(
            "no-sheet",
            "Byes and lines of seeds are drawn only in a knock-out or double elimination. Draw without them; "
            "if the entries are closed, close them again first.",
        )


def rules_kept(asked: Asked, those: Sequence[Entrant[str]]) -> dict[str, Any]:
    """The rules and entries of a draw as they are stored with it."""
    return rules_to_json(asked.rules) | {
        "method": str(asked.method),
        "byes_reason": asked.byes_reason,
        "entries": [entrant_to_json(one) for one in those],
    }


def draw(asked: Asked, those: Sequence[Entrant[str]], seed_text: str) -> Lot:
    """Draws with this seed text, or one made by chance where it is empty. Raises Refused for rules that cannot be."""
    text = seed_text.strip() or secrets.token_hex(16)
    try:
        positions = draw_positions(those, asked.rules, text)
    except DrawError as cannot:
        raise Refused("cannot-be-drawn", "{why}", why=str(cannot)) from cannot
    return Lot(
        text,
        [None if one is BYE else str(one) for one in positions],
        rules_kept(asked, those),
        {one.entry: one.seed for one in those if one.seed is not None},
    )


def open_commitment(tournament: Tournament) -> Commitment | None:
    """The secret that waits for its draw."""
    return Commitment.objects.filter(
        tournament=tournament, draw__isnull=True, given_up_at__isnull=True
    ).first()


def closing_of(
    waiting: Commitment, asked: Asked, public: PublicChance, entries: Sequence[Entry], closed_at: datetime
) -> Closing:
    """What closing entries now fixes, with every closing of this secret that was reopened."""
    tournament = waiting.tournament
    event = tournament.event
    return Closing(
        draw=next_number(tournament),
        secret_hash=waiting.secret_hash,
        committed_at=instant(waiting.made_at),
        closed_at=instant(closed_at),
        public=public,
        format_json=Format.from_json(tournament.format).as_json(),
        layout=LAYOUT_VERSION,
        rules=asked.rules,
        byes_reason=published_text(event, asked.byes_reason),
        entrants=entrants(entries, asked.method),
        names={str(entry.pk): entry.name for entry in entries},
        reopenings=[
            Reopening(
                one.number,
                instant(one.closed_at),
                one.entries_hash,
                instant(one.reopened_at),
                published_text(event, one.reason),
            )
            for one in waiting.reopenings.order_by("number")
        ],
    )


def kept_closing(closing: Closing, asked: Asked) -> dict[str, Any]:
    """A closing as it is stored: what was hashed, and the names."""
    rules = rules_kept(asked, closing.entrants)
    return rules | {"closing": closing.as_json(), "names": dict(closing.names)}


def public_chance(rules: Mapping[str, Any]) -> PublicChance | None:
    """What is to be thrown by the rules of a commitment or a draw; None before entries close."""
    closing = rules.get("closing")
    return PublicChance.from_json(closing["public"]) if closing else None


def asked_when_closed(waiting: Commitment) -> Asked:
    kept = waiting.rules
    return Asked(kept["method"], rules_from_json(kept), kept.get("byes_reason", ""))


def refuse_another_closing(waiting: Commitment, entries: Sequence[Entry]) -> None:
    """Raises Refused where entries or format are not those that were closed."""
    if waiting.closed_at is None:
        raise Refused("entries-open", "Close the entries first; the dice are thrown after that.")
    kept = waiting.rules.get("closing")
    if kept is None:
        raise Refused(
            "closed-by-earlier-version",
            "Entries were closed by an earlier version of this program. Close them again and throw new dice.",
        )
    public = PublicChance.from_json(kept["public"])
    now = closing_of(waiting, asked_when_closed(waiting), public, entries, waiting.closed_at)
    if closing_hash(now.as_json()) != waiting.entries_hash:
        raise Refused(
            "entries-changed",
            "Entries or format changed since entries were closed. Close them again and throw new dice.",
        )


def mixed(commitment: Commitment, typed: str) -> tuple[str, str]:
    """What was thrown in its one spelling, and the seed text. Raises Refused where the dice do not fit the closing."""
    closing = commitment.rules["closing"]
    try:
        public = PublicChance.from_json(closing["public"]).canonical_text(typed)
        return public, closings.seed_text(commitment.secret, public, commitment.entries_hash, closing["draw"])
    except CommitmentError as cannot:
        raise Refused("no-dice", "{why}", why=str(cannot)) from cannot


def sheet_of(order: Sequence[str | None]) -> tuple[int, frozenset[int]]:
    """How many entries an order has, and the positions of its byes."""
    empty = frozenset(position for position, entry in enumerate(order, 1) if entry is None)
    return len(order) - len(empty), empty


def next_number(tournament: Tournament) -> int:
    """The number of the draw that would be made now."""
    last: int = tournament.draws.aggregate(last=Max("number"))["last"] or 0
    return last + 1


def instant(at: datetime) -> str:
    """A time as it is published: to the second, in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def position_ids(order: Sequence[str | None]) -> list[Any]:
    """The order as a layout takes it: ids, and byes."""
    return [BYE if one is None else uuid.UUID(one) for one in order]
