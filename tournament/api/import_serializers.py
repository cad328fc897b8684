"""Bodies and answers of the API about imported entry lists."""

from typing import Any

from rest_framework import serializers

from tournament.api.money_serializers import METHOD_NAMES, AmountDocument


class ListBody(serializers.Serializer[Any]):
    """An entry list: pasted text, or a file (multipart)."""

    text = serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)
    file = serializers.FileField(required=False, allow_empty_file=True)
    digest = serializers.CharField(required=False, help_text="From the preview; needed to apply.")
    other_people = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        required=False,
        help_text="Numbers of lines that are not the player of another tournament with the same name.",
    )
    method = serializers.ChoiceField(
        METHOD_NAMES,
        default="bank",
        help_text="Method of the payments in advance under “Paid”. The list gives the total of each player.",
    )
    above_debt = serializers.BooleanField(
        default=False, help_text="Also records payments of more than the player owes."
    )


class TroubleDocument(serializers.Serializer[Any]):
    line = serializers.IntegerField(allow_null=True)
    severity = serializers.CharField()
    code = serializers.CharField()
    sentence = serializers.CharField()


class PlannedDocument(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    name = serializers.CharField()
    changes = serializers.ListField(child=serializers.DictField())
    payment = AmountDocument(allow_null=True, help_text="A payment in advance that the import would record.")
    also_entered_in = serializers.ListField(
        child=serializers.CharField(), help_text="Other tournaments in which the changes show too."
    )


class PreviewDocument(serializers.Serializer[Any]):
    digest = serializers.CharField()
    added = PlannedDocument(many=True)
    changed = PlannedDocument(many=True)
    unchanged = serializers.IntegerField()
    troubles = TroubleDocument(many=True)


class ImportedDocument(serializers.Serializer[Any]):
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    payments = AmountDocument(many=True, help_text="Payments in advance that were recorded.")
