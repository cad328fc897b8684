"""A paired round before its release, and pairs set by hand. Nothing here writes.

A released round has the rows of every other round (`Round`, `Pairing`, `Feed`), so no public page, file or channel can
show a round that is not released.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from tournament.models.entries import Entry
from tournament.models.events import Tournament


class RoundPreview(models.Model):
    """The next round, paired and not released.

    `basis` is the document of `brackets.round_basis.Basis`. `pairings` are the pairs as paired, with their costs and
    the bye last; the rows in `swaps` change them by hand.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_previews")
    number = models.PositiveSmallIntegerField()
    seed_text = models.CharField(max_length=100)
    basis = models.JSONField()
    pairings = models.JSONField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament"], name="one_round_preview_at_a_time"),
            models.CheckConstraint(condition=Q(number__gte=2), name="round_1_is_released_with_the_draw"),
        ]


class PreviewSwap(models.Model):
    """Two players who changed places in a preview. A player with a bye passes it on."""

    preview = models.ForeignKey(RoundPreview, on_delete=models.CASCADE, related_name="swaps")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=200)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(first=F("second")), name="two_players_are_swapped"),
            models.CheckConstraint(condition=~Q(reason=""), name="preview_swap_has_a_reason"),
        ]


class PairRule(models.Model):
    """Two players whom a director pairs in round `number`, or keeps apart from round 2 on (`number` is 0).

    `first` has the smaller id.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pair_rules")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "first", "second", "number"], name="one_rule_for_a_pair_in_a_round"
            ),
            models.UniqueConstraint(
                fields=["tournament", "number", "first"],
                condition=Q(number__gt=0),
                name="first_is_paired_once",
            ),
            models.UniqueConstraint(
                fields=["tournament", "number", "second"],
                condition=Q(number__gt=0),
                name="second_is_paired_once",
            ),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="pair_rule_in_order_of_ids"),
            models.CheckConstraint(condition=~Q(reason=""), name="pair_rule_has_a_reason"),
        ]
