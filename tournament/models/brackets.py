"""The drawn graph: draws, brackets, rounds, pairings and feeds. Nothing here writes.

Feeds are facts. Who sits in a pairing and who went on from it is derived from them by `tournament.draw` and kept on
the pairing so that a page is one query.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from matches.models import Match
from tournament.draw.graph import Outcome, Seat
from tournament.models.entries import Entry
from tournament.models.events import Tournament

SEATS = [(seat.value, seat.value) for seat in Seat]
OUTCOMES = [(outcome.value, outcome.value) for outcome in Outcome]


class DrawMethod(models.TextChoices):
    RANDOM = "random"
    SEEDED = "seeded"


class Draw(models.Model):
    """Everything that made a draw: anyone can make it again from `entries` (ids, as listed), seeds and `seed_text`.

    A redraw is a new row; the rows before it stay, with `replaced_at`. Hidden until `released_at`.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()
    recipe = models.JSONField()
    method = models.CharField(max_length=10, choices=DrawMethod.choices)
    seed_text = models.CharField(max_length=100)
    entries = models.JSONField()
    order = models.JSONField()
    reason = models.CharField(max_length=200, blank=True, default="")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    released_at = models.DateTimeField(null=True)
    replaced_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="draw_numbered_once"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(replaced_at__isnull=True), name="one_draw_at_a_time"
            ),
        ]

    @property
    def is_released(self) -> bool:
        return self.released_at is not None


class Bracket(models.Model):
    """`key` is the bracket's name in the recipe ("main"); `version` rises with every change a spectator could see."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="brackets")
    key = models.CharField(max_length=20)
    position = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "key"], name="bracket_named_once"),
        ]


class Round(models.Model):
    bracket = models.ForeignKey(Bracket, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["bracket", "number"], name="round_numbered_once"),
            models.CheckConstraint(condition=Q(length__gte=1), name="round_length_is_positive"),
        ]


class Settled(models.TextChoices):
    """How a pairing was settled; empty while it is not."""

    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    NOBODY = "nobody"


class Pairing(models.Model):
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    line = models.PositiveSmallIntegerField()
    left = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    right = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    left_is_bye = models.BooleanField(default=False)
    right_is_bye = models.BooleanField(default=False)
    winner = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    settled = models.CharField(max_length=10, choices=Settled.choices, blank=True, default="")
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="pairing")

    class Meta:
        ordering = ["line"]
        constraints = [
            models.UniqueConstraint(fields=["round", "line"], name="line_given_once"),
            models.CheckConstraint(condition=~Q(left=F("right")), name="nobody_plays_themselves"),
            models.CheckConstraint(
                condition=Q(winner__isnull=True) | Q(winner=F("left")) | Q(winner=F("right")),
                name="winner_sits_here",
            ),
            models.CheckConstraint(
                condition=(Q(left_is_bye=False) | Q(left__isnull=True))
                & (Q(right_is_bye=False) | Q(right__isnull=True)),
                name="no_entry_sits_on_a_bye",
            ),
        ]


class Feed(models.Model):
    """What fills one seat: the winner or loser of a source pairing, an entry, or (neither) a bye."""

    target = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="fed_by")
    seat = models.CharField(max_length=5, choices=SEATS)
    source = models.ForeignKey(Pairing, null=True, on_delete=models.CASCADE, related_name="feeds")
    outcome = models.CharField(max_length=6, choices=OUTCOMES, blank=True, default="")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "seat"], name="seat_filled_once"),
            models.UniqueConstraint(fields=["source", "outcome"], name="outcome_fed_once"),
            models.CheckConstraint(
                condition=(Q(source__isnull=False) & ~Q(outcome="") & Q(entry__isnull=True))
                | (Q(source__isnull=True) & Q(outcome="")),
                name="seat_has_one_source",
            ),
        ]
