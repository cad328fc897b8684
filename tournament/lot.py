"""Who takes which position of a draw: hands the entries and the rules to the lot, by a seed text or by a secret.

Reads only; `drawing` keeps what comes of it.
"""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tournament.draw import commitment as committing
from tournament.draw.commitment import CommitmentError
from tournament.draw.document import entrant_to_json, rules_to_json
from tournament.draw.graph import BYE
from tournament.draw.recipes import DrawError, Entrant, OrderRules, draw_positions
from tournament.errors import Refused
from tournament.models import Commitment, Entry, Tournament
from tournament.models.brackets import DrawMethod


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
    if seeded and all(entry.seed is None for entry in entries):
        raise Refused("no-seeds", "No entry has a seed. Give seeds on the entries page, or draw at random.")
    return [
        Entrant(
            str(entry.pk),
            entry.seed if seeded else None,
            entry.player.club,
            entry.player.country,
            entry.player.team,
        )
        for entry in entries
    ]


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


def entries_hash(asked: Asked, those: Sequence[Entrant[str]]) -> str:
    """What fixes entries and rules before the dice are thrown."""
    return committing.entries_hash(those, asked.rules)


def mixed(commitment: Commitment, typed: str, number: int) -> tuple[str, str]:
    """The public text as it counts, and the seed text of draw `number`. Raises Refused without dice."""
    try:
        public = committing.public_text(typed)
        return public, committing.seed_text(commitment.secret, public, commitment.entries_hash, number)
    except CommitmentError as cannot:
        raise Refused("no-dice", "{why}", why=str(cannot)) from cannot


def position_ids(order: Sequence[str | None]) -> list[Any]:
    """The order as a layout takes it: ids, and byes."""
    return [BYE if one is None else uuid.UUID(one) for one in order]
