"""Puts right everything derived that differs from the facts: seats, matches, cards, orders of draws, costs of rounds.

Changes no fact, and each tournament under its lock. `rebuilding` finds the same differences and changes nothing.
"""

import uuid
from collections.abc import Iterable

from matches import scorecard
from matches.models import MatchState
from matches.recounting import put_right
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import Changes
from tournament.brackets.states import SHOWN, show
from tournament.corrections.rebuilding import awarded_scores, drawn_again, wrong_costs, wrong_seats
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Event, Pairing


def rebuild(event: Event) -> int:
    """Puts the event right, tournament by tournament; returns the number of repairs."""
    return sum(_rebuild(tournament.pk) for tournament in event.tournaments.order_by("created_at"))


def _rebuild(tournament_id: uuid.UUID) -> int:
    with advancing.changing(tournament_id) as changes:
        done: dict[str, list[int] | list[str]] = {
            "pairings": _seats(changes),
            "matches": _matches(changes),
            "cards": _cards(changes),
            "draws": _order(changes),
            "rounds": _costs(changes),
        }
        repaired = {what: which for what, which in done.items() if which}
        if repaired:
            changes.touch_all()
            journal.write(
                changes.tournament, SYSTEM, Deed("rebuild", "tournament", tournament_id, after=repaired)
            )
        return sum(len(which) for which in repaired.values())


def _seats(changes: Changes) -> list[int]:
    wrong = wrong_seats(storage.read(changes.tournament))
    rows = list(Pairing.objects.filter(pk__in=wrong).select_related("match", "round__bracket"))
    for row in rows:
        show(row, wrong[row.pk])
        row.save(update_fields=SHOWN)
    return sorted(wrong)


def _matches(changes: Changes) -> list[int]:
    """Removes matches of other players and cancelled ones, then opens every match that is missing."""
    inside = Pairing.objects.filter(round__bracket__tournament=changes.tournament)
    rows = [row for row in inside.filter(match__isnull=False).select_related("match") if _is_wrong(row)]
    for row in rows:
        _drop_match(changes, row)
    draw = advancing.current_draw(changes.tournament)
    if draw is None or not draw.is_released:
        return [row.pk for row in rows]
    missing = _ready(inside)
    advancing.open_ready(changes)
    return sorted({row.pk for row in rows} | missing)


def _ready(inside: Iterable[Pairing]) -> set[int]:
    return {
        row.pk for row in inside if row.left_id and row.right_id and not row.settled and row.match_id is None
    }


def _is_wrong(row: Pairing) -> bool:
    match = row.match
    return match is not None and (
        match.state == MatchState.CANCELLED or {match.left, match.right} != {row.left_id, row.right_id}
    )


def _drop_match(changes: Changes, row: Pairing) -> None:
    if row.match is None:
        return
    if row.match.state != MatchState.CANCELLED:
        changes.ended.add(row.match.pk)
        scorecard.cancel([row.match])
    row.match = None
    row.save(update_fields=["match"])


def _cards(changes: Changes) -> list[str]:
    played = Pairing.objects.filter(round__bracket__tournament=changes.tournament, match__isnull=False)
    matches = list(played.values_list("match_id", flat=True))
    return [str(pk) for pk in put_right(matches, awarded_scores(changes.tournament))]


def _order(changes: Changes) -> list[int]:
    """The order follows from the seed text. Seats are facts of their own and stay as the players saw them."""
    draw = advancing.current_draw(changes.tournament)
    if draw is None or (order := drawn_again(draw)) == draw.order:
        return []
    draw.order = order
    draw.save(update_fields=["order"])
    return [draw.number]


def _costs(changes: Changes) -> list[int]:
    """Writes what pairs of rounds cost. The pairs are facts and stay."""
    wrong = wrong_costs(changes.tournament)
    for pairing, _, cost in wrong:
        Pairing.objects.filter(pk=pairing.pk).update(cost=cost.as_json())
    return sorted({pairing.round.number for pairing, _, _ in wrong})
