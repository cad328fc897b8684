"""Limits each account to one expensive request of a kind at a time. Without the broker there is no limit."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from django.core.cache import cache

from tournament.access.actors import Actor
from tournament.refusals.limits import STILL_UNDER_WAY
from tournament.runtime.errors import Refused

LONGEST_SECONDS: Final = 120
"""Lifetime of the lock, in case its process dies."""


class Work(StrEnum):
    IMPORT = "import"
    WHAT_IF = "what-if"
    SLIPS = "slips"


@contextmanager
def one_at_a_time(actor: Actor, work: Work) -> Iterator[None]:
    """Raises Refused while another request of this account does the same kind of work."""
    key = f"under-way:{work}:{actor.user.pk if actor.user is not None else actor.kind}"
    if not cache.add(key, 1, timeout=LONGEST_SECONDS):
        raise Refused(STILL_UNDER_WAY)
    try:
        yield
    finally:
        cache.delete(key)
