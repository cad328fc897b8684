"""What the API tells of a correction: its preview match by match, and what was made of it."""

from typing import Any

from rest_framework import serializers

from tournament.api.prize_bodies import ShareDocument
from tournament.correcting import Preview
from tournament.draw.correcting import Stage, Treatment
from tournament.draw.graph import Seat
from tournament.draw.seating import State
from tournament.models import Correction
from tournament.showing.corrections import prizes_of
from tournament.showing.names import names_of


class AffectedDocument(serializers.Serializer[Any]):
    """`before` and `after` are the entries on the two seats; null: nobody yet, or a bye."""

    pairing = serializers.IntegerField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=list(Stage))
    treatment = serializers.ChoiceField(choices=list(Treatment))
    before = serializers.ListField(child=serializers.UUIDField(allow_null=True))
    after = serializers.ListField(child=serializers.UUIDField(allow_null=True))


class LiftedDocument(serializers.Serializer[Any]):
    """An entry that is kept on this seat now, and no longer then."""

    pairing = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=list(Seat))
    entry = serializers.UUIDField()


class PrizeAffectedDocument(serializers.Serializer[Any]):
    """Somebody whose prize in a bracket would be another; null: none."""

    bracket = serializers.CharField()
    entry_id = serializers.UUIDField()
    name = serializers.CharField()
    before = ShareDocument(allow_null=True)
    after = ShareDocument(allow_null=True)


class CorrectionPreviewDocument(serializers.Serializer[Any]):
    digest = serializers.CharField()
    affected = AffectedDocument(many=True)
    lifted = LiftedDocument(many=True)
    prizes = PrizeAffectedDocument(many=True)


class CorrectionDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    pairing = serializers.IntegerField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


def preview_told(preview: Preview) -> dict[str, Any]:
    """A preview as its document says."""
    rows = preview.sheet.rows
    return {
        "digest": preview.digest,
        "affected": [
            {
                "pairing": one.key,
                "bracket": rows[one.key].bracket,
                "round": rows[one.key].round,
                "line": rows[one.key].line,
                "stage": one.stage.value,
                "treatment": one.treatment.value,
                "before": _seats(one.before),
                "after": _seats(one.after),
            }
            for one in preview.affected
        ],
        "lifted": [
            {"pairing": key, "seat": seat.value, "entry": str(preview.sheet.facts.kept[key, seat])}
            for key, seat in preview.found.lifted
        ],
        "prizes": _prizes(preview),
    }


def _prizes(preview: Preview) -> list[dict[str, Any]]:
    found = prizes_of(preview, names_of(preview.pairing.round.bracket.tournament))
    told = [
        {
            "bracket": one.bracket,
            "entry_id": one.entry,
            "name": one.name,
            "before": one.before,
            "after": one.after,
        }
        for one in found
    ]
    return list(PrizeAffectedDocument(told, many=True).data)


def correction_told(correction: Correction) -> dict[str, Any]:
    return {
        "id": str(correction.pk),
        "pairing": correction.pairing_id,
        "reason": correction.reason,
        "made_at": correction.made_at,
        "undone_at": correction.undone_at,
    }


def _seats(state: State[Any]) -> list[str | None]:
    return [str(seat) if hasattr(seat, "hex") else None for seat in (state.left, state.right)]
