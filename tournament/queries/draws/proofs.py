"""The public proofs of a tournament's draws: hashes at once, a draw's document after its release.

Reads only. A document contains the secret, so a draw that was never released is listed without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.draw.public_draw.public_chance import PublicChance
from tournament.draw.public_draw.verification import Finding, verify
from tournament.drawing import draw_secret
from tournament.models import Commitment, Draw, JournalLine, Reopening, Tournament
from tournament.queries.draws.documents import published_document, renamed
from tournament.queries.entries.names import entry_names
from tournament.queries.round_preview import PairOfRound, pairs_of_released_rounds
from tournament.queries.seats import ChangeLine, changes_by_hand
from tournament.runtime.errors import NotFound

GIVEN_UP, TAKEN_BACK = "give secret up", "undo draw"


@dataclass(frozen=True, slots=True)
class DrawProof:
    """The public view of a draw. Without `secret_hash` it was made from a seed text alone.

    `findings` are the mismatches of the published document. `is_hidden`: the draw is not released, or was replaced
    before. `expected` are the required dice throws, `reopened` the earlier closings, `changes` the seats changed by
    hand since, `pairs_by_hand` the pairs set by hand or kept apart in later rounds, and `renamed` the names at the
    closing with the current names, if the event shows full names.
    """

    number: int
    made_at: datetime
    released_at: datetime | None
    replaced_at: datetime | None
    reason: str
    why_taken_back: str
    seed_text: str
    secret_hash: str
    committed_at: datetime | None
    entries_hash: str
    closed_at: datetime | None
    secret: str
    public: str
    expected: PublicChance | None
    reopened: tuple[Reopening, ...]
    findings: tuple[Finding, ...]
    changes: tuple[ChangeLine, ...]
    pairs_by_hand: tuple[PairOfRound, ...]
    renamed: tuple[tuple[str, str], ...]

    @property
    def is_hidden(self) -> bool:
        return self.released_at is None

    @property
    def can_be_checked(self) -> bool:
        return bool(self.secret)


@dataclass(frozen=True, slots=True)
class SecretGivenUp:
    secret_hash: str
    made_at: datetime
    given_up_at: datetime
    reason: str
    entries_hash: str
    closed_at: datetime | None
    reopened: tuple[Reopening, ...]


@dataclass(frozen=True, slots=True)
class DrawProofsPage:
    """All proofs, newest first; `waiting` is the secret without a draw, with its required dice throws."""

    waiting: Commitment | None
    expected: PublicChance | None
    reopened: tuple[Reopening, ...]
    draws: tuple[DrawProof, ...]
    given_up: tuple[SecretGivenUp, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.waiting or self.draws or self.given_up)

    @property
    def has_secret(self) -> bool:
        """True if there is, or will be, a draw that anyone can check."""
        return self.waiting is not None or any(draw.secret_hash for draw in self.draws)


def draw_proofs(tournament: Tournament) -> DrawProofsPage:
    """Loads every draw and every secret of a tournament. Repeats each released draw with a secret and compares it."""
    rows = Commitment.objects.filter(tournament=tournament).prefetch_related("reopenings")
    secrets = list(rows.order_by("-made_at"))
    by_draw = {secret.draw_id: secret for secret in secrets if secret.draw_id}
    draws = Draw.objects.filter(tournament=tournament).select_related("tournament__event")
    taken_back = _reasons(tournament, TAKEN_BACK)
    open_secrets = [secret for secret in secrets if secret.draw_id is None and secret.given_up_at is None]
    waiting = open_secrets[0] if open_secrets else None
    return DrawProofsPage(
        waiting=waiting,
        expected=draw_secret.public_chance(waiting.rules) if waiting else None,
        reopened=_reopened(waiting),
        draws=tuple(
            _proof(draw, by_draw.get(draw.pk), taken_back.get(str(draw.pk), ""))
            for draw in draws.order_by("-number")
        ),
        given_up=tuple(_given_up(secrets, _reasons(tournament, GIVEN_UP))),
    )


def released_public_draw(tournament: Tournament) -> Draw | None:
    """Returns the current released draw if it was made with a secret."""
    draws = Draw.objects.filter(tournament=tournament, replaced_at__isnull=True, released_at__isnull=False)
    return draws.exclude(secret="").first()


def released_document(tournament: Tournament, number: int) -> Mapping[str, Any]:
    """Returns the document of a released draw. Raises NotFound for a hidden draw and for one without a secret."""
    draw = (
        Draw.objects.select_related("tournament__event").filter(tournament=tournament, number=number).first()
    )
    document = published_document(draw) if draw is not None and draw.is_released else None
    if document is None:
        raise NotFound
    return document


def _proof(draw: Draw, secret: Commitment | None, why_taken_back: str) -> DrawProof:
    is_out = draw.is_released
    document = published_document(draw) if is_out else None
    return DrawProof(
        number=draw.number,
        made_at=draw.made_at,
        released_at=draw.released_at,
        replaced_at=draw.replaced_at,
        reason=draw.reason,
        why_taken_back=why_taken_back,
        seed_text=draw.seed_text if is_out else "",
        secret_hash=draw.secret_hash,
        committed_at=secret.made_at if secret else None,
        entries_hash=draw.entries_hash,
        closed_at=secret.closed_at if secret else None,
        secret=draw.secret if is_out else "",
        public=draw.public_dice if is_out else "",
        expected=draw_secret.public_chance(draw.rules),
        reopened=_reopened(secret),
        findings=tuple(verify(document)) if document else (),
        changes=tuple(changes_by_hand(draw.tournament)) if is_out and draw.replaced_at is None else (),
        pairs_by_hand=tuple(pairs_of_released_rounds(draw.tournament))
        if is_out and draw.replaced_at is None
        else (),
        renamed=_renamed(draw) if is_out else (),
    )


def _reopened(secret: Commitment | None) -> tuple[Reopening, ...]:
    return tuple(secret.reopenings.all()) if secret else ()


def _renamed(draw: Draw) -> tuple[tuple[str, str], ...]:
    if draw.tournament.event.shows_initials:
        return ()
    names = {str(entry): name for entry, name in entry_names(draw.tournament).items()}
    return tuple((draw.rules["names"][entry], name) for entry, name in renamed(draw, names).items())


def _reasons(tournament: Tournament, verb: str) -> dict[str, str]:
    """Returns the reasons of journal entries, by the id of their subject."""
    lines = JournalLine.objects.filter(tournament=tournament, verb=verb)
    return dict(lines.values_list("subject_id", "reason"))


def _given_up(secrets: list[Commitment], reasons: Mapping[str, str]) -> list[SecretGivenUp]:
    return [
        SecretGivenUp(
            secret.secret_hash,
            secret.made_at,
            secret.given_up_at,
            reasons.get(str(secret.pk), ""),
            secret.entries_hash,
            secret.closed_at,
            _reopened(secret),
        )
        for secret in secrets
        if secret.given_up_at is not None
    ]
