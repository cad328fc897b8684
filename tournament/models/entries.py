"""Rows of players and entries."""

import uuid

from django.db import models
from django.db.models import F, Q

from tournament.models.events import Event, Tournament


class Player(models.Model):
    """A person in one event. `country` is an ISO 3166 alpha-3 code or free text.

    Every page shows `name`; `full_name` is the registered name if `name` is shortened, else empty. An event that
    shortens names shows club, team, federation number and rating to its members only. `conditions` are those of
    `fees.schedule` that lower the player's fees. `removed_at`: the personal data of this player were removed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    name = models.CharField(max_length=100)
    full_name = models.CharField(max_length=100, blank=True, default="", db_default="")
    country = models.CharField(max_length=3, blank=True, default="")
    club = models.CharField(max_length=80, blank=True, default="")
    team = models.CharField(max_length=80, blank=True, default="")
    federation_id = models.CharField(max_length=40, blank=True, default="")
    rating = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)
    conditions = models.JSONField(default=list, db_default=[])
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "federation_id"],
                condition=~Q(federation_id=""),
                name="federation_id_given_once",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(condition=~Q(full_name=F("name")), name="full_name_differs_from_name"),
        ]

    @property
    def registered_name(self) -> str:
        """The name as entered, for members of the event."""
        return self.full_name or self.name


def name_of_entry(player: str, number: int) -> str:
    """ "Ana" for the first entry of a player, "Ana (2)" for the second."""
    return player if number == 1 else f"{player} ({number})"


class Entry(models.Model):
    """A player in a tournament. Brackets, feeds and matches refer to its id.

    A re-entry is a second entry, `number` 2, with its own results. `starting_losses` are the losses with which a late
    entrant starts in an event with lives. `gave_up_place`: the entry withdrew before its place in a group counted in
    the play-off, so the next player of the group takes the place. `pools` are the keys of its side pools.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    starting_losses = models.PositiveSmallIntegerField(default=0)
    is_paid = models.BooleanField(default=False)
    pools = models.JSONField(default=list, db_default=[])
    entered_at = models.DateTimeField()
    checked_in_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    gave_up_place = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player", "number"], name="entered_once"),
            models.UniqueConstraint(fields=["tournament", "seed"], name="seed_given_once"),
            models.CheckConstraint(
                condition=Q(seed__isnull=True) | Q(seed__gte=1), name="seed_counts_from_one"
            ),
            models.CheckConstraint(
                condition=Q(gave_up_place=False) | Q(withdrawn_at__isnull=False),
                name="only_who_withdrew_gave_up_place",
            ),
        ]

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def name(self) -> str:
        """The public name, with a number for a second entry of the player."""
        return name_of_entry(self.player.name, self.number)

    @property
    def public_club(self) -> str:
        """The club, or an empty string if the event shortens surnames."""
        return "" if self.tournament.event.shows_initials else self.player.club

    @property
    def registered_name(self) -> str:
        """The registered name, with a number for a second entry, for members of the event."""
        return name_of_entry(self.player.registered_name, self.number)
