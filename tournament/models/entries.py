"""Players of an event and their entries into its tournaments. Nothing here writes."""

import uuid

from django.db import models
from django.db.models import F, Q

from tournament.models.events import Event, Tournament


class Player(models.Model):
    """A person as this event knows them. `country` is an ISO 3166 alpha-3 code or what the director typed.

    `name` is shown everywhere; `full_name` is the registered name where `name` is shortened, else empty. An event that
    shortens names shows club, team, federation number and rating only to those who run it. `removed_at`: the personal
    data of this player were removed, and nothing here tells any more who it was.
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
        """The name as it was entered, for those who run the event."""
        return self.full_name or self.name


def name_of_entry(player: str, number: int) -> str:
    """ "Ana" for the first entry of a player, "Ana (2)" for the second."""
    return player if number == 1 else f"{player} ({number})"


class Entry(models.Model):
    """A player in a tournament. Its id is what brackets, feeds and matches know.

    Who enters again is a second entry, `number` 2, with a record of its own. `starting_losses` are those that somebody
    who enters lives late starts with. `gave_up_place`: it withdrew before its place of a group counted in the play-off,
    so the next of the group takes it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveSmallIntegerField(null=True, blank=True)
    starting_losses = models.PositiveSmallIntegerField(default=0)
    is_paid = models.BooleanField(default=False)
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
        """What the entry is called wherever it is shown: the player's name, and which of their entries it is."""
        return name_of_entry(self.player.name, self.number)

    @property
    def public_club(self) -> str:
        """The club as everybody may see it: empty where the event shortens surnames."""
        return "" if self.tournament.event.shows_initials else self.player.club

    @property
    def registered_name(self) -> str:
        """The same with the player's registered name, for those who run the event."""
        return name_of_entry(self.player.registered_name, self.number)
