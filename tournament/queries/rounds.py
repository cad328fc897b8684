"""The rounds of a tournament, and the round that was paired last with the reasons for its pairings."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, ngettext_lazy

from matches.models import MatchState
from tournament.brackets import round_basis
from tournament.brackets.clocks import RoundClock, round_clock
from tournament.brackets.round_basis import Basis
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Cost, Ground, Reason, explain
from tournament.drawing import rounds
from tournament.models import Entry, Pairing, Round, SeatChange, Tournament
from tournament.models.brackets import Settled
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.numbering import Number
from tournament.queries.brackets.round_names import round_codes_by_id
from tournament.refusals.rounds import ROUND_IS_OPEN
from tournament.runtime.errors import NotFound, Refused


@dataclass(frozen=True, slots=True)
class RoundLine:
    """`name` is a code of `round_names`; `clock` is None if the clock of the ruleset applies.

    `matches` does not count byes. `being_played` counts the matches that have begun and are not over.
    """

    id: int
    bracket: str
    name: str
    matches: int
    length: int | None
    games: int | None
    minutes: int | None
    clock: RoundClock | None
    has_begun: bool
    being_played: int


def find_round(round_id: int) -> Round:
    """The round with its bracket, tournament and event; raises NotFound."""
    row = Round.objects.select_related("bracket__tournament__event").filter(pk=round_id).first()
    if row is None:
        raise NotFound
    return row


def list_rounds(tournament: Tournament) -> list[RoundLine]:
    """Every round of every bracket, in drawn order."""
    rounds = Round.objects.filter(bracket__tournament=tournament).order_by("bracket__position", "number")
    is_bye = Q(pairings__left_is_bye=True) | Q(pairings__right_is_bye=True) | Q(pairings__settled=Settled.BYE)
    matches = Count("pairings", filter=~is_bye)
    begun = Count("pairings", filter=Q(pairings__match__began_at__isnull=False))
    is_played = Q(pairings__match__began_at__isnull=False, pairings__match__state=MatchState.OPEN)
    playing = Count("pairings", filter=is_played)
    rows = list(rounds.select_related("bracket").annotate(matches=matches, begun=begun, playing=playing))
    names = round_codes_by_id({row.bracket_id for row in rows})
    return [
        RoundLine(
            id=row.pk,
            bracket=row.bracket.key,
            name=names[row.pk],
            matches=row.matches,
            length=row.length,
            games=row.games,
            minutes=row.minutes,
            clock=round_clock(row),
            has_begun=row.begun > 0,
            being_played=row.playing,
        )
        for row in rows
    ]


MAIN = "main"
FEWEST_ROUNDS, MOST_ROUNDS = 3, 30
"""Rounds whose times can be planned before the draw, and in all."""
GROUND_LABELS: Mapping[Ground, Any] = {  # lazy texts that take a number
    Ground.KEPT_APART: _("kept apart by a director, which was not possible"),
    Ground.NEVER_MET: _("they have not met"),
    Ground.MET_BEFORE: _("they met %(number)s × before: nobody else was left"),
    Ground.SAME_RECORD: _("same record"),
    Ground.RECORDS_APART: _("records %(number)s apart"),
    Ground.NEIGHBOURS: _("neighbours in the standings"),
    Ground.PLACES_APART: ngettext_lazy(
        "%(number)s place apart in the standings", "%(number)s places apart in the standings", "number"
    ),
    Ground.SAME_CLUB: _("same club: could not be avoided"),
    Ground.SAME_TEAM: _("same team: could not be avoided"),
    Ground.SAME_COUNTRY: _("same country: could not be avoided"),
    Ground.AS_SEEDED: _("by the order of the draw"),
    Ground.NEAR_SEEDING: ngettext_lazy(
        "%(number)s place off the order of the draw",
        "%(number)s places off the order of the draw",
        "number",
    ),
    Ground.BY_LOT: _("by lot"),
    Ground.FIRST_BYE: _("no bye before"),
    Ground.FEWEST_BYES: _("nobody has had fewer byes"),
    Ground.MORE_BYES: ngettext_lazy(
        "%(number)s bye more than others: nobody else could sit out",
        "%(number)s byes more than others: nobody else could sit out",
        "number",
    ),
    Ground.WORST_RECORD: _("worst record of those with as many byes"),
    Ground.WORSE_RECORDS: ngettext_lazy(
        "%(number)s worse record could not sit out", "%(number)s worse records could not sit out", "number"
    ),
    Ground.WEAKEST: _("last in the order of the draw"),
    Ground.NEAR_WEAKEST: ngettext_lazy(
        "%(number)s place before the last in the order of the draw",
        "%(number)s places before the last in the order of the draw",
        "number",
    ),
}


def count_rounds(tournament: Tournament) -> int:
    """The number of rounds of the main bracket or of groups that can have planned times, drawn or expected."""
    chosen = Format.from_json(tournament.format)
    drawn = Round.objects.filter(round_basis.in_planned_bracket(), bracket__tournament=tournament)
    last = drawn.aggregate(last=Max("number"))["last"] or 0
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True).count()
    if chosen.kind == Kind.LIVES:
        expected = max(last + 1, FEWEST_ROUNDS)
    elif chosen.is_growing:
        expected = chosen.rounds
    else:
        expected = last or max(FEWEST_ROUNDS, chosen.rounds, max(0, entries - 1).bit_length())
    return min(MOST_ROUNDS, max(expected, last, *tournament.planned_times))


@dataclass(frozen=True, slots=True)
class PairedLine:
    """A pair, or an entry with a bye (`right` and `number` are empty). Records are matches won and lost, and byes.

    `is_by_hand`: a director set the pair, or changed one of its seats.
    """

    number: str
    left: str
    right: str
    left_record: str
    right_record: str
    reasons: str
    is_by_hand: bool


@dataclass(frozen=True, slots=True)
class PairedRoundView:
    """`refused` is the refusal to pair the next round; `of` is the number of rounds, 0 if unknown."""

    number: int
    of: int
    pairings: tuple[PairedLine, ...]
    refused: Refused | None
    may_be_taken_back: bool
    pairs_while_playing: bool

    @property
    def is_last(self) -> bool:
        return bool(self.of) and self.number >= self.of

    @property
    def next_number(self) -> int:
        return self.number + 1


def paired_round(
    tournament: Tournament, numbers: Mapping[int, Number] | None = None
) -> PairedRoundView | None:
    """The last round; None without a draw, and for formats that are not paired round by round.

    `numbers` of the matches are loaded if None; a page without the pairs needs none.
    """
    chosen = Format.from_json(tournament.format)
    row = round_basis.last_round(tournament) if chosen.is_growing else None
    if row is None:
        return None
    pairings = list(
        Pairing.objects.filter(round=row).select_related("left__player", "right__player", "match")
    )
    has_begun = any(pairing.match and pairing.match.has_begun for pairing in pairings)
    is_posted = any(pairing.settled not in ("", Settled.BYE) for pairing in pairings)
    refusal = _refusal(tournament)
    basis = round_basis.stored_basis(row)
    changed = _changed_by_hand(row)
    records, costs = records_before(basis, chosen), _costs(basis, pairings, changed)
    numbers = load_numbers(tournament) if numbers is None else numbers
    return PairedRoundView(
        number=row.number,
        of=0 if chosen.kind == Kind.LIVES else chosen.rounds,
        pairings=tuple(
            _paired(pairing, numbers.get(pairing.pk), basis, records, costs, is_changed=pairing.pk in changed)
            for pairing in pairings
        ),
        refused=refusal,
        may_be_taken_back=row.number > 1 and not has_begun and not is_posted,
        pairs_while_playing=chosen.kind == Kind.LIVES
        and refusal is not None
        and refusal.refusal == ROUND_IS_OPEN,
    )


def _refusal(tournament: Tournament) -> Refused | None:
    try:
        rounds.next_round_basis(tournament)
    except Refused as refused:
        return refused
    return None


def records_before(basis: Basis, chosen: Format) -> dict[uuid.UUID, str]:
    """The record of each entry before the round, without wins from byes."""
    counts_byes = chosen.standings.counting.bye.wins
    return {
        contender.entry: _record(
            contender.wins - contender.byes * counts_byes, contender.losses, contender.byes
        )
        for contender in basis.contenders
    }


def _record(won: int, lost: int, byes: int) -> str:
    record = f"{won}–{lost}"
    if not byes:
        return record
    return ngettext("{record}, {byes} bye", "{record}, {byes} byes", byes).format(record=record, byes=byes)


def _changed_by_hand(row: Round) -> set[int]:
    """The pairings with a seat that differs from the paired round."""
    changes = SeatChange.objects.filter(feed__target__round=row).order_by("-at", "-pk")
    fields = changes.values_list("feed", "feed__target", "feed__entry", "before")
    first_changes = {feed: (target, now, before) for feed, target, now, before in fields}
    return {target for target, now, before in first_changes.values() if now != before}


def _costs(basis: Basis, pairings: Sequence[Pairing], changed: Collection[int]) -> dict[int, Cost]:
    """The cost of each pairing, computed again for pairs that were changed by hand."""
    players = {pairing.pk: _players(pairing) for pairing in pairings if pairing.pk in changed}
    new_costs = basis.costs_of(players.values()) if players else {}
    stored = {pairing.pk: Cost.from_json(pairing.cost) for pairing in pairings if pairing.cost}
    return stored | {pk: new_costs[pair] for pk, pair in players.items() if pair in new_costs}


def _players(pairing: Pairing) -> frozenset[uuid.UUID]:
    return frozenset(entry for entry in (pairing.left_id, pairing.right_id) if entry is not None)


def _paired(
    row: Pairing,
    number: Number | None,
    basis: Basis,
    records: Mapping[uuid.UUID, str],
    costs: Mapping[int, Cost],
    *,
    is_changed: bool,
) -> PairedLine:
    reasons = explain(costs[row.pk], basis.aims).reasons if row.pk in costs else ()
    return PairedLine(
        number=number.called if number else "",
        left=row.left.name if row.left else "",
        right=row.right.name if row.right else "",
        left_record=records.get(row.left_id, "") if row.left_id else "",
        right_record=records.get(row.right_id, "") if row.right_id else "",
        reasons="; ".join(reason_label(reason) for reason in reasons),
        is_by_hand=is_changed or _players(row) in map(frozenset, basis.forced),
    )


def reason_label(reason: Reason) -> str:
    """“3 places off the seeding”."""
    return str(GROUND_LABELS[reason.ground] % {"number": reason.number})
