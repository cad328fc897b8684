"""Proposes which players the payments of a bank statement are of, and records those that were confirmed.

Nothing of the statement is stored. The key of a payment is a hash of its line, so it is recorded once.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournament.access.actors import Actor
from tournament.fees.amounts import Amount
from tournament.fees.bank_statement import IncomingPayment
from tournament.fees.references import find_references, in_groups, reference_of
from tournament.ledger.balances import open_amounts
from tournament.ledger.recording import lock_book
from tournament.models import AccountKind, Deed, Event, LedgerTransaction, Organizer, Player, Transfer
from tournament.money.payments import NewPayment, take_payments
from tournament.runtime.errors import NotFound
from tournament.runtime.name_search import spellings_of_words
from tournament.runtime.text import comparison_key


@dataclass(frozen=True, slots=True)
class Proposal:
    """A payment and the player who probably made it; None if no player fits. `is_exact`: just this amount is open.

    `is_known`: a transfer of this amount is recorded for the player already, perhaps by hand. `reference` and
    `open_amounts` are of the player; the amounts are positive for debts.
    """

    payment: IncomingPayment
    key: uuid.UUID
    player: Player | None = None
    by_reference: bool = False
    is_exact: bool = False
    is_known: bool = False
    reference: str = ""
    open_amounts: tuple[Amount, ...] = ()


def propose(event: Event, payments: Sequence[IncomingPayment]) -> list[Proposal]:
    """Leaves out payments that are recorded already in an event of the organizer.

    A reference decides. Without one, the exact open amount together with the name of exactly one player does, and for
    another amount a name of several words that only one player has.
    """
    keys = _free_keys(event, payments)
    players = {row.pk: row for row in Player.objects.filter(event=event, removed_at__isnull=True)}
    by_reference = {reference_of(event.pk, pk): row for pk, row in players.items()}
    owed = open_amounts(event.pk, list(players))
    recorded = _recorded_amounts(event)
    names = {pk: spellings_of_words(row.registered_name) for pk, row in players.items()}
    proposals = []
    for payment in payments:
        if (key := keys.get(payment.key)) is None:
            continue
        named = {by_reference[code].pk for code in find_references(payment.text) if code in by_reference}
        candidates = named or _named_players(payment, names, owed)
        player = players[next(iter(candidates))] if len(candidates) == 1 else None
        if player is None:
            proposals.append(Proposal(payment, key))
            continue
        amounts = owed.setdefault(player.pk, {})
        is_exact = amounts.get(payment.amount.currency) == payment.amount.minor
        reference = in_groups(reference_of(event.pk, player.pk))
        shown = tuple(Amount(minor, currency) for currency, minor in amounts.items())
        is_known = (player.pk, payment.amount) in recorded
        proposals.append(Proposal(payment, key, player, bool(named), is_exact, is_known, reference, shown))
        if is_exact:
            del amounts[payment.amount.currency]
    return proposals


def record_payments(
    event: Event, payments: Sequence[IncomingPayment], confirmed: Mapping[uuid.UUID, uuid.UUID], actor: Actor
) -> list[LedgerTransaction]:
    """Records the payments with these keys for the players confirmed.

    Locks the book, then the organizer: two events of one organizer may record the same line at the same moment. Raises
    NotFound for a player of another event.
    """
    with lock_book(event.pk) as book:
        _lock_organizer(book.event)
        keys = _free_keys(book.event, payments)
        chosen = [
            (confirmed[key], NewPayment(key, payment.amount, AccountKind.BANK))
            for payment in payments
            if (key := keys.get(payment.key)) is not None and key in confirmed
        ]
        players = {player_id for player_id, _payment in chosen}
        if Player.objects.filter(pk__in=players, event=event).count() != len(players):
            raise NotFound
        return take_payments(book, chosen, actor)


def find_players(event: Event, texts: Collection[str]) -> dict[str, Player]:
    """Returns by text the player whose reference is in it, else the only one with exactly this name.

    Leaves out texts that name no player or several.
    """
    if not texts:
        return {}
    by_reference: dict[str, Player] = {}
    by_name: dict[str, list[Player]] = defaultdict(list)
    for row in Player.objects.filter(event=event, removed_at__isnull=True):
        by_reference[reference_of(event.pk, row.pk)] = row
        by_name[comparison_key(row.registered_name)].append(row)
    players: dict[str, Player] = {}
    for text in texts:
        references = set(find_references(text))
        named = [by_reference[code] for code in references if code in by_reference]
        matches = named if references else by_name[comparison_key(text)]
        if len(matches) == 1:
            players[text] = matches[0]
    return players


def suggest_players(event: Event) -> list[tuple[str, str]]:
    """Name and reference of each player, by name."""
    players = Player.objects.filter(event=event, removed_at__isnull=True)
    return sorted((row.registered_name, in_groups(reference_of(event.pk, row.pk))) for row in players)


def remember_columns(event: Event, columns: Mapping[str, str]) -> None:
    """Remembers the headings of a statement for the next one of the organizer. Without headings or an organizer
    nothing."""
    if event.organizer_id and columns:
        Organizer.objects.filter(pk=event.organizer_id).update(statement_columns=dict(columns))


def following_key(key: uuid.UUID) -> uuid.UUID:
    """The key under which a payment is recorded again after the one with this key was taken back."""
    return uuid.uuid5(key, "1")


def _named_players(
    payment: IncomingPayment,
    names: Mapping[uuid.UUID, Sequence[Collection[str]]],
    owed: Mapping[uuid.UUID, Mapping[str, int]],
) -> set[uuid.UUID]:
    """`names`: the spellings of each word, by player."""
    words = set[str]().union(*spellings_of_words(f"{payment.name} {payment.text}"))
    named = {pk for pk, name in names.items() if _are_named(name, words)}
    owing = {pk for pk in named if owed.get(pk, {}).get(payment.amount.currency) == payment.amount.minor}
    return owing or {pk for pk in named if len(names[pk]) > 1}


def _recorded_amounts(event: Event) -> set[tuple[uuid.UUID | None, Amount]]:
    """The amounts of bank payments that were not taken back, with their players."""
    rows = Transfer.objects.filter(
        transaction__event=event,
        transaction__deed=Deed.PAYMENT,
        transaction__reversed_by__isnull=True,
        target__kind=AccountKind.BANK,
    ).order_by()
    paid = rows.values_list("source__player", "source__currency", "amount")
    return {(pk, Amount(minor, currency)) for pk, currency, minor in paid}


def _are_named(name: Sequence[Collection[str]], words: Collection[str]) -> bool:
    """True if each word of the name, in one of its spellings, is among the words."""
    return bool(name) and all(any(spelling in words for spelling in spellings) for spellings in name)


def _lock_organizer(event: Event) -> None:
    if event.organizer_id is not None:
        Organizer.objects.select_for_update(no_key=True).get(pk=event.organizer_id)


def _free_keys(event: Event, payments: Sequence[IncomingPayment]) -> dict[str, uuid.UUID]:
    """The key of each payment that is not recorded. A payment that was taken back has another key the next time."""
    events = {event.pk}
    if event.organizer_id:
        events |= set(Event.with_deleted.filter(organizer=event.organizer_id).values_list("pk", flat=True))
    rows = LedgerTransaction.objects.filter(event__in=events).order_by()
    free: dict[str, uuid.UUID] = {}
    # The organizer is no part of the key: the event may get another one later.
    pending = {payment.key: uuid.uuid5(uuid.NAMESPACE_OID, payment.key) for payment in payments}
    while pending:
        names = {f"payment {key.hex}": line for line, key in pending.items()}
        present = rows.filter(key__in=names)
        recorded = set(present.values_list("key", flat=True))
        taken_back = present.filter(reversed_by__isnull=False).values_list("key", flat=True)
        free |= {line: key for line, key in pending.items() if f"payment {key.hex}" not in recorded}
        pending = {names[name]: following_key(pending[names[name]]) for name in taken_back}
    return free
