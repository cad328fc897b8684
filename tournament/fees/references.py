"""Payment references (ISO 11649). Pure.

They have check digits modulo 97 (ISO 7064). A reference of ours consists of digits only, so that every wrong digit and
every exchange of two digits is detected; with letters that would not be true.
"""

import hashlib
import re
import uuid
from collections.abc import Iterator

EVENT_DIGITS, PLAYER_DIGITS = 6, 10
_SCHEME = "RF"
_REFERENCE = re.compile(rf"RF((?:[\s./-]*[0-9]){{{2 + EVENT_DIGITS + PLAYER_DIGITS}}})", re.IGNORECASE)


def reference_of(event_id: uuid.UUID, player_id: uuid.UUID) -> str:
    """The reference of a player in an event: `RF`, two check digits, six digits of the event, ten of the player.

    Derived from the ids by a hash: it never changes and reveals no id. 20 characters.
    """
    digits = _hash_digits(event_id, EVENT_DIGITS) + _hash_digits(player_id, PLAYER_DIGITS)
    check = 98 - _remainder(f"{digits}{_SCHEME}00")
    return f"{_SCHEME}{check:02d}{digits}"


def find_references(text: str) -> Iterator[str]:
    """The valid references in a text, however their digits are grouped."""
    for match in _REFERENCE.finditer(text):
        reference = _SCHEME + re.sub("[^0-9]", "", match[1])
        if is_reference(reference):
            yield reference


def is_reference(reference: str) -> bool:
    return _remainder(reference[4:] + reference[:4]) == 1


def is_of_event(reference: str, event_id: uuid.UUID) -> bool:
    return reference[4 : 4 + EVENT_DIGITS] == _hash_digits(event_id, EVENT_DIGITS)


def in_groups(code: str) -> str:
    """The code in groups of four, as people read and type it."""
    return " ".join(code[at : at + 4] for at in range(0, len(code), 4))


def _hash_digits(row_id: uuid.UUID, count: int) -> str:
    digest = hashlib.sha256(row_id.bytes).digest()
    return f"{int.from_bytes(digest) % 10**count:0{count}d}"


def _remainder(code: str) -> int:
    """The number that the code means, with A = 10 to Z = 35, modulo 97."""
    return int("".join(str(int(character, 36)) for character in code)) % 97
