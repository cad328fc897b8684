"""Ways in: a player's personal links, a director's one-time sign-in links and API tokens. Only digests are kept."""

from django.conf import settings
from django.db import models

from tournament.models.entries import Entry


class PersonalLink(models.Model):
    """A phone's way to one entry. Asked for at the wall poster it waits for `approved_at`."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    approved_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]

    @property
    def is_open(self) -> bool:
        return self.approved_at is not None and self.revoked_at is None

    @property
    def is_waiting(self) -> bool:
        return self.approved_at is None and self.revoked_at is None


class SignInLink(models.Model):
    """Lets a director in once, without mail or password."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class ApiToken(models.Model):
    """A program's way to act as a director."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    label = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at"]
