"""Validates and serializes previews of rounds, and pairs set by hand or kept apart."""

from typing import Any

from rest_framework import serializers

from tournament.models import PairRule
from tournament.queries.round_preview import CONFLICTS, PreviewLine, RoundPreviewView

TOGETHER, APART = "together", "apart"


class PreviewPairDocument(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    left = serializers.UUIDField()
    right = serializers.UUIDField(allow_null=True, help_text="Null for a bye.")
    broken = serializers.ListField(
        child=serializers.ChoiceField(choices=list(CONFLICTS)), help_text="The aims that this pair breaks."
    )
    is_by_hand = serializers.BooleanField(help_text="Set by a director, or the result of a swap.")


class PreviewSwapDocument(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Swaps are counted from 1. Only the last one can be undone.")
    first = serializers.UUIDField()
    second = serializers.UUIDField()
    reason = serializers.CharField()


class RoundPreviewDocument(serializers.Serializer[Any]):
    """A paired round that is not released. Only staff sees it."""

    number = serializers.IntegerField()
    seed_text = serializers.CharField()
    made_at = serializers.DateTimeField()
    is_outdated = serializers.BooleanField(
        help_text="Results, entries or rules changed since. Pair the round again before its release."
    )
    pairings = PreviewPairDocument(many=True)
    swaps = PreviewSwapDocument(many=True)


class PreviewSwapBody(serializers.Serializer[Any]):
    """Two players of different pairs. A repeated request does not swap them back, because its number is taken."""

    number = serializers.IntegerField(
        min_value=1, max_value=10_000, help_text="The number of this swap: one more than the preview has."
    )
    first = serializers.UUIDField()
    second = serializers.UUIDField()
    reason = serializers.CharField(max_length=200, help_text="Shown with the draw after the release.")


class PairRuleBody(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[TOGETHER, APART])
    first = serializers.UUIDField()
    second = serializers.UUIDField()
    reason = serializers.CharField(max_length=200, help_text="Shown with the draw after the release.")


class PairRuleDocument(serializers.Serializer[Any]):
    """Two players who meet in one round (`together`), or who are kept apart in all further rounds (`apart`)."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=[TOGETHER, APART])
    round = serializers.IntegerField(allow_null=True, help_text="Null: every further round.")
    first = serializers.UUIDField()
    second = serializers.UUIDField()
    reason = serializers.CharField()


def preview_json(preview: RoundPreviewView) -> dict[str, Any]:
    return {
        "number": preview.number,
        "seed_text": preview.seed_text,
        "made_at": preview.made_at,
        "is_outdated": preview.is_outdated,
        "pairings": [_pair_json(pairing) for pairing in preview.pairings],
        "swaps": [
            {"number": number, "first": swap.players[0], "second": swap.players[1], "reason": swap.reason}
            for number, swap in enumerate(preview.swaps, start=1)
        ],
    }


def rule_json(rule: PairRule) -> dict[str, Any]:
    return {
        "id": rule.pk,
        "kind": TOGETHER if rule.number else APART,
        "round": rule.number or None,
        "first": rule.first_id,
        "second": rule.second_id,
        "reason": rule.reason,
    }


def _pair_json(pairing: PreviewLine) -> dict[str, Any]:
    return {
        "line": pairing.line,
        "left": pairing.left_id,
        "right": pairing.right_id,
        "broken": list(pairing.broken),
        "is_by_hand": pairing.is_by_hand,
    }
