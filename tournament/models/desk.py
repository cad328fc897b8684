"""Models of the desk: posted results, open questions and the journal. Nothing here writes."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from matches.keepers import Keeper
from matches.models import Card, Match
from tournament.models.brackets import SEATS, Pairing
from tournament.models.entries import Entry
from tournament.models.events import Event, Tournament

MOST_PHOTO_BYTES = 2 * 1024 * 1024
LONGEST_REASON = 200


class ResultKind(models.TextChoices):
    PLAYED = "played"
    WALKOVER = "walkover"
    NO_SHOW = "no_show"
    DOUBLE_NO_SHOW = "double_no_show"
    PENALTY = "penalty"
    CLOCK = "clock"
    UNFINISHED = "unfinished"
    SETTLED = "settled"
    RETRACTED = "retracted"


class ConfirmedBy(models.TextChoices):
    LEFT = Keeper.LEFT.value
    RIGHT = Keeper.RIGHT.value
    DESK = Keeper.DESK.value
    TIMEOUT = "timeout"


class Result(models.Model):
    """A posted result: a fact. A correction is a new row that supersedes one row.

    It stores both entries, so a result is recognised after the seats have changed. Rows without `advanced_at` are the
    outbox of advancing.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    pairing = models.ForeignKey(Pairing, on_delete=models.PROTECT, related_name="results")
    kind = models.CharField(max_length=14, choices=ResultKind.choices)
    left = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    right = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    winner = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="+")
    left_points = models.PositiveIntegerField(null=True)
    right_points = models.PositiveIntegerField(null=True)
    match = models.ForeignKey(Match, null=True, on_delete=models.PROTECT, related_name="results")
    card = models.ForeignKey(Card, null=True, on_delete=models.PROTECT, related_name="+")
    confirmed_by = models.CharField(max_length=7, choices=ConfirmedBy.choices)
    supersedes = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="superseded_by"
    )
    posted_at = models.DateTimeField()
    advanced_at = models.DateTimeField(null=True)
    correction = models.ForeignKey("Correction", null=True, on_delete=models.PROTECT, related_name="results")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing"], condition=Q(supersedes__isnull=True), name="posted_once"
            ),
            models.CheckConstraint(
                condition=Q(winner=F("left"))
                | Q(winner=F("right"))
                | (Q(winner__isnull=True) & Q(kind__in=[ResultKind.DOUBLE_NO_SHOW, ResultKind.RETRACTED])),
                name="one_winner",
            ),
        ]
        indexes = [
            models.Index(
                fields=["posted_at"], name="not_yet_advanced", condition=Q(advanced_at__isnull=True)
            ),
        ]


class Correction(models.Model):
    """A director's change of a posted result with all its consequences, as previewed.

    The results that it wrote refer to it: the corrected one, and a retraction for each cancelled later match.
    `cancelled` holds pairing, match and state of the cancelled matches, so that undoing restores them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="corrections")
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="corrections")
    reason = models.CharField(max_length=LONGEST_REASON)
    cancelled = models.JSONField(default=list)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-made_at"]


class KeptSeat(models.Model):
    """A seat that keeps its entry in spite of its feed, because the director kept a later match as played.

    `lifted_by` is the correction that released the seat, if any. Undoing that correction keeps the seat again in a new
    row with `given_back_at`.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="kept_seats")
    seat = models.CharField(max_length=5, choices=SEATS)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="+")
    correction = models.ForeignKey(Correction, on_delete=models.CASCADE, related_name="kept_seats")
    given_back_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.ForeignKey(
        Correction, null=True, on_delete=models.SET_NULL, related_name="lifted_seats"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "seat"], condition=Q(lifted_at__isnull=True), name="seat_kept_once"
            ),
        ]


class QuestionKind(models.TextChoices):
    DISAGREEMENT = "disagreement"
    LATE_CARD = "late_card"
    RECORD = "record"


class Question(models.Model):
    """A question that only the desk can settle. `detail` holds the state when it was opened.

    `rule` is the basis of the ruling: a row of the rules catalogue, or text of the desk.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="questions")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="questions")
    kind = models.CharField(max_length=12, choices=QuestionKind.choices)
    asked_by = models.CharField(max_length=5, choices=[(keeper.value, keeper.value) for keeper in Keeper])
    note = models.CharField(max_length=500, blank=True, default="")
    detail = models.JSONField(default=dict)
    key = models.UUIDField(unique=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    ruling = models.CharField(max_length=500, blank=True, default="")
    rule = models.CharField(max_length=20, blank=True, default="")

    class Meta:
        ordering = ["opened_at"]


class Evidence(models.Model):
    """A photo for a question. It is re-encoded, so that only the picture is stored, without metadata."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="evidence")
    photo = models.BinaryField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.CharField(max_length=5, choices=[(keeper.value, keeper.value) for keeper in Keeper])
    uploaded_at = models.DateTimeField()

    class Meta:
        ordering = ["uploaded_at"]
        constraints = [
            models.UniqueConstraint(fields=["question", "sha256"], name="photo_kept_once"),
            models.CheckConstraint(
                condition=Q(size__gte=1) & Q(size__lte=MOST_PHOTO_BYTES), name="photo_size_in_range"
            ),
        ]


class JournalLine(models.Model):
    """An action with user, time, and the values before and after. Stores ids; people's names stay in their rows."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="journal")
    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.SET_NULL, related_name="journal")
    at = models.DateTimeField()
    actor = models.CharField(max_length=8)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    entry = models.ForeignKey(Entry, null=True, on_delete=models.SET_NULL, related_name="+")
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=20, blank=True, default="")
    subject_id = models.CharField(max_length=40, blank=True, default="")
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["event", "-at"], name="journal_of_an_event")]
