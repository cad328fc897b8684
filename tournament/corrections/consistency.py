"""Derives everything again from the facts and compares it with the stored rows. `repair` fixes the differences.

A difference is a bug of this program and never a mistake of a director.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.miscounts import miscounts
from matches.models import Match, MatchState
from tournament.brackets import advancing, storage
from tournament.brackets.round_basis import MAIN, stored_basis
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.pairing import Cost, PairedRound, Tiers
from tournament.draw.public_draw.document import entrant_from_json, rules_from_json
from tournament.draw.seating import State, resolve
from tournament.draw.seating.double_seating import find_entries_in_two_open_matches
from tournament.drawing import order
from tournament.drawing.order import DrawRules
from tournament.models import Draw, Event, Feed, Pairing, Result, Round, Tournament
from tournament.results import awards
from tournament.runtime.snapshot import consistent_read

Pair = frozenset[uuid.UUID]


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored value that differs from the derived one. `subject` names it, for example "match 12, seats"."""

    tournament: str
    subject: str
    stored: str
    derived: str


@consistent_read()
def differences(event: Event) -> list[Difference]:
    all_differences: list[Difference] = []
    for tournament in event.tournaments.order_by("created_at"):
        sheet = storage.read(tournament)
        all_differences += _seat_differences(tournament, sheet)
        all_differences += _match_differences(tournament)
        all_differences += _card_differences(tournament)
        all_differences += _draw_differences(tournament)
        all_differences += _cost_differences(tournament)
    return all_differences


@consistent_read()
def two_open_matches(event: Event) -> list[str]:
    """Sentences about players with two open matches in rounds paired by records. The director decides.

    This is not an error: it happens when an earlier result is retracted after the next round was paired.
    """
    sentences: list[str] = []
    for tournament in event.tournaments.order_by("created_at"):
        if not Format.from_json(tournament.format).is_growing:
            continue
        sheet = storage.read(tournament)
        names = {entry.pk: entry.name for entry in tournament.entries.select_related("player")}
        tables = [pk for pk, row in sheet.rows.items() if row.bracket == MAIN]
        twice = find_entries_in_two_open_matches(tables, resolve(sheet.graph, *sheet.facts).states)
        sentences += [
            _("{tournament}: {name} has two open matches: {one} and {other}.").format(
                tournament=tournament.slug,
                name=names[entry],
                one=_pairing_label(sheet, first),
                other=_pairing_label(sheet, second),
            )
            for entry, (first, second) in twice
        ]
    return sentences


@consistent_read()
def rounds_paired_differently(event: Event) -> list[str]:
    """Sentences about rounds that this version of the program would pair differently. Their pairs stay."""
    return [
        _(
            "{tournament}: Round {number} would be paired differently by this version of the program. "
            "Its pairs stay as they are."
        ).format(tournament=tournament.slug, number=row.number)
        for tournament in event.tournaments.order_by("created_at")
        for row in rounds_by_records(tournament)
        if not _is_paired_alike(row)
    ]


def differing_seats(sheet: Sheet) -> dict[int, State[uuid.UUID]]:
    derived, stored = resolve(sheet.graph, *sheet.facts), sheet.seated()
    return {pk: state for pk, state in derived.states.items() if state != stored[pk]}


def _seat_differences(tournament: Tournament, sheet: Sheet) -> list[Difference]:
    stored = sheet.seated()
    return [
        Difference(tournament.slug, _pairing_label(sheet, pk), _state_text(stored[pk]), _state_text(state))
        for pk, state in differing_seats(sheet).items()
    ]


def _pairing_label(sheet: Sheet, pk: int) -> str:
    row = sheet.rows[pk]
    return f"{row.bracket}, round {row.round}, line {row.line}"


def _state_text(state: State[uuid.UUID]) -> str:
    how = state.result.how.value if state.result.how else "open"
    return f"{state.left} - {state.right}, {how}, winner {state.result.winner}"


def _match_differences(tournament: Tournament) -> list[Difference]:
    """Checks that a match belongs to the players of its pairing, and that a released pairing of two players has a
    match.
    """
    draw = advancing.current_draw(tournament)
    pairings = Pairing.objects.filter(round__bracket__tournament=tournament)
    differences_found = [
        Difference(
            tournament.slug, f"match {row.match.pk}", f"{row.match.left} - {row.match.right}", "other players"
        )
        for row in pairings.filter(match__isnull=False).select_related("match")
        if row.match is not None and {row.match.left, row.match.right} != {row.left_id, row.right_id}
    ]
    cancelled = pairings.filter(match__state=MatchState.CANCELLED)
    differences_found += [
        Difference(tournament.slug, f"match {row.match_id}", "cancelled", "open") for row in cancelled
    ]
    if draw is not None and draw.is_released:
        missing = pairings.filter(
            Q(left__isnull=False, right__isnull=False, settled="", match__isnull=True)
        ).select_related("round__bracket")
        differences_found += [
            Difference(
                tournament.slug,
                f"{row.round.bracket.key}, round {row.round.number}, line {row.line}",
                "no match",
                "a match",
            )
            for row in missing
        ]
    return differences_found


def _card_differences(tournament: Tournament) -> list[Difference]:
    played = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False)
    return [
        Difference(
            tournament.slug,
            f"match {miscount.match}, card {miscount.card or '-'}, {miscount.field}",
            str(miscount.stored),
            str(miscount.expected),
        )
        for miscount in miscounts(list(played.values_list("match_id", flat=True)), awarded_scores(tournament))
    ]


def awarded_scores(tournament: Tournament) -> dict[uuid.UUID, tuple[int, int, str]]:
    """Points and winning side of each match that was decided by an award."""
    rows = Result.objects.filter(
        pairing__round__bracket__tournament=tournament,
        superseded_by__isnull=True,
        kind__in=awards.KINDS,
        match__isnull=False,
    ).select_related("match")
    rows_with_match = [(row, row.match) for row in rows if row.match is not None]
    return {
        match.pk: (row.left_points or 0, row.right_points or 0, _side(match, row.winner_id))
        for row, match in rows_with_match
    }


def _side(match: Match, winner: uuid.UUID | None) -> str:
    side = match.side_of(winner) if winner else None
    return side.value if side else ""


def redrawn_order(draw: Draw) -> list[str | None]:
    """The order of a draw, derived again from its entries, rules and seed text."""
    entrants = [entrant_from_json(entry) for entry in draw.rules["entries"]]
    return order.draw_order(
        DrawRules(draw.method, rules_from_json(draw.rules)), entrants, draw.seed_text
    ).order


def _draw_differences(tournament: Tournament) -> list[Difference]:
    draw = advancing.current_draw(tournament)
    order = redrawn_order(draw) if draw is not None else None
    if draw is None or order == draw.order:
        return []
    return [Difference(tournament.slug, f"draw {draw.number}, order", str(draw.order), str(order))]


def rounds_by_records(tournament: Tournament) -> QuerySet[Round]:
    rows = Round.objects.filter(bracket__tournament=tournament).exclude(basis__isnull=True)
    return rows.order_by("number").select_related("basis").prefetch_related("pairings__fed_by__changes")


class CostDifference(NamedTuple):
    pairing: Pairing
    kept: Cost
    derived: Cost


def differing_costs(tournament: Tournament) -> list[CostDifference]:
    """Pairings of rounds paired by records whose stored cost differs from the derived cost."""
    compared = (
        CostDifference(pairing, Cost.from_json(pairing.cost), costs[pair])
        for row in rounds_by_records(tournament)
        for pairing, pair, costs in _paired_with_costs(row)
        if pairing.cost and pair in costs
    )
    return [difference for difference in compared if difference.kept.tiers != difference.derived.tiers]


def _paired_with_costs(row: Round) -> Iterator[tuple[Pairing, Pair, Mapping[Pair, Cost]]]:
    """Each pairing of a round with the entries it was paired for and the costs of all pairs."""
    pairs = {pairing: _paired_entries(pairing) for pairing in row.pairings.all()}
    costs = stored_basis(row).costs_of(pairs.values())
    yield from ((pairing, pair, costs) for pairing, pair in pairs.items())


def _paired_entries(pairing: Pairing) -> Pair:
    """The entries as originally paired, before seat changes by hand; one entry for a bye."""
    seats: list[Feed] = list(pairing.fed_by.all())
    first = [min(feed.changes.all(), key=lambda change: change.at, default=None) for feed in seats]
    before = (
        change.before_id if change else feed.entry_id for feed, change in zip(seats, first, strict=True)
    )
    return frozenset(entry for entry in before if entry is not None)


def _cost_differences(tournament: Tournament) -> list[Difference]:
    """Differences in stored costs. The pairs themselves are facts and are never derived again."""
    return [
        Difference(
            tournament.slug,
            f"round {pairing.round.number}, line {pairing.line}, cost",
            str(stored.tiers),
            str(derived.tiers),
        )
        for pairing, stored, derived in differing_costs(tournament)
    ]


def _is_paired_alike(row: Round) -> bool:
    """True if this version pairs the round at the same total cost."""
    paired = stored_basis(row).paired()
    new_costs = [pair.cost for pair in paired.pairs]
    if isinstance(paired, PairedRound) and paired.bye is not None:
        new_costs.append(paired.bye.cost)
    stored_costs = [costs[pair] for _, pair, costs in _paired_with_costs(row) if pair in costs]
    return _total(stored_costs) == _total(new_costs)


def _total(costs: Iterable[Cost]) -> Tiers:
    total = Tiers()
    for cost in costs:
        total = total.plus(cost.tiers)
    return total
