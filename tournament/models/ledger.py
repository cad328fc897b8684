"""Rows of the ledger: accounts, transactions and their transfers. Nothing here writes.

A transfer credits its source and debits its target, so the books balance in every row. The balance of an account is
its debits minus its credits: what a cash box holds and what a player owes is positive; what a pot holds and what a
player may claim is negative. All amounts are minor units of one currency.
"""

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Cast, Left, Replace, Right, Substr
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from tournament.models.desk import JournalLine
from tournament.models.entries import Entry, Player
from tournament.models.events import Event, Tournament

CURRENCY_LENGTH = 3
BOOK_LENGTH = CURRENCY_LENGTH + 1 + 32
"""Characters of an account's id that name its currency and its event."""


def names_its_event(account: str) -> Exact:
    """True if the id of the account names the event of the row."""
    event = Replace(Cast("event", models.CharField()), Value("-"), Value(""))
    return Exact(Substr(account, CURRENCY_LENGTH + 2, 32), event)


class AccountKind(models.TextChoices):
    """CASH is a till's box of one currency. EXCHANGE converts a currency: each of its two accounts has one side.

    OWN_MONEY is the organizer's, outside the event: cash moves between it and the organizer's cash box.
    """

    CASH = "cash", _("Cash box")
    BANK = "bank", _("Bank")
    CARD = "card", _("Cards")
    OTHER = "other", _("Other payments")
    PLAYER = "player", _("Player")
    POT = "pot", _("Pot")
    REGISTRATION = "registration", _("Registration")
    FEDERATION = "federation", _("Federation")
    MEMBERSHIP = "membership", _("Memberships")
    YEARLY_POT = "yearly_pot", _("Yearly pot")
    EXCHANGE = "exchange", _("Exchange")
    ROUNDING = "rounding", _("Rounding")
    OVER_SHORT = "over_short", _("Over and short")
    OWN_MONEY = "own_money", _("Organizer's own money")


PAYMENT_METHODS = (AccountKind.CASH, AccountKind.BANK, AccountKind.CARD, AccountKind.OTHER)
"""Ways to pay: the kinds of the accounts that receive and pay the money of players."""


class LedgerAccount(models.Model):
    """An account of an event in one currency. Its id names currency, event, kind and `name`, so it exists once.

    `name` is the key of a till or of a pot, else empty. `player` and `tournament` are None after their removal.
    """

    id = models.CharField(primary_key=True, max_length=160, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="ledger_accounts")
    kind = models.CharField(max_length=12, choices=AccountKind.choices)
    currency = models.CharField(max_length=CURRENCY_LENGTH)
    name = models.CharField(max_length=60, blank=True, default="")
    tournament = models.ForeignKey(
        Tournament, null=True, on_delete=models.SET_NULL, related_name="ledger_accounts"
    )
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="ledger_accounts")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=AccountKind.values), name="account_kind_is_known"),
            models.CheckConstraint(
                condition=Exact(F("currency"), Left("id", CURRENCY_LENGTH)),
                name="account_id_names_its_currency",
            ),
            models.CheckConstraint(condition=names_its_event("id"), name="account_id_names_its_event"),
            models.CheckConstraint(
                condition=Q(kind=AccountKind.PLAYER) | Q(player__isnull=True),
                name="only_the_account_of_a_player_has_a_player",
            ),
            models.CheckConstraint(
                condition=Q(kind=AccountKind.POT) | Q(tournament__isnull=True),
                name="only_a_pot_has_a_tournament",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=[AccountKind.CASH, AccountKind.POT]) | Q(name=""),
                name="only_a_till_or_a_pot_has_a_name",
            ),
        ]


class Deed(models.TextChoices):
    """The kind of deed that a transaction records."""

    CHARGE = "charge", _("Charge")
    PAYMENT = "payment", _("Payment")
    REFUND = "refund", _("Refund")
    PRIZE = "prize", _("Prize")
    PAYOUT = "payout", _("Payout")
    ADDED_MONEY = "added_money", _("Added money")
    CLOSING = "closing", _("Cash closing")
    HANDOVER = "handover", _("Handover of cash")
    OWN_CASH = "own_cash", _("Cash put in or taken out")
    REVERSAL = "reversal", _("Reversal")


class LedgerTransaction(models.Model):
    """The transfers of one deed. `key` names the deed within the event, so that repeating a request changes nothing.

    A transaction is never changed. Reversing it is another transaction, once. `entry` is the entry whose charges it
    records, None after its removal.
    """

    id = models.BigAutoField(primary_key=True)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="ledger_transactions")
    key = models.CharField(max_length=120)
    deed = models.CharField(max_length=12, choices=Deed.choices)
    at = models.DateTimeField()
    journal_line = models.ForeignKey(JournalLine, on_delete=models.RESTRICT, related_name="transactions")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.SET_NULL, related_name="transactions")
    reverses = models.OneToOneField("self", null=True, on_delete=models.RESTRICT, related_name="reversed_by")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "key"], name="deed_recorded_once"),
            models.CheckConstraint(condition=Q(deed__in=Deed.values), name="deed_is_known"),
            models.CheckConstraint(
                condition=(Q(deed=Deed.REVERSAL) & Q(reverses__isnull=False))
                | (~Q(deed=Deed.REVERSAL) & Q(reverses__isnull=True)),
                name="only_a_reversal_reverses",
            ),
        ]


ORGANIZER_TILL = "organizer"
"""The name of the cash box from which tills get their change, and to which they bring their cash."""


def _is_account(side: str, ending: str) -> Q:
    """True for the accounts whose id ends like this."""
    return Q(Exact(Right(side, len(ending)), Value(ending)))


def _moves_own_money_to_its_box(side: str, other: str) -> Q:
    own_money, box = f":{AccountKind.OWN_MONEY}", f":{AccountKind.CASH}::{ORGANIZER_TILL}"
    return ~_is_account(side, own_money) | _is_account(other, box)


class Transfer(models.Model):
    """`amount` minor units from one account to another of the same event and currency. Never changed."""

    id = models.BigAutoField(primary_key=True)
    transaction = models.ForeignKey(LedgerTransaction, on_delete=models.CASCADE, related_name="transfers")
    line = models.CharField(max_length=60)
    source = models.ForeignKey(LedgerAccount, on_delete=models.RESTRICT, related_name="credits")
    target = models.ForeignKey(LedgerAccount, on_delete=models.RESTRICT, related_name="debits")
    amount = models.BigIntegerField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["transaction", "line"], name="line_transferred_once"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="transfer_moves_a_positive_amount"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="transfer_has_two_accounts"),
            models.CheckConstraint(
                condition=Exact(Left("source", BOOK_LENGTH), Left("target", BOOK_LENGTH)),
                name="transfer_stays_in_its_book",
            ),
            models.CheckConstraint(
                condition=_moves_own_money_to_its_box("source", "target")
                & _moves_own_money_to_its_box("target", "source"),
                name="own_money_moves_by_the_cash_box",
            ),
        ]


LONGEST_SIGNATURE = 4_000


class PayoutSignature(models.Model):
    """A signature drawn on the screen for a payout. `strokes` is an SVG path of M and L in a field of 300 by 100.

    Removed with the player's personal data.
    """

    transaction = models.OneToOneField(LedgerTransaction, on_delete=models.CASCADE, related_name="signature")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="payout_signatures")
    strokes = models.CharField(max_length=LONGEST_SIGNATURE)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(strokes=""), name="signature_is_drawn")]
