"""Sweeps reported results: posts those that were left after a crash and those whose time to object is over."""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from matches.models import MatchState
from tournament.models import Pairing
from tournament.results import desk
from tournament.runtime.errors import Refused

log = logging.getLogger(__name__)


def settle_reports() -> None:
    """Settles reports with two complete cards, and posts reports whose time to object is over."""
    reported = Pairing.objects.filter(
        match__state=MatchState.REPORTED,
        round__bracket__tournament__deleted_at__isnull=True,
        round__bracket__tournament__event__deleted_at__isnull=True,
    ).select_related("match", "round__bracket__tournament")
    complete = Q(match__cards__keeper__in=["left", "right"]) & ~Q(match__cards__winner="")
    with_both_cards = reported.annotate(complete=Count("match__cards", filter=complete)).filter(complete=2)
    for pairing in list[Pairing](with_both_cards):
        _settle(desk.settle_report, pairing)
    timed = reported.filter(
        round__bracket__tournament__confirm_after__isnull=False, round__bracket__tournament__two_cards=False
    )
    for pairing in timed:
        if _time_is_up(pairing):
            _settle(desk.confirm_by_timeout, pairing)


def _time_is_up(pairing: Pairing) -> bool:
    minutes = pairing.round.bracket.tournament.confirm_after
    reported_at = pairing.match.reported_at if pairing.match else None
    if minutes is None or reported_at is None:
        return False
    return timezone.now() >= reported_at + timedelta(minutes=minutes)


def _settle(settle: Callable[[Pairing], None], pairing: Pairing) -> None:
    """Logs a refusal, so that one report cannot stop the others."""
    try:
        settle(pairing)
    except Refused as refused:
        log.info("not settled by itself: %s", refused)
