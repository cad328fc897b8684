"""The paired round that is not released, with reasons and conflicts, and the pairs set by hand. Reads only."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.brackets.round_basis import EVERY_ROUND, Basis
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Cost, explain
from tournament.drawing import round_previews, rounds
from tournament.models import PairRule, RoundBasis, RoundPreview, Tournament
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.labels import MAIN, match_label
from tournament.queries.brackets.numbering import Number
from tournament.queries.entries.names import entry_names
from tournament.queries.rounds import reason_label, records_before
from tournament.runtime.errors import Refused

CONFLICTS: Mapping[str, Any] = {
    "kept_apart": _("kept apart"),
    "second_byes": _("second bye"),
    "rematches": _("met before"),
    "same_team": _("same team"),
    "same_club": _("same club"),
    "same_country": _("same country"),
}


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A pair of the preview, or a bye (`right` is empty, and `right_id` is None). `broken` are the codes of the broken
    aims, `number` is the match number that the pair gets with the release; empty for a bye.
    """

    line: int
    number: str
    left_id: uuid.UUID
    right_id: uuid.UUID | None
    left: str
    right: str
    left_record: str
    right_record: str
    reasons: str
    broken: tuple[str, ...]
    is_by_hand: bool

    @property
    def conflicts(self) -> list[str]:
        return [str(CONFLICTS[aim]) for aim in self.broken]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A change by hand: two players and the reason. `id` is 0 for a swap, `number` is 0 for all rounds."""

    id: int
    number: int
    players: tuple[uuid.UUID, uuid.UUID]
    first: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoundPreviewView:
    """`of` is the number of rounds, 0 if unknown. `refused` is the refusal to release it. `stamp` changes with it."""

    stamp: str
    number: int
    of: int
    seed_text: str
    made_at: datetime
    pairings: tuple[PreviewLine, ...]
    swaps: tuple[RuleLine, ...]
    refused: Refused | None
    is_outdated: bool

    @property
    def conflicts(self) -> int:
        return sum(bool(pairing.conflicts) for pairing in self.pairings)


def load_round_preview(tournament: Tournament) -> RoundPreviewView | None:
    preview = round_previews.find_preview(tournament)
    if preview is None:
        return None
    names, chosen = entry_names(tournament), Format.from_json(tournament.format)
    basis = round_previews.preview_basis(preview)
    refused, is_outdated = _state(tournament, basis)
    return RoundPreviewView(
        stamp=round_previews.stamp_of(preview),
        number=preview.number,
        of=0 if chosen.kind == Kind.LIVES else chosen.rounds,
        seed_text=preview.seed_text,
        made_at=preview.made_at,
        pairings=_lines(
            preview,
            basis,
            names,
            records_before(basis, chosen),
            load_numbers(tournament),
        ),
        swaps=tuple(
            _rule_line(names, swap.first_id, swap.second_id, swap.reason, preview.number)
            for swap in preview.swaps.all()
        ),
        refused=refused,
        is_outdated=is_outdated,
    )


def list_pair_rules(tournament: Tournament) -> QuerySet[PairRule]:
    """All pairs set by hand, of earlier rounds too, and all pairs kept apart."""
    return PairRule.objects.filter(tournament=tournament)


def rules_from_round(tournament: Tournament, number: int) -> tuple[list[RuleLine], list[RuleLine]]:
    """The pairs that rounds from `number` on must contain, and the pairs kept apart.

    A later round has pairs set by hand if a round was taken back.
    """
    names = entry_names(tournament)
    condition = Q(number__gte=number) | Q(number=EVERY_ROUND)
    by_hand: list[RuleLine] = []
    apart: list[RuleLine] = []
    for rule in PairRule.objects.filter(condition, tournament=tournament):
        line = _rule_line(names, rule.first_id, rule.second_id, rule.reason, rule.number, rule.pk)
        (apart if rule.number == EVERY_ROUND else by_hand).append(line)
    return by_hand, apart


@dataclass(frozen=True, slots=True)
class PairOfRound:
    """Two players of a released round who were paired by hand, or kept apart."""

    number: int
    first: str
    second: str
    is_forced: bool
    reason: str


def pairs_of_released_rounds(tournament: Tournament) -> list[PairOfRound]:
    """The pairs set by hand and kept apart in released rounds. The reason is empty if the rule was removed since."""
    bases = RoundBasis.objects.filter(round__bracket__tournament=tournament).order_by("round__number")
    names = entry_names(tournament)
    rules = PairRule.objects.filter(tournament=tournament).values_list(
        "first_id", "second_id", "number", "reason"
    )
    reasons = {(frozenset((first, second)), number): reason for first, second, number, reason in rules}
    rounds_with_pairs = bases.values_list("round__number", "document__forced", "document__kept_apart")
    pairs: list[PairOfRound] = []
    for number, forced, apart in rounds_with_pairs:
        for rule_number, pairs_json in ((number, forced), (EVERY_ROUND, apart)):
            for first, second in _pairs_from_json(pairs_json):
                reason = reasons.get((frozenset((first, second)), rule_number), "")
                is_forced = rule_number != EVERY_ROUND
                pairs.append(PairOfRound(number, names[first], names[second], is_forced, reason))
    return pairs


def _pairs_from_json(pairs: Iterable[Sequence[str]] | None) -> list[tuple[uuid.UUID, uuid.UUID]]:
    return [(uuid.UUID(first), uuid.UUID(second)) for first, second in pairs or ()]


def _rule_line(
    names: Mapping[uuid.UUID, str], first: uuid.UUID, second: uuid.UUID, reason: str, number: int, pk: int = 0
) -> RuleLine:
    return RuleLine(pk, number, (first, second), names.get(first, ""), names.get(second, ""), reason)


def _state(tournament: Tournament, basis: Basis) -> tuple[Refused | None, bool]:
    """The refusal to pair a round now, and True if it would be paired from other facts."""
    try:
        return None, rounds.next_round_basis(tournament) != basis
    except Refused as refused:
        return refused, True


def _lines(
    preview: RoundPreview,
    basis: Basis,
    names: Mapping[uuid.UUID, str],
    records: Mapping[uuid.UUID, str],
    released: Mapping[int, Number],
) -> tuple[PreviewLine, ...]:
    seats = round_previews.preview_seats(preview)
    pairs = [frozenset(entry for entry in pair if entry is not None) for pair in seats]
    drawn = {
        frozenset(uuid.UUID(entry) for entry in (row["left"], row["right"]) if entry)
        for row in preview.pairings
    }
    by_hand = {frozenset(pair) for pair in basis.forced}
    costs, numbers = basis.costs_of(pairs), _numbers(released, seats)
    return tuple(
        PreviewLine(
            line=line,
            number=number,
            left_id=left,
            right_id=right,
            left=names.get(left, ""),
            right=names.get(right, "") if right is not None else "",
            left_record=records.get(left, ""),
            right_record=records.get(right, "") if right is not None else "",
            reasons=_reasons(costs.get(pair), basis),
            broken=_broken_aims(costs.get(pair)),
            is_by_hand=pair in by_hand or pair not in drawn,
        )
        for line, ((left, right), pair, number) in enumerate(zip(seats, pairs, numbers, strict=True), start=1)
    )


def _numbers(
    released: Mapping[int, Number], seats: Sequence[tuple[uuid.UUID, uuid.UUID | None]]
) -> Iterator[str]:
    """Continues the numbers of the released rounds, as the release does."""
    before = (number.number for number in released.values() if number.bracket == MAIN)
    following = count(max(before, default=0) + 1)
    return (match_label(MAIN, next(following)) if right is not None else "" for _left, right in seats)


def _reasons(cost: Cost | None, basis: Basis) -> str:
    return "; ".join(reason_label(reason) for reason in explain(cost, basis.aims).reasons) if cost else ""


def _broken_aims(cost: Cost | None) -> tuple[str, ...]:
    """The codes of `CONFLICTS`."""
    broken = cost.tiers._asdict() if cost else {}
    return tuple(aim for aim in CONFLICTS if broken.get(aim))
