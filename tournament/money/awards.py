"""Awards the prizes of a tournament: what its entries are due is posted, and what they are due no more is reversed.

Posting twice changes nothing. The lock on the tournament is taken before the lock on the book. Due prizes are
read under both locks, because a price of another tournament of the event can change the pots.
"""

import uuid
from collections.abc import Sequence

from django.db.models import Count

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.ledger.accounts import AccountName, player_account, pot_account
from tournament.ledger.paid_marks import mark_paid_entries
from tournament.ledger.recording import Book, NewDeed, TransferLine, lock_book, replace
from tournament.live.journal import JournalEntry
from tournament.models import AccountKind, Deed, LedgerTransaction, Tournament
from tournament.money.award_stamps import stamp_of
from tournament.money.calcutta_awards import repost_owner_prizes
from tournament.money.due_awards import (
    NO_POT,
    AwardChange,
    DuePrizes,
    due_prizes,
    is_awarded,
    missing_added_money,
)
from tournament.money.hedged_prizes import hedges_of_lines, payer_of
from tournament.money.pots import ADDED, added_transfers
from tournament.refusals.money import NOTHING_TO_AWARD
from tournament.runtime.errors import NotFound, Refused


def award_prizes(tournament_id: uuid.UUID, actor: Actor, reason: str = "") -> Sequence[AwardChange]:
    """Posts what every entry is due. Raises Refused while the tournament is not over and no jackpot is decided.

    Raises NotFound for a tournament in the bin.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        if locked.tournament.deleted_at is not None:
            raise NotFound
        with lock_book(locked.tournament.event_id) as book:
            due = due_prizes(locked.tournament)
            if not (due.is_over or due.changes or is_awarded(locked.tournament)):
                raise Refused(NOTHING_TO_AWARD)
            _post(locked, book, due, actor, reason)
            return due.changes


def repost_awards(locked: LockedTournament, actor: Actor, reason: str) -> Sequence[AwardChange]:
    """After a change of results, fees or pots: posts the differences, if prizes were awarded before it."""
    repost_owner_prizes(locked, actor, reason)
    if not follows_changes(locked.tournament):
        return ()
    with lock_book(locked.tournament.event_id) as book:
        due = due_prizes(locked.tournament)
        _post(locked, book, due, actor, reason)
        return due.changes


def follows_changes(tournament: Tournament) -> bool:
    """True if prizes were awarded, also only those of jackpots: they change with results, fees and pots."""
    prizes = LedgerTransaction.objects.filter(entry__tournament=tournament, deed=Deed.PRIZE)
    return is_awarded(tournament) or prizes.exists()


def _post(locked: LockedTournament, book: Book, due: DuePrizes, actor: Actor, reason: str) -> None:
    tournament, changes = locked.tournament, due.changes
    is_final = due.is_over or is_awarded(tournament)
    reversed_rows = [pk for change in changes if change.is_posted for pk in change.reversed_rows]
    deeds = _deeds(tournament, changes)
    if is_final:
        deeds += _added_money(tournament, due)
    replace(book, reversed_rows, deeds, _action(tournament, changes, reason), actor)
    mark_paid_entries(book, {change.entry.player_id for change in changes})
    if is_final:
        tournament.awards_stamp = stamp_of(locked)
        tournament.save(update_fields=["awards_stamp"])


def _deeds(tournament: Tournament, changes: Sequence[AwardChange]) -> list[NewDeed]:
    entries = [change.entry.pk for change in changes]
    rows = LedgerTransaction.objects.filter(entry__in=entries, deed=Deed.PRIZE).order_by()
    revisions = dict(rows.values_list("entry").annotate(Count("pk")))
    hedges = hedges_of_lines(line for change in changes for _pot, line in change.after)

    def payer(change: AwardChange, key: str, line: str) -> AccountName:
        if key == NO_POT:
            return player_account(payer_of(hedges[line], change.entry.pk).player_id, change.currency)
        return pot_account(tournament.pk, key, change.currency)

    return [
        NewDeed(
            Deed.PRIZE,
            f"prize {change.entry.pk} {revisions.get(change.entry.pk, 0)}",
            [
                TransferLine(
                    line,
                    player_account(change.entry.player_id, change.currency),
                    payer(change, key, line),
                    minor,
                )
                for (key, line), minor in (+change.after).items()
            ],
            change.entry.pk,
        )
        for change in changes
        if change.is_posted and +change.after
    ]


def _added_money(tournament: Tournament, due: DuePrizes) -> list[NewDeed]:
    """The differences of the money that the organizer adds to the pots, and of the money set aside from them."""
    lines = [
        _added_line(tournament, key, line, currency, minor)
        for (currency, key, line), minor in missing_added_money(tournament, due).items()
    ]
    revision = added_transfers(tournament).values("transaction").distinct().count()
    return [NewDeed(Deed.ADDED_MONEY, f"{ADDED} {tournament.pk} {revision}", lines)] if lines else []


def _added_line(tournament: Tournament, key: str, line: str, currency: str, minor: int) -> TransferLine:
    """`minor` units more for the pot, or with a negative amount fewer."""
    other = AccountName(AccountKind.REGISTRATION if line == ADDED else AccountKind.YEARLY_POT, currency)
    source, target = pot_account(tournament.pk, key, currency), other
    if minor < 0:
        source, target = target, source
    return TransferLine(f"{key} {line} {currency}", source, target, abs(minor))


def _action(tournament: Tournament, changes: Sequence[AwardChange], reason: str) -> JournalEntry:
    before, after = (
        {str(change.entry.pk): str(amount) for change, amount in amounts if amount}
        for amounts in (
            [(change, change.amount_before) for change in changes],
            [(change, change.amount_after) for change in changes],
        )
    )
    return JournalEntry(
        "award prizes", "tournament", tournament.pk, {"entries": before}, {"entries": after}, reason
    )
