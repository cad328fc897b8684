"""API views of bank statements: proposals of payments from a CSV file, then those that are confirmed.

The server stores nothing of the file. A payment is recognised by its line, so it is recorded once.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.money_serializers import AmountDocument, amount_json, currency_field
from tournament.api.parsing import BoundedJSONParser, BoundedMultiPartParser
from tournament.api.views import ApiView
from tournament.fees.bank_statement import COMMA, MOST_BYTES, MOST_COLUMNS, POINT, Column
from tournament.models import Event
from tournament.money.bank_statement import Proposal, propose, record_payments, remember_columns
from tournament.queries.money.statements import ChosenColumns, Statement, decode_statement, read_statement
from tournament.web.one_at_a_time import Work, one_at_a_time


def column_field(help_text: str = "") -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=MOST_COLUMNS - 1, help_text=help_text
    )


class ColumnsField(serializers.Serializer[Any]):
    """The place of each column; the first is 0."""

    date = column_field()
    amount = column_field()
    currency = column_field()
    text = column_field("With the reference.")
    name = column_field("Of the payer.")
    direction = column_field("A word for incoming or outgoing.")


class StatementBody(serializers.Serializer[Any]):
    """A statement as text, or as a file (multipart), in CSV. Omitted fields are taken from the last statement of
    the organizer, or guessed."""

    text = serializers.CharField(
        required=False, allow_blank=True, trim_whitespace=False, max_length=MOST_BYTES, default=""
    )
    file = serializers.FileField(required=False, allow_empty_file=True)
    columns = ColumnsField(required=False)
    decimal_sign = serializers.ChoiceField(choices=[POINT, COMMA], required=False, default="")
    currency = serializers.ChoiceField(
        choices=currency_field().choices, required=False, default="", help_text="Of lines without a currency."
    )


class ConfirmedPaymentField(serializers.Serializer[Any]):
    key = serializers.UUIDField(help_text="Of the proposal.")
    player = serializers.UUIDField()


class StatementPaymentsBody(StatementBody):
    """Send the text, the columns, the decimal sign and the currency of the proposals."""

    payments = ConfirmedPaymentField(many=True)

    def validate_payments(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({row["key"] for row in value}) < len(value):
            raise serializers.ValidationError(gettext("Name each payment once."))
        return value


class ProposedPaymentDocument(serializers.Serializer[Any]):
    key = serializers.UUIDField()
    line = serializers.IntegerField(help_text="Of the file.")
    date = serializers.CharField(help_text="As the bank writes it.")
    amount = AmountDocument()
    text = serializers.CharField()
    payer = serializers.CharField()
    player = serializers.UUIDField(allow_null=True, help_text="The probable payer; null if no player fits.")
    player_name = serializers.CharField()
    by_reference = serializers.BooleanField()
    is_exact = serializers.BooleanField(help_text="Just this amount is open.")
    is_known = serializers.BooleanField(
        help_text="A transfer of this amount is recorded for the player already, perhaps by hand."
    )


class StatementDocument(serializers.Serializer[Any]):
    """Incoming payments that are not recorded yet."""

    text = serializers.CharField(help_text="The decoded text of a file; empty for a text.")
    headings = serializers.ListField(child=serializers.CharField())
    columns = ColumnsField()
    decimal_sign = serializers.CharField()
    currency = serializers.CharField()
    unreadable = serializers.ListField(
        child=serializers.IntegerField(), help_text="Lines whose amount cannot be read."
    )
    proposals = ProposedPaymentDocument(many=True)


class RecordedDocument(serializers.Serializer[Any]):
    recorded = serializers.IntegerField(help_text="Payments that were recorded before are left out.")


class BankStatementView(ApiView):
    parser_classes = (BoundedJSONParser, BoundedMultiPartParser)

    @describes("propose_payments", {200: StatementDocument}, 409, request=StatementBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Proposes which players the payments of a bank statement are of. Stores nothing."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        with one_at_a_time(self.actor, Work.IMPORT):
            body = self.read(StatementBody)
            file = body.get("file")
            text, statement = read_body(row, body)
            proposals = propose(row, statement.payments)
        return Response(statement_json(statement, proposals, text if file is not None else ""))

    @describes("record_statement", {200: RecordedDocument}, 409, request=StatementPaymentsBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Records the confirmed payments of a bank statement, and remembers its columns. Repeating it records nothing
        again."""
        row = permissions.event_for(self.actor, event, Capability.MONEY)
        with one_at_a_time(self.actor, Work.IMPORT):
            body = self.read(StatementPaymentsBody)
            _text, statement = read_body(row, body)
            confirmed = {payment["key"]: payment["player"] for payment in body["payments"]}
            recorded = record_payments(row, statement.payments, confirmed, self.actor)
            remember_columns(row, statement.remembered)
        return Response({"recorded": len(recorded)})


def read_body(event: Event, body: dict[str, Any]) -> tuple[str, Statement]:
    """Raises Refused for a statement that is too large or is not CSV."""
    file = body.get("file")
    text = decode_statement(body["text"].encode() if file is None else file.read(MOST_BYTES + 1))
    columns = body.get("columns")
    places = (
        None
        if columns is None
        else {Column(name): place for name, place in columns.items() if place is not None}
    )
    return text, read_statement(event, text, ChosenColumns(places, body["decimal_sign"], body["currency"]))


def statement_json(statement: Statement, proposals: Iterable[Proposal], text: str) -> dict[str, Any]:
    places = statement.columns.places
    return {
        "text": text,
        "headings": statement.headings,
        "columns": {str(column): places.get(column) for column in Column},
        "decimal_sign": statement.columns.decimal_sign,
        "currency": statement.columns.currency,
        "unreadable": statement.unreadable,
        "proposals": [_proposal_json(proposal) for proposal in proposals],
    }


def _proposal_json(proposal: Proposal) -> dict[str, Any]:
    payment, player = proposal.payment, proposal.player
    return {
        "key": proposal.key,
        "line": payment.number,
        "date": payment.date,
        "amount": amount_json(payment.amount),
        "text": payment.text,
        "payer": payment.name,
        "player": player.pk if player else None,
        "player_name": player.registered_name if player else "",
        "by_reference": proposal.by_reference,
        "is_exact": proposal.is_exact,
        "is_known": proposal.is_known,
    }
