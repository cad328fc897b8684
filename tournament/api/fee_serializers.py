"""Bodies and documents of the API about fees, refunds of withdrawals, and the choices of entries."""

from collections.abc import Sequence
from typing import Any

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
)
from tournament.ledger.withdrawals import KeptCharges, Withdrawal
from tournament.models import Entry
from tournament.money.fees import FeeChange
from tournament.queries.money.fee_changes import PrizeChange
from tournament.web.sentences import refusal_sentence

FEES_HELP = 'Fees as `GET` returns them, for example {"currency": "EUR"}.'
NO_CURRENCY = "Name at least the currency."


class ConfirmedBody(serializers.Serializer[Any]):
    fees = serializers.DictField(help_text=FEES_HELP)
    digest = serializers.CharField(max_length=32, required=False, allow_blank=True, default="")


class FeesBody(ConfirmedBody):
    """Fees of a tournament. `digest` confirms a preview; it is needed when entries would be charged another amount."""

    def validate_fees(self, value: dict[str, Any]) -> FeeSchedule:
        try:
            schedule = parse_schedule(value)
        except ScheduleError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error
        if schedule is None:
            raise serializers.ValidationError(NO_CURRENCY)
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


class RefundsBody(serializers.Serializer[Any]):
    """The refunds of withdrawals by day, such as `[{"until": "2026-11-21", "percent": 5000}]`: half is given back."""

    refunds = serializers.ListField(child=serializers.DictField(), allow_empty=True)

    def validate_refunds(self, value: list[dict[str, Any]]) -> tuple[RefundTier, ...]:
        try:
            return parse_refunds(value)
        except ScheduleError as error:
            raise serializers.ValidationError(refusal_sentence(error)) from error


class RefundsDocument(serializers.Serializer[Any]):
    refunds = serializers.ListField(child=serializers.DictField())


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
    is_settled = serializers.BooleanField(help_text="The amount follows an agreement of two players.")


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


class ShownChoicesBody(serializers.Serializer[Any]):
    conditions = conditions_field()
    pools = pools_field()


class EntryChoicesBody(ShownChoicesBody):
    entry = serializers.UUIDField()
    shown = ShownChoicesBody(
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
    back = AmountDocument(help_text="Send its `minor` to give it back.")


class KeptChargesDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    back = AmountDocument(many=True, help_text="What can be taken back: all, or the debt of the player.")
    shown = serializers.CharField(help_text="Send it to take the charge back.")


class WithdrawalsDocument(serializers.Serializer[Any]):
    """Entries that withdrew: those that get something back by the refunds, and those that are still charged."""

    refunds = WithdrawalDocument(many=True)
    charges = KeptChargesDocument(many=True)


class GiveBackBody(serializers.Serializer[Any]):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)


class TakeBackBody(serializers.Serializer[Any]):
    shown = serializers.CharField(max_length=100)
    reason = serializers.CharField(max_length=200)


def fee_change_json(change: FeeChange, prizes: Sequence[PrizeChange] = ()) -> dict[str, Any]:
    differences = [
        {
            "entry": difference.entry.pk,
            "name": difference.entry.registered_name,
            "amounts": amounts_json(difference.listed_amounts),
        }
        for difference in change.differences
    ]
    return {
        "digest": change.digest,
        "differences": differences,
        "prizes": [_prize_change_json(prize) for prize in prizes],
    }


def _prize_change_json(prize: PrizeChange) -> dict[str, Any]:
    return {
        "entry": prize.entry.pk,
        "name": prize.entry.registered_name,
        "before": amount_json(prize.before),
        "after": amount_json(prize.after),
        "paid_out": amount_json(prize.paid),
        "is_settled": prize.is_settled,
    }


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
        "back": amount_json(withdrawal.back),
    }


def kept_charges_json(kept: KeptCharges) -> dict[str, Any]:
    return {
        "entry": kept.entry.pk,
        "name": kept.entry.registered_name,
        "back": amounts_json(kept.back),
        "shown": kept.shown,
    }
