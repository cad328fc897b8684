"""The public source of a draw's randomness: announced in advance, with one canonical text for each outcome.

One canonical text, so nobody can influence a draw by the way the dice are written down.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from rules.translation import gettext_noop
from tournament.draw.public_draw.proof_version_1 import CommitmentError
from tournament.draw.recipes.order_rules import normalize_spaces

USUAL_THROWS, MOST_THROWS, MOST_DIGITS = 3, 12, 40
LONGEST_DESCRIPTION = 100
_SEPARATORS = re.compile(r"[\s,;.:/|+()\u2010-\u2015-]")
_DICE, _DIGITS = re.compile(r"[1-6]+"), re.compile(r"[0-9]+")


class PublicSource(StrEnum):
    DICE = "dice"
    """`count` throws of two dice."""
    NUMBER = "number"
    """A number of `count` digits that `description` names, such as a lottery result."""


@dataclass(frozen=True, slots=True)
class PublicChance:
    """The announced source, fixed when entries close. Raises CommitmentError for invalid values."""

    kind: PublicSource = PublicSource.DICE
    count: int = USUAL_THROWS
    description: str = ""

    def __post_init__(self) -> None:
        most = MOST_THROWS if self.kind is PublicSource.DICE else MOST_DIGITS
        if not 1 <= self.count <= most:
            if self.kind is PublicSource.DICE:
                raise CommitmentError(gettext_noop("Choose 1 to {most} throws."), most=most)
            raise CommitmentError(gettext_noop("Choose 1 to {most} digits."), most=most)
        if self.kind is PublicSource.NUMBER and not self.description.strip():
            raise CommitmentError(
                gettext_noop("Say which public number will be taken, for example a lottery and its date.")
            )

    def canonical_text(self, typed: str) -> str:
        """Returns the canonical text of an outcome: `31 52 66`, larger die first.

        Raises CommitmentError for anything else.
        """
        return (
            self._canonical_throws(typed) if self.kind is PublicSource.DICE else self._canonical_number(typed)
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PublicChance:
        """Raises KeyError, TypeError or ValueError for anything but the output of `as_json`."""
        count, description = data["count"], data["description"]
        if not isinstance(count, int) or isinstance(count, bool) or not isinstance(description, str):
            raise TypeError("`public` of a closing has a whole number `count` and a text `description`.")
        return cls(PublicSource(data["kind"]), count, description)

    def _canonical_throws(self, typed: str) -> str:
        digits = _SEPARATORS.sub("", typed)
        if not digits:
            raise CommitmentError(gettext_noop("Throw dice in the hall and type them in first."))
        if not _DICE.fullmatch(digits):
            raise CommitmentError(gettext_noop("Type the dice as digits from 1 to 6, for example 31 52 66."))
        if len(digits) != 2 * self.count:
            raise CommitmentError(
                gettext_noop(
                    "Type {count} throws of two dice, as fixed when entries were closed: {needed} digits, not {typed}."
                ),
                count=self.count,
                needed=2 * self.count,
                typed=len(digits),
            )
        pairs = (digits[at : at + 2] for at in range(0, len(digits), 2))
        return " ".join("".join(sorted(pair, reverse=True)) for pair in pairs)

    def _canonical_number(self, typed: str) -> str:
        digits = normalize_spaces(typed).replace(" ", "")
        if not digits:
            raise CommitmentError(gettext_noop("Type the public number in first."))
        if not _DIGITS.fullmatch(digits) or len(digits) != self.count:
            raise CommitmentError(
                gettext_noop(
                    "Type the {count} digits of the public number, and nothing else, as fixed when entries were closed."
                ),
                count=self.count,
            )
        return digits
