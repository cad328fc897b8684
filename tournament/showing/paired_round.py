"""The round that was paired last, each pairing with why it came about, and what keeps the next from being paired.

Reads only: whether a round may be paired is asked of `rounds`, the reasons are read off the stored costs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament import rounds
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Aims, Cost, Ground, Reason, Why, why
from tournament.errors import Refused
from tournament.models import Pairing, Round, Tournament
from tournament.models.brackets import Settled

MAIN = "main"
GROUNDS: Mapping[Ground, Promise] = {
    Ground.NEVER_MET: _("they have not met"),
    Ground.MET_BEFORE: _("they met {number} × before: nobody else was left"),
    Ground.SAME_RECORD: _("same record"),
    Ground.RECORDS_APART: _("records {number} apart"),
    Ground.NEIGHBOURS: _("neighbours in the standings"),
    Ground.PLACES_APART: _("{number} places apart in the standings"),
    Ground.SAME_CLUB: _("same club: could not be avoided"),
    Ground.SAME_TEAM: _("same team: could not be avoided"),
    Ground.SAME_COUNTRY: _("same country: could not be avoided"),
    Ground.AS_SEEDED: _("as the seeding has it"),
    Ground.NEAR_SEEDING: _("{number} places off the seeding"),
    Ground.BY_LOT: _("by lot"),
    Ground.FIRST_BYE: _("no bye before"),
    Ground.FEWEST_BYES: _("nobody has had fewer byes"),
    Ground.MORE_BYES: _("{number} byes more than others: nobody else could sit out"),
    Ground.WORST_RECORD: _("worst record of those with as many byes"),
    Ground.WORSE_RECORDS: _("{number} worse records could not sit out"),
    Ground.WEAKEST: _("lowest in the seeding"),
    Ground.NEAR_WEAKEST: _("{number} places from the lowest in the seeding"),
}


@dataclass(frozen=True, slots=True)
class PairedShown:
    """Two who were paired, or one with a bye (`right` is empty); `records` are won and lost before the round."""

    line: int
    left: str
    right: str
    left_record: str
    right_record: str
    reasons: str


@dataclass(frozen=True, slots=True)
class PairedRoundShown:
    """`refused` says why the next round cannot be paired now; `of` so many rounds, 0 where nobody knows."""

    number: int
    of: int
    pairings: tuple[PairedShown, ...]
    refused: Refused | None
    may_be_taken_back: bool
    pairs_while_playing: bool

    @property
    def next_number(self) -> int:
        return self.number + 1


def paired_round(tournament: Tournament) -> PairedRoundShown | None:
    """The last round; None where the format is not paired round by round, or nothing is drawn."""
    chosen = Format.from_json(tournament.format)
    row = rounds.last_round(tournament) if chosen.is_growing else None
    if row is None:
        return None
    pairings = list(
        Pairing.objects.filter(round=row).select_related("left__player", "right__player", "match")
    )
    has_begun = any(one.match and one.match.has_begun for one in pairings)
    is_posted = any(one.settled not in ("", Settled.BYE) for one in pairings)
    refusal = _refusal(tournament)
    return PairedRoundShown(
        number=row.number,
        of=0 if chosen.kind == Kind.LIVES else chosen.rounds,
        pairings=tuple(_paired(one, row) for one in pairings),
        refused=refusal,
        may_be_taken_back=row.number > 1 and not has_begun and not is_posted,
        pairs_while_playing=chosen.kind == Kind.LIVES
        and refusal is not None
        and refusal.code == "round-is-open",
    )


def _refusal(tournament: Tournament) -> Refused | None:
    try:
        rounds.next_basis(tournament)
    except Refused as refused:
        return refused
    return None


def _paired(row: Pairing, of: Round) -> PairedShown:
    told = (
        why(Cost.from_json(row.cost), Aims.from_json(of.basis.document["aims"])) if row.cost else Why((), ())
    )
    records = [f"{wins}–{losses}" for wins, losses in told.records]
    return PairedShown(
        line=row.line,
        left=row.left.name if row.left else "",
        right=row.right.name if row.right else "",
        left_record=records[0] if records else "",
        right_record=records[1] if len(records) > 1 else "",
        reasons="; ".join(reason_words(reason) for reason in told.reasons),
    )


def reason_words(reason: Reason) -> str:
    """“3 places off the seeding”."""
    return str(GROUNDS[reason.ground]).format(number=reason.number)
