"""Bodies and documents of the API about settlements of matches."""

import uuid
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, amount_json
from tournament.fees.amounts import MOST_MINOR_UNITS, Amount
from tournament.models import Hedge, Settlement
from tournament.money.settling import Agreement
from tournament.money.stakes import Stakes, Unshared
from tournament.queries.money.settlements import SettlementPage, SettlementSide, amounts_of


class AgreementBody(serializers.Serializer[Any]):
    """Amounts are minor units of the currency of the prizes. Leave both out if no prizes depend on the match."""

    winner = serializers.UUIDField(help_text="The entry that goes on as the winner.")
    left = serializers.IntegerField(min_value=0, max_value=MOST_MINOR_UNITS, required=False)
    right = serializers.IntegerField(min_value=0, max_value=MOST_MINOR_UNITS, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("left" in attrs) != ("right" in attrs):
            raise serializers.ValidationError(gettext("Give both amounts, or neither."))
        return attrs


class DeskAgreementBody(AgreementBody):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    result = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="The current result, if one is posted."
    )


class HedgeBody(serializers.Serializer[Any]):
    """Minor units of the currency of the prizes that each player gives the other after winning the match."""

    left = serializers.IntegerField(min_value=0, max_value=MOST_MINOR_UNITS, default=0)
    right = serializers.IntegerField(min_value=0, max_value=MOST_MINOR_UNITS, default=0)


class ProposalBody(serializers.Serializer[Any]):
    proposal = serializers.UUIDField()


class PotStakesDocument(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Name of the pot.")
    first = AmountDocument(help_text="Prize of the winner.")
    second = AmountDocument(help_text="Prize of the loser.")


class StakesDocument(serializers.Serializer[Any]):
    """The prizes of all pots that the match decides between its players."""

    first = AmountDocument(help_text="Prizes of the winner.")
    second = AmountDocument(help_text="Prizes of the loser.")
    pots = PotStakesDocument(many=True)
    is_complete = serializers.BooleanField(
        help_text="False if a player plays on. Then the prizes are the least that both get."
    )


class SettlementSideDocument(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    name = serializers.CharField()
    percent = serializers.IntegerField(help_text="Chance to win the match.")
    fair = AmountDocument(allow_null=True, help_text="The fair part of both prizes.")


class ProposalDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    by = serializers.UUIDField(allow_null=True, help_text="The entry that proposed; null for the desk.")
    winner = serializers.UUIDField()
    left = AmountDocument(allow_null=True)
    right = AmountDocument(allow_null=True)


class HedgeDocument(serializers.Serializer[Any]):
    """Only its two players and users who may see money get it."""

    id = serializers.UUIDField()
    by = serializers.UUIDField(help_text="The entry that proposed.")
    left = AmountDocument(help_text="Amount that the left player pays after winning.")
    right = AmountDocument(help_text="Amount that the right player pays after winning.")
    is_accepted = serializers.BooleanField()
    cancel_asked_by = serializers.UUIDField(
        allow_null=True, help_text="The entry that asks to cancel an accepted hedge."
    )


class HedgeLimitsDocument(serializers.Serializer[Any]):
    left = AmountDocument()
    right = AmountDocument()


class SettlementDocument(serializers.Serializer[Any]):
    """Preview of a settlement. `stakes` and `fair` are null if no prizes depend on the match alone."""

    stakes = StakesDocument(allow_null=True)
    left = SettlementSideDocument()
    right = SettlementSideDocument()
    why_not = serializers.ChoiceField(
        choices=[reason.value for reason in Unshared],
        allow_null=True,
        help_text="The reason for no stakes: no prize money, prizes that depend on other matches, or no certain prize.",
    )
    proposal = ProposalDocument(allow_null=True, help_text="It waits for the other player.")
    hedge = HedgeDocument(allow_null=True)
    hedge_limits = HedgeLimitsDocument(
        allow_null=True,
        help_text="The most that each player can give after winning; null without stakes. A player's phone does not "
        "learn what the other player promised earlier, so the other limit does not count it.",
    )


def settlement_json(page: SettlementPage) -> dict[str, Any]:
    left, right = page.sides
    return {
        "stakes": None if page.stakes is None else _stakes_json(page, page.stakes),
        "left": _side_json(left),
        "right": _side_json(right),
        "why_not": page.why_not,
        "proposal": None if page.proposal is None else _proposal_json(page.proposal),
        "hedge": None if page.hedge is None else _hedge_json(page.hedge),
        "hedge_limits": None
        if page.stakes is None
        else _sides_json(page.stakes.currency, *page.hedge_limits),
    }


def _hedge_json(hedge: Hedge) -> dict[str, Any]:
    return {
        "id": hedge.pk,
        "by": hedge.proposed_by_id,
        **_sides_json(hedge.currency, hedge.left_minor, hedge.right_minor),
        "is_accepted": hedge.accepted_at is not None,
        "cancel_asked_by": hedge.cancel_asked_by_id,
    }


def _sides_json(currency: str, left: int, right: int) -> dict[str, Any]:
    return {"left": amount_json(Amount(left, currency)), "right": amount_json(Amount(right, currency))}


def _stakes_json(page: SettlementPage, stakes: Stakes) -> dict[str, Any]:
    pots = [
        {"name": row.name, "first": amount_json(row.first), "second": amount_json(row.second)}
        for row in page.pots
    ]
    return {
        "first": amount_json(Amount(stakes.first, stakes.currency)),
        "second": amount_json(Amount(stakes.second, stakes.currency)),
        "pots": pots,
        "is_complete": stakes.is_complete,
    }


def _side_json(side: SettlementSide) -> dict[str, Any]:
    return {
        "entry": side.entry.pk,
        "name": side.entry.name,
        "percent": side.percent,
        "fair": None if side.fair is None else amount_json(side.fair),
    }


def _proposal_json(proposal: Settlement) -> dict[str, Any]:
    left, right = amounts_of(proposal) or (None, None)
    return {
        "id": proposal.pk,
        "by": proposal.proposed_by_id,
        "winner": proposal.winner_id,
        "left": None if left is None else amount_json(left),
        "right": None if right is None else amount_json(right),
    }


def agreement_of(body: dict[str, Any]) -> Agreement:
    winner: uuid.UUID = body["winner"]
    return Agreement(winner, (body["left"], body["right"]) if "left" in body else None)
