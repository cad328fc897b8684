"""Django's session store on our own table, with user, time of sign-in, last use and device.

`settings.SESSION_ENGINE` names this module. A session expires SESSION_IDLE_DAYS after its last use, and at the latest
SESSION_COOKIE_AGE after the sign-in.
"""

import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import DatabaseError
from django.utils import timezone

from tournament.models import Session

SIGNED_IN_AT = "signed_in_at"
CONFIRMED_AT = "confirmed_at"
DEVICE = "device"
TOUCH_SECONDS = 600.0
ANONYMOUS_LIFETIME = timedelta(hours=1)
"""Lifetime of a session without a user, which any visitor can start."""
MAX_REMEMBERED = 10_000
_touched: dict[str, float] = {}


class SessionStore(DatabaseStore):
    """Must keep Django's class name, which is part of the signature of stored sessions."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def __setitem__(self, key: str, value: Any) -> None:
        """Django writes SESSION_KEY at each sign-in and nowhere else."""
        super().__setitem__(key, value)
        if key == SESSION_KEY:
            super().__setitem__(SIGNED_IN_AT, time.time())
            self.confirm()

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Any = super().create_model_instance(data)
        if SESSION_KEY in data:
            signed_in, now = _signed_in_at(data), timezone.now()
            row.user_id = int(data[SESSION_KEY])
            row.signed_in_at, row.seen_at, row.expire_date = signed_in, now, _expiry(signed_in, now)
            row.device = data.get(DEVICE, "")
            _remember(str(row.session_key))
        else:
            row.expire_date = timezone.now() + ANONYMOUS_LIFETIME
        return cast(Session, row)

    def touch(self) -> None:
        """Records that the session is in use, at most once per TOUCH_SECONDS. Ignores a database that cannot write."""
        key = self.session_key
        if key is None or time.monotonic() < _touched.get(key, 0.0) + TOUCH_SECONDS:
            return
        _remember(key)
        now = timezone.now()
        expiry = _expiry(_signed_in_at(dict(self.items())), now)
        with suppress(DatabaseError):
            Session.objects.filter(session_key=key).update(seen_at=now, expire_date=expiry)

    def confirm(self) -> None:
        """Records that the user has just confirmed their identity."""
        super().__setitem__(CONFIRMED_AT, time.time())

    def is_confirmed(self) -> bool:
        """True if the user signed in or confirmed their identity within RECENT_SIGN_IN_MINUTES."""
        return 0 <= time.time() - float(self.get(CONFIRMED_AT, 0)) < settings.RECENT_SIGN_IN_MINUTES * 60


def _signed_in_at(data: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(float(data.get(SIGNED_IN_AT, time.time())), UTC)


def _expiry(signed_in: datetime, now: datetime) -> datetime:
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    return min(signed_in + longest, now + timedelta(days=settings.SESSION_IDLE_DAYS))


def _remember(key: str) -> None:
    if len(_touched) >= MAX_REMEMBERED:
        _touched.clear()
    _touched[key] = time.monotonic()
