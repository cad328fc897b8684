"""Bodies and documents of the API about prizes out of pots: structures, templates, amounts and awards."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.fee_serializers import REVISION_DOCUMENT_HELP, revision_field
from tournament.api.money_serializers import AmountDocument, amount_json, amounts_json
from tournament.fees.amounts import current_currencies
from tournament.models import Tournament
from tournament.prizes.stored import (
    LONGEST_TEMPLATE_NAME,
    StructureError,
    parse_structure,
    parts_as_json,
    refuse_pool_keys,
)
from tournament.prizes.structure import Part, PrizeStructure
from tournament.prizes.templates import suggested_template, templates_for
from tournament.queries.money.prize_steps import PrizeAction, PrizeStep
from tournament.queries.money.prizes import (
    PrizeLine,
    PrizePreview,
    field_of_tournament,
    own_templates,
    tournament_currency,
)
from tournament.queries.money.unpaid_pots import UnpaidPot
from tournament.web.sentences import refusal_sentence


def read_structure(value: dict[str, Any]) -> PrizeStructure | None:
    try:
        structure = parse_structure(value)
        if structure is not None:
            refuse_pool_keys(structure)
        return structure
    except StructureError as error:
        raise serializers.ValidationError(refusal_sentence(error)) from error


class PrizeStructureBody(serializers.Serializer[Any]):
    prizes = serializers.DictField(
        help_text='How the pots are split, as `GET` returns it, for example {"currency": "EUR", "added": 5000, '
        '"parts": [{"bracket": "main", "places": [1, 1], "share": 2}, '
        '{"bracket": "main", "places": [2, 2], "share": 1}, '
        '{"bracket": "consolation", "places": [1, 1], "minor": 5000}], "unit": 100, "rest": "organizer", "pools": '
        '[{"key": "1", "shares": [70, 30], "brackets": ["main", "consolation"]}]}. Use the currency of the fees. '
        "Empty: no prizes."
    )
    revision = revision_field()

    def validate_prizes(self, value: dict[str, Any]) -> PrizeStructure | None:
        return read_structure(value)


class PrizeStructureDocument(serializers.Serializer[Any]):
    prizes = serializers.DictField(help_text="Amounts in minor units. Empty if the pot pays no prizes.")
    revision = serializers.CharField(help_text=REVISION_DOCUMENT_HELP)


class AwardsDocument(serializers.Serializer[Any]):
    changed = serializers.IntegerField(help_text="Entries whose prizes changed.")


class TemplateNameBody(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_TEMPLATE_NAME)


class TemplateBody(TemplateNameBody):
    parts = serializers.ListField(
        child=serializers.DictField(), allow_empty=False, help_text="As in a prize structure."
    )
    currency = serializers.ChoiceField(
        choices=list(current_currencies()),
        required=False,
        allow_blank=True,
        default="",
        help_text="Of the fixed amounts; by default that of the tournament.",
    )

    def validate_parts(self, value: list[dict[str, Any]]) -> tuple[Part, ...]:
        structure = read_structure({"currency": "EUR", "parts": value})
        return structure.parts if structure else ()


class TemplateDocument(serializers.Serializer[Any]):
    key = serializers.CharField(help_text="Empty for a template of the organizer.")
    name = serializers.CharField()
    hint = serializers.CharField()
    is_suggested = serializers.BooleanField()
    bubble = serializers.BooleanField()
    parts = serializers.ListField(child=serializers.DictField(), help_text="For this tournament.")


class PotPrizeDocument(serializers.Serializer[Any]):
    bracket = serializers.CharField()
    first = serializers.IntegerField(help_text="The first of the places that get this prize each.")
    last = serializers.IntegerField()
    feat = serializers.CharField(allow_null=True, help_text="Instead of places.")
    amount = AmountDocument()


class PoolPrizesDocument(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField()
    pot = AmountDocument()
    prizes = AmountDocument(many=True, help_text="The furthest first.")


class PotPreviewDocument(serializers.Serializer[Any]):
    """Prizes out of the present pots. The amounts change with every entry."""

    paid_in = AmountDocument()
    added = AmountDocument()
    set_aside = AmountDocument(help_text="For a series.")
    yearly = AmountDocument(help_text="From the yearly pot.")
    total = AmountDocument()
    rest = AmountDocument(help_text="Left in the pot by rounding.")
    lines = PotPrizeDocument(many=True)
    pools = PoolPrizesDocument(many=True)


class UnpaidPotDocument(serializers.Serializer[Any]):
    name = serializers.CharField()
    amount = AmountDocument(help_text="Charged and not paid yet.")
    players = serializers.IntegerField()


class PrizeStepDocument(serializers.Serializer[Any]):
    tournament = serializers.UUIDField()
    action = serializers.ChoiceField(
        choices=[action.value for action in PrizeAction],
        help_text="Award prizes, or post what changed in them; the same for owners of an auction.",
    )
    since = serializers.DateTimeField()
    unpaid = UnpaidPotDocument(many=True)


def templates_json(tournament: Tournament) -> list[dict[str, Any]]:
    """The usual templates, those of the organizer last."""
    field = field_of_tournament(tournament, tournament_currency(tournament))
    suggested = suggested_template(field)
    usual = [
        {
            "key": template.key,
            "name": gettext(template.name),
            "hint": gettext(template.hint),
            "is_suggested": template is suggested,
            "bubble": template.bubble,
            "parts": parts_as_json(template.parts(field)),
        }
        for template in templates_for(field)
    ]
    own = [
        {
            "key": "",
            "name": name,
            "hint": "",
            "is_suggested": False,
            "bubble": False,
            "parts": parts_as_json(parts),
        }
        for name, parts in own_templates(tournament, field.currency).items()
    ]
    return [*usual, *own]


def preview_json(preview: PrizePreview) -> dict[str, Any]:
    pools = [
        {
            "key": pool.key,
            "name": pool.name,
            "pot": amount_json(pool.pot),
            "prizes": amounts_json(pool.prizes),
        }
        for pool in preview.pools
    ]
    return {
        "paid_in": amount_json(preview.paid_in),
        "added": amount_json(preview.added),
        "set_aside": amount_json(preview.set_aside),
        "yearly": amount_json(preview.yearly),
        "total": amount_json(preview.total),
        "rest": amount_json(preview.rest),
        "lines": [_line_json(line) for line in preview.lines],
        "pools": pools,
    }


def _line_json(line: PrizeLine) -> dict[str, Any]:
    return {
        "bracket": line.bracket,
        "first": line.first,
        "last": line.last,
        "feat": line.feat,
        "amount": amount_json(line.amount),
    }


def step_json(step: PrizeStep, unpaid: Iterable[UnpaidPot]) -> dict[str, Any]:
    pots = [{"name": pot.name, "amount": amount_json(pot.amount), "players": pot.players} for pot in unpaid]
    return {
        "tournament": step.tournament.pk,
        "action": step.action,
        "since": step.since,
        "unpaid": pots,
    }
