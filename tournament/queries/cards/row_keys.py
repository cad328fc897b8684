"""Keys of the next rows of a player's card, so that each row is written once.

A key is the same on every load of the page: a repeated tap, a reload or a second phone of the player writes the row
only once. Keys are derived from SECRET_KEY, so others cannot compute them.
"""

import uuid

from django.utils.crypto import salted_hmac

from tournament.queries.cards.card import PhoneMatch

MOST_KEYS = 40


def next_row_key(phone: PhoneMatch) -> uuid.UUID:
    return _key_after(phone, phone.own.tail)


def next_row_keys(phone: PhoneMatch) -> list[uuid.UUID]:
    """Returns keys for all games of the match, at most `MOST_KEYS`, each derived from the one before."""
    count = min(MOST_KEYS, 2 * (phone.match.length or phone.match.games or MOST_KEYS))
    keys = [next_row_key(phone)]
    while len(keys) < count:
        keys.append(_key_after(phone, keys[-1]))
    return keys


def _key_after(phone: PhoneMatch, tail: uuid.UUID) -> uuid.UUID:
    place = f"{phone.match.pk} {phone.own.keeper.value} {tail}"
    return uuid.UUID(bytes=salted_hmac("row of a card", place, algorithm="sha256").digest()[:16], version=4)
