"""Serializes corrections and their previews, match by match."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from tournament.api.prize_serializers import ShareDocument
from tournament.corrections import Preview
from tournament.draw.graph import Seat
from tournament.draw.seating import State
from tournament.draw.seating.corrections import Stage, Treatment
from tournament.models import Correction
from tournament.queries.corrections.later_rounds import load_later_rounds
from tournament.queries.corrections.money_changes import MoneyChange, money_changes
from tournament.queries.corrections.preview import affected_prizes
from tournament.queries.entries.names import entry_names


class AffectedDocument(serializers.Serializer[Any]):
    """`before` and `after` are the entries on the two seats; null: an empty seat or a bye."""

    pairing = serializers.IntegerField()
    bracket = serializers.CharField()
    round = serializers.IntegerField()
    line = serializers.IntegerField()
    stage = serializers.ChoiceField(choices=list(Stage))
    treatment = serializers.ChoiceField(choices=list(Treatment))
    before = serializers.ListField(child=serializers.UUIDField(allow_null=True))
    after = serializers.ListField(child=serializers.UUIDField(allow_null=True))


class LiftedDocument(serializers.Serializer[Any]):
    """A kept seat that the correction releases."""

    pairing = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=list(Seat))
    entry = serializers.UUIDField()


class PrizeAffectedDocument(serializers.Serializer[Any]):
    """An entry whose prize in a bracket would change; null: no prize."""

    bracket = serializers.CharField()
    entry_id = serializers.UUIDField()
    name = serializers.CharField()
    before = ShareDocument(allow_null=True)
    after = ShareDocument(allow_null=True)


class RoundsAfterDocument(serializers.Serializer[Any]):
    """Later rounds, `first` to `last`, that were paired from the old result and stay unchanged."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    out = serializers.ListField(
        child=serializers.UUIDField(), help_text="Entries without a life left that have a match to play."
    )
    missing = serializers.ListField(
        child=serializers.UUIDField(), help_text="Entries that are in again and have no match."
    )
    twice = serializers.ListField(
        child=serializers.UUIDField(), help_text="Entries that will have two open matches."
    )
    can_be_taken_back = serializers.BooleanField(help_text="No match of the last round has begun.")


class MoneyAffectedDocument(serializers.Serializer[Any]):
    """A player whose prize money would change, in minor units of the currency."""

    entry_id = serializers.UUIDField(
        required=False, help_text="Missing for an owner of the auction, who may have no entry."
    )
    player_id = serializers.UUIDField()
    name = serializers.CharField()
    currency = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    paid = serializers.IntegerField(help_text="What the player was paid out.")
    balance = serializers.IntegerField(
        help_text="What the player would owe in the event; negative: could claim."
    )


class CorrectionPreviewDocument(serializers.Serializer[Any]):
    digest = serializers.CharField()
    affected = AffectedDocument(many=True)
    lifted = LiftedDocument(many=True)
    prizes = PrizeAffectedDocument(many=True)
    money = MoneyAffectedDocument(many=True)
    auction = MoneyAffectedDocument(many=True, required=False, help_text="Owners of the auction of players.")
    rounds_after = RoundsAfterDocument(
        required=False, allow_null=True, help_text="In Swiss, Monrad and lives; null where no round follows."
    )
    in_twice = serializers.ListField(
        child=serializers.UUIDField(),
        required=False,
        help_text="Second entries of players whose first would be in again: withdraw them first.",
    )


class CorrectionDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    pairing = serializers.IntegerField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


def preview_json(preview: Preview) -> dict[str, Any]:
    rows, changes = preview.sheet.rows, money_changes(preview)
    return {
        "digest": preview.digest,
        "affected": [
            {
                "pairing": match.key,
                "bracket": rows[match.key].bracket,
                "round": rows[match.key].round,
                "line": rows[match.key].line,
                "stage": match.stage.value,
                "treatment": match.treatment.value,
                "before": _seats(match.before),
                "after": _seats(match.after),
            }
            for match in preview.affected
        ],
        "lifted": [
            {"pairing": key, "seat": seat.value, "entry": str(preview.sheet.facts.kept_seats[key, seat])}
            for key, seat in preview.consequences.released_seats
        ],
        "prizes": _prizes(preview),
        "money": [_money(change) for change in changes if change.entry is not None],
        "auction": [_money(change) for change in changes if change.entry is None],
        "rounds_after": _rounds_after(preview),
        "in_twice": [str(entry.pk) for entry in preview.double_entries],
    }


def _money(change: MoneyChange) -> dict[str, Any]:
    return {
        **({"entry_id": str(change.entry.pk)} if change.entry else {}),
        "player_id": str(change.player.pk),
        "name": change.name,
        "currency": change.before.currency,
        "before": change.before.minor,
        "after": change.after.minor,
        "paid": change.paid.minor,
        "balance": change.balance.minor,
    }


def _rounds_after(preview: Preview) -> dict[str, Any] | None:
    later = load_later_rounds(preview)
    if later is None:
        return None
    twice = dict.fromkeys(entry for entry, _keys in later.twice)
    return asdict(later) | {
        "out": [str(entry) for entry in later.out],
        "missing": [str(entry) for entry in later.missing],
        "twice": [str(entry) for entry in twice],
    }


def _prizes(preview: Preview) -> list[dict[str, Any]]:
    changes = affected_prizes(preview, entry_names(preview.pairing.round.bracket.tournament))
    rows = [
        {
            "bracket": change.bracket,
            "entry_id": change.entry,
            "name": change.name,
            "before": change.before,
            "after": change.after,
        }
        for change in changes
    ]
    return list(PrizeAffectedDocument(rows, many=True).data)


def correction_json(correction: Correction) -> dict[str, Any]:
    return {
        "id": str(correction.pk),
        "pairing": correction.pairing_id,
        "reason": correction.reason,
        "made_at": correction.made_at,
        "undone_at": correction.undone_at,
    }


def _seats(state: State[Any]) -> list[str | None]:
    return [str(seat) if hasattr(seat, "hex") else None for seat in (state.left, state.right)]
