"""Secret keys of events and tournaments that are visible by link. Signed with SECRET_KEY and not stored. Reads only."""

import re
from collections.abc import Collection

from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import Event, Tournament, Visibility

KEY_LENGTH = 32
"""Hexadecimal digits: 128 bits."""
KEY_PATTERN = re.compile(f"[0-9a-f]{{{KEY_LENGTH}}}")


def visibility_key(place: Event | Tournament) -> str:
    """The key that opens the place while it is visible by link. Another `key_number` makes another key."""
    value = f"{place.pk}:{place.key_number}"
    return salted_hmac("visibility key", value, algorithm="sha256").hexdigest()[:KEY_LENGTH]


def keys_of_address(place: Event | Tournament) -> list[str]:
    """The keys that the address of a page needs: of the event, and of its tournament. Empty if both are public."""
    return [visibility_key(row) for row in rows_of(place) if row.visibility == Visibility.BY_LINK]


def rows_of(place: Event | Tournament) -> list[Event | Tournament]:
    """The rows whose visibility decides: the event, or the tournament with its event."""
    return [place.event, place] if isinstance(place, Tournament) else [place]


def is_open_to_keys(place: Event | Tournament, keys: Collection[str]) -> bool:
    """True if the place is public, or visible by link and one of the keys is its own."""
    if place.visibility == Visibility.BY_LINK and keys:
        own_key = visibility_key(place)
        return any(constant_time_compare(key, own_key) for key in keys)
    return place.visibility == Visibility.PUBLIC
