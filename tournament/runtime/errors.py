"""Errors that front doors render: `Refused`, `Denied`, `NotFound`. `template` and `params` make the sentence."""

from collections.abc import Mapping
from typing import Any, ClassVar

from matches.refusals import Refusal, Refused
from tournament.refusals.access import NOT_FOUND, NOT_PERMITTED, SIGN_IN_FIRST

__all__ = ["Denied", "NotFound", "Refused"]


class Denied(Exception):
    """The actor lacks the permission. `is_known` is False for a stranger, who can sign in and try again."""

    params: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, refusal: Refusal | None = None, *, is_known: bool) -> None:
        self.refusal = refusal or (NOT_PERMITTED if is_known else SIGN_IN_FIRST)
        self.is_known = is_known
        super().__init__(self.refusal.code)

    @property
    def template(self) -> str:
        return self.refusal.template


class NotFound(Exception):
    """The object does not exist, or the actor may not learn that it exists."""

    params: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, refusal: Refusal = NOT_FOUND) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal

    @property
    def template(self) -> str:
        return self.refusal.template
