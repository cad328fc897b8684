"""API views of the money of one player: for the cash desk, and for the player's phone."""

import uuid
from collections.abc import Iterable
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.authentication import actors_of
from tournament.api.describing import describes
from tournament.api.money_serializers import AmountDocument, amount_json, amounts_json
from tournament.api.views import ApiView
from tournament.fees.references import reference_of
from tournament.ledger.labels import BookLabels
from tournament.models import Event, Player
from tournament.queries.money.player_statement import MoneyLine, player_of, player_statement
from tournament.runtime.errors import Denied
from tournament.web.payment_ways import PaymentWays, payment_ways


class MoneyLineDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    tournament = serializers.CharField(help_text="Empty for the whole event.")
    amount = AmountDocument()
    at = serializers.DateTimeField(allow_null=True)
    handed_over = AmountDocument(allow_null=True, help_text="The money that was given in another currency.")


class PaymentWayDocument(serializers.Serializer[Any]):
    """A way to pay an open amount without cash: to the bank account, by the link, or both."""

    amount = AmountDocument()
    account_holder = serializers.CharField()
    iban = serializers.CharField()
    bic = serializers.CharField()
    link = serializers.CharField()
    qr_code = serializers.CharField(help_text="A data URL: a bank's payment code, else the link. Or empty.")


class PlayerStatementDocument(serializers.Serializer[Any]):
    """Deeds that were taken back are left out."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    event = serializers.CharField()
    reference = serializers.CharField(help_text="Of payments to the bank account.")
    charged = MoneyLineDocument(many=True)
    paid = MoneyLineDocument(many=True, help_text="Negative amounts are refunds.")
    won = MoneyLineDocument(many=True)
    paid_out = MoneyLineDocument(many=True)
    open = AmountDocument(many=True, help_text="Negative amounts are claims of the player.")
    ways = PaymentWayDocument(many=True)


class PlayerStatementView(ApiView):
    @describes("show_player_money", {200: PlayerStatementDocument})
    def get(self, request: Request, event: str, player_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns what a player was charged, paid, won and was paid out, and how to pay what is open."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        return Response(statement_json(row, player_of(row, player_id)))


class OwnMoneyView(ApiView):
    @describes("show_own_money", {200: PlayerStatementDocument(many=True)})
    def get(self, request: Request) -> Response:
        """Returns the money of the players of this phone only."""
        entries = [actor.entry for actor in actors_of(request) if actor.entry is not None]
        if not entries:
            raise Denied(is_known=self.actor.user is not None)
        players = {entry.player_id: (entry.tournament.event, entry.player) for entry in entries}
        return Response([statement_json(event, player) for event, player in players.values()])


def statement_json(event: Event, player: Player) -> dict[str, Any]:
    statement = player_statement(player)
    ways = [way for debt in statement.debts if (way := payment_ways(event, player, debt))]
    return {
        "player": player.pk,
        "name": BookLabels(event.pk).of_player(player, player.pk),
        "event": event.slug,
        "reference": reference_of(event.pk, player.pk),
        "charged": _lines_json(statement.charged),
        "paid": _lines_json(statement.paid),
        "won": _lines_json(statement.won),
        "paid_out": _lines_json(statement.paid_out),
        "open": amounts_json(statement.open_amounts),
        "ways": [_way_json(way) for way in ways],
    }


def _lines_json(lines: Iterable[MoneyLine]) -> list[dict[str, Any]]:
    return [
        {
            "name": line.name,
            "tournament": line.tournament,
            "amount": amount_json(line.amount),
            "at": line.at,
            "handed_over": amount_json(line.handed_over) if line.handed_over else None,
        }
        for line in lines
    ]


def _way_json(way: PaymentWays) -> dict[str, Any]:
    organizer = way.organizer
    return {
        "amount": amount_json(way.amount),
        "account_holder": organizer.account_holder,
        "iban": organizer.iban,
        "bic": organizer.bic,
        "link": way.link,
        "qr_code": way.picture,
    }
