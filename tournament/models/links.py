"""Credentials: personal links of players, one-time sign-in links and API tokens of directors. Stores digests only."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournament.models.entries import Entry
from tournament.models.events import Event


class PersonalLink(models.Model):
    """Lets a phone act for one entry. A link requested at the wall poster waits for `approved_at`.

    `connected_at`: the first time that a phone opened it; null for a slip that nobody scanned.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    approved_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    connected_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]

    @property
    def is_open(self) -> bool:
        return self.approved_at is not None and self.revoked_at is None

    @property
    def is_waiting(self) -> bool:
        return self.approved_at is None and self.revoked_at is None


class SignInLink(models.Model):
    """Signs a director in once, without mail or password."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class Scope(models.TextChoices):
    READ = "read", _("read only")
    FULL = "full", _("read and change")


class ApiToken(models.Model):
    """Lets a program act as a director until `expires_at`. `event`: limited to this event.

    `last_used_at` is exact to a few minutes.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    label = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=4, choices=Scope.choices, default=Scope.FULL, db_default=Scope.FULL)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="api_tokens")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.CheckConstraint(condition=Q(scope__in=Scope.values), name="token_scope_is_known"),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="token_ends_after_it_was_made"
            ),
        ]
