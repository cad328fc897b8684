"""A match, its cards and their rows: fields, named constraints and properties over loaded fields only.

A card is a log: each row names the row before it, and no row is overwritten. A correction or a struck game is a
new row that supersedes one row. `rules` computes the totals, which are stored too.
"""

import uuid

from django.db import models
from django.db.models import F, Q

from matches.keepers import Keeper
from rules.score import Ending, Side, Win

LARGEST_CUBE = 2**20
CUBES = [2**turns for turns in range(21)]
LARGEST_POINTS = 3 * LARGEST_CUBE
MOST_GAMES = 99
MOST_RECORD_BYTES = 5 * 1024 * 1024
LONGEST_RECORD_NAME = 120
SIDES = [(side.value, side.value) for side in Side]
KEEPERS = [(keeper.value, keeper.value) for keeper in Keeper]


class MatchState(models.TextChoices):
    OPEN = "open"
    REPORTED = "reported"
    DISPUTED = "disputed"
    POSTED = "posted"
    CANCELLED = "cancelled"


class RowKind(models.TextChoices):
    GAME = "game"
    PENALTY = "penalty"
    FINAL = "final"
    STRIKE = "strike"
    STOP = "stop"


class PenaltyKind(models.TextChoices):
    """The offence that penalty points were given for."""

    LATE = "late"
    CLOCK = "clock"
    CONDUCT = "conduct"
    OTHER = "other"


class RecordState(models.TextChoices):
    WAITING = "waiting"
    CHECKED = "checked"
    UNREADABLE = "unreadable"
    TOO_MUCH = "too_much"


class Match(models.Model):
    """A match to `length` points between two sides that are known by ids only.

    `length` None is stake play: a session of `games` games, or (None) until time is over.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    length = models.PositiveSmallIntegerField(null=True)
    games = models.PositiveSmallIntegerField(null=True)
    ruleset = models.JSONField()
    left = models.UUIDField()
    right = models.UUIDField()
    state = models.CharField(max_length=10, choices=MatchState.choices, default=MatchState.OPEN)
    version = models.PositiveIntegerField(default=0)
    left_points = models.PositiveIntegerField(default=0)
    right_points = models.PositiveIntegerField(default=0)
    is_crawford = models.BooleanField(default=False)
    winner = models.CharField(max_length=5, choices=SIDES, blank=True, default="")
    reported_by = models.CharField(max_length=5, choices=KEEPERS, blank=True, default="")
    opened_at = models.DateTimeField()
    began_at = models.DateTimeField(null=True)
    reported_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(condition=~Q(left=F("right")), name="no_match_against_oneself"),
            models.CheckConstraint(
                condition=Q(length__isnull=True) | Q(length__gte=1), name="match_length_is_positive"
            ),
            models.CheckConstraint(
                condition=Q(games__isnull=True) | Q(length__isnull=True, games__gte=1, games__lte=MOST_GAMES),
                name="games_of_a_session_in_range",
            ),
            models.CheckConstraint(condition=Q(state__in=MatchState.values), name="match_state_is_known"),
        ]
        indexes = [
            models.Index(fields=["reported_at"], name="reported_matches", condition=Q(state="reported")),
        ]

    @property
    def has_begun(self) -> bool:
        return self.began_at is not None

    def side_of(self, competitor: uuid.UUID) -> Side | None:
        if competitor == self.left:
            return Side.LEFT
        return Side.RIGHT if competitor == self.right else None


class Card(models.Model):
    """One keeper's score card. `tail` is the key of its last row; an empty card's tail is the match's id."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="cards")
    keeper = models.CharField(max_length=5, choices=KEEPERS)
    tail = models.UUIDField()
    rows_written = models.PositiveIntegerField(default=0)
    left_points = models.PositiveIntegerField(default=0)
    right_points = models.PositiveIntegerField(default=0)
    is_crawford = models.BooleanField(default=False)
    winner = models.CharField(max_length=5, choices=SIDES, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "keeper"], name="one_card_per_keeper"),
        ]

    @property
    def is_complete(self) -> bool:
        return self.winner != ""

    def agrees_with(self, other: "Card") -> bool:
        """True if both cards end the match with the same score."""
        mine = (self.winner, self.left_points, self.right_points)
        return mine == (other.winner, other.left_points, other.right_points)


class CardRow(models.Model):
    """One line of a card: a game, penalty points, a final score, a strike of an earlier row, or a stop.

    The client makes `key`, the idempotency key; `predecessor` is the key of the row before it on this card.
    `points` are the raw points of a game or penalty; credited points depend on the whole card. `mid_game`:
    penalty points given during a game (CRAW-4). `penalty_kind` is the offence. A stop ends the time: from then
    on the session goes to `games` games.
    """

    key = models.UUIDField(primary_key=True)
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    predecessor = models.UUIDField()
    supersedes = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="superseded_by")
    kind = models.CharField(max_length=7, choices=RowKind.choices)
    winner = models.CharField(max_length=5, choices=SIDES, blank=True, default="")
    win = models.PositiveSmallIntegerField(null=True, choices=[(win.value, win.name) for win in Win])
    ending = models.CharField(
        max_length=8, blank=True, default="", choices=[(ending.value, ending.value) for ending in Ending]
    )
    cube = models.PositiveIntegerField(default=1)
    checkers_left = models.PositiveSmallIntegerField(null=True)
    automatic_doubles = models.PositiveSmallIntegerField(default=0)
    points = models.PositiveIntegerField(default=0)
    left_points = models.PositiveIntegerField(null=True)
    right_points = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    mid_game = models.BooleanField(default=False)
    penalty_kind = models.CharField(max_length=7, choices=PenaltyKind.choices, blank=True, default="")
    games = models.PositiveSmallIntegerField(null=True)
    written_by = models.CharField(max_length=5, choices=KEEPERS)
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["card", "predecessor"], name="game_follows_once"),
            models.UniqueConstraint(fields=["card", "number"], name="row_number_given_once"),
            models.UniqueConstraint(fields=["supersedes"], name="superseded_once"),
            models.CheckConstraint(condition=Q(cube__in=CUBES), name="cube_is_a_power_of_two"),
            models.CheckConstraint(condition=Q(points__lte=LARGEST_POINTS), name="points_in_range"),
            models.CheckConstraint(condition=~Q(key=F("predecessor")), name="no_row_follows_itself"),
            models.CheckConstraint(
                condition=~Q(kind=RowKind.GAME)
                | (Q(winner__in=[side.value for side in Side]) & Q(win__in=[1, 2, 3]) & ~Q(ending="")),
                name="game_has_a_winner_and_a_kind",
            ),
            models.CheckConstraint(
                condition=~Q(kind=RowKind.STRIKE) | Q(supersedes__isnull=False), name="strike_names_a_row"
            ),
            models.CheckConstraint(
                condition=Q(kind=RowKind.STOP, games__isnull=False, games__gte=1)
                | (~Q(kind=RowKind.STOP) & Q(games__isnull=True)),
                name="stop_has_its_games",
            ),
        ]


class GameRecord(models.Model):
    """An uploaded file that a user says is a record of this match: its bytes, its name, its uploader.

    These are facts and never change, and so is `left_player`, the side of the file's left player as the desk
    stated it. The rest is derived and can be computed again: `verdict`, by the rules of `rules_version`. A
    waiting row is the outbox of checking: `requested_at` is the time of the last queued task, `busy_until` the
    end of a worker's claim. `compared_at` is the version of the match that the verdict was last compared with.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="records")
    data = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    name = models.CharField(max_length=LONGEST_RECORD_NAME)
    uploaded_by = models.CharField(max_length=5, choices=KEEPERS)
    uploaded_at = models.DateTimeField()
    left_player = models.CharField(max_length=5, choices=SIDES, blank=True, default="")
    state = models.CharField(max_length=10, choices=RecordState.choices, default=RecordState.WAITING)
    verdict = models.JSONField(null=True)
    rules_version = models.PositiveIntegerField(null=True)
    checked_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField()
    busy_until = models.DateTimeField(null=True)
    compared_at = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["uploaded_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "sha256"], name="record_kept_once_in_a_match"),
            models.CheckConstraint(
                condition=Q(size__gte=1) & Q(size__lte=MOST_RECORD_BYTES), name="record_size_in_range"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="record_has_a_name"),
            models.CheckConstraint(condition=Q(state__in=RecordState.values), name="record_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=RecordState.CHECKED) | Q(verdict__isnull=False),
                name="checked_record_has_a_verdict",
            ),
        ]
        indexes = [
            models.Index(fields=["requested_at"], name="records_to_check", condition=Q(state="waiting")),
        ]

    @property
    def is_waiting(self) -> bool:
        return self.state == RecordState.WAITING
