"""Rows of events, memberships and tournaments."""

import uuid
from datetime import datetime
from typing import ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.models import MOST_GAMES
from tournament.models.organizers import Organizer

MOST_MINUTES = 24 * 60
Row = TypeVar("Row", bound=models.Model)


class Visibility(models.TextChoices):
    """PRIVATE: its staff and its players only. BY_LINK: also visitors with its secret key. PUBLIC: everybody."""

    PRIVATE = "private", _("Private")
    BY_LINK = "link", _("By link")
    PUBLIC = "public", _("Public")


class NotDeleted(models.Manager[Row]):
    """Omits rows in the bin."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(deleted_at__isnull=True)


class Event(models.Model):
    """`is_listed`: False if an administrator hid the event from public lists. `closed_at`: it is in the archive, and
    its links no longer work. `deleted_at`: it is in the bin.

    `ends_on`: the last day, None for an event of one day. `website` is an http or https URL.
    `key_number` is part of the secret key of visibility BY_LINK: a new number makes a new key.
    `is_sample`: the sample event of its owner.
    `is_indexed`: search engines may list its pages. `shows_initials`: public pages shorten surnames.
    `fees`: a `fees.schedule.EventFees`. `logo`: the current one; None without a logo.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    venue = models.CharField(max_length=120, blank=True, default="")
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    description = models.CharField(max_length=2000, blank=True, default="", db_default="")
    contact = models.CharField(max_length=200, blank=True, default="", db_default="")
    website = models.CharField(max_length=200, blank=True, default="", db_default="")
    time_zone = models.CharField(max_length=60, default="UTC")
    created_at = models.DateTimeField()
    is_listed = models.BooleanField(default=True, db_default=True)
    is_indexed = models.BooleanField(default=False, db_default=False)
    shows_initials = models.BooleanField(default=False, db_default=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC, db_default=Visibility.PUBLIC
    )
    key_number = models.PositiveIntegerField(default=1, db_default=1)
    organizer = models.ForeignKey(
        Organizer, null=True, blank=True, on_delete=models.PROTECT, related_name="events"
    )
    is_sample = models.BooleanField(default=False, db_default=False)
    fees = models.JSONField(default=dict, db_default={})
    logo = models.OneToOneField(
        "EventLogo", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[NotDeleted[Self]] = NotDeleted()
    with_deleted: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(visibility__in=Visibility.values), name="event_visibility_is_known"
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="event_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(website="")
                | Q(website__startswith="http://")
                | Q(website__startswith="https://"),
                name="event_website_is_http",
            ),
        ]


class Role(models.TextChoices):
    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    DESK = "desk", _("Desk")
    MONITOR = "monitor", _("Monitor")
    CASH = "cash", _("Cash desk")


class Membership(models.Model):
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="one_role_in_an_event"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="role_is_known"),
        ]


class RoundRelease(models.TextChoices):
    """AT_ONCE: a director pairs and releases a round with one tap. AFTER_PREVIEW: staff sees a preview first.
    AUTOMATIC: a worker pairs and releases a round some minutes after the last result of the round before.
    """

    AT_ONCE = "at_once", _("Pair and release it with one tap")
    AFTER_PREVIEW = "after_preview", _("Show a preview first")
    AUTOMATIC = "automatic", _("Pair and release it automatically")


MOST_RELEASE_GRACE = 60


class Tournament(models.Model):
    """One division of an event: its entries, one draw at a time, and one graph over all its brackets.

    `lengths` are match lengths from the final backwards ([11, 9, 7]: final 11, semifinals 9, everything before 7).
    `side_lengths` are the same for side brackets by key; a missing key means `lengths`, for "group" the
    last of them.
    `games` or `minutes` mean stake play: sessions of that many games or minutes in every bracket without
    `side_lengths`; `lengths` are then unused.
    `format` is a `draw.formats.Format`, `reentry` the terms of re-entry.
    `confirm_after`: minutes after which a reported result is confirmed automatically; None: never.
    `two_cards`: each side keeps a card, and a result counts when both agree. Spectators see running scores
    `score_delay` minutes late; None: not before the result. `prizes` are announced by bracket and place. `fees` is a
    `fees.schedule.FeeSchedule`, `prize_structure` a `prizes.structure.PrizeStructure`.
    `awards_stamp`: a digest of what the prizes depended on when they were awarded; empty before.
    `doubles`: pairs play, each pair is one entry, and the ruleset's clock for pairs applies.
    `uses_clocks`: every match is played with the ruleset's clock; otherwise only where the players want one.
    `release_grace`: minutes between the last result of a round and the automatic pairing of the next. `held_round`: the
    round that a director does not let the worker pair.
    `starts_at` is the planned start of round 1, `round_times` those of later rounds by number.
    `visibility` narrows the visibility of the event. `key_number` and `deleted_at` are like those of `Event`.
    `archived_at`: it left the lists of the event, its room and its screens.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tournaments")
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=60)
    ruleset = models.JSONField()
    lengths = models.JSONField()
    side_lengths = models.JSONField(default=dict)
    games = models.PositiveSmallIntegerField(null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    format = models.JSONField(default=dict)
    reentry = models.JSONField(default=dict)
    confirm_after = models.PositiveSmallIntegerField(null=True, blank=True)
    final_score_allowed = models.BooleanField(default=True)
    two_cards = models.BooleanField(default=False)
    doubles = models.BooleanField(default=False)
    uses_clocks = models.BooleanField(default=False, db_default=False)
    score_delay = models.PositiveSmallIntegerField(null=True, blank=True, default=0)
    starts_at = models.DateTimeField(null=True, blank=True)
    round_times = models.JSONField(null=True, blank=True)
    prizes = models.JSONField(default=dict)
    fees = models.JSONField(default=dict, db_default={})
    prize_structure = models.JSONField(default=dict, db_default={})
    awards_stamp = models.CharField(max_length=32, blank=True, default="", db_default="")
    round_release = models.CharField(
        max_length=15,
        choices=RoundRelease.choices,
        default=RoundRelease.AT_ONCE,
        db_default=RoundRelease.AT_ONCE,
    )
    release_grace = models.PositiveSmallIntegerField(default=5, db_default=5)
    held_round = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField()
    visibility = models.CharField(
        max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC, db_default=Visibility.PUBLIC
    )
    key_number = models.PositiveIntegerField(default=1, db_default=1)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[NotDeleted[Self]] = NotDeleted()
    with_deleted: ClassVar[models.Manager[Self]] = models.Manager()

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(round_release__in=RoundRelease.values), name="round_release_is_known"
            ),
            models.CheckConstraint(
                condition=Q(release_grace__lte=MOST_RELEASE_GRACE), name="release_grace_is_short"
            ),
            models.CheckConstraint(
                condition=Q(visibility__in=Visibility.values), name="tournament_visibility_is_known"
            ),
            models.UniqueConstraint(fields=["event", "slug"], name="tournament_named_once_in_an_event"),
            models.CheckConstraint(
                condition=Q(games__isnull=True, minutes__isnull=True)
                | Q(games__isnull=False, games__gte=1, games__lte=MOST_GAMES, minutes__isnull=True)
                | Q(games__isnull=True, minutes__isnull=False, minutes__gte=1, minutes__lte=MOST_MINUTES),
                name="stake_play_by_games_or_minutes",
            ),
        ]

    @property
    def charges_fees(self) -> bool:
        """True if its entries pay fees of the tournament or of the event."""
        return bool(self.fees or self.event.fees)

    @property
    def has_money(self) -> bool:
        """True if entries are charged or prizes are set."""
        return bool(self.charges_fees or self.prizes or self.prize_structure)

    @property
    def planned_times(self) -> dict[int, datetime]:
        """The planned start of each round that has one, in the main bracket and in groups."""
        later = {int(number): datetime.fromisoformat(at) for number, at in (self.round_times or {}).items()}
        return ({1: self.starts_at} if self.starts_at else {}) | dict(sorted(later.items()))
