"""Computes everything derived again from the facts and compares it with what is kept. `repairing` puts it right.

A difference is a fault of this program and never of a director.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.models import Match, MatchState
from matches.recounting import miscounts
from tournament import awards, drawsheet, lot, progression
from tournament.draw.document import entrant_from_json, rules_from_json
from tournament.draw.formats import Format
from tournament.draw.pairing import Cost, PairedRound, Tiers
from tournament.draw.seating import State, resolve
from tournament.draw.twice import in_two_open_matches
from tournament.drawsheet import Sheet
from tournament.lot import Asked
from tournament.models import Draw, Event, Pairing, Result, Round, Tournament
from tournament.onemoment import one_moment
from tournament.rounds import kept_basis
from tournament.rounds.basis import MAIN


@dataclass(frozen=True, slots=True)
class Difference:
    """Something kept that is not what the facts come to. `what` is a sentence's beginning: "match 12, seats"."""

    tournament: str
    what: str
    kept: str
    derived: str


@one_moment()
def differences(event: Event) -> list[Difference]:
    """Everything of this event that is kept otherwise than the facts say, tournament by tournament."""
    found: list[Difference] = []
    for tournament in event.tournaments.order_by("created_at"):
        sheet = drawsheet.read(tournament)
        found += _seats(tournament, sheet)
        found += _matches(tournament)
        found += _cards(tournament)
        found += _draw(tournament)
        found += _rounds(tournament)
    return found


@one_moment()
def two_open_matches(event: Event) -> list[str]:
    """Sentences about players with two open matches in rounds paired by records: for the director to settle.

    That is no difference: it follows where an earlier result was taken back after the next round was paired.
    """
    found: list[str] = []
    for tournament in event.tournaments.order_by("created_at"):
        if not Format.from_json(tournament.format).is_growing:
            continue
        sheet = drawsheet.read(tournament)
        names = {entry.pk: entry.name for entry in tournament.entries.select_related("player")}
        tables = [pk for pk, row in sheet.rows.items() if row.bracket == MAIN]
        twice = in_two_open_matches(tables, resolve(sheet.graph, *sheet.facts).states)
        found += [
            _("{tournament}: {name} has two open matches: {one} and {other}.").format(
                tournament=tournament.slug,
                name=names[entry],
                one=_where(sheet, one),
                other=_where(sheet, other),
            )
            for entry, (one, other) in twice
        ]
    return found


def wrong_seats(sheet: Sheet) -> dict[int, State[uuid.UUID]]:
    derived, kept = resolve(sheet.graph, *sheet.facts), sheet.seated()
    return {pk: state for pk, state in derived.states.items() if state != kept[pk]}


def _seats(tournament: Tournament, sheet: Sheet) -> list[Difference]:
    kept = sheet.seated()
    return [
        Difference(tournament.slug, _where(sheet, pk), _told(kept[pk]), _told(state))
        for pk, state in wrong_seats(sheet).items()
    ]


def _where(sheet: Sheet, pk: int) -> str:
    row = sheet.rows[pk]
    return f"{row.bracket}, round {row.round}, line {row.line}"


def _told(state: State[uuid.UUID]) -> str:
    how = state.result.how.value if state.result.how else "open"
    return f"{state.left} - {state.right}, {how}, winner {state.result.winner}"


def _matches(tournament: Tournament) -> list[Difference]:
    """A match belongs to the two who sit there; one is open wherever two sit, once the draw is released."""
    draw = progression.current_draw(tournament)
    inside = Pairing.objects.filter(round__bracket__tournament=tournament)
    found = [
        Difference(
            tournament.slug, f"match {row.match.pk}", f"{row.match.left} - {row.match.right}", "other players"
        )
        for row in inside.filter(match__isnull=False).select_related("match")
        if row.match is not None and {row.match.left, row.match.right} != {row.left_id, row.right_id}
    ]
    cancelled = inside.filter(match__state=MatchState.CANCELLED)
    found += [Difference(tournament.slug, f"match {row.match_id}", "cancelled", "open") for row in cancelled]
    if draw is not None and draw.is_released:
        missing = inside.filter(
            Q(left__isnull=False, right__isnull=False, settled="", match__isnull=True)
        ).select_related("round__bracket")
        found += [
            Difference(
                tournament.slug,
                f"{row.round.bracket.key}, round {row.round.number}, line {row.line}",
                "no match",
                "a match",
            )
            for row in missing
        ]
    return found


def _cards(tournament: Tournament) -> list[Difference]:
    played = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False)
    return [
        Difference(
            tournament.slug,
            f"match {one.match}, card {one.card or '-'}, {one.field}",
            str(one.kept),
            str(one.counted),
        )
        for one in miscounts(list(played.values_list("match_id", flat=True)), awarded_scores(tournament))
    ]


def awarded_scores(tournament: Tournament) -> dict[uuid.UUID, tuple[int, int, str]]:
    """What matches show that were not decided by play: the points that were told, and who goes on."""
    rows = Result.objects.filter(
        pairing__round__bracket__tournament=tournament,
        superseded_by__isnull=True,
        kind__in=awards.KINDS,
        match__isnull=False,
    ).select_related("match")
    told = [(row, row.match) for row in rows if row.match is not None]
    return {
        match.pk: (row.left_points or 0, row.right_points or 0, _side(match, row.winner_id))
        for row, match in told
    }


def _side(match: Match, winner: uuid.UUID | None) -> str:
    side = match.side_of(winner) if winner else None
    return side.value if side else ""


def drawn_again(draw: Draw) -> list[str | None]:
    """The order of a draw, drawn again from its entries, rules and seed text."""
    entrants = [entrant_from_json(entry) for entry in draw.rules["entries"]]
    return lot.draw(Asked(draw.method, rules_from_json(draw.rules)), entrants, draw.seed_text).order


def _draw(tournament: Tournament) -> list[Difference]:
    draw = progression.current_draw(tournament)
    order = drawn_again(draw) if draw is not None else None
    if draw is None or order == draw.order:
        return []
    return [Difference(tournament.slug, f"draw {draw.number}, order", str(draw.order), str(order))]


def rounds_by_records(tournament: Tournament) -> QuerySet[Round]:
    rows = Round.objects.filter(bracket__tournament=tournament).exclude(basis__isnull=True)
    return rows.order_by("number").select_related("basis").prefetch_related("pairings")


def _rounds(tournament: Tournament) -> list[Difference]:
    """Rounds paired from records, paired again from their basis: the total cost must be the same.

    Of pairings that cost the same any may have been made, so costs are compared and not pairs.
    """
    found = []
    for row in rounds_by_records(tournament):
        kept = _total(Cost.from_json(pairing.cost) for pairing in row.pairings.all() if pairing.cost)
        again = _total(costs_again(row).values())
        if kept != again:
            found.append(Difference(tournament.slug, f"round {row.number}, costs", str(kept), str(again)))
    return found


def costs_again(row: Round) -> dict[frozenset[uuid.UUID], Cost]:
    """The costs by players of this round, paired again from its basis."""
    paired = kept_basis(row).paired()
    costs = {frozenset((pair.left, pair.right)): pair.cost for pair in paired.pairs}
    bye = paired.bye if isinstance(paired, PairedRound) else None
    return costs | ({frozenset((bye.entry,)): bye.cost} if bye else {})


def _total(costs: Iterable[Cost]) -> Tiers:
    total = Tiers()
    for cost in costs:
        total = total.plus(cost.tiers)
    return total
