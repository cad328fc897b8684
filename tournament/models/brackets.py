"""The drawn graph: draws, brackets, rounds, pairings and feeds. Nothing here writes.

Feeds are facts. `tournament.draw` derives the entries and the winner of a pairing from them. The pairing stores
both, so a page needs one query.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from matches.models import MOST_GAMES, Match
from tournament.draw.graph import Outcome, Seat
from tournament.models.entries import Entry
from tournament.models.events import MOST_MINUTES, Tournament

SEATS = [(seat.value, seat.value) for seat in Seat]
OUTCOMES = [(outcome.value, outcome.value) for outcome in Outcome]


class DrawMethod(models.TextChoices):
    RANDOM = "random"
    SEEDED = "seeded"


class Draw(models.Model):
    """The inputs of a draw. It can be reproduced from `entries` (ids, as listed), seeds and `seed_text`.

    `recipe` is the format with the number of entries, `rules` are those of byes and separation. With a commitment,
    `seed_text` is derived from the secret, the `public_dice` and `entries_hash`. A redraw is a new row; earlier rows
    stay, with `replaced_at`. Hidden until `released_at`.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()
    recipe = models.JSONField()
    method = models.CharField(max_length=10, choices=DrawMethod.choices)
    seed_text = models.CharField(max_length=100)
    entries = models.JSONField()
    order = models.JSONField()
    rules = models.JSONField(default=dict)
    secret = models.CharField(max_length=64, blank=True, default="")
    secret_hash = models.CharField(max_length=64, blank=True, default="")
    public_dice = models.CharField(max_length=100, blank=True, default="")
    entries_hash = models.CharField(max_length=64, blank=True, default="")
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

    @property
    def is_public(self) -> bool:
        """Released, or made with a secret whose hash is public."""
        return self.is_released or bool(self.secret)


class Commitment(models.Model):
    """A secret made before entries close: its hash is public at once, the secret only with the draw that used it.

    Closing the entries sets `entries_hash` before dice are thrown. It covers `rules`, which hold the closing
    (`draw.closing`) and the names of the entries. A secret that was discarded is never used.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="commitments")
    secret = models.CharField(max_length=64)
    secret_hash = models.CharField(max_length=64)
    rules = models.JSONField(default=dict)
    entries_hash = models.CharField(max_length=64, blank=True, default="")
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    closed_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)
    draw = models.OneToOneField(Draw, null=True, on_delete=models.CASCADE, related_name="commitment")

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(draw__isnull=True, given_up_at__isnull=True),
                name="one_secret_at_a_time",
            ),
        ]


class Reopening(models.Model):
    """A retracted closing of the entries, numbered from 1. It is public, like a secret that was given up."""

    commitment = models.ForeignKey(Commitment, on_delete=models.CASCADE, related_name="reopenings")
    number = models.PositiveSmallIntegerField()
    entries_hash = models.CharField(max_length=64)
    closed_at = models.DateTimeField()
    reopened_at = models.DateTimeField()
    reopened_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    reason = models.CharField(max_length=200)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["commitment", "number"], name="reopening_numbered_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="reopening_has_a_reason"),
        ]


class Shape(models.TextChoices):
    """TREE: losers are out or drop to another bracket. TABLE: entries are ranked by their records."""

    TREE = "tree"
    TABLE = "table"


class Bracket(models.Model):
    """`key` is the bracket's name in the recipe ("main"); `version` increases with every change."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="brackets")
    key = models.CharField(max_length=20)
    shape = models.CharField(max_length=5, choices=Shape.choices, default=Shape.TREE)
    position = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "key"], name="bracket_named_once"),
        ]


class Round(models.Model):
    """`length` None means stake play: sessions of `games` games, or of `minutes` minutes.

    `seed_text` is the seed of a round paired by records. `point_seconds` and `move_seconds` are the clock settings if
    they differ from the ruleset's.
    """

    bracket = models.ForeignKey(Bracket, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField(null=True)
    games = models.PositiveSmallIntegerField(null=True)
    minutes = models.PositiveSmallIntegerField(null=True)
    point_seconds = models.PositiveSmallIntegerField(null=True)
    move_seconds = models.PositiveSmallIntegerField(null=True)
    seed_text = models.CharField(max_length=100, blank=True, default="")
    drawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["bracket", "number"], name="round_numbered_once"),
            models.CheckConstraint(condition=Q(length__gte=1), name="round_length_is_positive"),
            models.CheckConstraint(
                condition=Q(length__isnull=False, games__isnull=True, minutes__isnull=True)
                | Q(
                    length__isnull=True,
                    games__isnull=False,
                    games__gte=1,
                    games__lte=MOST_GAMES,
                    minutes__isnull=True,
                )
                | Q(
                    length__isnull=True,
                    games__isnull=True,
                    minutes__isnull=False,
                    minutes__gte=1,
                    minutes__lte=MOST_MINUTES,
                ),
                name="round_to_a_length_or_in_sessions",
            ),
        ]


class RoundBasis(models.Model):
    """The data from which a round was paired by records, so that the pairing can be reproduced.

    A row of its own, because a round is read with each of its pairings and this is 300 KB for a thousand players.
    """

    round = models.OneToOneField(Round, primary_key=True, on_delete=models.CASCADE, related_name="basis")
    document = models.JSONField()


class FormerDraw(models.Model):
    """The pairings of a draw or a round that was taken back, for the history.

    `document` holds them with the seats changed by hand (see `brackets.former_draws`).
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="former_draws")
    document = models.JSONField()
    taken_back_at = models.DateTimeField()

    class Meta:
        ordering = ["taken_back_at", "pk"]


class Settled(models.TextChoices):
    """The way in which a pairing was settled; empty while it is open."""

    PLAYED = "played"
    WALKOVER = "walkover"
    BYE = "bye"
    NOBODY = "nobody"


class Pairing(models.Model):
    """`cost` is the cost of a pairing by records for each aim; it explains the pairing."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    line = models.PositiveSmallIntegerField()
    left = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    right = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    left_is_bye = models.BooleanField(default=False)
    right_is_bye = models.BooleanField(default=False)
    winner = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    settled = models.CharField(max_length=10, choices=Settled.choices, blank=True, default="")
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="pairing")
    cost = models.JSONField(null=True)

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
    """The source of one seat: the winner or loser of a pairing, a place of a bracket, an entry, or none for a bye."""

    target = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="fed_by")
    seat = models.CharField(max_length=5, choices=SEATS)
    source = models.ForeignKey(Pairing, null=True, on_delete=models.CASCADE, related_name="feeds")
    outcome = models.CharField(max_length=10, choices=OUTCOMES, blank=True, default="")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    bracket = models.ForeignKey(Bracket, null=True, on_delete=models.CASCADE, related_name="place_feeds")
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["target", "seat"], name="seat_filled_once"),
            models.UniqueConstraint(fields=["source", "outcome"], name="outcome_fed_once"),
            models.UniqueConstraint(fields=["bracket", "place"], name="place_fed_once"),
            models.CheckConstraint(
                condition=(
                    Q(source__isnull=False) & ~Q(outcome="") & Q(entry__isnull=True, bracket__isnull=True)
                )
                | (
                    Q(
                        bracket__isnull=False,
                        place__gte=1,
                        source__isnull=True,
                        entry__isnull=True,
                        outcome="",
                    )
                )
                | (Q(source__isnull=True, bracket__isnull=True, place__isnull=True, outcome="")),
                name="seat_has_one_source",
            ),
        ]


class SeatChangeKind(models.TextChoices):
    SWAP = "swap"
    LATE_ENTRY = "late_entry"
    RE_ENTRY = "re_entry"


class SeatChange(models.Model):
    """A seat of the draw whose entry was changed by hand. It is a fact, from which the original draw is restored.

    `before` and `after` are empty for a bye.
    """

    feed = models.ForeignKey(Feed, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=10, choices=SeatChangeKind.choices)
    before = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    after = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=200, blank=True, default="")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ["at", "pk"]
