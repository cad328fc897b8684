"""Computes everything derived again from the facts, compares it with what is kept, and can put it right.

A difference is a fault of this program and never of a director. Nothing here changes a fact.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from matches import scorecard
from matches.models import Match, MatchState
from matches.recounting import miscounts
from tournament import awards, drawsheet, journal, lot, progression
from tournament.actors import SYSTEM
from tournament.draw.document import entrant_from_json, rules_from_json
from tournament.draw.pairing import Cost, PairedRound, Tiers
from tournament.draw.seating import State, resolve
from tournament.drawsheet import Sheet
from tournament.journal import Deed
from tournament.lot import Asked
from tournament.models import Event, Pairing, Result, Round, Tournament
from tournament.onemoment import one_moment
from tournament.progression import Changes
from tournament.rounds import kept_basis
from tournament.seats import SHOWN, show


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


def rebuild(event: Event) -> int:
    """Puts who sits where right, tournament by tournament under its lock; returns how many pairings changed."""
    return sum(_rebuild(tournament.pk) for tournament in event.tournaments.order_by("created_at"))


def _rebuild(tournament_id: uuid.UUID) -> int:
    with progression.changing(tournament_id) as changes:
        sheet = drawsheet.read(changes.tournament)
        wrong = _wrong(sheet)
        rows = list(Pairing.objects.filter(pk__in=wrong).select_related("match", "round__bracket"))
        for row in rows:
            show(row, wrong[row.pk])
            _drop_a_strangers_match(changes, row)
            row.save(update_fields=[*SHOWN, "match"])
        if rows:
            _open_ready(changes)
            changes.touch_all()
            deed = Deed("rebuild", "tournament", tournament_id, after={"pairings": sorted(wrong)})
            journal.write(changes.tournament, SYSTEM, deed)
        return len(rows)


def _drop_a_strangers_match(changes: Changes, row: Pairing) -> None:
    if row.match is not None and {row.match.left, row.match.right} != {row.left_id, row.right_id}:
        changes.ended.add(row.match.pk)
        scorecard.cancel([row.match])
        row.match = None


def _open_ready(changes: Changes) -> None:
    draw = progression.current_draw(changes.tournament)
    if draw is not None and draw.is_released:
        progression.open_ready(changes)


def _wrong(sheet: Sheet) -> dict[int, State[uuid.UUID]]:
    derived, kept = resolve(sheet.graph, *sheet.facts), sheet.seated()
    return {pk: state for pk, state in derived.states.items() if state != kept[pk]}


def _seats(tournament: Tournament, sheet: Sheet) -> list[Difference]:
    kept = sheet.seated()
    return [
        Difference(tournament.slug, _where(sheet, pk), _told(kept[pk]), _told(state))
        for pk, state in _wrong(sheet).items()
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
        for one in miscounts(list(played.values_list("match_id", flat=True)), _awarded(tournament))
    ]


def _awarded(tournament: Tournament) -> dict[uuid.UUID, tuple[int, int, str]]:
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


def _draw(tournament: Tournament) -> list[Difference]:
    """The order of the current draw, drawn again from its entries, rules and seed text."""
    draw = progression.current_draw(tournament)
    if draw is None:
        return []
    those = [entrant_from_json(one) for one in draw.rules["entries"]]
    again = lot.draw(Asked(draw.method, rules_from_json(draw.rules)), those, draw.seed_text)
    if again.order == draw.order:
        return []
    return [Difference(tournament.slug, f"draw {draw.number}, order", str(draw.order), str(again.order))]


def _rounds(tournament: Tournament) -> list[Difference]:
    """Rounds paired from records, paired again from what was kept with them: nothing may come out cheaper or dearer.

    Of pairings that cost the same any may have been made, so costs are compared and not pairs.
    """
    rows = Round.objects.filter(bracket__tournament=tournament).exclude(basis__isnull=True)
    found = []
    for row in rows.order_by("number").select_related("basis").prefetch_related("pairings"):
        kept = _total(Cost.from_json(pairing.cost) for pairing in row.pairings.all() if pairing.cost)
        paired = kept_basis(row).paired()
        bye = paired.bye if isinstance(paired, PairedRound) else None
        again = _total([*(pair.cost for pair in paired.pairs), *([bye.cost] if bye else [])])
        if kept != again:
            found.append(Difference(tournament.slug, f"round {row.number}, costs", str(kept), str(again)))
    return found


def _total(costs: Iterable[Cost]) -> Tiers:
    total = Tiers()
    for cost in costs:
        total = total.plus(cost.tiers)
    return total
