"""Sessions of browsers. Stores digests of session keys, so a copy of the database grants no access."""

import hashlib
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class Digest(str):
    __slots__ = ()


class DigestField(models.CharField):  # type: ignore[type-arg]
    """Stores and looks up the SHA-256 digest of a key; values read from the database are `Digest` and stay so."""

    def from_db_value(self, value: str | None, *_: Any) -> Digest | None:
        return None if value is None else Digest(value)

    def get_prep_value(self, value: Any) -> Any:
        if value is None or isinstance(value, Digest):
            return value
        return Digest(hashlib.sha256(str(value).encode()).hexdigest())


class Session(AbstractBaseSession):
    """`user` is empty for a browser in which nobody is signed in. `seen_at` is exact to a few minutes."""

    session_key = DigestField(max_length=64, primary_key=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="sessions"
    )
    signed_in_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    device = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["-seen_at"]

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store
