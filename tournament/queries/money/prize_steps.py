"""The next steps for the prizes of an event: award them, post changes, pay them out. Reads only."""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Exists, Max, OuterRef, Q

from tournament.ledger.balances import balances_of
from tournament.models import (
    AccountKind,
    Calcutta,
    Deed,
    Event,
    Jackpot,
    LedgerAccount,
    LedgerTransaction,
    Pairing,
    Result,
    Tournament,
    Transfer,
)
from tournament.money.award_stamps import stamps_of
from tournament.money.calcutta_awards import owner_changes
from tournament.money.due_awards import due_prizes, missing_added_money
from tournament.places.certain import JACKPOT
from tournament.queries.next_rounds import NextRoundState, next_rounds


class PrizeAction(StrEnum):
    """AWARD: every place is certain, or a jackpot is decided. POST: results or pots changed since the award.

    The same for the owners of players who were sold in an auction.
    """

    AWARD = "award"
    POST = "post"
    AWARD_OWNERS = "award_owners"
    POST_OWNERS = "post_owners"


@dataclass(frozen=True, slots=True)
class PrizeStep:
    tournament: Tournament
    action: PrizeAction
    since: datetime
    is_jackpot: bool = False
    """Only a jackpot is decided, and not the tournament."""

    @property
    def is_auction(self) -> bool:
        return self.action in (PrizeAction.AWARD_OWNERS, PrizeAction.POST_OWNERS)


@dataclass(frozen=True, slots=True)
class OpenClaims:
    """`players` may still claim money of prizes that were awarded last at `since`."""

    players: int
    since: datetime


def prize_steps(tournaments: Sequence[Tournament]) -> list[PrizeStep]:
    """Costs one statement for tournaments without prizes and auction, and little until results change an award."""
    rows = [row for row in tournaments if row.prize_structure or row.fees or row.awards_stamp]
    sold = Calcutta.objects.filter(tournament__in=tournaments, lots__sold_at__isnull=False)
    auctions = {row.tournament_id: row for row in sold.distinct()}
    awarded = [row for row in rows if row.awards_stamp]
    waiting = [row for row in rows if not row.awards_stamp]
    waiting_for_owners = {pk for pk, auction in auctions.items() if not auction.awards_stamp}
    finished = set(
        finished_tournaments(
            [
                row
                for row in tournaments
                if row.pk in waiting_for_owners or (row.prize_structure and not row.awards_stamp)
            ]
        )
    )
    with_prizes = {row.pk for row in waiting if row.prize_structure}
    to_award = {*(finished & with_prizes), *_with_decided_jackpots(waiting)}
    steps = [
        (PrizeAction.AWARD, to_award),
        (PrizeAction.POST, _changed(awarded) | (_with_changed_jackpots(waiting) - to_award)),
        (PrizeAction.AWARD_OWNERS, finished & waiting_for_owners),
        (PrizeAction.POST_OWNERS, _changed_auctions(tournaments, auctions)),
    ]
    concerned = {pk for _action, pks in steps for pk in pks}
    results = Result.objects.filter(pairing__round__bracket__tournament__in=concerned).order_by()
    last = dict(results.values_list("pairing__round__bracket__tournament").annotate(Max("posted_at")))
    return [
        PrizeStep(
            row,
            action,
            last.get(row.pk) or row.created_at,
            is_jackpot=action is PrizeAction.AWARD and row.pk not in finished,
        )
        for row in tournaments
        for action, pks in steps
        if row.pk in pks
    ]


def finished_tournaments(tournaments: Sequence[Tournament]) -> Iterator[uuid.UUID]:
    """The tournaments whose matches, except those of jackpots, are all decided, with no round to come."""
    if not tournaments:
        return
    pairings = Pairing.objects.filter(round__bracket__tournament__in=tournaments).order_by()
    counted = pairings.exclude(round__bracket__key__startswith=JACKPOT).values_list(
        "round__bracket__tournament"
    )
    undecided = dict(counted.annotate(undecided=Count("pk", filter=Q(settled=""))))
    rows = [row for row in tournaments if undecided.get(row.pk) == 0]
    for pk, following in next_rounds(rows).items():
        if following.state is NextRoundState.NONE:
            yield pk


def reopened_tournaments(tournaments: Sequence[Tournament]) -> list[Tournament]:
    """The tournaments whose prizes were awarded, and that have a match to be decided since a correction."""
    awarded = [row for row in tournaments if row.prize_structure and row.awards_stamp]
    finished = set(finished_tournaments(awarded))
    return [row for row in awarded if row.pk not in finished]


def _with_decided_jackpots(tournaments: Collection[Tournament]) -> list[uuid.UUID]:
    """The tournaments with a jackpot that is decided and not awarded."""
    undecided = Pairing.objects.filter(round__bracket=OuterRef("bracket"), settled="")
    prizes = Transfer.objects.filter(
        transaction__deed=Deed.PRIZE,
        transaction__reversed_by__isnull=True,
        target__tournament=OuterRef("tournament"),
        target__name=OuterRef("bracket__key"),
    )
    rows = Jackpot.objects.filter(tournament__in=tournaments, bracket__isnull=False, price__gt=0)
    if not rows.exists():
        return []
    rows = rows.filter(~Exists(undecided), ~Exists(prizes)).exclude(tournament__fees={})
    return list(rows.order_by().values_list("tournament", flat=True).distinct())


def _with_changed_jackpots(tournaments: Collection[Tournament]) -> set[uuid.UUID]:
    """The tournaments whose jackpots were awarded before the rest, and by other results than now."""
    prizes = LedgerTransaction.objects.filter(
        deed=Deed.PRIZE, reversed_by__isnull=True, entry__tournament__in=tournaments
    )
    awarded = set(prizes.order_by().values_list("entry__tournament", flat=True)) if tournaments else set()
    return {row.pk for row in tournaments if row.pk in awarded and due_prizes(row).changes}


def _changed(tournaments: Sequence[Tournament]) -> set[uuid.UUID]:
    stamps = stamps_of(tournaments)
    return {row.pk for row in tournaments if stamps[row.pk] != row.awards_stamp and _has_changed(row)}


def _has_changed(tournament: Tournament) -> bool:
    due = due_prizes(tournament)
    return bool(due.changes or missing_added_money(tournament, due))


def _changed_auctions(
    tournaments: Sequence[Tournament], auctions: Mapping[uuid.UUID, Calcutta]
) -> set[uuid.UUID]:
    awarded = [row for row in tournaments if row.pk in auctions and auctions[row.pk].awards_stamp]
    stamps = stamps_of(awarded)
    return {
        row.pk
        for row in awarded
        if stamps[row.pk] != auctions[row.pk].awards_stamp and owner_changes(row, auctions[row.pk])
    }


def open_claims(event: Event) -> OpenClaims | None:
    """Returns None before prizes are awarded and once all are paid. A payment of too much is no claim of a prize."""
    prizes = LedgerTransaction.objects.filter(event=event, deed=Deed.PRIZE)
    since = prizes.aggregate(last=Max("at"))["last"]
    if since is None:
        return None
    accounts = LedgerAccount.objects.filter(event=event, kind=AccountKind.PLAYER, player__isnull=False)
    claimed = {pk for pk, minor in balances_of(accounts).items() if minor < 0}
    if not claimed:
        return None
    with_prizes = Transfer.objects.filter(transaction__in=prizes.filter(reversed_by__isnull=True)).values(
        "source"
    )
    players = accounts.filter(pk__in=claimed).filter(pk__in=with_prizes).values("player").distinct().count()
    return OpenClaims(players, since) if players else None
