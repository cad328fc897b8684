"""Bodies and documents of the API about fees, refunds of withdrawals, and the choices of entries."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, amount_json, amounts_json
from tournament.entries.choices import choices_of
from tournament.fees.amounts import MOST_MINOR_UNITS
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import Condition, EventFees, FeeChoices, FeeSchedule
from tournament.fees.stored import (
    MOST_POOLS,
    ScheduleError,
    parse_event_fees,
    parse_refunds,
    parse_schedule,
    refuse_shares_above_fee,
)
from tournament.ledger.charging import Difference
from tournament.models import Entry
from tournament.money.fees import FeeChange
from tournament.money.withdrawals import RemainingCharges, Withdrawal
from tournament.queries.money.fee_changes import PrizeChange
from tournament.queries.money.fee_examples import Example
from tournament.web.sentences import refusal_sentence

FEES_HELP = (
    "Fees as `GET` returns them, in minor units. For example "
    '{"currency": "EUR", "entry": {"price": 5000, "prices": {"member": 4000, "early+member": 3500}}, '
    '"registration": {"price": 1000}, "late": {"price": 500}, "late_after": "2026-11-20", '
    '"shares": [{"target": "federation", "percent": 1000}], "reentries": [[2500, 0]], '
    '"pools": [{"key": "1", "name": "Gold", "fee": {"price": 2000}, "registration": 100, "kept": true, '
    '"ratings_below": "1600", "condition": "member"}, {"key": "2", "name": "Platinum", "fee": {"price": 4000}, '
    '"after": "1"}], "jackpot_share": {"target": "registration", "percent": 1500}}.'
)
NO_CURRENCY = gettext_lazy("Name at least the currency.")


REVISION_HELP = "As `GET` returned it. With it, a change made meanwhile is refused."
REVISION_DOCUMENT_HELP = (
    "Send it with the next change, and it is refused if somebody else changed them meanwhile."
)


def revision_field() -> serializers.CharField:
    return serializers.CharField(
        max_length=32, required=False, allow_blank=True, default="", help_text=REVISION_HELP
    )


class ConfirmedBody(serializers.Serializer[Any]):
    fees = serializers.DictField(help_text=FEES_HELP)
    digest = serializers.CharField(max_length=32, required=False, allow_blank=True, default="")
    revision = revision_field()


class FeesBody(ConfirmedBody):
    """Fees of a tournament. `digest` confirms a preview; it is needed when entries would be charged another amount."""

    def validate_fees(self, value: dict[str, Any]) -> FeeSchedule:
        try:
            schedule = parse_schedule(value)
            if schedule is None:
                raise serializers.ValidationError(NO_CURRENCY)
            refuse_shares_above_fee(schedule)
        except ScheduleError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error
        return schedule


class EventFeesBody(ConfirmedBody):
    """Fees of an event. `digest` confirms a preview; it is needed when entries would be charged another amount."""

    def validate_fees(self, value: dict[str, Any]) -> EventFees:
        try:
            fees = parse_event_fees(value)
        except ScheduleError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error
        if fees is None:
            raise serializers.ValidationError(NO_CURRENCY)
        return fees


class FeesDocument(serializers.Serializer[Any]):
    fees = serializers.DictField(help_text="Empty without fees.")
    revision = serializers.CharField(help_text=REVISION_DOCUMENT_HELP)


class ExamplePartDocument(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Of the account that receives it.")
    amount = AmountDocument()


class FeeExampleDocument(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="In the language of the request.")
    pays = AmountDocument()
    parts = ExamplePartDocument(many=True)


class FeeTemplateDocument(serializers.Serializer[Any]):
    fees = serializers.DictField()
    key = serializers.CharField()
    name = serializers.CharField(help_text="In the language of the request.")


class RefundsBody(serializers.Serializer[Any]):
    """The refunds of withdrawals by day, such as `[{"until": "2026-11-21", "percent": 5000}]`: half is given back."""

    refunds = serializers.ListField(child=serializers.DictField(), allow_empty=True)
    revision = revision_field()

    def validate_refunds(self, value: list[dict[str, Any]]) -> tuple[RefundTier, ...]:
        try:
            return parse_refunds(value)
        except ScheduleError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error


class RefundsDocument(serializers.Serializer[Any]):
    refunds = serializers.ListField(child=serializers.DictField())
    revision = serializers.CharField(help_text=REVISION_DOCUMENT_HELP)


class DifferenceDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    amounts = AmountDocument(many=True)


class PrizeChangeDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    before = AmountDocument()
    after = AmountDocument()
    paid_out = AmountDocument(help_text="What the player was paid out in the event.")
    has_agreement = serializers.BooleanField(help_text="The amount follows an agreement of two players.")


class FeeChangeDocument(serializers.Serializer[Any]):
    """Differences to the charges of entries, and awarded prizes that change with the pot; a negative amount is charged
    less."""

    digest = serializers.CharField()
    differences = DifferenceDocument(many=True)
    prizes = PrizeChangeDocument(many=True)


def conditions_field(**more: Any) -> serializers.MultipleChoiceField:
    return serializers.MultipleChoiceField(choices=[condition.value for condition in Condition], **more)


def pools_field(**more: Any) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=8),
        max_length=MOST_POOLS,
        help_text="Keys of side pools.",
        **more,
    )


class ExpectedChoicesBody(serializers.Serializer[Any]):
    conditions = conditions_field()
    pools = pools_field()


class EntryChoicesBody(ExpectedChoicesBody):
    entry = serializers.UUIDField()
    expected = ExpectedChoicesBody(
        required=False, help_text="What the entry had before. With it, a change made meanwhile is refused."
    )


class ChoicesBody(serializers.Serializer[Any]):
    choices = EntryChoicesBody(many=True)


class EntryChoicesDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    conditions = serializers.ListField(child=serializers.CharField())
    pools = serializers.ListField(child=serializers.CharField(), help_text="Keys of side pools.")


class WithdrawalDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    day = serializers.DateField(help_text="Of the withdrawal.")
    charged = AmountDocument()
    refund = AmountDocument(help_text="Send its `minor` to give it back.")


class KeptChargesDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    waivable = AmountDocument(many=True, help_text="What can be taken back: all, or the debt of the player.")
    revision = serializers.CharField(help_text="Send it to take the charge back.")


class WithdrawalsDocument(serializers.Serializer[Any]):
    """Entries that withdrew: those that get something back by the refunds, and those that are still charged."""

    refunds = WithdrawalDocument(many=True)
    charges = KeptChargesDocument(many=True)


class WithdrawalRefundBody(serializers.Serializer[Any]):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)


class WaiverBody(serializers.Serializer[Any]):
    revision = serializers.CharField(max_length=100)
    reason = serializers.CharField(max_length=200)


def fee_change_json(change: FeeChange, prizes: Sequence[PrizeChange] = ()) -> dict[str, Any]:
    return {
        "digest": change.digest,
        "differences": differences_json(change.differences),
        "prizes": [_prize_change_json(prize) for prize in prizes],
    }


def differences_json(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    return [
        {
            "entry": difference.entry.pk,
            "name": difference.entry.registered_name,
            "amounts": amounts_json(difference.amounts),
        }
        for difference in differences
    ]


def _prize_change_json(prize: PrizeChange) -> dict[str, Any]:
    return {
        "entry": prize.person.pk,
        "name": prize.person.registered_name,
        "before": amount_json(prize.before),
        "after": amount_json(prize.after),
        "paid_out": amount_json(prize.paid),
        "has_agreement": prize.has_agreement,
    }


def example_json(example: Example) -> dict[str, Any]:
    parts = [{"name": name, "amount": amount_json(amount)} for name, amount in example.parts]
    return {"name": example.label, "pays": amount_json(example.pays), "parts": parts}


def choices_json(entry: Entry) -> dict[str, Any]:
    choices = choices_of(entry)
    return {
        "entry": entry.pk,
        "name": entry.registered_name,
        "conditions": sorted(choices.conditions),
        "pools": sorted(choices.pools),
    }


def choices_of_body(body: dict[str, Any]) -> FeeChoices:
    return FeeChoices(frozenset(map(Condition, body["conditions"])), frozenset(body["pools"]))


def withdrawal_json(withdrawal: Withdrawal) -> dict[str, Any]:
    return {
        "entry": withdrawal.entry.pk,
        "name": withdrawal.entry.registered_name,
        "day": withdrawal.day,
        "charged": amount_json(withdrawal.charged),
        "refund": amount_json(withdrawal.refund),
    }


def remaining_charges_json(charges: RemainingCharges) -> dict[str, Any]:
    return {
        "entry": charges.entry.pk,
        "name": charges.entry.registered_name,
        "waivable": amounts_json(charges.amounts),
        "revision": charges.revision,
    }
