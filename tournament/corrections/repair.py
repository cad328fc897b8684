"""Repairs derived rows that differ from the facts: seats, matches, cards, orders, costs of rounds, marks of payment.

Changes no fact. Locks one tournament at a time. `consistency` finds the same differences and changes nothing.
"""

import uuid
from collections.abc import Iterable

from matches import scorecard
from matches.miscounts import correct_miscounts
from matches.models import MatchState
from tournament.access.actors import SYSTEM
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.states import STATE_FIELDS, apply_state
from tournament.corrections.consistency import awarded_scores, differing_costs, differing_seats, redrawn_order
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import lock_book
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Event, Pairing


def rebuild(event: Event) -> int:
    """Repairs the event, tournament by tournament; returns the number of repairs."""
    return sum(_rebuild(tournament.pk) for tournament in event.tournaments.order_by("created_at"))


def _rebuild(tournament_id: uuid.UUID) -> int:
    with advancing.lock_tournament(tournament_id) as locked:
        done: dict[str, list[int] | list[str]] = {
            "pairings": _repair_seats(locked),
            "matches": _repair_matches(locked),
            "cards": _repair_cards(locked),
            "draws": _repair_order(locked),
            "rounds": _repair_costs(locked),
            "payments": _repair_payment_marks(locked),
        }
        repaired = {what: which for what, which in done.items() if which}
        if repaired:
            locked.touch_all()
            journal.write(
                locked.tournament,
                SYSTEM,
                JournalEntry("rebuild", "tournament", tournament_id, after=repaired),
            )
        return sum(len(which) for which in repaired.values())


def _repair_seats(locked: LockedTournament) -> list[int]:
    states = differing_seats(storage.read(locked.tournament))
    rows = list(Pairing.objects.filter(pk__in=states).select_related("match", "round__bracket"))
    for row in rows:
        apply_state(row, states[row.pk])
        row.save(update_fields=STATE_FIELDS)
    return sorted(states)


def _repair_matches(locked: LockedTournament) -> list[int]:
    """Removes matches of other players and cancelled ones, then opens every match that is missing."""
    pairings = Pairing.objects.filter(round__bracket__tournament=locked.tournament)
    rows = [
        row for row in pairings.filter(match__isnull=False).select_related("match") if _has_wrong_match(row)
    ]
    for row in rows:
        _drop_match(locked, row)
    draw = advancing.current_draw(locked.tournament)
    if draw is None or not draw.is_released:
        return [row.pk for row in rows]
    missing = _pairings_without_match(pairings)
    advancing.open_ready_matches(locked)
    return sorted({row.pk for row in rows} | missing)


def _pairings_without_match(pairings: Iterable[Pairing]) -> set[int]:
    return {
        row.pk
        for row in pairings
        if row.left_id and row.right_id and not row.settled and row.match_id is None
    }


def _has_wrong_match(row: Pairing) -> bool:
    match = row.match
    return match is not None and (
        match.state == MatchState.CANCELLED or {match.left, match.right} != {row.left_id, row.right_id}
    )


def _drop_match(locked: LockedTournament, row: Pairing) -> None:
    if row.match is None:
        return
    if row.match.state != MatchState.CANCELLED:
        locked.ended_matches.add(row.match.pk)
        scorecard.cancel([row.match])
    row.match = None
    row.save(update_fields=["match"])


def _repair_cards(locked: LockedTournament) -> list[str]:
    played = Pairing.objects.filter(round__bracket__tournament=locked.tournament, match__isnull=False)
    matches = list(played.values_list("match_id", flat=True))
    return [str(pk) for pk in correct_miscounts(matches, awarded_scores(locked.tournament))]


def _repair_order(locked: LockedTournament) -> list[int]:
    """Repairs the stored order. Seats are separate facts and stay as the players saw them."""
    draw = advancing.current_draw(locked.tournament)
    if draw is None or (order := redrawn_order(draw)) == draw.order:
        return []
    draw.order = order
    draw.save(update_fields=["order"])
    return [draw.number]


def _repair_costs(locked: LockedTournament) -> list[int]:
    """Writes the derived costs of pairs. The pairs are facts and stay."""
    differing = differing_costs(locked.tournament)
    for pairing, _, cost in differing:
        Pairing.objects.filter(pk=pairing.pk).update(cost=cost.as_json())
    return sorted({pairing.round.number for pairing, _, _ in differing})


def _repair_payment_marks(locked: LockedTournament) -> list[str]:
    """Returns the ids of the entries whose mark was wrong."""
    entries = Entry.objects.filter(tournament=locked.tournament)
    paid = entries.filter(is_paid=True).values_list("pk", flat=True)
    before = set(paid)
    with lock_book(locked.tournament.event_id) as book:
        mark_paid_entries(book, set(entries.values_list("player", flat=True)))
    return sorted(str(pk) for pk in before ^ set(paid.all()))
